"""Gradients of maxima over windows. The compiler (0.1.3) looks for the maxima of f32 in bf16, and gives another element what belongs to the largest."""
from __future__ import annotations

import itertools
from typing import Any

import numpy
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo


def _says(region: ir.Region, name: str, direction: str = "") -> bool:
    first, *others = [op.operation for op in region.blocks[0]]
    told = not direction or (first.name == name and hlo.ComparisonDirectionAttr(first.attributes["comparison_direction"]).value == direction)
    return first.name == name and told and len(others) == 1 and list(first.operands) == list(region.blocks[0].arguments)


def gives_back(op: ir.Operation) -> bool:
    if op.name != "stablehlo.select_and_scatter" or not isinstance(op.results[0].type.element_type, ir.F32Type):
        return False
    return _says(op.regions[0], "stablehlo.compare", "GE") and _says(op.regions[1], "stablehlo.add")


def _numbers(op: ir.Operation, name: str, rank: int) -> list[int]:
    return list(ir.DenseI64ArrayAttr(op.attributes[name])) if name in op.attributes else [1] * rank


def give_each(op: ir.Operation) -> None:
    """Elements that have the same place in their windows are slices. Each is compared with the maxima, and the first that is one has what is given back,
    which is spread to where the slice was from. What windows begin with is in each element once."""
    value, given, start = op.operands
    rank = len(value.type.shape)
    taps, steps = _numbers(op, "window_dimensions", rank), _numbers(op, "window_strides", rank)
    flat = [int(each) for each in ir.DenseIntElementsAttr(op.attributes["padding"])] if "padding" in op.attributes else [0] * 2 * rank
    low, high, none = flat[::2], flat[1::2], [0] * rank
    with ir.InsertionPoint(op), op.location:
        padded = hlo.pad(value, _number(-numpy.inf), low, high, none) if any(flat) else value
        whole = list(padded.type.shape)
        reach = [(count - 1) * step + 1 for count, step in zip(given.type.shape, steps)]
        places = list(itertools.product(*map(range, taps)))
        parts = [hlo.slice(padded, place, [first + size for first, size in zip(place, reach)], steps) for place in places]
        largest = parts[0]
        for part in parts[1:]:
            largest = hlo.maximum(largest, part)
        nothing = hlo.broadcast_in_dim(given.type, _number(0), [])
        total = hlo.broadcast_in_dim(padded.type, start, [])
        is_left = None
        for place, part in zip(places, parts):
            is_largest = hlo.compare(part, largest, hlo.ComparisonDirectionAttr.get("EQ"))
            chosen = is_largest if is_left is None else hlo.and_(is_left, is_largest)
            is_left = hlo.not_(is_largest) if is_left is None else hlo.and_(is_left, hlo.not_(is_largest))
            behind = [size - first - length for size, first, length in zip(whole, place, reach)]
            total = hlo.add(total, hlo.pad(hlo.select(chosen, given, nothing), _number(0), list(place), behind, [step - 1 for step in steps]))
        end = [before + size for before, size in zip(low, value.type.shape)]
        op.results[0].replace_all_uses_with(hlo.slice(total, low, end, [1] * rank) if any(flat) else total)
    op.erase()


def _number(value: float) -> Any:
    scalar = ir.RankedTensorType.get([], ir.F32Type.get())
    return hlo.constant(ir.DenseElementsAttr.get_splat(scalar, ir.FloatAttr.get(scalar.element_type, value)))
