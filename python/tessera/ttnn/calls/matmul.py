"""Matrix multiplications."""
from __future__ import annotations

from typing import Any

from .table import Call, op


def _arguments(c: Call) -> dict[str, Any]:
    config = (c.question.config or {}).get("matmul") or {}
    # An activation that the program config fuses is not asked for twice.
    activation = None if config.get("fused_activation") else c.get("activation")
    return {"transpose_a": c.get("transpose_a", False), "transpose_b": c.get("transpose_b", False), "memory_config": c.memory,
            "dtype": c.dtype, "program_config": c.library.matmul_program(c.question), "activation": activation,
            "compute_kernel_config": c.compute}


@op("matmul")
def matmul(c: Call) -> Any:
    return c.function("matmul")(c[0], c[1], **_arguments(c))


@op("linear")
def linear(c: Call) -> Any:
    return c.function("linear")(c[0], c[1], bias=c[2] if len(c.operands) > 2 else None, **_arguments(c))
