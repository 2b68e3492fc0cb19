"""Attention, its heads and its caches."""
from __future__ import annotations

from typing import Any

from ..question import core_ranges
from .table import Call, op


def _program(c: Call) -> Any:
    fields = dict(c.question.group("program_config") or {})
    chunks = (c.question.config or {}).get("attention")
    if chunks is not None:
        fields |= {"compute_with_storage_grid_size": chunks["grid"]} | {name: chunks[name] for name in ("q_chunk_size", "k_chunk_size")}
    if "q_chunk_size" not in fields:
        return None
    fields["compute_with_storage_grid_size"] = c.library.core(*fields["compute_with_storage_grid_size"])
    if "sub_core_grids" in fields:
        fields["sub_core_grids"] = c.library.cores(core_ranges(fields["sub_core_grids"]))
    return c.ttnn.SDPAProgramConfig(**fields)


@op("scaled_dot_product_attention")
def attention(c: Call) -> Any:
    return c.function("transformer.scaled_dot_product_attention")(
        c[0], c[1], c[2], attn_mask=c.group(3), is_causal=c.get("is_causal", True), scale=c.get("scale"), memory_config=c.memory,
        sliding_window_size=c.get("sliding_window_size"), program_config=_program(c), compute_kernel_config=c.compute, attention_sink=c.group(4))


@op("scaled_dot_product_attention_decode")
def attention_of_one_position(c: Call) -> Any:
    return c.function("transformer.scaled_dot_product_attention_decode")(
        c[0], c[1], c[2], is_causal=c.get("is_causal", True), attn_mask=c.group(3), cur_pos=[], cur_pos_tensor=c.group(4),
        attention_sink=c.group(5), scale=c.get("scale"), sliding_window_size=c.get("sliding_window_size"), memory_config=c.memory,
        program_config=_program(c), compute_kernel_config=c.compute)


@op("paged_scaled_dot_product_attention_decode")
def attention_over_pages(c: Call) -> Any:
    return c.function("transformer.paged_scaled_dot_product_attention_decode")(
        c[0], c[1], c[2], c[3], is_causal=c.get("is_causal", True), attn_mask=c.group(4), cur_pos_tensor=c.group(5),
        attention_sink=c.group(6), scale=c.get("scale"), sliding_window_size=c.get("sliding_window_size"), memory_config=c.memory,
        program_config=_program(c), compute_kernel_config=c.compute)


