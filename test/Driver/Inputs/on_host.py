"""What programs do on the host (python/tessera/ttnn/on_host.py), beside loops that say the same. Needs numpy; a stand-in plays the library."""
import pathlib
import sys
import types

import numpy


class Tensor:
    def __init__(self, numbers, dtype):
        self.numbers, self.dtype, self.shape = numbers, dtype, list(numbers.shape)

    def to_numpy(self):
        return self.numbers


sys.modules["ttnn"] = types.SimpleNamespace(
    Tensor=Tensor, float32="f32", bfloat16="bf16", int32="si32", ROW_MAJOR_LAYOUT=0, from_device=lambda tensor: tensor,
    to_layout=lambda tensor, _: tensor, to_dtype=lambda tensor, dtype: Tensor(tensor.numbers, dtype))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python/tessera/ttnn"))
from on_host import gather_rows, scatter_rows, slice_part  # noqa: E402

RANDOM = numpy.random.default_rng(1)


def some(low, high, count=None):
    return RANDOM.integers(low, high, count).tolist()


def table_of(shape):
    if RANDOM.random() < 0.3:
        return Tensor(RANDOM.integers(0, 99, shape).astype(numpy.int32), "si32")
    return Tensor(RANDOM.standard_normal(shape).astype(numpy.float32), "f32" if RANDOM.random() < 0.5 else "bf16")


def moved(begin, sizes, part):
    """As it fits, and whether it did."""
    first = [min(max(at, 0), size - some_) for at, size, some_ in zip(begin, sizes, part)]
    return [slice(at, at + count) for at, count in zip(first, part)], first == list(begin)


def gather():
    entries, rank, count, width = some(1, 4), some(1, 4), some(1, 5), some(1, 4)
    sizes = some(1, 6, rank)
    windows = [some(1, size + 1) for size in sizes]
    table, fills = table_of((entries, *sizes, width)), bool(some(0, 2))
    index = Tensor(RANDOM.integers(-2, 8, (entries if some(0, 2) else 1, rank, count)).astype(numpy.int32), "si32")
    wanted = numpy.zeros((entries, count, *windows, width), table.numbers.dtype)
    for entry in range(entries):
        for n in range(count):
            begin = index.numbers[entry % len(index.numbers), :, n].tolist()
            part, fits = moved(begin, sizes, windows)
            nothing = numpy.nan if table.numbers.dtype.kind == "f" else 0
            wanted[entry, n] = table.numbers[(entry, *part)] if fits or not fills else nothing
    shape = [entries, count * int(numpy.prod(windows)), width]
    return gather_rows(table, index, sizes, windows, fills, shape, table.dtype), table, wanted.reshape(shape)


MEETING = {"sum": numpy.add, "prod": numpy.multiply, "min": numpy.minimum, "max": numpy.maximum, "invalid": lambda there, comes: comes}


def scatter():
    entries, rank, count, width = some(1, 4), some(1, 4), some(1, 5), some(1, 4)
    sizes = some(1, 6, rank)
    windows = [some(1, size + 1) for size in sizes]
    table, reduction = table_of((entries, *sizes, width)), str(RANDOM.choice(list(MEETING)))
    index = Tensor(RANDOM.integers(-2, 8, (entries if some(0, 2) else 1, rank, count)).astype(numpy.int32), "si32")
    new = Tensor(RANDOM.integers(-9, 9, (entries, count, *windows, width)).astype(table.numbers.dtype), table.dtype)
    wanted = table.numbers.copy()
    for entry in range(entries):
        for n in range(count):
            part, fits = moved(index.numbers[entry % len(index.numbers), :, n].tolist(), sizes, windows)
            if fits:
                wanted[(entry, *part)] = MEETING[reduction](wanted[(entry, *part)], new.numbers[entry, n])
    return scatter_rows(table, index, new, sizes, windows, reduction, table.dtype), table, wanted


def cut():
    sizes = some(1, 6, some(1, 5))
    part, table = [some(1, size + 1) for size in sizes], table_of(sizes)
    begin = some(-1, 6, len(sizes))
    return slice_part(table, Tensor(numpy.array(begin, numpy.int32), "si32"), part, table.dtype), table, table.numbers[tuple(moved(begin, sizes, part)[0])]


for function in (gather, scatter, cut):
    for n in range(300):
        found, table, wanted = function()
        assert found.dtype == table.dtype and numpy.array_equal(found.numbers, wanted, equal_nan=wanted.dtype.kind == "f"), (function, n)
    print(function.__name__, "as the loops")
