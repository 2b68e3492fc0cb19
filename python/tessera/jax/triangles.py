"""Systems of equations whose matrix is a triangle, as products: the compiler has no op for them, and rows one after the other would be as many steps.

With U the triangle without its diagonal, and ones on that, the inverse of blocks of 1, 2, 4, ... rows is

    X(1) = 1    X(2n) = X(n) - X(n) U(n) X(n)

where U(n) is what U has between the two blocks of n that make one of 2n. No number is larger than those of the inverse, as if row followed row; powers of
U, which would need fewer products, grow beyond all that cancels again.
"""
from __future__ import annotations

from typing import Any

import numpy
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo


def solves_triangle(op: ir.Operation) -> bool:
    return op.name == "stablehlo.triangular_solve" and isinstance(op.operands[0].type.element_type, ir.F32Type | ir.BF16Type | ir.F16Type)


def solve(op: ir.Operation) -> None:
    matrix, sides = op.operands
    turned = hlo.TransposeAttr(op.attributes["transpose_a"]).value != "NO_TRANSPOSE"
    of_left, is_lower, is_unit = (ir.BoolAttr(op.attributes[name]).value for name in ("left_side", "lower", "unit_diagonal"))
    with ir.InsertionPoint(op), op.location:
        rows, inverse = _inverse(matrix, is_lower, is_unit)
        # The rows of the matrix are columns of its inverse.
        if rows is not None:
            inverse = hlo.divide(inverse, _spread(rows, matrix.type, -1))
        if of_left:
            made = _product(inverse, sides, -2 if turned else -1, -2)
        else:
            made = _product(sides, inverse, -1, -1 if turned else -2)
        op.results[0].replace_all_uses_with(made)
    op.erase()


def _inverse(matrix: Any, is_lower: bool, is_unit: bool) -> tuple[Any, Any]:
    """The diagonal, unless it is one, and the inverse of the triangle whose rows were divided by that."""
    size = matrix.type.shape[-1]
    row, column = numpy.indices((size, size))
    diagonal = None
    if not is_unit:
        diagonal = _sum(_masked(matrix, row == column))
        matrix = hlo.divide(matrix, _spread(diagonal, matrix.type, -2))
    inverse = _spread(_constant(row == column, matrix.type), matrix.type)
    below, beside = (row, column) if is_lower else (column, row)
    length = 1
    while length < size:
        between = _masked(matrix, (below // length == beside // length + 1) & (below // (2 * length) == beside // (2 * length)))
        # Blocks of one row are one.
        if length > 1:
            between = _product(_product(inverse, between, -1, -2), inverse, -1, -2)
        inverse = hlo.subtract(inverse, between)
        length *= 2
    return diagonal, inverse


def _constant(numbers: Any, like: Any) -> Any:
    made = hlo.constant(ir.DenseElementsAttr.get(numpy.asarray(numbers, numpy.float32)))
    return hlo.convert(ir.RankedTensorType.get(numbers.shape, like.element_type), made)


def _spread(value: Any, like: Any, without: int | None = None) -> Any:
    """The value in the last dimensions of that type, or in all but one of them."""
    rank = len(like.shape)
    dims = [dim for dim in range(rank) if without is None or dim != rank + without]
    return hlo.broadcast_in_dim(like, value, dims[len(dims) - len(value.type.shape):])


def _masked(matrix: Any, mask: Any) -> Any:
    """What the matrix has there, whatever it has elsewhere."""
    bit = ir.IntegerType.get_signless(1)
    there = hlo.constant(ir.DenseElementsAttr.get(numpy.ascontiguousarray(mask)))
    spread = ir.RankedTensorType.get(matrix.type.shape, bit)
    zeros = hlo.constant(ir.DenseElementsAttr.get_splat(matrix.type, ir.FloatAttr.get(matrix.type.element_type, 0)))
    return hlo.select(_spread(there, spread), matrix, zeros)


def _sum(matrix: Any) -> Any:
    """Along rows."""
    shape, element = list(matrix.type.shape), matrix.type.element_type
    scalar = ir.RankedTensorType.get([], element)
    nothing = hlo.constant(ir.DenseElementsAttr.get_splat(scalar, ir.FloatAttr.get(element, 0)))
    dimensions = {"dimensions": ir.DenseI64ArrayAttr.get([len(shape) - 1])}
    made = ir.Operation.create("stablehlo.reduce", [ir.RankedTensorType.get(shape[:-1], element)], [matrix, nothing], dimensions, regions=1)
    block = made.regions[0].blocks.append(scalar, scalar)
    with ir.InsertionPoint(block):
        hlo.return_([hlo.add(*block.arguments)])
    return made.results[0]


def _product(left: Any, right: Any, of_left: int, of_right: int) -> Any:
    """Of batches of matrices, along these dimensions."""
    rank = len(left.type.shape)
    batches = list(range(rank - 2))
    shape = [*left.type.shape[:-2], left.type.shape[-3 - of_left], right.type.shape[-3 - of_right]]
    dims = hlo.DotDimensionNumbers.get(batches, batches, [rank + of_left], [rank + of_right])
    return hlo.dot_general(ir.RankedTensorType.get(shape, left.type.element_type), left, right, dims)
