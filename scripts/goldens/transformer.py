"""Golden vectors: Attention and caches."""
import math

import torch

from goldens.formats import Tensor
from goldens.tensors import FLOATS, RANDOM, normal


def attention(family):
    paged = []
    for dtype in FLOATS:
        rotary(family, dtype)
        heads = normal((2, 3, 5, 16), dtype)
        joined = heads.values.transpose(1, 2).reshape(2, 5, 48)
        family.add("concatenate_heads", [heads], joined, dtype, True)
        family.add("nlp_concat_heads", [heads], joined.unsqueeze(1), dtype, True)
        whole_sequence(family, dtype)
        paged.append(one_position(family, dtype))
    users = normal((1, 3, 5, 16), "bf16")
    joined = torch.zeros(1, 1, 32, 64)
    joined[0, 0, :3] = users.values[0, :, :4].reshape(3, 64)
    family.add("nlp_concat_heads_decode", [users], joined, "bf16", True, num_heads=4)
    for tensors in paged:
        one_position_in_pages(family, *tensors)
    cut(family)


def cut(family):
    """Rows of 4 query heads, 2 of keys and 2 of values, of 8 elements each, for 2 x 3 positions or 6 users."""
    rows = torch.arange(6 * 64, dtype=torch.float64).reshape(6, 64) % 61 - 30
    parts = [part.reshape(2, 3, -1, 8) for part in rows.split([32, 16, 16], -1)]
    several(family, "split_query_key_value_and_split_heads", rows.reshape(2, 3, 64), [part.transpose(1, 2) for part in parts], transpose_key=False)
    several(family, "nlp_create_qkv_heads_decode", rows.reshape(1, 1, 6, 64), [part.reshape(1, 6, -1, 8) for part in parts])


def several(family, op, rows, parts, **attributes):
    """A case for each of the results."""
    for place, part in enumerate(parts):
        others = [Tensor(other, "bf16") for other in parts[:place] + parts[place + 1:]]
        family.add(op, [Tensor(rows, "bf16")], part, "bf16", True, others=others, place=place, num_heads=4, num_kv_heads=2, **attributes)


def rotary(family, dtype):
    x = normal((1, 2, 32, 32), dtype)
    angle = torch.arange(40.0, dtype=torch.float64)[:, None] * 10000.0 ** (-torch.arange(16.0, dtype=torch.float64) / 16)
    halves = torch.cat([angle, angle], -1)[None, None]
    cos, sin = Tensor(halves.cos(), dtype), Tensor(halves.sin(), dtype)
    turned = torch.cat([-x.values[..., 16:], x.values[..., :16]], -1)
    family.add("rotary_embedding", [x, cos, sin], x.values * cos.values[:, :, :32] + turned * sin.values[:, :, :32], dtype)
    family.add("rotary_embedding", [x, cos, sin], x.values * cos.values[:, :, 17:18] + turned * sin.values[:, :, 17:18], dtype,
               token_index=17)
    pairs = angle.repeat_interleave(2, -1)[None, None, :32]
    cos, sin = Tensor(pairs.cos(), dtype), Tensor(pairs.sin(), dtype)
    matrix = torch.zeros(32, 32)
    matrix[torch.arange(0, 32, 2), torch.arange(1, 32, 2)] = 1
    matrix[torch.arange(1, 32, 2), torch.arange(0, 32, 2)] = -1
    plane = torch.view_as_complex(x.values.reshape(1, 2, 32, 16, 2).contiguous())
    exact = torch.stack([plane.real * cos.values[..., ::2] - plane.imag * sin.values[..., ::2],
                         plane.real * sin.values[..., 1::2] + plane.imag * cos.values[..., 1::2]], -1).reshape(x.values.shape)
    family.add("rotary_embedding_llama", [x, cos, sin, Tensor(matrix[None, None], dtype)], exact, dtype)


def attend(query, key, value, scale, mask):
    repeats = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(repeats, 1), value.repeat_interleave(repeats, 1)
    return torch.softmax(query @ key.mT * scale + mask, -1) @ value


