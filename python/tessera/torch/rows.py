"""Rows and elements that are looked up. PyTorch takes no index that is negative or beyond the end, so there is nothing to ask of them; JAX would count the
negative ones from behind, and put none-numbers where the others point."""
from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

#: A core holds all indices of an op.
_MOST_INDICES = 1 << 16


def _taken(x: Any, dim: int, index: Any) -> Any:
    return x.at[(slice(None),) * dim + (index,)].get(mode="promise_in_bounds", wrap_negative_indices=False)


def embedding(table: Any, index: Any, *_: Any, **__: Any) -> Any:
    return _taken(table, 0, index)


def index_select(x: Any, dim: int, index: Any) -> Any:
    return _taken(x, dim % x.ndim, index.reshape(-1)) if x.ndim else x


def gather(x: Any, dim: int, index: Any, sparse_grad: bool = False) -> Any:
    """Of each row its own elements: as rows of one element each, of which the device has an op."""
    if not x.ndim:
        return x.reshape(index.shape)
    dim %= x.ndim
    # Other dimensions may have fewer positions than the tensor has.
    cut = x[tuple(slice(None) if i == dim else slice(size) for i, size in enumerate(index.shape))]
    rows, places = jnp.moveaxis(cut, dim, -1), jnp.moveaxis(index, dim, -1)
    begins = jnp.arange(math.prod(rows.shape[:-1]), dtype=index.dtype).reshape(*rows.shape[:-1], 1) * rows.shape[-1]
    elements, wanted = rows.reshape(-1, 1), (places + begins).reshape(-1)
    found = [_taken(elements, 0, wanted[begin:begin + _MOST_INDICES]) for begin in range(0, wanted.size, _MOST_INDICES)]
    return jnp.moveaxis(jnp.concatenate(found).reshape(places.shape), -1, dim)
