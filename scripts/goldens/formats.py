"""Number formats of devices, and golden vectors as files: what scripts/golden-vectors is written with (docs/simulator.md).

Written from the published rules, not from Tessera's code: facts/deepseek 5.3 has those of block float.
"""
import base64
import json

import numpy
import torch

BITS = {"u8": 8, "u16": 16, "u32": 32, "si32": 32, "i1": 8}
BLOCK_BITS = {"bfp_bf8": 7, "bfp_bf4": 3}
FILE_TYPES = {"f32": "<f4", "bf16": "<u2", "u8": "<u1", "u16": "<u2", "u32": "<u4", "si32": "<i4", "i1": "<u1"}


def block_float(values, bits):
    """16 neighbours of a row share the largest exponent; their 24 bits of mantissa are cut there without a sticky bit, then
    rounded to `bits`, ties to even; what rounds up beyond is the largest mantissa."""
    shape = values.shape
    width = shape[-1] if shape else 1
    rows = values.float().reshape(-1, width)
    rows = torch.nn.functional.pad(rows, (0, -width % 16)).reshape(-1, 16).numpy()
    words = rows.view(numpy.uint32).astype(numpy.int64)
    exponent = words >> 23 & 255
    mantissa = numpy.where(exponent > 0, words & 0x7FFFFF | 0x800000, 0)
    shared = exponent.max(axis=1, keepdims=True)
    mantissa >>= numpy.minimum(shared - exponent, 40)
    drop = 24 - bits
    rounded = (mantissa + (1 << drop - 1) - 1 + (mantissa >> drop & 1)) >> drop
    rounded = numpy.minimum(rounded, (1 << bits) - 1)
    made = numpy.ldexp(rounded.astype(numpy.float64), shared - 127 - (bits - 1)) * numpy.where(words >> 31, -1, 1)
    return torch.from_numpy(made.reshape(-1, width + -width % 16)[:, :width].reshape(shape).copy())


def as_stored(values, dtype):
    """The values that a tensor of that format holds instead: float64, or int64."""
    if dtype in BITS:
        values = values.to(torch.int64) & (1 << BITS[dtype]) - 1
        return torch.where(values >= 1 << 31, values - (1 << 32), values) if dtype == "si32" else values
    if dtype in BLOCK_BITS:
        return block_float(values, BLOCK_BITS[dtype])
    values = values.to(torch.float32)
    return (values.bfloat16() if dtype == "bf16" else values).double()


class Tensor:
    """A tensor in a format; `values` are its elements, float64 or int64."""

    def __init__(self, values, dtype):
        self.values, self.dtype = as_stored(torch.as_tensor(values), dtype), dtype

    def as_json(self):
        """Block float is written as bf16, which holds all of its values."""
        file_type = "bf16" if self.dtype in BLOCK_BITS else self.dtype
        array = self.values.numpy()
        if file_type == "bf16":
            array = self.values.float().bfloat16().view(torch.int16).numpy().view(numpy.uint16)
        data = base64.b64encode(array.astype(FILE_TYPES[file_type]).tobytes()).decode()
        return {"shape": list(self.values.shape), "type": self.dtype, "data": data}


def attribute(value):
    """JSON does not tell 1.0 from 1, and has no infinity."""
    return {"float": repr(value)} if isinstance(value, float) else value


class Family:
    """The cases of one file. Equal tensors stand there once; cases name them by number."""

    def __init__(self, name):
        self.name, self.cases, self.tensors = name, [], {}

    def number(self, tensor):
        return self.tensors.setdefault(json.dumps(tensor.as_json(), separators=(",", ":")), len(self.tensors))

    def add(self, op, operands, result, dtype, exact=False, mesh=None, config_activation=None, others=None, place=0, **attributes):
        """One op: `result` is what PyTorch makes of the operands' values. On a mesh, dimension 0 of all is the device. An op of
        several results has `others`, tensors that are not compared, and the compared one at its `place`."""
        case = {"op": "ttnn." + op, "operands": [self.number(operand) for operand in operands],
                "result": self.number(Tensor(result, dtype))}
        if attributes:
            case["attributes"] = {name: attribute(value) for name, value in sorted(attributes.items())}
        if exact:
            case["exact"] = True
        if mesh:
            case["mesh"] = mesh
        if others:
            case["others"], case["place"] = [self.number(other) for other in others], place
        if config_activation:
            case["config_activation"] = config_activation
        self.cases.append(case)

    def write(self, folder):
        cases = ",\n".join(json.dumps(case, separators=(",", ":")) for case in self.cases)
        tensors = ",\n".join(self.tensors)
        (folder / f"{self.name}.json").write_text(f'{{"cases":[\n{cases}],\n"tensors":[\n{tensors}]}}\n')
        print(f"{self.name}: {len(self.cases)} cases")
