"""Pools. torchax divides windows that reach beyond the image by other numbers than PyTorch does, and has no adaptive maximum."""
from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy


def _each(value: Any, count: int) -> list[int]:
    """One number for each dimension, where one may stand for all."""
    numbers = [value] if isinstance(value, int) else list(value)
    return numbers * count if len(numbers) == 1 else numbers


def _reduced(x: Any, start: float, reduce: Any, kernel: list[int], stride: list[int], padding: list[tuple[int, int]]) -> Any:
    """Over windows of the last dimensions. The start is no tensor of JAX: what it is decides which op of StableHLO this becomes."""
    others = x.ndim - len(kernel)
    return jax.lax.reduce_window(x, numpy.array(start, x.dtype), reduce, [1] * others + kernel, [1] * others + stride, [(0, 0)] * others + padding)


def _windows(size: int, kernel: int, stride: int, padding: int, ceil_mode: bool) -> tuple[range, int]:
    """Where windows begin, and the padding behind that they need. A last one that would begin in it is none."""
    room = size + 2 * padding - kernel
    count = (-(-room // stride) if ceil_mode else room // stride) + 1
    if ceil_mode and (count - 1) * stride >= size + padding:
        count -= 1
    starts = range(-padding, -padding + count * stride, stride)
    return starts, max(padding, starts[-1] + kernel - size)


def _divided(sums: Any, counts: list[list[int]]) -> Any:
    """Each sum by the product of what its dimensions count; by one number where that is the same for all."""
    if all(len(set(each)) == 1 for each in counts):
        return sums / math.prod(each[0] for each in counts)
    whole = numpy.ones((), numpy.float32)
    for each in counts:
        whole = numpy.multiply.outer(whole, numpy.array(each, numpy.float32))
    return sums / jnp.asarray(whole, sums.dtype)


def _sums(x: Any, windows: list[list[tuple[int, int]]]) -> Any:
    """Over windows of the last dimensions, of each the elements from one to another: a product with a matrix adds those of all windows at once."""
    for dim, ranges in enumerate(windows, start=x.ndim - len(windows)):
        members = numpy.array([[begin <= element < end for begin, end in ranges] for element in range(x.shape[dim])])
        x = jnp.swapaxes(jnp.swapaxes(x, dim, -1) @ jnp.asarray(members, x.dtype), dim, -1)
    return x


def avg_pool(x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True,
             divisor_override: int | None = None) -> Any:
    """Of images in one to three dimensions; those of `kernel_size` say in how many."""
    kernel = list(kernel_size)
    strides = _each(stride, len(kernel)) if stride else kernel
    before = _each(padding, len(kernel))
    sides: list[tuple[int, int]] = []
    counts: list[list[int]] = []
    windows: list[list[tuple[int, int]]] = []
    for size, taps, step, pad in zip(x.shape[-len(kernel):], kernel, strides, before):
        starts, behind = _windows(size, taps, step, pad, ceil_mode)
        sides.append((pad, behind))
        # Padding counts as far as it was asked for: what only the last window reaches is none.
        counts.append([min(start + taps, size + pad) - start if count_include_pad else min(start + taps, size) - max(start, 0) for start in starts])
        windows.append([(start, start + taps) for start in starts])
    # The device's pool takes bf16 alone.
    sums = _reduced(x, 0, jax.lax.add, kernel, strides, sides) if x.dtype == jnp.bfloat16 else _sums(x, windows)
    return sums / divisor_override if divisor_override else _divided(sums, counts)


def _shares(size: int, count: int) -> list[tuple[int, int]]:
    """The elements that each of `count` results of an adaptive pool is of."""
    return [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


def adaptive_avg_pool(x: Any, output_size: Any) -> Any:
    sizes = x.shape[-len(output_size):]
    if all(size % count == 0 for size, count in zip(sizes, output_size)):
        return avg_pool(x, [size // count for size, count in zip(sizes, output_size)])
    shares = [_shares(size, count) for size, count in zip(sizes, output_size)]
    return _divided(_sums(x, shares), [[end - begin for begin, end in each] for each in shares])


def adaptive_max_pool(x: Any, output_size: Any) -> tuple[Any, None]:
    """Without the second result, where the maxima are."""
    sizes = x.shape[-len(output_size):]
    if all(size % count == 0 for size, count in zip(sizes, output_size)):
        steps = [size // count for size, count in zip(sizes, output_size)]
        return _reduced(x, -numpy.inf, jax.lax.max, steps, steps, [(0, 0)] * len(steps)), None
    for dim, (size, count) in enumerate(zip(sizes, output_size), start=x.ndim - len(sizes)):
        x = jnp.concatenate([jax.lax.slice_in_dim(x, *share, axis=dim).max(dim, keepdims=True) for share in _shares(size, count)], dim)
    return x, None
