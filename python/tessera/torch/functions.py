"""Functions of PyTorch that are not left to torchax. Most stay whole: the compiler has ops for them, by the names of composites, and what PyTorch or torchax
would take them apart into is found again only in part, and rounds more often.
"""
from __future__ import annotations

import math
from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy
import torch

from ..jax.model import Trouble
from . import columns, experts, grids, resize, rows
from .convolutions import convolution
from .types import TILE
from .windows import adaptive_avg_pool, adaptive_max_pool, avg_pool

aten = torch.ops.aten

def _composite(name: str, decomposed: Callable[..., Any], operands: list[Any], **attributes: Any) -> Any:
    """An op of the compiler; `decomposed` is what it means, of the same operands."""
    return jax.lax.composite(lambda *given, **_: decomposed(*given), f"tenstorrent.{name}")(*operands, **attributes)


def _present(*operands: Any) -> list[Any]:
    return [operand for operand in operands if operand is not None]


def _linear(x: Any, weight: Any, bias: Any = None) -> Any:
    product = x @ weight.T
    return product if bias is None else product + bias


def _gelu(x: Any, approximate: str = "none") -> Any:
    tanh = approximate == "tanh"
    return _composite("gelu_tanh" if tanh else "gelu", lambda x: jax.nn.gelu(x, approximate=tanh), [x])


def _affine(normalized: Any, like: Any, weight: Any, bias: Any) -> Any:
    scaled = normalized if weight is None else normalized * weight
    return (scaled if bias is None else scaled + bias).astype(like.dtype)


def _layer_norm(x: Any, shape: list[int], weight: Any = None, bias: Any = None, eps: float = 1e-5, _: bool = True) -> Any:
    axes = tuple(range(-len(shape), 0))

    def decomposed(x: Any, weight: Any = None, bias: Any = None) -> Any:
        wide = x.astype(jnp.float32)
        centred = wide - wide.mean(axes, keepdims=True)
        return _affine(centred * jax.lax.rsqrt((centred * centred).mean(axes, keepdims=True) + eps), x, weight, bias)

    if len(shape) > 1:  # the compiler's op goes along the last dimension
        return decomposed(x, weight, bias)
    if weight is None and bias is not None:
        weight = jnp.ones(shape, x.dtype)
    return _composite("layer_norm", decomposed, _present(x, weight, bias), normalized_shape=tuple(shape), epsilon=numpy.float32(eps))


def _rms_norm(x: Any, shape: list[int], weight: Any = None, eps: float | None = None) -> Any:
    axes = tuple(range(-len(shape), 0))
    eps = float(jnp.finfo(jnp.float32).eps) if eps is None else eps  # in which PyTorch computes, whatever the elements are

    def decomposed(x: Any, weight: Any = None) -> Any:
        wide = x.astype(jnp.float32)
        return _affine(wide * jax.lax.rsqrt((wide * wide).mean(axes, keepdims=True) + eps), x, weight, None)

    if len(shape) > 1:
        return decomposed(x, weight)
    return _composite("rms_norm", decomposed, _present(x, weight), normalized_shape=tuple(shape), epsilon=numpy.float32(eps))


def _scores_mask(query: Any, key: Any, mask: Any, is_causal: bool) -> Any:
    """What is added to scores, or nothing. The lowest f32 stays a number: bf16 would make minus infinity of it, and none-numbers of a row that has nothing
    else."""
    if is_causal:
        mask = jnp.tril(jnp.ones((query.shape[-2], key.shape[-2]), bool))
    if mask is not None and mask.dtype == jnp.float32 and query.dtype == jnp.bfloat16:
        mask = jnp.where(jnp.isinf(mask), mask, jnp.maximum(mask, float(jnp.finfo(jnp.bfloat16).min))).astype(jnp.bfloat16)
    if mask is not None and mask.dtype == bool:
        mask = jnp.where(mask, jnp.zeros((), query.dtype), jnp.full((), -jnp.inf, query.dtype))
    return mask


def _is_attended_whole(query: Any, key: Any, value: Any, is_causal: bool) -> bool:
    """Whether the compiler's attention takes these: bf16, whole tiles, one size of heads, and under a causal mask as many queries as keys."""
    return (query.ndim == 4 and query.dtype == key.dtype == value.dtype == jnp.bfloat16 and key.shape == value.shape and
            query.shape[0] == key.shape[0] and query.shape[1] % key.shape[1] == 0 and query.shape[-1] == key.shape[-1] and
            (not is_causal or query.shape[-2] == key.shape[-2]) and not any(size % TILE for each in (query, key) for size in each.shape[-2:]))


