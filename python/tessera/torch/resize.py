"""Images of another size. PyTorch's decomposition gathers the neighbours of every pixel; of each row and column the same ones are weighted in the same way,
so that a product with a matrix for each dimension does it."""
from __future__ import annotations

import math
from typing import Any, Callable

import jax.numpy as jnp
import numpy


def _tent(distance: float) -> float:
    return max(0.0, 1.0 - abs(distance))


def _cubic(distance: float) -> float:
    """Of Keys, with the constant that PyTorch has."""
    a, x = -0.75, abs(distance)
    if x <= 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((x - 5) * x + 8) * x * a - 4 * a if x < 2 else 0.0


def _weights(size: int, count: int, kernel: Callable[[float], float], reach: int, align_corners: bool, scale: float | None) -> numpy.ndarray:
    """size x count: what each of `count` results takes of each element. Beyond the ends stand the ends themselves."""
    weights = numpy.zeros((size, count))
    step = (size - 1) / max(count - 1, 1) if align_corners else 1 / scale if scale else size / count
    for result in range(count):
        at = result * step if align_corners else (result + 0.5) * step - 0.5
        # A tent has no weight beyond the ends, so where it begins before the first element it begins there.
        at = max(at, 0.0) if reach == 1 else at
        for element in range(math.floor(at) - reach + 1, math.floor(at) + reach + 1):
            weights[min(max(element, 0), size - 1), result] += kernel(at - element)
    return weights


def _resized(kernel: Callable[[float], float], reach: int) -> Callable[..., Any]:
    """The function of an op of PyTorch, in either form: with scales of all dimensions in a list, or with one argument for each."""

    def resized(x: Any, output_size: Any, align_corners: bool, *scales: Any) -> Any:
        given = list(scales[0]) if scales and isinstance(scales[0], (list, tuple)) else list(scales)
        dims = range(2, x.ndim)
        factors = given if len(given) == len(dims) else [None] * len(dims)
        counts = output_size or [int(math.floor(x.shape[dim] * factor)) for dim, factor in zip(dims, factors)]
        wide = x.astype(jnp.float32)  # rounded once, as PyTorch does
        for dim, count, factor in zip(dims, counts, factors):
            if x.shape[dim] == count and not (factor and factor != 1):
                continue
            matrix = jnp.asarray(_weights(x.shape[dim], count, kernel, reach, align_corners, factor), jnp.float32)
            wide = jnp.swapaxes(jnp.swapaxes(wide, dim, -1) @ matrix, dim, -1)
        return wide.astype(x.dtype)

    return resized


linear = _resized(_tent, 1)
cubic = _resized(_cubic, 2)
