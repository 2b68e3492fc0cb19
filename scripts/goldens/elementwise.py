"""Golden vectors: Ops that go element by element."""
import math

import torch
import torch.nn.functional as F

from goldens.formats import Tensor
from goldens.tensors import FLOATS, normal, values, whole


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 6.0, 6.5, 20.5, -20.5, 88.0, -88.0, 1e-6, -1e-6, 1e6]
REAL, POSITIVE, UNIT, BEYOND = (1.0, 0.0), (1.0, None), (0.3, 0.0), (2.0, 4.0)


def unary_functions():
    """(op, PyTorch's function, spread of the operand, whether the values are exact)."""
    t = torch
    yield from ((name, getattr(t, name), REAL, False) for name in
                "atan asinh cos cosh erf erfc exp expm1 sigmoid sin sinh tanh".split())
    yield from ((name, getattr(t, name), UNIT, False) for name in "acos asin atanh tan log1p".split())
    yield from ((name, getattr(t, name), POSITIVE, False) for name in "log rsqrt sqrt".split())
    yield from ((name, getattr(t, name), REAL, True) for name in "abs ceil floor isfinite neg round sign".split())
    yield from ((name, getattr(F, name), REAL, False) for name in "gelu hardsigmoid hardswish mish silu softsign".split())
    yield from ((name, getattr(F, name), REAL, True) for name in "relu relu6".split())
    yield "acosh", t.acosh, BEYOND, False
    yield "cbrt", lambda x: t.sign(x) * t.abs(x) ** (1 / 3), REAL, False
    yield "reciprocal", t.reciprocal, REAL, False
    yield "logical_not", t.logical_not, REAL, True


def unary(family):
    for name, function, (scale, center), exact in unary_functions():
        for dtype in FLOATS + (("bfp_bf8", "bfp_bf4") if name in ("gelu", "neg", "silu") else ()):
            x = normal((3, 37), dtype, scale, center or 0.0)
            if center is None:
                x = Tensor(x.values.abs() + 0.01, dtype)
            if (scale, center) == REAL and dtype in FLOATS:
                special = SPECIAL + ([math.inf, -math.inf, math.nan] if exact and name != "sign" else [])
                x.values[0, :len(special)] = values(special, dtype).values
            family.add(name, [x], function(x.values), dtype, exact)
    for dtype in ("si32", "u32", "u8"):
        x = whole((5, 33), dtype)
        family.add("logical_not", [x], torch.logical_not(x.values), dtype, True)
        family.add("bitwise_not", [x], torch.bitwise_not(x.values), dtype, True)
    x = whole((5, 33), "si32")
    for name in ("abs", "neg", "sign", "relu"):
        family.add(name, [x], getattr(torch, name)(x.values), "si32", True)
    for dtype in FLOATS:
        x = normal((3, 37), dtype)
        family.add("leaky_relu", [x], F.leaky_relu(x.values, 0.125), dtype, parameter=0.125)
        for exponent in (2.0, 3, 0.5, -1.0):
            family.add("pow_scalar", [x], torch.pow(x.values, exponent), dtype, rhs=exponent)
        family.add("clamp_scalar", [x], torch.clamp(x.values, -0.5, 1), dtype, True, min=-0.5, max=1.0)
    x = whole((5, 33), "si32")
    family.add("clamp_scalar", [x], torch.clamp(x.values, -7, 2000000001), "si32", True, min=-7, max=2000000001)


SHAPES = [((2, 7, 37), (2, 7, 37)), ((2, 7, 37), (37,)), ((2, 1, 37), (1, 7, 1)), ((7, 1), (2, 1, 37)), ((2, 7, 37), (1,))]
COMPARISONS = "eq ne ge gt le lt logical_and logical_or logical_xor maximum minimum".split()


def right_shift(a, b):
    return torch.bitwise_right_shift(a & 0xFFFFFFFF, b)


