"""What the compiler crashes of, said so that it does not. Each rule names the version that needs it."""
from __future__ import annotations


def compilable(stablehlo: str) -> str:
    """The module with sums over windows divided in f32, whatever they are of.

    0.1.3 makes an average of a sum over a window and its division, and reads the divisor as f32 whatever it is: an average pool of bf16 ends it.
    A barrier between the two would do, but at level 2 the compiler knows no constraints of one.
    """
    if "stablehlo.reduce_window" not in stablehlo:
        return stablehlo
    from jax.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo as hlo

    divisions: list[ir.Operation] = []

    def look(op: ir.Operation) -> ir.WalkResult:
        if op.name == "stablehlo.divide":
            maker = op.operands[0].owner
            window = not isinstance(maker, ir.Block) and maker.name == "stablehlo.reduce_window"
            if window and isinstance(op.results[0].type.element_type, ir.BF16Type | ir.F16Type):
                divisions.append(op)
        return ir.WalkResult.ADVANCE

    with mlir.make_ir_context():
        try:
            module = ir.Module.parse(stablehlo)
        except ir.MLIRError:
            return stablehlo  # the compiler says what is wrong with it
        module.operation.walk(look)
        for division in divisions:
            narrow = division.results[0].type
            with ir.InsertionPoint(division), division.location:
                wide = ir.RankedTensorType.get(narrow.shape, ir.F32Type.get())
                quotient = hlo.divide(*(hlo.convert(wide, operand) for operand in division.operands))
                division.results[0].replace_all_uses_with(hlo.convert(narrow, quotient))
            division.erase()
        return module.operation.get_asm(enable_debug_info=True)
