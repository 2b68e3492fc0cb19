"""Ops that make tensors out of nothing."""
from __future__ import annotations

from typing import Any

from .table import Call, op


@op("zeros", "ones", "empty")
def named(c: Call) -> Any:
    return c.function(c.question.op)(c.need("shape"), c.dtype, c.page, _device(c), c.memory)


@op("full")
def full(c: Call) -> Any:
    return c.function("full")(c.need("shape"), c.need("fill_value"), c.dtype, c.page, _device(c), c.memory)


@op("arange")
def arange(c: Call) -> Any:
    return c.function("arange")(c.need("start"), c.need("end"), c.need("step"), dtype=c.dtype, device=_device(c), memory_config=c.memory,
                                layout=c.page)


@op("rand")
def rand(c: Call) -> Any:
    return c.function("rand")(c.ttnn.Shape(c.need("size")), c.library.device, dtype=c.dtype, layout=c.page, memory_config=c.memory,
                              low=c.get("low", 0.0), high=c.get("high", 1.0), seed=c.get("seed", 0))


def _device(c: Call) -> Any:
    return c.library.device if c.layout is None or c.layout.on_device else None
