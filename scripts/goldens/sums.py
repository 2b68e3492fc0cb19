"""Golden vectors: Matrix products, reductions, norms."""
import math

import torch
import torch.nn.functional as F

from goldens.formats import Tensor
from goldens.tensors import FLOATS, normal, whole


# ---- Matrix products -----------------------------------------------------------------------------------------------

ACTIVATIONS = {"relu": F.relu, "silu": F.silu, "gelu": F.gelu, "sigmoid": torch.sigmoid, "tanh": torch.tanh}


def matmul(family):
    shapes = [((33, 35), (35, 18)), ((2, 5, 37), (37, 9)), ((2, 1, 5, 37), (3, 37, 9)), ((37,), (37, 9)), ((2, 5, 37), (37,)), ((1, 3), (3, 1))]
    types = [("bf16",) * 3, ("f32",) * 3, ("bf16", "bfp_bf8", "bf16"), ("bf16", "bfp_bf4", "f32"), ("bfp_bf8",) * 3]
    for left, right in shapes:
        for a_type, b_type, out in types:
            a, b = normal(left, a_type), normal(right, b_type)
            family.add("matmul", [a, b], a.values @ b.values, out)
    for first, second in ((True, False), (False, True), (True, True)):
        a, b = normal((2, 7, 5) if first else (2, 5, 7)), normal((9, 7) if second else (7, 9))
        product = (a.values.mT if first else a.values) @ (b.values.mT if second else b.values)
        family.add("matmul", [a, b], product, "bf16", transpose_a=first, transpose_b=second)
    for name, function in ACTIVATIONS.items():
        a, b, bias = normal((5, 35)), normal((35, 33), scale=0.2), normal((33,) if name == "relu" else (1, 33))
        product = a.values @ b.values + bias.values
        family.add("linear", [a, b, bias], function(product), "bf16", activation=name)
        family.add("linear", [a, b, bias], function(product), "f32", config_activation=name)
    a, b, bias = normal((2, 5, 35)), normal((33, 35)), normal((33,))
    family.add("linear", [a, b, bias], F.linear(a.values, b.values, bias.values), "bf16", transpose_b=True)



# ---- Reductions ----------------------------------------------------------------------------------------------------

def reduction(family):
    t = torch
    for dtype in FLOATS:
        x = normal((2, 3, 33, 2), dtype)
        for dims in ([0], [-1], [1, 2], [0, 1, 2, 3]):
            for keep in (True, False):
                for name, function in {"sum": t.sum, "mean": t.mean, "max": t.amax, "min": t.amin}.items():
                    family.add(name, [x], function(x.values, dim=dims, keepdim=keep), dtype, name in ("max", "min"),
                               dim_arg=dims, keep_dim=keep)
        x = normal((5, 40), dtype)
        family.add("sum", [x], x.values.sum().reshape(1, 1), dtype, keep_dim=True)
        family.add("max", [x], x.values.max().reshape(1, 1), dtype, True, keep_dim=True)
        for dim in (0, -1):
            near = normal((5, 40), dtype, 0.1, 1.0)
            family.add("prod", [near], near.values.prod(dim, keepdim=True), dtype, dim_arg=dim, keep_dim=True)
            family.add("cumprod", [near], near.values.cumprod(dim), dtype, dim=dim)
            family.add("cumsum", [x], x.values.cumsum(dim), dtype, dim=dim)
            family.add("moreh_cumsum", [x], x.values.cumsum(dim), dtype, dim=dim)
            ties = Tensor(whole((5, 40), "u8", below=9).values, dtype)
            ties.values[3, 17] = math.nan
            family.add("argmax", [ties], first_largest(ties.values, dim), "u32", True, dim=dim, keep_dim=True)
            family.add("softmax", [x], x.values.softmax(dim), dtype, dimension=dim)
        family.add("argmax", [x], x.values.argmax().reshape(1, 1), "u32", True, keep_dim=True)
        masked = normal((3, 40), dtype)
        masked.values[1, 5:] = -math.inf
        masked.values[2] = normal((40,), dtype, 30.0).values
        family.add("softmax", [masked], masked.values.softmax(-1), dtype, dimension=1, numericStable=True)
    x = normal((2, 35), "bfp_bf8")
    family.add("softmax", [x], x.values.softmax(-1), "bfp_bf8", dimension=-1)
    family.add("sum", [x], x.values.sum(-1, keepdim=True), "bf16", dim_arg=[-1], keep_dim=True)
    for dtype in ("si32", "u32"):
        x = whole((5, 40), dtype)
        family.add("sum", [x], x.values.sum(0, keepdim=True), dtype, True, dim_arg=[0], keep_dim=True)
        family.add("max", [x], x.values.amax(1), dtype, True, dim_arg=[1], keep_dim=False)
        family.add("cumsum", [x], x.values.cumsum(1), dtype, True, dim=1)
        family.add("prod", [x], x.values[:, :].prod(0, keepdim=True), dtype, True, dim_arg=0, keep_dim=True)


def first_largest(x, dim):
    """torch.argmax, which takes NaN for the largest, but does not promise the first of equal ones."""
    best = torch.where(x.isnan().any(dim, keepdim=True), x.isnan(), x == x.gather(dim, x.argmax(dim, keepdim=True)))
    shape = [1] * x.dim()
    shape[dim] = x.shape[dim]
    places = torch.arange(x.shape[dim]).reshape(shape).expand(x.shape)
    return torch.where(best, places, x.shape[dim]).amin(dim, keepdim=True)



# ---- Normalization -------------------------------------------------------------------------------------------------

def norm(family):
    for dtype in FLOATS:
        x, weight, bias = normal((2, 3, 40), dtype, 3.0, 0.5), normal((40,), dtype, 0.3, 1.0), normal((40,), dtype)
        root = (x.values.square().mean(-1, keepdim=True) + 0.01).rsqrt()
        for parts in ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)):
            operands = [x] + [weight] * parts[1] + [bias] * parts[2]
            scaled, shift = (weight.values if parts[1] else 1), (bias.values if parts[2] else 0)
            attributes = {"operandSegmentSizes": list(parts), "epsilon": 0.01}
            family.add("rms_norm", operands, x.values * root * scaled + shift, dtype, **attributes)
            layered = F.layer_norm(x.values, (40,), eps=0.01) * scaled + shift
            family.add("layer_norm", operands, layered, dtype, **attributes)
        x = normal((2, 5, 3, 35), dtype, 2.0)
        mean, spread, weight, bias = (normal((5,), dtype), Tensor(normal((5,)).values.abs() + 0.2, dtype),
                                      normal((5,), dtype, 0.3, 1.0), normal((5,), dtype))
        whole_norm = F.batch_norm(x.values, mean.values, spread.values, weight.values, bias.values, eps=0.001)
        family.add("batch_norm_inference", [x, mean, spread, weight, bias], whole_norm, dtype,
                   operandSegmentSizes=[1, 1, 1, 1, 1], epsilon=0.001)
        plain = F.batch_norm(x.values, mean.values, spread.values, eps=0.001)
        family.add("batch_norm_inference", [x, mean, spread], plain, dtype, operandSegmentSizes=[1, 1, 1, 0, 0], epsilon=0.001)
