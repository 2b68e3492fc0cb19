"""Ops that move data and compute nothing."""
from __future__ import annotations

import math
from typing import Any

from ..library import Uncovered
from .table import Call, op


@op("to_memory_config")
def to_memory_config(c: Call) -> Any:
    return c.function("to_memory_config")(c[0], c.memory)


@op("to_layout")
def to_layout(c: Call) -> Any:
    changes = c.layout is not None and c.question.operands[0].layout.dtype != c.layout.dtype
    return c.function("to_layout")(c[0], c.page, c.dtype if changes else None, c.memory)


@op("to_device")
def to_device(c: Call) -> Any:
    return c.function("to_device")(c[0], c.library.device, memory_config=c.memory)


@op("from_device")
def from_device(c: Call) -> Any:
    return c.function("from_device")(c[0])


@op("reshape")
def reshape(c: Call) -> Any:
    return c.function("reshape")(c[0], c.need("shape"), memory_config=c.memory)


@op("permute")
def permute(c: Call) -> Any:
    return c.function("permute")(c[0], c.need("permutation"), memory_config=c.memory, pad_value=float(c.get("pad_value", 0.0)))


@op("transpose")
def transpose(c: Call) -> Any:
    return c.function("transpose")(c[0], c.need("dim0"), c.need("dim1"), memory_config=c.memory)


@op("concat")
def concat(c: Call) -> Any:
    return c.function("concat")(list(c.operands), c.need("dim"), memory_config=c.memory)


@op("slice_static")
def slice_static(c: Call) -> Any:
    return c.function("slice")(c[0], c.need("begins"), c.need("ends"), c.need("step"), memory_config=c.memory)


@op("pad")
def pad(c: Call) -> Any:
    padding = c.need("padding")
    return c.function("pad")(c[0], list(zip(padding[::2], padding[1::2])), c.need("value"), use_multicore=c.get("use_multicore", True),
                             memory_config=c.memory)


@op("repeat")
def repeat(c: Call) -> Any:
    return c.function("repeat")(c[0], c.need("repeat_dims"), memory_config=c.memory)


@op("repeat_interleave")
def repeat_interleave(c: Call) -> Any:
    return c.function("repeat_interleave")(c[0], c.need("repeats"), c.need("dim"), memory_config=c.memory)


@op("embedding")
def embedding(c: Call) -> Any:
    return c.function("embedding")(c[0], c[1], layout=c.page, dtype=c.dtype, memory_config=c.memory)


@op("gather")
def gather(c: Call) -> Any:
    return c.function("gather")(c[0], c.need("dim"), c[1], memory_config=c.memory)


@op("assign")
def assign(c: Call) -> Any:
    return c.function("assign")(c[0], memory_config=c.memory, dtype=c.dtype)


def _are_elements(c: Call, table: list[int], index: list[int]) -> bool:
    """Whether single elements are looked up, by a number for each dimension."""
    sizes = list(c.need("sizes"))
    return table == [1, *sizes] and index[:2] == [1, len(sizes)] and len(sizes) > 1 and all(size == 1 for size in c.need("windows"))


def _flat_index(c: Call) -> Any:
    """One number for each element, of those for each dimension."""
    sizes, count = list(c.need("sizes")), list(c.question.operands[1].shape)[2]
    to_layout = c.function("to_layout")
    parts = [to_layout(c.function("slice")(c[1], [0, place, 0], [1, place + 1, count]), c.library.page(True)) for place in range(len(sizes))]
    flat = parts[0]
    for size, part in zip(sizes[1:], parts[1:]):
        flat = c.function("add")(c.function("multiply")(flat, size), part)
    return to_layout(flat, c.library.page(False))


@op("rows_gather")
def rows_gather(c: Call) -> Any:
    """As a lookup of rows of one table, since no published library has the op (facts/dialect 10). That takes bf16 alone; rows of another type are
    gathered, element by element, and all else is looked up on the host."""
    table, index = (list(operand.shape) for operand in c.question.operands)
    rows = len(table) > 2 and table[0] == 1 and len(index) == 3 and index[:2] == [1, 1] and list(c.need("windows")) == [1] and not c.get("column")
    elements = _are_elements(c, table, index)
    if not (rows or elements) or c.get("fill_out_of_bounds"):
        result = c.question.results[0]
        found = c.library.on_host("gather_rows")(c[0], c[1], list(c.need("sizes")), list(c.need("windows")), bool(c.get("fill_out_of_bounds")),
                                                 list(result.shape), c.library.dtype(result.dtype))
        return c.library.placed(found, result.layout)
    reshape = c.function("reshape")
    if elements:  # rows of one element each
        table = [1, math.prod(table)]
    numbers = c.function("typecast")(reshape(_flat_index(c) if elements else c[1], [1, index[2]]), c.ttnn.uint32)
    width = math.prod(table[2:])
    if c.question.operands[0].dtype == "bf16":
        found = c.function("embedding")(numbers, reshape(c[0], [table[1], width]), layout=c.page, memory_config=c.memory)
    else:
        to_layout, tiles = c.function("to_layout"), c.library.page(True)
        places = c.function("repeat")(to_layout(reshape(numbers, [1, index[2], 1]), tiles), [1, 1, width])
        found = c.function("gather")(to_layout(reshape(c[0], [1, table[1], width]), tiles), 1, places)
        found = to_layout(found, c.page, None, c.memory)
    return reshape(found, list(c.question.results[0].shape))


