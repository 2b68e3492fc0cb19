"""Windows of an image as columns, and columns added up to an image. PyTorch looks each element up, and adds each by itself."""
from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp


def _counts(sizes: list[int], kernel: list[int], dilation: list[int], padding: list[int], stride: list[int]) -> list[int]:
    return [(size + 2 * pad - reach * (taps - 1) - 1) // step + 1 for size, taps, reach, pad, step in zip(sizes, kernel, dilation, padding, stride)]


def im2col(x: Any, kernel: list[int], dilation: list[int], padding: list[int], stride: list[int]) -> Any:
    """A slice for each element of a window, of pixels with all their channels side by side."""
    whole = jnp.moveaxis(x if x.ndim == 4 else x[None], 1, -1)
    batch, channels = whole.shape[0], whole.shape[-1]
    counts = _counts(list(whole.shape[1:3]), kernel, dilation, padding, stride)
    padded = jnp.pad(whole, [(0, 0), *((pad, pad) for pad in padding), (0, 0)])

    def tap(row: int, column: int) -> Any:
        rows, columns = (slice(begin, begin + step * (count - 1) + 1, step)
                         for begin, step, count in zip((row * dilation[0], column * dilation[1]), stride, counts))
        return padded[:, rows, columns].reshape(batch, 1, math.prod(counts), channels)

    taps = jnp.concatenate([tap(row, column) for row in range(kernel[0]) for column in range(kernel[1])], 1)
    made = taps.transpose(0, 3, 1, 2).reshape(batch, channels * math.prod(kernel), math.prod(counts))
    return made if x.ndim == 4 else made[0]


def col2im(x: Any, size: list[int], kernel: list[int], dilation: list[int], padding: list[int], stride: list[int]) -> Any:
    """Pixels whose number leaves the same rest by the stride are an image of their own, to which columns are added where they stand side by side; these
    images lie in each other. All channels of a pixel are side by side meanwhile."""
    whole = x if x.ndim == 3 else x[None]
    counts = _counts(size, kernel, dilation, padding, stride)
    # So many pixels with each rest, the padding among them.
    sides = [-(-(extent + 2 * pad) // step) for extent, pad, step in zip(size, padding, stride)]
    taps = whole.reshape(whole.shape[0], -1, math.prod(kernel), math.prod(counts)).transpose(0, 2, 3, 1)
    batch, channels = taps.shape[0], taps.shape[-1]

    def placed(row: int, column: int) -> Any:
        begins = [tap * reach // step for tap, reach, step in zip((row, column), dilation, stride)]
        one = taps[:, row * kernel[1] + column].reshape(batch, *counts, channels)
        return jnp.pad(one, [(0, 0), *((begin, side - count - begin) for begin, side, count in zip(begins, sides, counts)), (0, 0)])

    def of_rest(rest: tuple[int, int]) -> Any:
        parts = [placed(row, column) for row in range(kernel[0]) for column in range(kernel[1])
                 if (row * dilation[0] % stride[0], column * dilation[1] % stride[1]) == rest]
        return sum(parts[1:], parts[0]) if parts else jnp.zeros((batch, *sides, channels), x.dtype)

    lines = [jnp.concatenate([of_rest((row, column)) for column in range(stride[1])], -1).reshape(batch, sides[0], 1, sides[1] * stride[1], channels)
             for row in range(stride[0])]
    image = jnp.concatenate(lines, 2).reshape(batch, sides[0] * stride[0], sides[1] * stride[1], channels)
    made = jnp.moveaxis(image[:, padding[0]:padding[0] + size[0], padding[1]:padding[1] + size[1]], -1, 1)
    return made if x.ndim == 3 else made[0]
