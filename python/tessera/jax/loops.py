"""Loops as `lax.scan` and `lax.fori_loop` of JAX make them. What follows from what no step changes is computed before the first one, and a step cuts its
part of a stack where tiles begin, and chooses between what a stack has and its own result, where the compiler would convert the whole stack.
"""
from __future__ import annotations

import math
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from .walk import found

#: Rows and columns of a tile.
TILE = 32
#: What a stack may take whose parts begin with tiles; larger ones are cut where they lie.
_MOST_BYTES = 64 << 20
#: How steps take from stacks, and put into them.
_ACCESSES = ("stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice")
#: Ops that cost nothing where their reader has them, or would make much of little.
_FORMS = ("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.transpose")


def is_loop(op: ir.Operation) -> bool:
    return op.name == "stablehlo.while"


def prepare(loop: ir.Operation) -> None:
    body = loop.regions[1].blocks[0]
    for op in list(body.operations):
        _inline(op.operation)
    *ops, end = [op.operation for op in body.operations]
    for argument, returned, before in zip(body.arguments, end.operands, loop.operands):
        if returned == argument:
            _read_before(argument, before, end)
    for op in ops:
        if _cuts_part(op, loop):
            _cut_tiles(op, loop)
    for argument, returned in zip(body.arguments, list(end.operands)):
        if _writes_part(returned, argument):
            _choose_part(returned.owner)
    for op in [op.operation for op in body.operations]:
        if _is_worth_moving(op, loop):
            _move(op, loop)


def _inline(call: ir.Operation) -> None:
    """The function that JAX makes of an access to a stack, in the step that calls it."""
    if call.name != "func.call":
        return
    module, callee = call, call.attributes["callee"]
    while module.name != "builtin.module":
        module = module.parent
    name = ir.StringAttr.get(ir.FlatSymbolRefAttr(callee).value)
    function = next(each.operation for each in module.regions[0].blocks[0] if each.attributes["sym_name"] == name)
    *ops, end = [op.operation for op in function.regions[0].blocks[0]]
    if not any(op.name in _ACCESSES for op in ops) or any(len(op.regions) for op in ops):
        return
    known = dict(zip(function.regions[0].blocks[0].arguments, call.operands))
    with ir.InsertionPoint(call):
        for op in ops:
            copy = op.clone()
            for number, operand in enumerate(op.operands):
                copy.operands[number] = known[operand]
            known.update(zip(op.results, copy.results))
    for result, returned in zip(call.results, end.operands):
        result.replace_all_uses_with(known[returned])
    call.erase()
    if not found(module, lambda op: op.name == "func.call" and op.attributes["callee"] == callee):
        function.erase()


def _read_before(argument: ir.Value, before: ir.Value, end: ir.Operation) -> None:
    for use in list(argument.uses):
        if use.owner != end:
            use.owner.operands[use.operand_number] = before


# ---- What no step changes -------------------------------------------------------------------------------------


def _is_of(value: ir.Value, loop: ir.Operation) -> bool:
    """Whether the loop has it, and not what is before it."""
    owner = value.owner
    return (owner.owner if isinstance(owner, ir.Block) else owner.parent) == loop


def _maker(value: ir.Value, loop: ir.Operation) -> ir.Operation | None:
    return value.owner if _is_of(value, loop) and not isinstance(value.owner, ir.Block) else None


def _is_constant(value: ir.Value) -> bool:
    """Of numbers alone, which each reader has for itself."""
    maker = value.owner
    if isinstance(maker, ir.Block) or not maker.name.startswith("stablehlo."):
        return False
    return maker.name in ("stablehlo.constant", "stablehlo.iota") or (maker.name in _FORMS and _is_constant(maker.operands[0]))


def _is_steady(value: ir.Value, loop: ir.Operation) -> bool:
    """Whether it may be had before the loop."""
    maker = _maker(value, loop)
    return not _is_of(value, loop) or _is_constant(value) or (maker is not None and maker.name in _FORMS and _is_steady(maker.operands[0], loop))


def _is_worth_moving(op: ir.Operation, loop: ir.Operation) -> bool:
    if len(op.regions) or op.name in _FORMS or op.name == "stablehlo.custom_call" or not op.name.startswith(("stablehlo.", "chlo.")):
        return False
    return all(_is_steady(operand, loop) for operand in op.operands) and not all(map(_is_constant, op.operands))


def _move(op: ir.Operation, loop: ir.Operation) -> None:
    for number, operand in enumerate(op.operands):
        op.operands[number] = _had_before(operand, loop)
    op.move_before(loop)