#: The library's calls for rows that meet others.
_SCATTERS = {"invalid": "scatter", "sum": "scatter_add"}
#: Elements of a row that its kernel, on one core, holds at a time; of longer ones it goes through the index again and again.
_AT_A_TIME = 76_800


def _reduction(c: Call, name: str) -> str:
    """What an attribute of a scatter says: to take the place of what is there, or how to meet it."""
    said = c.get(name, "invalid")
    found = next((each for each in ("invalid", "sum", "prod", "min", "max") if each in said), None)
    if found is None:
        raise Uncovered(f"a scatter by {said}")
    return found


#: What the library calls them. Published versions know the first two, and refuse the others.
_REDUCTIONS = {"sum": "add", "prod": "multiply", "min": "amin", "max": "amax"}


@op("scatter")
def scatter(c: Call) -> Any:
    return c.function("scatter")(c[0], c.need("dim"), c[1], c[2], memory_config=c.memory, reduce=_REDUCTIONS.get(_reduction(c, "scatter_reduce_type")))


def _scattered_elements(c: Call, reduction: str) -> Any:
    """Single elements of a short table, which are one row of the library's; None if they are no such."""
    rows, index, new = (list(operand.shape) for operand in c.question.operands)
    sizes, count = list(c.need("sizes")), math.prod(rows)
    single = count == math.prod(sizes) and index[:2] == [1, len(sizes)] and new == [1, index[2]] and all(window == 1 for window in c.need("windows"))
    if not single or count > _AT_A_TIME or reduction not in _SCATTERS or c.question.operands[1].dtype != "si32":
        return None
    reshape = c.function("reshape")
    numbers = reshape(c[1] if len(sizes) == 1 else c.library.on_device("row_numbers")(c[1], sizes), new)
    return reshape(c.function(_SCATTERS[reduction])(reshape(c[0], [1, count]), 1, numbers, c[2], memory_config=c.memory), rows)


@op("rows_scatter")
def rows_scatter(c: Call) -> Any:
    """Rows at places in the second dimension by two calls, as no published library has the one (facts/dialect 10): their numbers are repeated for
    each element of a row. Of places in several dimensions, as a cache of users and positions has them, one number is made first. The library leaves out
    what is outside of the table, as XLA does. All else is written on the host."""
    rows, index, new = (list(operand.shape) for operand in c.question.operands)
    reduction = _reduction(c, "reduce")
    sizes = list(c.need("sizes"))
    elements = _scattered_elements(c, reduction)
    if elements is not None:
        return elements
    plain = len(rows) == len(new) >= 3 and rows[0] == new[0] and rows[2:] == new[2:] and len(index) == 3 and index[1:] == [len(sizes), new[1]]
    one_number = len(sizes) == 1 or (index[0] == 1 and c.question.operands[1].dtype == "si32")
    single = rows[1] == math.prod(sizes) and all(window == 1 for window in c.need("windows")) and one_number
    if not plain or not single or c.get("column") or reduction not in _SCATTERS:
        written = c.library.on_host("scatter_rows")(c[0], c[1], c[2], sizes, list(c.need("windows")), reduction,
                                                    c.library.dtype(c.question.results[0].dtype))
        return c.library.placed(written, c.layout)
    numbers = [index[0], new[1]] + [1] * (len(new) - 2)
    flat = c[1] if len(sizes) == 1 else c.library.on_device("row_numbers")(c[1], sizes)
    place = flat if index == numbers else c.function("reshape")(flat, numbers)
    places = c.function("repeat")(place, [new[0] // index[0], 1, *new[2:]], memory_config=c.ttnn.DRAM_MEMORY_CONFIG)
    return c.function(_SCATTERS[reduction])(c[0], 1, places, c[2], memory_config=c.memory)


@op("slice_dynamic")
def slice_by_tensors(c: Call) -> Any:
    """The call wants to know which dimension is cut and into how many parts, as it does not read its bounds before it runs. Its kernel begins with
    whole tiles, wherever in one the part begins, so what is cut within tiles is taken on the host."""
    operand, result = c.question.operands[0], c.question.results[0]
    whole, part = operand.shape, result.shape
    cut = [number for number, (all_of_it, some) in enumerate(zip(whole, part)) if all_of_it != some]
    within = not operand.layout.tiled or any(number >= len(whole) - 2 for number in cut)
    if within or len(cut) > 1 or any(whole[number] % part[number] for number in cut) or c.get("step"):
        if set(c.get("step") or [1]) != {1}:
            raise Uncovered("slice_dynamic with steps")
        return c.library.placed(c.library.on_host("slice_part")(c[0], c[1], list(part), c.library.dtype(result.dtype)), result.layout)
    dimension = cut[0] if cut else 0
    return c.function("slice")(c[0], c[1], c[2], None, slice_dim=dimension, num_devices=whole[dimension] // part[dimension],
                               memory_config=c.memory)


