"""Golden vectors: what models with latent attention and experts need besides."""
import math

import torch

from goldens.formats import Tensor
from goldens.tensors import FLOATS, normal, some


def latents(family):
    for dtype in FLOATS:
        prefill(family, dtype)
        decode(family, dtype)
        selection(family, dtype)
        norm(family, dtype)
    for dtype in (*FLOATS, "si32"):
        sort(family, dtype)


def attend(query, latent, width, scale, mask):
    return torch.softmax(query @ latent.mT * scale + mask, -1) @ latent[..., :width]


def prefill(family, dtype):
    """All heads share one latent, whose first elements are the values."""
    query, latent = normal((2, 3, 34, 8), dtype), normal((2, 1, 34, 8), dtype)
    past = torch.full((34, 34), -math.inf, dtype=torch.float64).triu(1)
    family.add("flash_mla_prefill", [query, latent], attend(query.values, latent.values, 5, 0.3, past), dtype,
               operandSegmentSizes=[1, 1, 0, 0], head_dim_v=5, is_causal=True, scale=0.3)
    mask = normal((1, 1, 34, 34), dtype)
    family.add("flash_mla_prefill", [query, latent, mask], attend(query.values, latent.values, 8, 8 ** -0.5, mask.values), dtype,
               operandSegmentSizes=[1, 1, 0, 1], head_dim_v=8, is_causal=False)


def decode(family, dtype):
    """Blocks of 32 positions; three users of two blocks each, the second of whom is left out."""
    query, blocks = normal((1, 3, 4, 8), dtype), normal((7, 1, 32, 8), dtype)
    table, positions = Tensor(torch.tensor([[5, 0], [2, 3], [6, 1]]), "si32"), Tensor(torch.tensor([40, -1, 31]), "si32")
    made = torch.zeros(1, 3, 4, 5, dtype=torch.float64)
    for user, position in ((0, 40), (2, 31)):
        latent = blocks.values[table.values[user], 0].reshape(64, 8)[:position + 1]
        made[0, user] = attend(query.values[0, user], latent, 5, 0.3, 0)
    family.add("paged_flash_multi_latent_attention_decode", [query, blocks, table, positions], made, dtype,
               operandSegmentSizes=[1, 1, 0, 1, 0, 1, 0], head_dim_v=5, is_causal=True, scale=0.3)


def selection(family, dtype):
    x = Tensor(torch.stack([torch.randperm(40, generator=torch.Generator().manual_seed(seed)) for seed in range(6)])
               .reshape(2, 3, 40).double() - 20, dtype)
    for k, dim, largest in ((1, -1, True), (8, -1, True), (5, 2, False), (2, 1, True)):
        if dim == 1:  # no two equal elements along it
            x = Tensor((x.values * 3 + torch.arange(3)[None, :, None]) / 4, dtype)
        found = x.values.topk(k, dim, largest)
        values, indices = Tensor(found.values, dtype), Tensor(found.indices, "u32")
        spec = {"k": k, "dim": dim, "largest": largest, "sorted": True}
        family.add("topk", [x], values.values, dtype, True, others=[indices], **spec)
        family.add("topk", [x], indices.values, "u32", True, others=[values], place=1, **spec)
    x, source = some((2, 9, 5), dtype), some((2, 4, 5), dtype)
    index = Tensor(torch.stack([torch.randperm(9, generator=torch.Generator().manual_seed(seed))[:4] for seed in range(10)], -1)
                   .reshape(4, 2, 5).transpose(0, 1).contiguous(), "u32")
    spec = {"scatter_reduce_type": "#ttcore.reduce_type<invalid>"}
    family.add("scatter", [x, index, source], x.values.scatter(1, index.values, source.values), dtype, True, dim=1, **spec)
    index = Tensor(torch.tensor([[[4, 0], [1, 3]]]), "u16")
    family.add("scatter", [x, index, source], x.values.scatter(2, index.values, source.values), dtype, True, dim=-1, **spec)


def norm(family, dtype):
    """2 x 3 devices; the last dimension is spread over those of axis 0 or of axis 1."""
    x, weight = normal((6, 4, 33), dtype), normal((6, 33), dtype)
    for axis in (0, 1):
        grid = x.values.reshape(2, 3, 4, 33)
        squares = grid.pow(2).mean(-1, keepdim=True).mean(axis, keepdim=True)
        made = grid * torch.rsqrt(squares + 1e-3) * weight.values.reshape(2, 3, 1, 33)
        family.add("distributed_rms_norm", [x, weight], made.reshape(6, 4, 33), dtype, False, [2, 3],
                   operandSegmentSizes=[1, 1, 0, 0, 0, 0], cluster_axis=axis, epsilon=1e-3)


def sort(family, dtype):
    """Equal elements keep their order, which is one of those that a sort may give that is not said to be stable."""
    x = Tensor(torch.tensor([(7 * i * i) % 23 - 11 for i in range(2 * 5 * 37)]).reshape(2, 5, 37).double(), dtype)
    for dim, descending in ((-1, False), (2, True), (1, True), (0, False)):
        found = x.values.sort(dim=dim, descending=descending, stable=True)
        values, indices = Tensor(found.values, dtype), Tensor(found.indices, "u16")
        spec = {"dim": dim, "descending": descending, "stable": True}
        family.add("sort", [x], values.values, dtype, True, others=[indices], **spec)
        family.add("sort", [x], indices.values, "u16", True, others=[values], place=1, **spec)