def _had_before(value: ir.Value, loop: ir.Operation) -> ir.Value:
    maker = _maker(value, loop)
    if maker is None:
        return value
    with ir.InsertionPoint(loop):
        copy = maker.clone()
    for number, operand in enumerate(maker.operands):
        copy.operands[number] = _had_before(operand, loop)
    copy.move_before(loop)  # behind what it reads
    return copy.results[ir.OpResult(value).result_number]


# ---- Parts of stacks ------------------------------------------------------------------------------------------


def _whole(size: int) -> int:
    return -(-size // TILE) * TILE


def _cuts_part(op: ir.Operation, loop: ir.Operation) -> bool:
    """A part of what no step changes, which is no whole tiles: 0.1.3 has the whole stack converted to rows, and rows of other types than bf16 cut on the
    host."""
    if op.name != "stablehlo.dynamic_slice" or not _is_steady(op.operands[0], loop) or _is_steady(op.operands[1], loop):
        return False
    shape, part = (list(value.type.shape) for value in (op.operands[0], op.results[0]))
    rows, columns = ([1, 1] + shape[1:])[-2:]
    if part != [1, *shape[1:]] or (len(shape) > 2 and (rows, columns) == (_whole(rows), _whole(columns))):
        return False
    bits = math.prod([shape[0], *shape[1:-2]]) * _whole(rows) * _whole(columns) * op.results[0].type.element_type.width
    return bits <= 8 * _MOST_BYTES


def _cut_tiles(cut: ir.Operation, loop: ir.Operation) -> None:
    stack, begin = cut.operands[0], cut.operands[1]
    element, count = stack.type.element_type, stack.type.shape[0]
    rest = ([1, 1] + list(stack.type.shape[1:]))[-max(len(stack.type.shape) - 1, 2):]
    stack = _had_before(stack, loop)
    with ir.InsertionPoint(loop), cut.location:
        stack = hlo.reshape(ir.RankedTensorType.get([count, *rest], element), stack)
        zero = hlo.constant(ir.DenseElementsAttr.get_splat(ir.RankedTensorType.get([], element), _zero(element)))
        none = [0] * (len(rest) + 1)
        stack = hlo.pad(stack, zero, none, [*none[2:], *(_whole(size) - size for size in rest[-2:])], none)
    with ir.InsertionPoint(cut), cut.location:
        first = hlo.constant(ir.DenseElementsAttr.get_splat(begin.type, ir.IntegerAttr.get(begin.type.element_type, 0)))
        tiles = hlo.dynamic_slice(stack, [begin, *(first for _ in rest)], [1, *list(stack.type.shape)[1:]])
        part = hlo.slice(tiles, none, [1, *rest], [1] * len(none))
        cut.results[0].replace_all_uses_with(hlo.reshape(cut.results[0].type, part))
    cut.erase()


def _zero(element: ir.Type) -> ir.Attribute:
    return ir.IntegerAttr.get(element, 0) if isinstance(element, ir.IntegerType) else ir.FloatAttr.get(element, 0)


def _writes_part(returned: ir.Value, stack: ir.Value) -> bool:
    """A part of a stack that nothing else reads: 0.1.3 scatters it into a copy in rows."""
    write = returned.owner
    if isinstance(write, ir.Block) or write.name != "stablehlo.dynamic_update_slice" or write.operands[0] != stack:
        return False
    shape = list(stack.type.shape)
    return len(list(returned.uses)) == 1 and len(list(stack.uses)) == 1 and list(write.operands[1].type.shape) == [1, *shape[1:]]


def _choose_part(write: ir.Operation) -> None:
    stack, part, begin = list(write.operands)[:3]
    count = stack.type.shape[0]
    with ir.InsertionPoint(write), write.location:
        def number(value: int) -> Any:
            return hlo.constant(ir.DenseElementsAttr.get_splat(begin.type, ir.IntegerAttr.get(begin.type.element_type, value)))

        numbers = ir.RankedTensorType.get([count], begin.type.element_type)
        place = hlo.broadcast_in_dim(numbers, hlo.clamp(number(0), begin, number(count - 1)), [])
        is_here = hlo.compare(hlo.iota(numbers, 0), place, hlo.ComparisonDirectionAttr.get("EQ"))
        mask = ir.RankedTensorType.get(stack.type.shape, is_here.type.element_type)
        rank = len(stack.type.shape)
        spread = hlo.broadcast_in_dim(stack.type, part, list(range(rank)))
        write.results[0].replace_all_uses_with(hlo.select(hlo.broadcast_in_dim(mask, is_here, [0]), spread, stack))
    write.erase()
