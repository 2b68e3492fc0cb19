"""Golden vectors: Data movement and creation."""
import math

import torch
import torch.nn.functional as F

from goldens.formats import Tensor
from goldens.tensors import FLOATS, normal, some, whole


def data_movement(family):
    for dtype in ("bf16", "f32", "bfp_bf8", "bfp_bf4", "si32", "u32", "u16", "u8"):
        movement_of(family, dtype)
    for source in ("bf16", "f32", "si32", "u32", "u16", "u8", "bfp_bf8"):
        for target in ("bf16", "f32", "si32", "u32", "u16", "u8", "bfp_bf8", "bfp_bf4"):
            small = {"below": 120, "least": 0}
            x = normal((3, 40), source, 30.0) if source in ("bf16", "f32", "bfp_bf8") else whole((3, 40), source, **small)
            if target in ("u32", "u16", "u8"):
                x = Tensor(x.values.abs(), source)
            family.add("typecast", [x], x.values, target, True)
    x = whole((3, 40), "si32")
    for target in FLOATS + ("u16", "u8", "u32"):
        family.add("typecast", [x], x.values, target, True)
    indexed(family)


def movement_of(family, dtype):
    """bfp: only moves that leave groups of 16 as they are do not round again."""
    block = dtype.startswith("bfp")
    x = some((2, 2, 3, 32), dtype)
    v = x.values
    for op in ("assign", "to_layout", "to_memory_config", "to_device", "from_device", "to_tensor_spec"):
        family.add(op, [x], v, dtype, True) if dtype in ("bf16", "bfp_bf8") else None
    family.add("reshape", [x], v.reshape(4, 3, 32), dtype, True)
    family.add("reshape", [x], v.reshape(6, 64), dtype, True)
    for order in ([1, 0, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1]):
        family.add("permute", [x], v.permute(order), dtype, True, permutation=order)
    family.add("transpose", [x], v.transpose(1, -2), dtype, True, dim0=1, dim1=-2)
    family.add("slice_static", [x], v[1:, ::2, 1:3, 16:], dtype, True, begins=[1, 0, 1, 16], ends=[2, 2, 3, 32], step=[1, 2, 1, 1])
    family.add("slice_static", [x], v[:, 0:1, :2, 0:-3:3], dtype, True, begins=[0, -2, 0, 0], ends=[2, -1, 2, -3], step=[1, 1, 1, 3])
    fill = 7 if dtype[0] in "us" else 7.5
    family.add("pad", [x], F.pad(v, (0, 16, 2, 1, 0, 0, 1, 0), value=fill), dtype, True,
               padding=[1, 0, 0, 0, 2, 1, 0, 16], value=float(fill))
    y = some((2, 1, 3, 32), dtype)
    family.add("concat", [x, y, x], torch.cat([v, y.values, v], 1), dtype, True, dim=1)
    y = some((2, 2, 3, 7), dtype)
    family.add("concat", [x, y], torch.cat([v, y.values], -1), dtype, True, dim=-1)
    short = some((1, 3, 16), dtype)
    family.add("repeat", [short], short.values.repeat(2, 1, 3), dtype, True, repeat_dims=[2, 1, 3])
    family.add("repeat", [short], short.values.repeat(2, 2, 1, 1), dtype, True, repeat_dims=[2, 2, 1, 1])
    family.add("repeat_interleave", [short], short.values.repeat_interleave(3, 1), dtype, True, repeats=3, dim=1)
    family.add("repeat_interleave", [short], short.values.repeat_interleave(2, -1), dtype, True, repeats=2, dim=-1)
    if block:
        return
    x, index = some((2, 9, 5), dtype), whole((2, 4, 5), "u32", below=9)
    family.add("gather", [x, index], x.values.gather(1, index.values), dtype, True, dim=1)
    index = whole((1, 4, 3), "u16", below=9)
    family.add("gather", [x, index], x.values.gather(1, index.values), dtype, True, dim=-2)


def indexed(family):
    for dtype in ("bf16", "f32", "bfp_bf8"):
        for index_type in ("u32", "si32"):
            table, index = normal((35, 48), dtype), whole((2, 5), index_type, below=35, least=0)
            family.add("embedding", [index, table], F.embedding(index.values, table.values), dtype, True)


def creation(family):
    for dtype in ("bf16", "f32", "bfp_bf8", "si32", "u32", "u16", "u8"):
        shape = (3, 35)
        family.add("zeros", [], torch.zeros(shape), dtype, True, shape="3x35")
        family.add("ones", [], torch.ones(shape), dtype, True, shape="3x35")
        family.add("full", [], torch.full(shape, 5), dtype, True, fill_value=5)
        elements = some(shape, "si32" if dtype[0] in "us" else "f32")
        family.add("constant", [elements], elements.values, dtype, True)
        if not dtype.startswith("bfp"):
            family.add("arange", [], torch.arange(3, 120, 7), dtype, True, start=3, end=120, step=7)
    family.add("full", [], torch.full((3, 35), -math.inf), "bf16", True, fill_value=-math.inf)
    family.add("full", [], torch.full((3, 35), 0.1), "bf16", True, fill_value=0.1)
    family.add("full", [], torch.full((3, 35), -2), "si32", True, fill_value=-2)
    family.add("arange", [], torch.arange(5, -20, -3), "si32", True, start=5, end=-20, step=-3)
