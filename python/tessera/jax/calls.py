"""Calls that the compiler has ops for and StableHLO has not.

Each becomes a `stablehlo.custom_call @tt.NAME`. They can be traced anywhere, and run on a chip alone.
"""
from __future__ import annotations

from typing import Any


def _call(name: str, like: Any, operands: list[Any], in_place: bool = False, **attributes: Any) -> Any:
    """The call; its result has the shape and type of `like`, and is written over the first operand if `in_place`."""
    import jax

    result = jax.ShapeDtypeStruct(like.shape, like.dtype)
    given = {key: value for key, value in attributes.items() if value is not None}
    return jax.ffi.ffi_call(f"tt.{name}", result, input_output_aliases={0: 0} if in_place else None)(*operands, **given)


def _scale(scale: float | None) -> Any:
    """As the compiler reads it: of 32 bits."""
    import numpy

    return None if scale is None else numpy.float32(scale)


def parameter(tensor: Any, name: str) -> Any:
    """The argument `tensor`, as a weight: what depends on weights alone is computed once. `tessera import jax --params` does this for you."""
    from jax.experimental.xla_metadata import set_xla_metadata

    # The compiler reads what a mark says from its metadata, and what other calls are to do from their attributes.
    with set_xla_metadata(**{"ttcore.argument_type": "parameter", "ttir.name": name}):
        return _call("mark_argument", tensor, [tensor])


def paged_update_cache(cache: Any, token: Any, positions: Any, page_table: Any) -> Any:
    """The cache (blocks, heads, block length, size) with a token of each user, (1, users, heads, size), at int32 `positions` (users);
    `page_table` (users, blocks of each) says which blocks are whose."""
    return _call("paged_update_cache", cache, [cache, token, positions, page_table], in_place=True, share_cache=False)


def paged_fill_cache(cache: Any, tokens: Any, page_table: Any, user: Any) -> Any:
    """The cache (blocks, heads, block length, size) with the prompt of one user, (1, heads, n, size); `user` is a tensor of one int32."""
    return _call("paged_fill_cache", cache, [cache, tokens, page_table, user], in_place=True)


def paged_sdpa_decode(query: Any, key: Any, value: Any, page_table: Any, positions: Any, scale: float | None = None) -> Any:
    """Attention of one token of each user, query (1, users, heads, size), to caches as `paged_update_cache` has them, up to int32 `positions`
    (users)."""
    return _call("paged_scaled_dot_product_attention_decode", query, [query, key, value, page_table, positions], is_causal=True,
                 has_cur_pos_tensor=True, has_attention_mask=False, has_attention_sink=False, scale=_scale(scale))
