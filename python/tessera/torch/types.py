"""Types and values of PyTorch for JAX, which has none of 64 bits."""
from __future__ import annotations

from typing import Any

import jax
import torch

#: Rows and columns of a tile.
TILE = 32


def array_type(type_: torch.dtype) -> Any:
    narrow = {torch.int64: torch.int32, torch.float64: torch.float32}.get(type_, type_)
    return jax.numpy.dtype(str(narrow).removeprefix("torch."))


def array_like(tensor: torch.Tensor) -> jax.ShapeDtypeStruct:
    """Its shape and type."""
    return jax.ShapeDtypeStruct(tuple(tensor.shape), array_type(tensor.dtype))


def array(tensor: torch.Tensor) -> jax.Array:
    """With its values; numpy has no bf16."""
    whole = tensor.detach().cpu()
    return jax.numpy.asarray((whole.float() if whole.dtype == torch.bfloat16 else whole).numpy(), dtype=array_type(tensor.dtype))
