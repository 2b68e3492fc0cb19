"""Rows and elements that are looked up. PyTorch takes no index that is negative or beyond the end, so there is nothing to ask of them; JAX would count the
negative ones from behind, and put none-numbers where the others point."""
from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import torch

aten = torch.ops.aten

#: A core holds all indices of an op.
_MOST_INDICES = 1 << 16


def _taken(x: Any, dim: int, index: Any) -> Any:
    """Rows that stand where indices do, as many at a time as there may be."""
    if index.size > _MOST_INDICES:
        # One after the other along the first dimension: a core that cuts a row holds all of it.
        some = max(_MOST_INDICES // (index.size // len(index)), 1)
        if len(index) == 1:
            return jnp.expand_dims(_taken(x, dim, index[0]), dim)
        return jnp.concatenate([_taken(x, dim, index[begin:begin + some]) for begin in range(0, len(index), some)], dim)
    return x.at[(slice(None),) * dim + (index,)].get(mode="promise_in_bounds", wrap_negative_indices=False)


def embedding(table: Any, index: Any, *_: Any, **__: Any) -> Any:
    return _taken(table, 0, index)


def index_select(x: Any, dim: int, index: Any) -> Any:
    return _taken(x, dim % x.ndim, index.reshape(-1)) if x.ndim else x


def gather(x: Any, dim: int, index: Any, sparse_grad: bool = False) -> Any:
    """Of each row its own elements, by the number of the row and the place in it."""
    if not x.ndim:
        return x.reshape(index.shape)
    dim %= x.ndim
    # Other dimensions may have fewer positions than the tensor has.
    cut = x[tuple(slice(None) if i == dim else slice(size) for i, size in enumerate(index.shape))]
    rows, places = jnp.moveaxis(cut, dim, -1), jnp.moveaxis(index, dim, -1)
    table, wanted = rows.reshape(-1, rows.shape[-1]), places.reshape(-1, places.shape[-1])
    return jnp.moveaxis(_elements(table, wanted).reshape(places.shape), -1, dim)


def _elements(table: Any, places: Any) -> Any:
    """Of a few rows at a time: a core holds all numbers that it looks up by."""
    some = _MOST_INDICES // places.shape[1]
    if not some:  # of long rows as of rows of one element
        begins = jnp.arange(len(table), dtype=places.dtype)[:, None] * table.shape[1]
        return _taken(table.reshape(-1, 1), 0, places + begins).reshape(places.shape)
    parts = []
    for begin in range(0, len(table), some):
        wanted = places[begin:begin + some]
        row = jnp.broadcast_to(jnp.arange(begin, begin + len(wanted), dtype=places.dtype)[:, None], wanted.shape)
        parts.append(table.at[row, wanted].get(mode="promise_in_bounds", wrap_negative_indices=False))
    return jnp.concatenate(parts) if len(parts) > 1 else parts[0]


def gather_rows(x: Any, dim: int, index: Any) -> Any:
    """The same where all elements of a row have one index."""
    lead = index.shape[:dim]
    cut = x[tuple(slice(size) for size in lead)]
    begins = jnp.arange(math.prod(lead), dtype=index.dtype).reshape(*lead, 1) * x.shape[dim]
    wanted = index.reshape(index.shape[:dim + 1]) + begins
    return _taken(cut.reshape(-1, math.prod(x.shape[dim + 1:])), 0, wanted).reshape(*wanted.shape, *x.shape[dim + 1:])


def find_rows(graph: torch.fx.Graph) -> None:
    """Gathers whose index was repeated for all elements of a row take rows: what chooses the best queries of a detector is written so."""
    for node in graph.nodes:
        if node.target is not aten.gather.default or node.kwargs:
            continue
        x, dim, index = node.args[:3]
        dim %= max(x.meta["val"].dim(), 1)
        if index.target not in (aten.expand.default, aten.repeat.default):
            continue
        shape, before = tuple(index.meta["val"].shape), tuple(index.args[0].meta["val"].shape)
        is_whole = shape[dim + 1:] == tuple(x.meta["val"].shape[dim + 1:]) and math.prod(shape[dim + 1:]) > 1
        if is_whole and before == shape[:dim + 1] + (1,) * (len(shape) - dim - 1):
            node.target, node.args = gather_rows, (x, dim, index.args[0])
