"""Fourier's transforms as products with matrices of cosines and sines, of which the chip computes plenty; it has no op for them."""
from __future__ import annotations

import math
from typing import Any

import numpy
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

#: A complex tensor's real and imaginary part.
Pair = tuple[Any, Any]

#: The length up to which a transform is one product; longer ones are two of shorter ones, unless their length is a prime.
_WHOLE = 1024


def transformed(kind: str, value: Any, lengths: list[int]) -> Any:
    """Of the last dimensions, as many as there are lengths: "FFT" and "IFFT" of parts, "RFFT" of a real tensor, "IRFFT" to one."""
    axes = list(range(len(_shape(value)) - len(lengths), len(_shape(value))))
    if kind == "IRFFT":
        for axis in axes[:-1]:
            value = _along(axis, value, True)
        return _to_real(value, lengths[-1])
    if kind == "RFFT":
        value = _half(value, lengths[-1])
        axes = axes[:-1]
    for axis in reversed(axes):
        value = _along(axis, value, kind == "IFFT")
    return value


def _shape(value: Any) -> list[int]:
    return list((value[0] if isinstance(value, tuple) else value).type.shape)


def _turns(rows: int, columns: int, length: int, inverse: bool) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Cosines and sines of row times column, as parts of `length` of a turn: whole turns are taken off while numbers are whole."""
    angles = 2 * numpy.pi * (numpy.outer(numpy.arange(rows, dtype=numpy.int64), numpy.arange(columns, dtype=numpy.int64)) % length) / length
    return numpy.cos(angles), numpy.sin(angles) * (1 if inverse else -1)


def _constant(values: numpy.ndarray, element: ir.Type) -> Any:
    made = hlo.constant(ir.DenseElementsAttr.get(numpy.ascontiguousarray(values, numpy.float32)))
    return made if isinstance(element, ir.F32Type) else hlo.convert(ir.RankedTensorType.get(values.shape, element), made)


def _product(value: Any, matrix: numpy.ndarray) -> Any:
    """Of the last dimension with the matrix's rows."""
    shape, element = list(value.type.shape), value.type.element_type
    dims = hlo.DotDimensionNumbers.get([], [], [len(shape) - 1], [0])
    return hlo.dot_general(ir.RankedTensorType.get([*shape[:-1], matrix.shape[1]], element), value, _constant(matrix, element), dims)


def _each(parts: Pair, of: Any) -> Pair:
    return of(parts[0]), of(parts[1])


def _reshaped(value: Any, shape: list[int]) -> Any:
    return hlo.reshape(ir.RankedTensorType.get(shape, value.type.element_type), value)


def _along(axis: int, parts: Pair, inverse: bool) -> Pair:
    rank, length = len(_shape(parts)), _shape(parts)[axis]
    turn = [each for each in range(rank) if each != axis] + [axis]
    if axis != rank - 1:
        parts = _each(parts, lambda part: hlo.transpose(part, turn))
    parts = _of_last(parts, inverse)
    if inverse:
        parts = _each(parts, lambda part: hlo.divide(part, hlo.constant(ir.DenseElementsAttr.get_splat(part.type, ir.FloatAttr.get(part.type.element_type, length)))))
    return parts if axis == rank - 1 else _each(parts, lambda part: hlo.transpose(part, [turn.index(each) for each in range(rank)]))


def _rows(length: int) -> int:
    """What a long transform is divided by: the divisor next to its root; 1 if there is none, or no need."""
    if length <= _WHOLE:
        return 1
    return next(each for each in range(math.isqrt(length), 0, -1) if length % each == 0)


def _of_last(parts: Pair, inverse: bool) -> Pair:
    """Without the division by its length that an inverse one ends in."""
    shape = _shape(parts)
    length, rows = shape[-1], _rows(shape[-1])
    if rows == 1:
        cosines, sines = _turns(length, length, length, inverse)
        real, imag = parts
        return (hlo.subtract(_product(real, cosines), _product(imag, sines)), hlo.add(_product(real, sines), _product(imag, cosines)))
    # Elements that are `columns` from each other first, each turned by its place, then neighbours: Cooley's and Tukey's step.
    columns, rank = length // rows, len(shape) + 1
    swap = [*range(rank - 2), rank - 1, rank - 2]
    parts = _each(parts, lambda part: hlo.transpose(_reshaped(part, [*shape[:-1], rows, columns]), swap))
    parts = _each(_of_last(parts, inverse), lambda part: hlo.transpose(part, swap))
    parts = _of_last(_turned(parts, _turns(rows, columns, length, inverse)), inverse)
    return _each(parts, lambda part: _reshaped(hlo.transpose(part, swap), shape))


def _turned(parts: Pair, turns: tuple[numpy.ndarray, numpy.ndarray]) -> Pair:
    like = parts[0].type
    rank = len(like.shape)
    cosines, sines = (hlo.broadcast_in_dim(like, _constant(each, like.element_type), [rank - 2, rank - 1]) for each in turns)
    real, imag = parts
    return (hlo.subtract(hlo.multiply(real, cosines), hlo.multiply(imag, sines)), hlo.add(hlo.multiply(real, sines), hlo.multiply(imag, cosines)))


def _half(value: Any, length: int) -> Pair:
    """Of a real tensor, whose other half mirrors this one."""
    kept = length // 2 + 1
    if _rows(length) == 1:
        return tuple(_product(value, matrix) for matrix in _turns(length, kept, length, False))
    nothing = hlo.constant(ir.DenseElementsAttr.get_splat(value.type, ir.FloatAttr.get(value.type.element_type, 0)))
    return _each(_of_last((value, nothing), False), lambda part: _cut(part, 0, kept))


def _cut(value: Any, begin: int, end: int) -> Any:
    """Of the last dimension."""
    shape = list(value.type.shape)
    return hlo.slice(value, [*[0] * (len(shape) - 1), begin], [*shape[:-1], end], [1] * len(shape))


def _to_real(parts: Pair, length: int) -> Any:
    kept = length // 2 + 1
    if _rows(length) == 1:
        # The first, and of an even length the last, are there once in the whole; all between have a mirror image.
        times = numpy.where((numpy.arange(kept) == 0) | (2 * numpy.arange(kept) == length), 1, 2)[:, None] / length
        cosines, sines = _turns(kept, length, length, True)
        return hlo.subtract(_product(parts[0], cosines * times), _product(parts[1], sines * times))
    mirrored = _each(parts, lambda part: hlo.reverse(_cut(part, 1, length - kept + 1), [len(part.type.shape) - 1]))
    last = len(parts[0].type.shape) - 1
    whole = (hlo.concatenate([parts[0], mirrored[0]], last), hlo.concatenate([parts[1], hlo.negate(mirrored[1])], last))
    return _along(last, whole, True)[0]
