"""Choices of functions, as `lax.cond` and `lax.switch` of JAX and `torch.cond` make them: each function is computed, and the results are chosen from."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

#: Ops whose regions run as often as they are told, or say what other ops do with elements.
_REGIONS = ("stablehlo.case", "stablehlo.while", "stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.scatter", "stablehlo.sort",
            "stablehlo.select_and_scatter")
#: The call of calls.py that computes and does nothing else.
_COMPUTES = "tt.paged_scaled_dot_product_attention_decode"


def is_choice(op: ir.Operation) -> bool:
    """0.1.3 makes functions of the branches and an op that calls one of them, which nothing behind it runs: not the simulator, not a program. Where a branch
    changes something, or goes on for as long as it finds, it may not be run for nothing, and the op stays."""
    if op.name != "stablehlo.case" or not op.results:
        return False
    module = op
    while module.name != "builtin.module":
        module = module.parent
    functions = {ir.StringAttr(each.attributes["sym_name"]).value: each.operation for each in module.regions[0].blocks[0]
                 if each.operation.name == "func.func"}
    return all(_only_computes(inner, functions) for branch in op.regions for inner in _within(branch))


def _within(region: ir.Region) -> Iterator[ir.Operation]:
    for block in region:
        for op in block:
            yield op.operation


def _only_computes(op: ir.Operation, functions: dict[str, ir.Operation]) -> bool:
    if op.name == "func.call":
        return _only_computes(functions[ir.FlatSymbolRefAttr(op.attributes["callee"]).value], functions)
    if op.name == "stablehlo.custom_call" and ir.StringAttr(op.attributes["call_target_name"]).value != _COMPUTES:
        return False
    if op.name == "stablehlo.while" and not _is_counted(op):
        return False
    return (len(op.regions) == 0 or op.name == "func.func" or op.name in _REGIONS) and all(
        _only_computes(inner, functions) for region in op.regions for inner in _within(region))


def _is_counted(loop: ir.Operation) -> bool:
    """Whether it ends at a number that stands in the program."""
    *_, compared, _ = _within(loop.regions[0])
    if compared.name != "stablehlo.compare" or hlo.ComparisonDirectionAttr(compared.attributes["comparison_direction"]).value != "LT":
        return False
    limit = compared.operands[1].owner
    return not isinstance(limit, ir.Block) and limit.name == "stablehlo.constant"


def choose(choice: ir.Operation) -> None:
    """What the index of no branch chooses is the last one's."""
    index = choice.operands[0]
    results = [_inlined(branch, choice) for branch in choice.regions]
    with ir.InsertionPoint(choice), choice.location:
        chosen = results[-1]
        for number in reversed(range(len(results) - 1)):
            wanted = hlo.constant(ir.DenseElementsAttr.get_splat(index.type, ir.IntegerAttr.get(index.type.element_type, number)))
            is_this = hlo.compare(index, wanted, hlo.ComparisonDirectionAttr.get("EQ"))
            chosen = [_selected(is_this, this, other) for this, other in zip(results[number], chosen)]
        for before, value in zip(choice.results, chosen):
            before.replace_all_uses_with(value)
    choice.erase()


def _inlined(branch: ir.Region, choice: ir.Operation) -> list[Any]:
    """The branch's results, its ops moved in front of the choice."""
    *ops, end = list(_within(branch))
    for op in ops:
        op.move_before(choice)
    return list(end.operands)


def _selected(condition: Any, this: Any, other: Any) -> Any:
    spread = hlo.broadcast_in_dim(ir.RankedTensorType.get(this.type.shape, condition.type.element_type), condition, [])
    return hlo.select(spread, this, other)
