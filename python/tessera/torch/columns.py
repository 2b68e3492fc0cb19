"""Windows of an image as columns, and columns added up to an image. PyTorch looks each element up, and adds each by itself."""
from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp


def _counts(sizes: list[int], kernel: list[int], dilation: list[int], padding: list[int], stride: list[int]) -> list[int]:
    return [(size + 2 * pad - reach * (taps - 1) - 1) // step + 1 for size, taps, reach, pad, step in zip(sizes, kernel, dilation, padding, stride)]


def im2col(x: Any, kernel: list[int], dilation: list[int], padding: list[int], stride: list[int]) -> Any:
    """A slice for each element of a window; windows that share the image out are a reshape of it."""
    whole = x if x.ndim == 4 else x[None]
    batch, channels = whole.shape[:2]
    rows, columns = _counts(list(whole.shape[2:]), kernel, dilation, padding, stride)
    if list(kernel) == list(stride) and not any(padding) and list(dilation) == [1, 1]:
        cut = whole[:, :, :rows * kernel[0], :columns * kernel[1]].reshape(batch, channels, rows, kernel[0], columns, kernel[1])
        taps = cut.transpose(0, 1, 3, 5, 2, 4)
    else:
        padded = jnp.pad(whole, [(0, 0), (0, 0), *((pad, pad) for pad in padding)])

        def tap(row: int, column: int) -> Any:
            begins = row * dilation[0], column * dilation[1]
            return padded[:, :, begins[0]:begins[0] + stride[0] * (rows - 1) + 1:stride[0], begins[1]:begins[1] + stride[1] * (columns - 1) + 1:stride[1]]

        taps = jnp.stack([tap(row, column) for row in range(kernel[0]) for column in range(kernel[1])], 2)
    made = taps.reshape(batch, channels * math.prod(kernel), rows * columns)
    return made if x.ndim == 4 else made[0]


def col2im(x: Any, size: list[int], kernel: list[int], dilation: list[int], padding: list[int], stride: list[int]) -> Any:
    """Pixels whose number leaves the same rest by the stride are an image of their own, to which columns are added where they stand side by side; these
    images lie in each other."""
    whole = x if x.ndim == 3 else x[None]
    counts = _counts(size, kernel, dilation, padding, stride)
    # So many pixels with each rest, the padding among them.
    sides = [-(-(extent + 2 * pad) // step) for extent, pad, step in zip(size, padding, stride)]
    taps = whole.reshape(whole.shape[0], -1, *kernel, *counts)

    def placed(row: int, column: int) -> Any:
        begins = [tap * reach // step for tap, reach, step in zip((row, column), dilation, stride)]
        return jnp.pad(taps[:, :, row, column], [(0, 0), (0, 0), *((begin, side - count - begin) for begin, side, count in zip(begins, sides, counts))])

    def of_rest(rest: tuple[int, int]) -> Any:
        parts = [placed(row, column) for row in range(kernel[0]) for column in range(kernel[1])
                 if (row * dilation[0] % stride[0], column * dilation[1] % stride[1]) == rest]
        return sum(parts[1:], parts[0]) if parts else jnp.zeros((*taps.shape[:2], *sides), x.dtype)

    images = [jnp.stack([of_rest((row, column)) for column in range(stride[1])], -1) for row in range(stride[0])]
    image = jnp.stack(images, 3).reshape(*taps.shape[:2], sides[0] * stride[0], sides[1] * stride[1])
    made = image[:, :, padding[0]:padding[0] + size[0], padding[1]:padding[1] + size[1]]
    return made if x.ndim == 3 else made[0]
