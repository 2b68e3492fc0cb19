"""Systems of equations whose matrix is a triangle, as products: the compiler has no op for them, and rows one after the other would be as many steps.

With U the triangle without its diagonal, and ones on that, the inverse of blocks of 1, 2, 4, ... rows is

    X(1) = 1    X(2n) = X(n) - X(n) U(n) X(n)

where U(n) is what U has between the two blocks of n that make one of 2n. No number is larger than those of the inverse, as if row followed row; powers of
U, which would need fewer products, grow beyond all that cancels again.

The triangle of a symmetric matrix that Cholesky's decomposition finds is another thing: each column of it is known only when those before it are, so it is
a loop, of one step for each column.
"""
from __future__ import annotations

from typing import Any

import numpy
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo


def _is_real(value: Any) -> bool:
    return isinstance(value.type.element_type, ir.F32Type | ir.BF16Type | ir.F16Type)


def solves_triangle(op: ir.Operation) -> bool:
    return op.name == "stablehlo.triangular_solve" and _is_real(op.operands[0])


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
    return hlo.select(_spread(there, spread), matrix, _zeros(matrix.type))


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


# ---- Cholesky's decomposition ---------------------------------------------------------------------------------


def finds_triangle(op: ir.Operation) -> bool:
    return op.name == "stablehlo.cholesky" and _is_real(op.operands[0])


def find(op: ir.Operation) -> None:
    """Each step takes one column, and its product with itself from what is left, of which only the lower triangle is read."""
    matrix = op.operands[0]
    is_lower = "lower" in op.attributes and ir.BoolAttr(op.attributes["lower"]).value
    rank = len(matrix.type.shape)
    turn = [*range(rank - 2), rank - 1, rank - 2]
    with ir.InsertionPoint(op), op.location:
        left = matrix if is_lower else hlo.transpose(matrix, turn)
        made = _found(left)
        op.results[0].replace_all_uses_with(made if is_lower else hlo.transpose(made, turn))
    op.erase()


def _found(matrix: Any) -> Any:
    count = ir.RankedTensorType.get([], ir.IntegerType.get_signless(32))

    def number(value: int) -> Any:
        return hlo.constant(ir.DenseElementsAttr.get_splat(count, ir.IntegerAttr.get(count.element_type, value)))

    state = [number(0), matrix, _zeros(matrix.type)]
    types = [value.type for value in state]
    loop = ir.Operation.create("stablehlo.while", types, state, regions=2)
    going, step = (region.blocks.append(*types) for region in loop.regions)
    with ir.InsertionPoint(going):
        hlo.return_([hlo.compare(going.arguments[0], number(matrix.type.shape[-1]), hlo.ComparisonDirectionAttr.get("LT"))])
    with ir.InsertionPoint(step):
        place, left, made = step.arguments
        hlo.return_([hlo.add(place, number(1)), *_column_taken(place, left, made)])
    return loop.results[2]


def _column_taken(place: Any, left: Any, made: Any) -> tuple[Any, Any]:
    """What is left without the column at that place, and the triangle with it."""
    def where(dim: int, like: Any, direction: str = "EQ") -> Any:
        shape = ir.RankedTensorType.get(like.shape, place.type.element_type)
        return hlo.compare(hlo.iota(shape, dim), hlo.broadcast_in_dim(shape, place, []), hlo.ComparisonDirectionAttr.get(direction))

    rank = len(left.type.shape)
    here = where(rank - 1, left.type)
    column = _sum(hlo.select(here, left, _zeros(left.type)))
    pivot = _sum(hlo.select(where(rank - 2, column.type), column, _zeros(column.type)))
    scale = hlo.rsqrt(pivot)
    column = hlo.multiply(column, hlo.broadcast_in_dim(column.type, scale, list(range(rank - 2))))
    column = hlo.select(where(rank - 2, column.type, "GE"), column, _zeros(column.type))
    rows, columns = (_spread(column, left.type, without) for without in (-1, -2))
    return hlo.subtract(left, hlo.multiply(rows, columns)), hlo.select(here, rows, made)


def _zeros(like: Any) -> Any:
    return hlo.constant(ir.DenseElementsAttr.get_splat(like, ir.FloatAttr.get(like.element_type, 0)))
