"""Element-wise ops."""
from __future__ import annotations

import re
from typing import Any

from .table import Call, op

#: Where the library calls an op otherwise than the dialect.
_NAMES = {
    "pow_tensor": "pow", "pow_scalar": "pow", "clamp_scalar": "clamp", "clamp_tensor": "clamp",
    "logical_left_shift": "logical_left_shift",
}
_ACTIVATIONS = ("activations", "input_tensor_a_activations", "input_tensor_b_activations")


def _function(c: Call) -> Any:
    return c.function(_NAMES.get(c.question.op, c.question.op))


@op("abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_not", "cbrt", "ceil", "cos", "cosh", "erfc", "expm1", "floor",
    "hardshrink", "hardsigmoid", "hardswish", "isfinite", "log1p", "log2", "logical_not", "neg", "reciprocal", "relu", "relu6", "round", "sign",
    "sigmoid", "silu", "sin", "sinh", "softsign", "square", "tan", "tanh", "trunc")
def unary(c: Call) -> Any:
    return _function(c)(c[0], memory_config=c.memory)


@op("erf", "exp", "gelu", "log", "mish", "rsqrt", "sqrt")
def unary_that_may_be_approximate(c: Call) -> Any:
    try:
        return _function(c)(c[0], fast_and_approximate_mode=False, memory_config=c.memory)
    except TypeError:  # older and newer versions have it for fewer ops
        return _function(c)(c[0], memory_config=c.memory)


@op("elu")
def elu(c: Call) -> Any:
    return _function(c)(c[0], c.get("alpha", 1.0), memory_config=c.memory)


@op("leaky_relu")
def leaky_relu(c: Call) -> Any:
    return _function(c)(c[0], c.get("parameter", c.get("slope", 0.01)), memory_config=c.memory)


def fused(c: Call) -> dict[str, list[Any]]:
    """The activations of a binary op, which it applies to its operands or its result."""
    out = {}
    for name in _ACTIVATIONS:
        if functions := re.findall(r"\w+(?:\([^)]*\))?", c.get(name) or ""):
            out[name] = [c.library.unary(function) for function in functions]
    return out


@op("add", "divide", "eq", "ge", "gt", "le", "logical_and", "logical_or", "logical_xor", "lt", "multiply", "ne", "subtract")
def binary(c: Call) -> Any:
    return _function(c)(c[0], c[1], dtype=c.dtype, memory_config=c.memory, **fused(c))


@op("atan2", "bitwise_and", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "logical_left_shift", "logical_right_shift", "maximum", "minimum",
    "pow_tensor", "remainder")
def composite(c: Call) -> Any:
    return _function(c)(c[0], c[1], memory_config=c.memory, **fused(c))


@op("pow_scalar")
def power(c: Call) -> Any:
    return _function(c)(c[0], c.need("rhs"), memory_config=c.memory)


@op("clamp_scalar")
def clamp(c: Call) -> Any:
    return _function(c)(c[0], c.need("min"), c.need("max"), memory_config=c.memory)


@op("clamp_tensor")
def clamp_to_tensors(c: Call) -> Any:
    return _function(c)(c[0], c[1], c[2], memory_config=c.memory)


@op("where")
def where(c: Call) -> Any:
    return _function(c)(c[0], c[1], c[2], memory_config=c.memory)


@op("gelu_bw")
def gelu_backward(c: Call) -> Any:
    return c.function("experimental.gelu_bw")(c[0], c[1], approximate=c.get("approximate", "none"), memory_config=c.memory)


@op("typecast")
def typecast(c: Call) -> Any:
    return _function(c)(c[0], c.dtype, memory_config=c.memory)


@op("bitcast_convert")
def bitcast(c: Call) -> Any:
    return c.function("bitcast")(c[0], c.dtype, memory_config=c.memory)


@op("dropout")
def dropout(c: Call) -> Any:
    return c.function("experimental.dropout")(c[0], c.need("prob"), c.need("scale"), c.need("seed"),
                                              use_per_device_seed=c.get("use_per_device_seed", True), memory_config=c.memory)


@op("quantize", "dequantize", "requantize")
def quantization(c: Call) -> Any:
    return _function(c)(*c.operands, axis=c.get("axis"), dtype=c.dtype, memory_config=c.memory)
