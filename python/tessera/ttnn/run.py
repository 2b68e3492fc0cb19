"""A whole function with the library's real allocator: addresses, and what does not fit.

Every op that was accepted alone is called again, in its place, with what else is alive then. No graph is captured: buffers get
addresses, the library itself checks that circular buffers reach into no tensor, and nothing runs because there is no chip. What was refused, and results that the library lays
out otherwise than the program says, are replaced by tensors as the program says, so that the rest is judged as planned.
"""
from __future__ import annotations

from typing import Any

from .ask import as_list, message_of
from .calls import call, on_host
from .library import Library, describe, differences
from .question import Layout, Question, Tensor


def tensor_of(json: dict[str, Any]) -> Tensor:
    return Tensor(tuple(json["shape"]), json["dtype"], Layout.read(json["layout"]))


class Run:
    """The tensors of a function while it runs."""

    def __init__(self, library: Library):
        self.library = library
        self.live: dict[int, Any] = {}

    def address(self, tensor: Any) -> int | None:
        """Of a buffer in L1; None for all else."""
        if not self.library.is_live(tensor) or tensor.memory_config().buffer_type != self.library.ttnn.BufferType.L1:
            return None
        return tensor.buffer_address()

    def begin(self, arguments: list[dict[str, Any]]) -> None:
        for argument in arguments:
            tensor = tensor_of(argument)
            if tensor.layout is not None and tensor.layout.on_device:
                self.live[argument["id"]] = self.library.make(tensor)

    def end(self) -> None:
        for tensor in self.live.values():
            self.library.free(tensor)
        self.live.clear()

    def free(self, step: dict[str, Any]) -> dict[str, Any]:
        tensor = self.live.pop(step["free"], None)
        try:
            self.library.free(tensor, bool(step.get("force", False)))
        except Exception as error:  # noqa: BLE001
            return {"trouble": message_of(error)}
        return {}

    def called(self, question: Question, step: dict[str, Any]) -> list[Any]:
        """Results of the op."""
        library = self.library
        operands: list[Any] = []
        for n, (value, operand) in enumerate(zip(step["operands"], question.operands)):
            held = None if on_host(question, n) else self.live.get(value)
            operands.append(library.make(operand, on_host(question, n)) if held is None else held)
        return as_list(call(library, question, operands))

    def placed(self, question: Question, results: list[Any], record: dict[str, Any]) -> list[Any]:
        """The results, with those replaced that are missing or not as the program says."""
        out: list[Any] = []
        for n, wanted in enumerate(question.results):
            result = results[n] if n < len(results) else None
            if result is not None and differences(describe(self.library, result), wanted, question.op == "argmax"):
                record["replaced"], result = True, None
                results[n] = None
            if result is None and wanted.layout is not None and wanted.layout.on_device:
                try:
                    result = self.library.make(wanted)
                except Exception as error:  # noqa: BLE001
                    record.setdefault("trouble", message_of(error))
            out.append(result)
        return out

    def step(self, step: dict[str, Any]) -> dict[str, Any]:
        if "free" in step:
            return self.free(step)
        question, record, results = Question.read(step["question"]), {}, []
        if step.get("call", True):
            try:
                results = self.called(question, step)
            except Exception as error:  # noqa: BLE001
                record["trouble"] = message_of(error)
        else:
            record["replaced"] = True
        results = self.placed(question, results, record)
        for value, result in zip(step["results"], results):
            self.live[value] = result
        record["addresses"] = [self.address(result) for result in results]
        return record


def run(library: Library, program: dict[str, Any]) -> dict[str, Any]:
    """{"steps": [...]}: for each step `addresses` of its results in L1, `trouble` if any."""
    state = Run(library)
    try:
        state.begin(program["arguments"])
        return {"steps": [state.step(step) for step in program["steps"]]}
    finally:
        state.end()
