"""Convolutions of lines. The device computes groups as if each channel had weights for all others, and takes the weights of a line from the host in every call.
Products do better where windows are one element, and where there are groups of many channels and long windows, such as positions in speech."""
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import torch
from torchax.ops import jaten, ops_registry  # noqa: F401: the first fills the second

from .types import TILE

_of_images = ops_registry.all_aten_ops[torch.ops.aten.convolution].func

#: Elements of the weights that the device makes for groups, beyond which products are better: those of a block of them are more than a core's L1.
_MOST_WEIGHTS = 1 << 24


def _of_elements(x: Any, weight: Any, groups: int) -> Any:
    """Each element by itself: a product, or a number for each channel."""
    if groups == 1:
        return jnp.swapaxes(jnp.swapaxes(x, 1, 2) @ weight[..., 0].T, 1, 2)
    return x * weight[:, 0]


def _of_long_windows(x: Any, weight: Any, padding: int, groups: int) -> Any:
    """Windows are cut into pieces of a tile's length. Side by side lie each element of a group and those behind it, as many as a piece has; one product has
    them with the weights of all pieces, of which the sums are at whole tiles, each piece's from where it begins in the window."""
    batch, _, size = x.shape
    outputs, channels, taps = weight.shape
    of_group = outputs // groups
    wide = -(-of_group // TILE) * TILE
    pieces = -(-taps // TILE)
    count = size + 2 * padding - taps + 1
    reach = count + (pieces - 1) * TILE  # where a piece may begin
    sides = [(0, 0), (0, 0), (padding, padding + pieces * TILE - taps), (0, 0)]
    lines = jnp.pad(jnp.swapaxes(x, 1, 2).reshape(batch, size, groups, channels).transpose(0, 2, 1, 3), sides)
    rows = jnp.concatenate([lines[:, :, tap:tap + reach] for tap in range(TILE)], -1)
    whole = jnp.pad(weight.reshape(groups, of_group, channels, taps), ((0, 0), (0, wide - of_group), (0, 0), (0, pieces * TILE - taps)))
    columns = whole.reshape(groups, wide, channels, pieces, TILE).transpose(0, 4, 2, 3, 1).reshape(groups, TILE * channels, pieces * wide)
    product = jnp.matmul(rows, columns, preferred_element_type=jnp.float32)
    sums = [product[:, :, piece * TILE:piece * TILE + count, piece * wide:piece * wide + of_group] for piece in range(pieces)]
    return sum(sums[1:], sums[0]).astype(x.dtype).transpose(0, 1, 3, 2).reshape(batch, outputs, count)


def _groups_inside(weight: Any, groups: int) -> Any:
    """Weights of a transposed convolution, a row for each input, such that reshaped to the inputs of one group they have those of all groups side by side:
    torchax reshapes, whatever the order."""
    inputs, outputs, *taps = weight.shape
    return jnp.swapaxes(weight.reshape(groups, inputs // groups, outputs, *taps), 0, 1).reshape(weight.shape)


def _without_borders(sizes: Any, weight: Any, stride: list[int], padding: list[int], dilation: list[int]) -> tuple[Any, list[int]]:
    """The weights without the taps that never see anything but padding, and the padding that is left, as where windows are dilated beyond the image. As many on
    both sides alone, since PyTorch pads both alike."""
    padding = list(padding)
    for at, size in enumerate(sizes):
        axis, taps = at + 2, weight.shape[at + 2]
        outputs = (size + 2 * padding[at] - dilation[at] * (taps - 1) - 1) // stride[at] + 1
        reach = (outputs - 1) * stride[at] - padding[at]  # of the first tap
        seen = [tap for tap in range(taps) if reach + tap * dilation[at] >= 0 and tap * dilation[at] - padding[at] < size]
        hidden = seen[0] if seen else 0
        if hidden and taps - 1 - seen[-1] == hidden and padding[at] >= hidden * dilation[at]:
            weight = jax.lax.slice_in_dim(weight, hidden, taps - hidden, axis=axis)
            padding[at] -= hidden * dilation[at]
    return weight, padding


def _images_of(x: Any, weight: Any, stride: list[int], padding: list[int], dilation: list[int], groups: int) -> Any:
    """A convolution of volumes whose windows stand side by side in depth, as patches of videos do, as one of images that have a window's depth as channels; one
    whose windows are one element wide and high, as those along time are, as one of an image whose lines are the volume's images. None of any other: the
    library that the compiler asks has none of volumes."""
    outputs, channels, deep, *taps = weight.shape
    batch, _, depth, height, width = x.shape
    if (stride[0], padding[0], dilation[0]) == (deep, 0, 1) and depth >= deep and (deep == 1 or groups == 1):
        count = depth // deep
        pieces = x[:, :, :count * deep].reshape(batch, -1, count, deep, height, width).transpose(0, 2, 3, 1, 4, 5)
        flat = jnp.swapaxes(weight, 1, 2).reshape(outputs, deep * channels, *taps)
        made = _of_images(pieces.reshape(batch * count, -1, height, width), flat, None, stride[1:], padding[1:], dilation[1:], False, [0, 0], groups)
        return jnp.swapaxes(made.reshape(batch, count, outputs, *made.shape[2:]), 1, 2)
    if taps == [1, 1] and stride[1:] == [1, 1] and padding[1:] == [0, 0]:
        made = _of_images(x.reshape(batch, -1, depth, height * width), weight[..., 0], None, [stride[0], 1], [padding[0], 0], [dilation[0], 1], False, [0, 0],
                          groups)
        return made.reshape(batch, outputs, -1, height, width)
    return None


def convolution(x: Any, weight: Any, bias: Any, stride: list[int], padding: list[int], dilation: list[int], transposed: bool,
                output_padding: list[int], groups: int) -> Any:
    # One number is that of each dimension, as "valid" leaves it.
    stride, padding, dilation, output_padding = (list(each) * (x.ndim - 2 if len(each) == 1 else 1) for each in (stride, padding, dilation, output_padding))
    if not transposed:
        weight, padding = _without_borders(x.shape[2:], weight, stride, padding, dilation)
    if x.ndim == 5 and not transposed:
        made = _images_of(x, weight, stride, padding, dilation, groups)
        if made is not None:
            return made if bias is None else made + bias[:, None, None, None]
    outputs, channels, *taps = weight.shape
    plain = x.ndim == 3 and not transposed and stride[0] == 1 and dilation[0] == 1
    if plain and taps[0] == 1 and not padding[0] and (groups == 1 or groups == outputs == x.shape[1]):
        made = _of_elements(x, weight, groups)
    elif plain and groups > 1 and channels > 1 and outputs * channels * groups * taps[0] > _MOST_WEIGHTS:
        made = _of_long_windows(x, weight, padding[0], groups)
    else:
        if transposed and groups > 1:
            weight = _groups_inside(weight, groups)
        return _of_images(x, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    return made if bias is None else made + bias[:, None]