@op("rotary_embedding")
def rotary_embedding(c: Call) -> Any:
    """The library counts the rows that fill the last tile as the result's own; where the module does not, they become padding again."""
    rotated = c.function("experimental.rotary_embedding")(c[0], c[1], c[2], c.get("token_index"), memory_config=c.memory,
                                                          compute_kernel_config=c.compute)
    shape = list(c.question.results[0].shape)
    whole = [*shape[:-2], -(-shape[-2] // 32) * 32, shape[-1]]
    return rotated if shape == whole else c.function("reshape")(rotated, shape, whole)


@op("rotary_embedding_llama")
def rotary_embedding_by_matrix(c: Call) -> Any:
    return c.function("experimental.rotary_embedding_llama")(c[0], c[1], c[2], c[3], is_decode_mode=c.get("is_decode_mode", False),
                                                             memory_config=c.memory, compute_kernel_config=c.compute)


@op("nlp_create_qkv_heads_decode")
def heads_of_one_position(c: Call) -> Any:
    return c.function("experimental.nlp_create_qkv_heads_decode")(
        c[0], num_heads=c.need("num_heads"), num_kv_heads=c.get("num_kv_heads"), overlap_qk_coregrid=c.get("overlap_qk_coregrid"),
        batch_offset=c[1] if len(c.operands) > 1 else None, slice_size=c.get("slice_size"), memory_config=c.memory)


@op("nlp_concat_heads_decode")
def concatenated_heads_of_one_position(c: Call) -> Any:
    layout = c.question.operands[0].layout
    at_origin = len(layout.cores) == 1 and layout.cores[0][:2] == (0, 0)
    # Cores that are no rectangle at the origin have to be named.
    cores = None if not layout.cores or at_origin else c.library.cores(layout.cores)
    return c.function("experimental.nlp_concat_heads_decode")(c[0], num_heads=c.need("num_heads"), memory_config=c.memory,
                                                              sub_core_grids=cores)


@op("nlp_concat_heads")
def nlp_concat_heads(c: Call) -> Any:
    return c.function("experimental.nlp_concat_heads")(c[0], memory_config=c.memory)


@op("split_query_key_value_and_split_heads")
def split_heads(c: Call) -> Any:
    return c.function("transformer.split_query_key_value_and_split_heads")(
        c[0], c[1] if len(c.operands) > 1 else None, num_heads=c.need("num_heads"), num_kv_heads=c.get("num_kv_heads"),
        transpose_key=c.get("transpose_key", False), memory_config=c.memory)


@op("concatenate_heads")
def concatenate_heads(c: Call) -> Any:
    return c.function("transformer.concatenate_heads")(c[0], memory_config=c.memory)


@op("fill_cache")
def fill_cache(c: Call) -> None:
    c.function("fill_cache")(c[0], c[1], c.get("batch_offset", 0))


@op("update_cache")
def update_cache(c: Call) -> None:
    """The library takes the position as a number. tt-mlir's runtime reads it from the tensor, too."""
    c.function("update_cache")(c[0], c[1], c.library.whole_number(c[2]), batch_offset=c.get("batch_offset", 0))


@op("paged_update_cache")
def paged_update_cache(c: Call) -> None:
    only = {c.ttnn.MeshCoordinate(0, 0)}  # the chips that the cache lies on
    c.function("experimental.paged_update_cache")(c[0], c[1], update_idxs=[], update_idxs_tensor=c[2] if len(c.operands) > 2 else None,
                                                  share_cache=c.get("share_cache", False),
                                                  page_table=c[3] if len(c.operands) > 3 else None, batch_offset=0, mesh_coords=only)


@op("paged_fill_cache")
def paged_fill_cache(c: Call) -> None:
    c.function("experimental.paged_fill_cache")(c[0], c[1], c[2], batch_idx_tensor=c[3] if len(c.operands) > 3 else None, batch_idx=0)


@op("chunked_scaled_dot_product_attention")
def attention_of_a_chunk(c: Call) -> Any:
    return c.function("transformer.chunked_scaled_dot_product_attention")(
        c[0], c[1], c[2], c[3], chunk_start_idx_tensor=c[4], scale=c.get("scale"), memory_config=c.memory, program_config=_program(c))


@op("flash_mla_prefill")
def latent_attention(c: Call) -> Any:
    function, width = c.function("transformer.flash_mla_prefill"), c.need("head_dim_v")
    how = {"attn_mask": c.group(3), "is_causal": c.get("is_causal", True), "scale": c.get("scale"), "memory_config": c.memory}
    # Without values they are the first columns of the keys.
    return function(c[0], c[1], width, **how) if c.group(2) is None else function(c[0], c[1], c.group(2), **how)


@op("paged_flash_multi_latent_attention_decode")
def latent_attention_over_pages(c: Call) -> Any:
    return c.function("transformer.paged_flash_multi_latent_attention_decode")(
        c[0], c[1], c.group(2), c.need("head_dim_v"), c.group(3), is_causal=c.get("is_causal", True), attn_mask=c.group(4),
        cur_pos_tensor=c.group(5), attention_sink=c.group(6), scale=c.get("scale"), memory_config=c.memory)


@op("embedding_bw")
def embedding_backward(c: Call) -> Any:
    return c.function("embedding_bw")(c[0], c[1], c[2], dtype=c.dtype, memory_config=c.memory)
