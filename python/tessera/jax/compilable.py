"""What the compiler crashes of, said so that it does not. Each rule names the version that needs it."""
from __future__ import annotations


def compilable(stablehlo: str) -> str:
    """The module with a barrier between each sum over a window and its division, unless both are of f32.

    0.1.3 makes an average of the two, and reads the divisor as f32 whatever it is: a mean over a window of bf16 ends it.
    """
    if "stablehlo.reduce_window" not in stablehlo:
        return stablehlo
    from jax.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo as hlo

    def guard(op: ir.OpView | ir.Operation) -> ir.WalkResult:
        if op.name == "stablehlo.divide":
            dividend = op.operands[0]
            window = not isinstance(dividend.owner, ir.Block) and dividend.owner.name == "stablehlo.reduce_window"
            if window and not isinstance(dividend.type.element_type, ir.F32Type):
                with ir.InsertionPoint(op), op.location:
                    op.operands[0] = hlo.optimization_barrier([dividend])
        return ir.WalkResult.ADVANCE

    with mlir.make_ir_context():
        try:
            module = ir.Module.parse(stablehlo)
        except ir.MLIRError:
            return stablehlo  # the compiler says what is wrong with it
        module.operation.walk(guard)
        return module.operation.get_asm(enable_debug_info=True)