def _attention(query: Any, key: Any, value: Any, mask: Any = None, dropout: float = 0.0, is_causal: bool = False, scale: float | None = None,
               enable_gqa: bool = False) -> Any:
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale

    def decomposed(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
        if key.shape[-3] != query.shape[-3]:
            key, value = (jnp.repeat(each, query.shape[-3] // each.shape[-3], axis=-3) for each in (key, value))
        scores = (query @ jnp.swapaxes(key, -1, -2)) * scale
        added = _scores_mask(query, key, mask, is_causal)
        scores = scores if added is None else scores + added
        return jax.nn.softmax(scores.astype(jnp.float32), axis=-1).astype(query.dtype) @ value

    if not _is_attended_whole(query, key, value, is_causal):
        return decomposed(query, key, value, mask)
    if mask is not None:
        mask = jnp.broadcast_to(_scores_mask(query, key, mask, False), (*jnp.broadcast_shapes(mask.shape[:-2], (1, 1)), query.shape[-2], key.shape[-2]))
    return _composite("scaled_dot_product_attention", decomposed, _present(query, key, value, mask), is_causal=is_causal, scale=numpy.float32(scale))


def _topk(x: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:  # noqa: A002: PyTorch's name
    axis = dim % max(x.ndim, 1)

    def decomposed(x: Any) -> Any:
        last = jnp.moveaxis(x, axis, -1)
        values, indices = jax.lax.top_k(last if largest else -last, k)
        return jnp.moveaxis(values if largest else -values, -1, axis), jnp.moveaxis(indices, -1, axis)

    return _composite("topk", decomposed, [x], k=k, dim=axis, largest=largest, sorted=sorted)


def _argmax(x: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    def decomposed(x: Any) -> Any:
        return jnp.argmax(x, axis=dim, keepdims=keepdim).astype(jnp.int32)

    return decomposed(x) if dim is None else _composite("argmax", decomposed, [x], dim=dim % x.ndim, keepdim=keepdim)


def _group_norm(x: Any, groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5, _: bool = True) -> Any:
    """Taken apart, since the library's op takes few of the layouts that there are: by channels, so that only small tensors are reshaped to groups, and
    these last, as convolutions before and behind have them."""
    last = jnp.moveaxis(x, 1, -1)
    batch, *rest, channels = last.shape
    axes = tuple(range(1, last.ndim - 1))

    def per_group(value: Any) -> Any:
        """The mean over a group's channels, for each of them."""
        if groups == channels:
            return value.mean(axes, keepdims=True)
        of_group = value.mean(axes).reshape(batch, groups, channels // groups).mean(-1, keepdims=True)
        return jnp.broadcast_to(of_group, (batch, groups, channels // groups)).reshape(batch, *(1 for _ in rest), channels)

    wide = last.astype(jnp.float32)
    centred = wide - per_group(wide)
    return jnp.moveaxis(_affine(centred * jax.lax.rsqrt(per_group(centred * centred) + eps), x, weight, bias), -1, 1)


def _repeat(x: Any, counts: list[int]) -> Any:
    """What has one element in a dimension is spread over it, where JAX puts another dimension beside each."""
    shape = (1,) * (len(counts) - x.ndim) + x.shape
    spread = jnp.broadcast_to(x.reshape(shape), [count if size == 1 else size for size, count in zip(shape, counts)])
    return jnp.tile(spread, [1 if size == 1 else count for size, count in zip(shape, counts)])


def _unfold(x: Any, dim: int, size: int, step: int) -> Any:
    """Windows of a dimension, the elements of each last. PyTorch gathers them one by one."""
    dim %= x.ndim
    count = (x.shape[dim] - size) // step + 1

    def cut(of: Any, begin: int, length: int, stride: int = 1) -> Any:
        return jax.lax.slice_in_dim(of, begin, begin + (length - 1) * stride + 1, stride, dim)

    if size % step == 0:  # steps side by side
        steps = count + size // step - 1
        blocks = cut(x, 0, steps * step).reshape(*x.shape[:dim], steps, step, *x.shape[dim + 1:])
        windows = jnp.concatenate([cut(blocks, begin, count) for begin in range(size // step)], dim + 1)
    elif count <= size:
        windows = jnp.stack([cut(x, begin * step, size) for begin in range(count)], dim)
    else:
        windows = jnp.stack([cut(x, begin, count, step) for begin in range(size)], dim + 1)
    return jnp.moveaxis(windows, dim + 1, -1)


def _repeated_indices(repeats: Any, output_size: int | None = None) -> Any:
    """Each position as often as it is told."""
    if output_size is None:
        raise Trouble("repeat_interleave by a tensor makes as many rows as its values say; a traced model has none of these, but 'output_size' says it")
    return jnp.repeat(jnp.arange(repeats.shape[0], dtype=repeats.dtype), repeats, total_repeat_length=output_size)


def _searchsorted(sequence: Any, values: Any, out_int32: bool = False, right: bool = False, side: str | None = None, sorter: Any = None) -> Any:
    """Of many rows each has its own order: as many as are before a value say where it belongs. PyTorch takes a number as well as a tensor."""
    values, right = jnp.asarray(values), right or side == "right"
    if sorter is not None:
        sequence = rows.gather(sequence, -1, sorter)
    if sequence.ndim == 1:
        return jnp.searchsorted(sequence, values, side="right" if right else "left")
    row, value = sequence[..., None, :], values[..., None]
    return jnp.sum(row <= value if right else row < value, -1, dtype=jnp.int32)


def _triangle(of: Callable[..., Any]) -> Callable[..., Any]:
    """Positions in a triangle, which nothing has to compute on the chip: JAX looks for those where a matrix is not zero."""

    def indices(row: int, col: int, offset: int = 0, **_: Any) -> Any:
        return jnp.asarray(numpy.stack(of(row, offset, col)), jnp.int32)

    return indices


def _scaled(y: Any, alpha: float) -> Any:
    return y if alpha == 1 else y * alpha


#: By the op of PyTorch.
OURS: dict[Any, Callable[..., Any]] = {
    aten._adaptive_avg_pool2d.default: adaptive_avg_pool,
    aten._adaptive_avg_pool3d.default: adaptive_avg_pool,
    aten._upsample_bicubic2d_aa.default: resize.antialiased_cubic,
    aten._upsample_bicubic2d_aa.vec: resize.antialiased_cubic,
    aten._upsample_bilinear2d_aa.default: resize.antialiased_linear,
    aten._upsample_bilinear2d_aa.vec: resize.antialiased_linear,
    aten._grouped_mm.default: experts.grouped_mm,
    aten._int_mm.default: lambda a, b: jnp.matmul(a, b, preferred_element_type=jnp.int32),
    aten._linalg_det.default: lambda a: (jnp.linalg.det(a), None, None),  # what PyTorch keeps of it is for training
    aten.adaptive_max_pool2d.default: adaptive_max_pool,
    aten.add.Tensor: lambda x, y, alpha=1: x + _scaled(y, alpha),
    aten.argmax.default: _argmax,
    aten.avg_pool1d.default: avg_pool,
    aten.avg_pool2d.default: avg_pool,
    aten.avg_pool3d.default: avg_pool,
    aten.col2im.default: columns.col2im,
    aten.convolution.default: convolution,
    aten.einsum.default: lambda equation, operands, **_: jnp.einsum(equation, *operands),  # PyTorch makes six dimensions of an attention's
    aten.embedding.default: rows.embedding,
    aten.gather.default: rows.gather,
    aten.gelu.default: _gelu,
    aten.grid_sampler_2d.default: grids.grid_sampler_2d,
    aten.group_norm.default: _group_norm,
    aten.histc.default: experts.histc,
    aten.im2col.default: columns.im2col,
    aten.index_select.default: rows.index_select,
    aten.layer_norm.default: _layer_norm,
    aten.ldexp.Tensor: lambda x, exponent: x * jnp.exp2(exponent.astype(jnp.float32)).astype(x.dtype),
    aten.linear.default: _linear,
    aten.matmul.default: jnp.matmul,
    aten.neg.default: jnp.negative,
    aten.repeat.default: _repeat,
    aten.repeat_interleave.Tensor: _repeated_indices,
    aten.rms_norm.default: _rms_norm,
    aten.roll.default: lambda x, shifts, dims=(): jnp.roll(x, shifts, dims or None),  # PyTorch looks each element up
    aten.scaled_dot_product_attention.default: _attention,
    aten.searchsorted.Scalar: _searchsorted,
    aten.searchsorted.Tensor: _searchsorted,
    aten.sub.Tensor: lambda x, y, alpha=1: x - _scaled(y, alpha),
    aten.topk.default: _topk,
    aten.tril_indices.default: _triangle(numpy.tril_indices),
    aten.triu_indices.default: _triangle(numpy.triu_indices),
    aten.unfold.default: _unfold,
    aten.upsample_bicubic2d.default: resize.cubic,
    aten.upsample_bicubic2d.vec: resize.cubic,
    aten.upsample_bilinear2d.default: resize.linear,
    aten.upsample_bilinear2d.vec: resize.linear,
    aten.upsample_linear1d.default: resize.linear,
    aten.upsample_linear1d.vec: resize.linear,
    **{getattr(getattr(aten, f"{name}{rank}d"), form): function for rank in (1, 2, 3) for form in ("default", "vec")
       for name, function in (("upsample_nearest", resize.nearest), ("_upsample_nearest_exact", resize.nearest_exact))},
}
