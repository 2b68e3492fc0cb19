"""One op, executed where kernels run: does it compute, with its operands and results where a question has them, what it computes in DRAM?

Values are random. What an op is asked of is compared with the same call on the same values with all tensors interleaved in DRAM and without a
program config, which is the form that everything else is built on.
"""
from __future__ import annotations

import dataclasses
from typing import Any

from .ask import as_list, message_of, verdict_of
from .calls import call, on_host, window
from .library import Library
from .question import Layout, Question, Tensor

_INTEGERS = {"u32": "uint32", "si32": "int32", "u16": "uint16", "u8": "uint8"}


def in_dram(tensor: Tensor) -> Tensor:
    """The tensor interleaved in DRAM, in the same pages."""
    layout = tensor.layout
    if layout is None or not layout.on_device:
        return tensor
    return dataclasses.replace(tensor, layout=Layout("dram", "interleaved", layout.tiled, layout.dtype, (), ()))


def plain(question: Question) -> Question:
    """The same op on tensors in DRAM, configured by the library."""
    return dataclasses.replace(question, operands=tuple(map(in_dram, question.operands)), results=tuple(map(in_dram, question.results)), config=None)


def values_of(tensor: Tensor, seed: int) -> Any:
    """Random numbers for an operand: of standard deviation 1, or small integers."""
    import numpy

    random = numpy.random.default_rng(seed)
    if tensor.dtype in _INTEGERS:
        return random.integers(0, 8, tensor.shape).astype(_INTEGERS[tensor.dtype])
    return random.standard_normal(tensor.shape, dtype=numpy.float32)


def placed(library: Library, tensor: Tensor, values: Any, host: bool) -> Any:
    layout, function = tensor.layout, library.function
    dtype = library.dtype("bf16" if host and tensor.dtype.startswith("bfp") else layout.dtype if layout else tensor.dtype)
    made = library.ttnn.Tensor(values, library.dtype(tensor.dtype) if tensor.dtype in _INTEGERS else library.ttnn.float32)
    stays = layout is None or host or not layout.on_device
    if not stays:  # before the type: block floats are made of whole tiles alone
        made = function("to_layout")(made, library.page(layout.tiled))
    if made.dtype != dtype:
        made = function("to_dtype")(made, dtype)
    if stays:
        return made
    # From the host rows that end inside a shard would be put down as if they filled their shards.
    inside = layout.sharded and not layout.tiled and tensor.shape[-1] % layout.shard[-1] != 0
    made = function("to_device")(made, library.device, memory_config=library.memory(in_dram(tensor).layout if inside else layout))
    return function("to_memory_config")(made, library.memory(layout)) if inside else made


def read(library: Library, tensor: Any) -> Any:
    """The numbers of a tensor."""
    import numpy

    t = library.ttnn
    if library.is_live(tensor):
        tensor = library.function("from_device")(tensor)
    if tensor.dtype in (t.bfloat16, t.bfloat8_b, t.bfloat4_b):
        tensor = library.function("to_dtype")(tensor, t.float32)
    return numpy.asarray(library.function("to_layout")(tensor, t.ROW_MAJOR_LAYOUT).to_numpy()).copy()


def computed(library: Library, question: Question, seed: int) -> list[Any]:
    """The results of the op, and of what it writes in place its operands."""
    made: list[Any] = []
    for n, operand in enumerate(question.operands):
        same = operand.same_as < n
        made.append(made[operand.same_as] if same else placed(library, operand, values_of(operand, seed + n), on_host(question, n)))
    results = as_list(call(library, question, made))
    read_results = [read(library, tensor) for tensor in results or made[:1]]
    for tensor in (*results, *made):
        library.free(tensor)
    return read_results


def distance(values: Any, others: Any) -> float:
    """The rms of the differences over that of the others; 1e30 where shapes or what is finite differ."""
    import numpy

    a, b = numpy.asarray(values, numpy.float64).ravel(), numpy.asarray(others, numpy.float64).ravel()
    if a.shape != b.shape or (numpy.isfinite(a) != numpy.isfinite(b)).any():
        return 1e30  # JSON has no word for more
    a, b = a[numpy.isfinite(b)], b[numpy.isfinite(b)]
    scale = float(numpy.sqrt((b**2).mean())) if b.size else 0.0
    apart = float(numpy.sqrt(((a - b) ** 2).mean())) if b.size else 0.0
    return apart / scale if scale else apart


def reference(library: Library, question: Question, seed: int) -> list[Any] | str:
    """What the op computes in DRAM, or why it does not."""
    if question.op in window.CONVOLUTIONS and window.is_prepared(question):
        return "its weights were prepared for its own form alone"
    try:
        return computed(library, plain(question), seed)
    except Exception as error:  # noqa: BLE001
        return "in DRAM: " + message_of(error)


def execute(library: Library, question: Question, seed: int) -> dict[str, Any]:
    """{"apart": [distance of each result from what the op computes in DRAM]}, or {"verdict", "message"} where one of both is not done: then
    the verdict is that on the op as it is asked of, or "uncovered" if it has no form in DRAM."""
    expected = reference(library, question, seed)
    if isinstance(expected, str):
        return {"verdict": "uncovered", "message": expected}
    try:
        return {"apart": [distance(a, b) for a, b in zip(computed(library, question, seed), expected, strict=True)]}
    except Exception as error:  # noqa: BLE001: whatever the library throws is its answer
        return {"verdict": verdict_of(error), "message": message_of(error)}