def whole_sequence(family, dtype):
    query, key, value = normal((2, 4, 34, 4), dtype), normal((2, 2, 34, 4), dtype), normal((2, 2, 34, 4), dtype)
    past = torch.full((34, 34), -math.inf, dtype=torch.float64).triu(1)
    q, k, v = query.values, key.values, value.values
    segments = [1, 1, 1, 0, 0]
    family.add("scaled_dot_product_attention", [query, key, value], attend(q, k, v, 0.5, past), dtype,
               operandSegmentSizes=segments, is_causal=True)
    family.add("scaled_dot_product_attention", [query, key, value], attend(q, k, v, 0.25, 0), dtype,
               operandSegmentSizes=segments, is_causal=False, scale=0.25)
    mask = Tensor(torch.where(torch.rand((2, 1, 34, 34), generator=RANDOM) < 0.3, -math.inf, 0.0), dtype)
    mask.values[..., 0] = 0
    family.add("scaled_dot_product_attention", [query, key, value, mask], attend(q, k, v, 0.5, mask.values), dtype,
               operandSegmentSizes=[1, 1, 1, 1, 0], is_causal=False)


def one_position(family, dtype):
    query, key, value = normal((1, 3, 8, 4), dtype), normal((3, 2, 40, 4), dtype), normal((3, 2, 40, 4), dtype)
    q, k, v = query.values.permute(1, 2, 0, 3), key.values, value.values
    positions = Tensor(torch.tensor([0, 7, 39]), "si32")
    seen = torch.where(torch.arange(40) <= positions.values[:, None], 0.0, -math.inf)[:, None, None].double()
    family.add("scaled_dot_product_attention_decode", [query, key, value, positions],
               attend(q, k, v, 0.5, seen).permute(2, 0, 1, 3), dtype, operandSegmentSizes=[1, 1, 1, 0, 1, 0], is_causal=True)
    mask = normal((3, 1, 8, 40), dtype)
    # The kernel scales the mask like the scores (docs/facts/real-kernels.md 3).
    family.add("scaled_dot_product_attention_decode", [query, key, value, mask],
               attend(q, k, v, 0.5, 0.5 * mask.values.permute(0, 2, 1, 3)).permute(2, 0, 1, 3), dtype,
               operandSegmentSizes=[1, 1, 1, 1, 0, 0], is_causal=False)
    return query, key, value, positions, attend(q, k, v, 0.5, seen).permute(2, 0, 1, 3), dtype


def one_position_in_pages(family, query, key, value, positions, made, dtype):
    """The same where blocks of 8 positions of all users lie in another order."""
    place = [7 * i % 15 for i in range(15)]

    def pages(tensor):
        blocks = tensor.values.reshape(3, 2, 5, 8, 4).permute(0, 2, 1, 3, 4).reshape(15, 2, 8, 4)
        cache = torch.empty_like(blocks)
        cache[place] = blocks
        return Tensor(cache, dtype)

    table = Tensor(torch.tensor(place).reshape(3, 5), "si32")
    family.add("paged_scaled_dot_product_attention_decode", [query, pages(key), pages(value), table, positions], made, dtype,
               operandSegmentSizes=[1, 1, 1, 1, 0, 1, 0], is_causal=True)


def cache(family):
    for dtype in ("bf16", "f32", "bfp_bf8"):
        store = normal((3, 2, 34, 16), dtype)
        new, made = normal((1, 2, 5, 16), dtype), store.values.clone()
        made[2, :, :5] = new.values[0]
        family.add("fill_cache", [store, new], made, dtype, True, batch_offset=2)
        new, made = normal((1, 2, 3, 16), dtype), store.values.clone()
        made[:, :, 17] = new.values[0].transpose(0, 1)
        family.add("update_cache", [store, new, Tensor(torch.tensor([17]), "u32")], made, dtype, True, batch_offset=0)
        new, made = normal((1, 3, 2, 16), dtype), store.values.clone()
        for user, position in enumerate([33, -1, 20]):
            if position >= 0:
                made[user, :, position] = new.values[0, user]
        positions = Tensor(torch.tensor([33, -1, 20]), "si32")
        family.add("paged_update_cache", [store, new, positions], made, dtype, True)
        paged(family, dtype)


def paged(family, dtype):
    """Blocks of 32 positions; two users of three blocks each."""
    blocks, table = normal((8, 1, 32, 4), dtype), Tensor(torch.tensor([[5, 0, 3], [6, 7, 1]]), "si32")
    new, made = normal((1, 2, 1, 4), dtype), blocks.values.clone()
    made[3, :, 6], made[6, :, 31] = new.values[0, 0], new.values[0, 1]
    positions = Tensor(torch.tensor([70, 31]), "si32")
    family.add("paged_update_cache", [blocks, new, positions, table], made, dtype, True)
    new, made = normal((1, 1, 40, 4), dtype), blocks.values.clone()
    made[6], made[7, :, :8] = new.values[0, :, :32], new.values[0, :, 32:]
    family.add("paged_fill_cache", [blocks, new, table, Tensor(torch.tensor([1]), "si32")], made, dtype, True)
