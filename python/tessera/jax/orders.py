"""Ends of orders. The compiler (0.1.3) makes the largest of a row of an order's last elements, and leaves these as it finds them, from the largest on."""
from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

_TURNED = {"LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE"}


def _maker(value: ir.Value) -> ir.Operation | None:
    return None if isinstance(value.owner, ir.Block) else value.owner


def _callee(call: ir.Operation) -> list[ir.Operation]:
    """Its ops, the last of which returns; none where they may not be copied one by one."""
    module = call
    while module.name != "builtin.module":
        module = module.parent
    name = ir.StringAttr.get(ir.FlatSymbolRefAttr(call.attributes["callee"]).value)
    function = next(each.operation for each in module.regions[0].blocks[0] if each.attributes["sym_name"] == name)
    ops = [op.operation for op in function.regions[0].blocks[0]]
    return ops if all(not len(op.regions) or op.name == "stablehlo.sort" for op in ops) else []


def _order(value: ir.Value) -> ir.Operation | None:
    """The sort that makes the value, also in a function that is called, as JAX writes each."""
    maker = _maker(value)
    if maker is not None and maker.name == "func.call":
        ops = _callee(maker)
        return _order(ops[-1].operands[ir.OpResult(value).result_number]) if ops else None
    return maker if maker is not None and maker.name == "stablehlo.sort" else None


def _comparison(sort: ir.Operation) -> ir.Operation | None:
    """What says which of two comes first."""
    *_, end = sort.regions[0].blocks[0]
    maker = _maker(end.operands[0])
    return maker if maker is not None and maker.name == "stablehlo.compare" and _direction(maker) in _TURNED else None


def _direction(comparison: ir.Operation) -> str:
    return hlo.ComparisonDirectionAttr(comparison.attributes["comparison_direction"]).value


def _bounds(cut: ir.Operation, dim: int) -> tuple[int, int, int]:
    return tuple(ir.DenseI64ArrayAttr(cut.attributes[name])[dim] for name in ("start_indices", "limit_indices", "strides"))


def cuts_end(op: ir.Operation) -> bool:
    sort = _order(op.operands[0]) if op.name == "stablehlo.slice" else None
    if sort is None or _comparison(sort) is None:
        return False
    dim = ir.IntegerAttr(sort.attributes["dimension"]).value
    size = op.operands[0].type.shape[dim]
    begin, end, step = _bounds(op, dim)
    return step == 1 and end == size and 0 < begin < size - 1


def cut_begin(cut: ir.Operation) -> None:
    """The first ones of the order the other way around, turned. Who turns them has them as they are."""
    with ir.InsertionPoint(cut), cut.location:
        value = _copied(cut.operands[0])
        sort = value.owner
        comparison = _comparison(sort)
        comparison.attributes["comparison_direction"] = hlo.ComparisonDirectionAttr.get(_TURNED[_direction(comparison)])
        dim = ir.IntegerAttr(sort.attributes["dimension"]).value
        start, limit, strides = (list(ir.DenseI64ArrayAttr(cut.attributes[name])) for name in ("start_indices", "limit_indices", "strides"))
        start[dim], limit[dim] = 0, limit[dim] - start[dim]
        first = hlo.slice(value, start, limit, strides)
        for use in list(cut.results[0].uses):
            if use.owner.name == "stablehlo.reverse" and list(ir.DenseI64ArrayAttr(use.owner.attributes["dimensions"])) == [dim]:
                use.owner.results[0].replace_all_uses_with(first)
                use.owner.erase()
        if list(cut.results[0].uses):
            cut.results[0].replace_all_uses_with(hlo.reverse(first, [dim]))
    cut.erase()


def _copied(value: ir.Value) -> Any:
    """The same by a sort of its own, made here."""
    maker, number = value.owner, ir.OpResult(value).result_number
    if maker.name == "stablehlo.sort":
        return maker.clone().results[number]
    *ops, end = _callee(maker)
    known = dict(zip(ops[0].block.arguments if ops else (), maker.operands))
    for op in ops:
        copy = op.clone()
        for position, operand in enumerate(op.operands):
            copy.operands[position] = known[operand]
        known.update(zip(op.results, copy.results))
    made = known[end.operands[number]]
    return made if made.owner.name == "stablehlo.sort" else _copied(made)
