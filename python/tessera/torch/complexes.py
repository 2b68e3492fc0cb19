"""Complex numbers. The compiler knows them where the model computes with them, but of a constant it makes zeros; so each is put together of its parts, which
nothing may fold."""
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp


def together(real: Any, imaginary: Any) -> Any:
    return jax.lax.complex(*jax.lax.optimization_barrier((real, imaginary)))


def view_as_complex(pairs: Any) -> Any:
    wide = pairs.astype(jnp.float32)
    return together(wide[..., 0], wide[..., 1])


def polar(length: Any, angle: Any) -> Any:
    return together(length * jnp.cos(angle), length * jnp.sin(angle))
