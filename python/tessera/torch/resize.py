"""Images of another size. PyTorch's decompositions gather the neighbours of every pixel; of each row and column the same ones are weighted in the same way,
so that a product with a matrix for each dimension does it, and where the nearest one is wanted, and sizes are multiples, a repeat."""
from __future__ import annotations

import math
from typing import Any, Callable

import jax.numpy as jnp
import numpy


def _tent(distance: float) -> float:
    return max(0.0, 1.0 - abs(distance))


def _cubic(distance: float, a: float = -0.75) -> float:
    """Of Keys, with the constant that PyTorch has."""
    x = abs(distance)
    if x <= 1:
        return ((a + 2) * x - (a + 3)) * x * x + 1
    return ((x - 5) * x + 8) * x * a - 4 * a if x < 2 else 0.0


def _antialiased_cubic(distance: float) -> float:
    return _cubic(distance, -0.5)


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


def _antialiased_weights(size: int, count: int, kernel: Callable[[float], float], reach: int, align_corners: bool,
                         scale: float | None) -> numpy.ndarray:
    """The same of a kernel that is as wide as what a result stands for. What is beyond the ends has no weight."""
    weights = numpy.zeros((size, count))
    step = (size - 1) / max(count - 1, 1) if align_corners else 1 / scale if scale else size / count
    width = max(step, 1.0)
    for result in range(count):
        middle = (result + 0.5) * step
        begin, end = max(int(middle - reach * width + 0.5), 0), min(int(middle + reach * width + 0.5), size)
        taps = numpy.array([kernel((element - middle + 0.5) / width) for element in range(begin, end)])
        weights[begin:end, result] = taps / taps.sum()
    return weights


def _sizes(x: Any, output_size: Any, scales: tuple[Any, ...]) -> list[tuple[int, int, float | None]]:
    """Of each dimension of the image its number, its size to be, and the factor that was given, in either form of an op: with a list of factors, or with
    one argument for each."""
    given = list(scales[0]) if scales and isinstance(scales[0], (list, tuple)) else list(scales)
    dims = range(2, x.ndim)
    factors = given if len(given) == len(dims) else [None] * len(dims)
    counts = output_size or [math.floor(x.shape[dim] * factor) for dim, factor in zip(dims, factors)]
    return list(zip(dims, counts, factors))


def _resized(kernel: Callable[[float], float], reach: int, weights: Callable[..., numpy.ndarray] = _weights) -> Callable[..., Any]:
    def resized(x: Any, output_size: Any, align_corners: bool, *scales: Any) -> Any:
        wide = x.astype(jnp.float32)  # rounded once, as PyTorch does
        for dim, count, factor in _sizes(x, output_size, scales):
            if x.shape[dim] == count and not (factor and factor != 1):
                continue
            matrix = jnp.asarray(weights(x.shape[dim], count, kernel, reach, align_corners, factor), jnp.float32)
            wide = jnp.swapaxes(jnp.swapaxes(wide, dim, -1) @ matrix, dim, -1)
        return wide.astype(x.dtype)

    return resized


def _nearest(middle: float) -> Callable[..., Any]:
    """`middle`: of a pixel, where it is looked for."""

    def nearest(x: Any, output_size: Any, *scales: Any) -> Any:
        last = jnp.moveaxis(x, 1, -1)
        for dim, count, factor in _sizes(x, output_size, scales):
            size = x.shape[dim]
            step = numpy.float32(1 / factor if factor else size / count)
            taken = numpy.minimum(numpy.floor((numpy.arange(count, dtype=numpy.float32) + numpy.float32(middle)) * step).astype(int), size - 1)
            times = count // size
            if count == times * size and (taken == numpy.arange(count) // max(times, 1)).all():
                last = jnp.repeat(last, times, axis=dim - 1)
            else:
                last = jnp.take(last, taken, axis=dim - 1)
        return jnp.moveaxis(last, -1, 1)

    return nearest


linear = _resized(_tent, 1)
cubic = _resized(_cubic, 2)
antialiased_linear = _resized(_tent, 1, _antialiased_weights)
antialiased_cubic = _resized(_antialiased_cubic, 2, _antialiased_weights)
nearest = _nearest(0)
nearest_exact = _nearest(0.5)
