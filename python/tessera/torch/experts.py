"""Products of rows with the matrices of their experts, as layers of experts write them."""
from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ..jax.model import Trouble


def grouped_mm(x: Any, weights: Any, ends: Any = None, bias: Any = None, out_dtype: Any = None) -> Any:
    """Rows before ends[0] times the first matrix, those before ends[1] times the second, and so on. One product: each row stands in the columns of its
    expert, and zeros in those of all others, which change no sum. Rows behind the last end become zeros."""
    if ends is None or x.ndim != 2 or weights.ndim != 3:
        raise Trouble("aten._grouped_mm is known of groups of rows alone; write that part of the model with other ops")
    rows = jnp.arange(x.shape[0], dtype=ends.dtype)[:, None]
    begins = jnp.concatenate([jnp.zeros_like(ends[:1]), ends[:-1]])
    own = (rows >= begins) & (rows < ends)
    spread = jnp.where(own[:, :, None], x[:, None, :], jnp.zeros((), x.dtype)).reshape(x.shape[0], -1)
    made = spread @ weights.reshape(-1, weights.shape[2])
    return made if bias is None else made + bias


def histc(x: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:  # noqa: A002: PyTorch's names
    """How many elements each of the bins of one width holds, the last one its upper end as well."""
    if min == max:
        raise Trouble("torch.histc needs min and max: where bins begin and end is not known before the model runs")
    place = jnp.floor((x.reshape(-1) - min) * (bins / (max - min)))
    place = jnp.where(x.reshape(-1) == max, bins - 1, place)
    return (place[:, None] == jnp.arange(bins, dtype=place.dtype)).astype(x.dtype).sum(0)
