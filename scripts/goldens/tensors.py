"""Random operands of golden vectors."""
import torch

from goldens.formats import Tensor

FLOATS = ("bf16", "f32")
RANDOM = torch.Generator().manual_seed(13)


def normal(shape, dtype="bf16", scale=1.0, center=0.0):
    return Tensor(torch.randn(shape, generator=RANDOM, dtype=torch.float64) * scale + center, dtype)


def whole(shape, dtype, below=None, least=None):
    bits = {"u8": 8, "u16": 16, "u32": 32, "si32": 31, "i1": 1}[dtype]
    least = least if least is not None else -(1 << 31) if dtype == "si32" else 0
    return Tensor(torch.randint(least, below if below is not None else 1 << bits, shape, generator=RANDOM), dtype)


def values(numbers, dtype):
    return Tensor(torch.tensor(numbers, dtype=torch.float64), dtype)


def some(shape, dtype):
    return normal(shape, dtype) if dtype in FLOATS or dtype.startswith("bfp") else whole(shape, dtype)
