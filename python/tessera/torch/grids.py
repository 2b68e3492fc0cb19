"""Images that are sampled where a grid says. PyTorch's own decomposition looks up each element of each channel by itself; here pixels are rows of a table, whose
channels lie side by side, as the device looks rows up."""
from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ..jax.model import Trouble
from .rows import embedding

_NEAREST, _BORDER, _REFLECTION = 1, 1, 2  # PyTorch's numbers for what it is told by words


def _reflected(places: Any, low: float, high: float) -> Any:
    """Places beyond the ends, as mirrors there would show them."""
    span = high - low
    if span == 0:
        return jnp.zeros_like(places)
    turns = jnp.abs(places - low)
    return jnp.minimum(turns % (2 * span), 2 * span - turns % (2 * span)) + low


def _places(coordinates: Any, size: int, padding: int, corners: bool) -> Any:
    """Coordinates from -1 to 1 as pixels."""
    places = (coordinates + 1) / 2 * (size - 1) if corners else ((coordinates + 1) * size - 1) / 2
    if padding == _REFLECTION:
        places = _reflected(places, 0, size - 1) if corners else _reflected(places, -0.5, size - 0.5)
    return places if padding == 0 else jnp.clip(places, 0, size - 1)


def grid_sampler(image: Any, grid: Any, interpolation: int, padding: int, corners: bool) -> Any:
    """N x C x H x W, sampled at N x ... x 2 places, x first."""
    batch, channels, height, width = image.shape
    where = grid.astype(jnp.float32)  # bf16 would tell few places between pixels apart
    xs, ys = _places(where[..., 0], width, padding, corners), _places(where[..., 1], height, padding, corners)
    table = jnp.moveaxis(image, 1, -1).reshape(-1, channels)
    begins = (jnp.arange(batch, dtype=jnp.int32) * (height * width)).reshape(-1, *(1 for _ in grid.shape[2:]))

    def pixels(x: Any, y: Any, weight: Any) -> Any:
        is_inside = (x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)
        column, row = (jnp.clip(each, 0, size - 1).astype(jnp.int32) for each, size in ((x, width), (y, height)))
        found = embedding(table, row * width + column + begins)
        return found * jnp.where(is_inside, weight, 0).astype(image.dtype)[..., None]

    if interpolation == _NEAREST:
        sampled = pixels(jnp.round(xs), jnp.round(ys), jnp.ones_like(xs))
    else:
        left, top = jnp.floor(xs), jnp.floor(ys)
        right_share, low_share = xs - left, ys - top
        sampled = (pixels(left, top, (1 - right_share) * (1 - low_share)) + pixels(left + 1, top, right_share * (1 - low_share)) +
                   pixels(left, top + 1, (1 - right_share) * low_share) + pixels(left + 1, top + 1, right_share * low_share))
    return jnp.moveaxis(sampled, -1, 1)


def grid_sampler_2d(image: Any, grid: Any, interpolation: int = 0, padding: int = 0, corners: bool = False) -> Any:
    if interpolation > _NEAREST:
        raise Trouble("grid_sample is imported with mode 'bilinear' or 'nearest'")
    return grid_sampler(image, grid, interpolation, padding, corners)