def binary(family):
    t = torch
    inexact = {"add": t.add, "subtract": t.subtract, "multiply": t.multiply, "divide": t.divide, "atan2": t.atan2}
    compared = {name: getattr(t, name) for name in COMPARISONS}
    for dtype in FLOATS:
        for name, function in (inexact | compared).items():
            a, b = normal((7, 37), dtype), normal((7, 37), dtype)
            b.values[0] = a.values[0]
            b.values[1, ::3] = 0
            a.values[2, ::5] = 0
            a.values[3, 0] = b.values[3, 1] = math.nan
            family.add(name, [a, b], function(a.values, b.values).double(), dtype, name in compared)
        a, b = normal((7, 37), dtype), normal((7, 37), dtype)
        family.add("remainder", [a, b], t.remainder(a.values, b.values), dtype)
        a = Tensor(a.values.abs() + 0.1, dtype)
        family.add("pow_tensor", [a, b], t.pow(a.values, b.values), dtype)
    for left, right in SHAPES:
        for types in (("bf16", "bf16", "bf16"), ("bf16", "f32", "f32"), ("bfp_bf8", "bf16", "bfp_bf8"), ("f32", "bfp_bf4", "bf16")):
            a, b = normal(left, types[0]), normal(right, types[1])
            family.add("subtract", [a, b], a.values - b.values, types[2])
    a, b = normal((2, 33, 70)), normal((33, 1))
    family.add("multiply", [a, b], a.values * b.values, "bf16")
    whole_numbers(family, compared)
    ternary(family)


def whole_numbers(family, compared):
    t = torch
    arithmetic = {"add": t.add, "subtract": t.subtract, "multiply": t.multiply, "bitwise_and": t.bitwise_and,
                  "bitwise_or": t.bitwise_or, "bitwise_xor": t.bitwise_xor}
    for dtype in ("si32", "u32", "u16", "u8"):
        for name, function in (arithmetic | compared).items():
            a, b = whole((5, 33), dtype), whole((5, 33), dtype)
            b.values[0], b.values[1, ::2] = a.values[0], 0
            family.add(name, [a, b], function(a.values, b.values), dtype, True)
        a, b = whole((5, 33), dtype), whole((5, 33), dtype, below=200, least=1)
        family.add("remainder", [a, b], t.remainder(a.values, b.values), dtype, True)
        family.add("divide", [a, b], t.div(a.values, b.values, rounding_mode="trunc"), dtype, True)
        b = whole((5, 33), dtype, below=4, least=0)
        family.add("pow_tensor", [a, b], t.pow(a.values, b.values), dtype, True)
    for dtype in ("si32", "u32"):
        a, b = whole((5, 33), dtype), whole((5, 33), dtype, below=32, least=0)
        family.add("logical_left_shift", [a, b], t.bitwise_left_shift(a.values, b.values), dtype, True)
        family.add("logical_right_shift", [a, b], right_shift(a.values, b.values), dtype, True)
    a, b = whole((5, 33), "si32", below=90, least=-90), normal((5, 33))
    family.add("add", [a, b], a.values + b.values, "f32")
    family.add("gt", [a, b], (a.values > b.values).double(), "bf16", True)
    a, b = whole((5, 33), "u32"), whole((5, 33), "u32")
    family.add("lt", [a, b], (a.values < b.values).double(), "bf16", True)


def ternary(family):
    t = torch
    for dtype in FLOATS:
        condition, a, b = Tensor(whole((7, 37), "i1").values, dtype), normal((2, 7, 37), dtype), normal((2, 1, 37), dtype)
        family.add("where", [condition, a, b], t.where(condition.values != 0, a.values, b.values), dtype, True)
        x, least, most = normal((7, 37), dtype), normal((37,), dtype, center=-1.0), normal((7, 1), dtype, center=1.0)
        family.add("clamp_tensor", [x, least, most], t.clamp(x.values, least.values, most.values), dtype, True)
    condition, a, b = whole((7, 37), "u8", below=2), whole((7, 37), "si32"), whole((7, 37), "si32")
    family.add("where", [condition, a, b], t.where(condition.values != 0, a.values, b.values), "si32", True)
