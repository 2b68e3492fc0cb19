"""Looking for ops of a module."""
from __future__ import annotations

from collections.abc import Callable

from jaxlib.mlir import ir


def found(module: ir.Module | ir.Operation, wanted: Callable[[ir.Operation], bool]) -> list[ir.Operation]:
    """Those of inner regions before those around them."""
    ops: list[ir.Operation] = []

    def look(op: ir.Operation) -> ir.WalkResult:
        if wanted(op):
            ops.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(look)
    return ops
