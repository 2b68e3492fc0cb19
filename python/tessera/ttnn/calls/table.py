"""The table of calls, and what a call has at hand."""
from __future__ import annotations

from typing import Any, Callable

from ..library import Library, Uncovered
from ..question import Layout, Question


class Call:
    """A question on its way to the library, with its operands made."""

    def __init__(self, library: Library, question: Question, operands: list[Any]):
        self.library, self.question, self.operands = library, question, operands
        self.ttnn = library.ttnn

    def __getitem__(self, n: int) -> Any:
        return self.operands[n]

    def get(self, name: str, otherwise: Any = None) -> Any:
        return self.question.get(name, otherwise)

    def need(self, name: str) -> Any:
        if self.get(name) is None:
            raise Uncovered(f"the op has no attribute '{name}'")
        return self.get(name)

    def function(self, path: str) -> Any:
        return self.library.function(path)

    @property
    def layout(self) -> Layout | None:
        return self.question.results[0].layout if self.question.results else None

    @property
    def memory(self) -> Any:
        """Memory config of the first result."""
        return self.library.memory(self.layout)

    @property
    def dtype(self) -> Any:
        """Data type of the first result."""
        return self.library.dtype(self.layout.dtype if self.layout else self.question.results[0].dtype)

    @property
    def page(self) -> Any:
        return self.library.page(self.layout is None or self.layout.tiled)

    @property
    def compute(self) -> Any:
        return self.library.compute(self.question)

    def group(self, n: int) -> Any:
        """The n-th operand of an op with optional ones; None if it is left out."""
        sizes = self.get("operandSegmentSizes")
        if sizes is None:
            return self.operands[n] if n < len(self.operands) else None
        return self.operands[sum(sizes[:n])] if n < len(sizes) and sizes[n] else None


CALLS: dict[str, Callable[[Call], Any]] = {}


def op(*names: str) -> Callable[[Callable[[Call], Any]], Callable[[Call], Any]]:
    """Enters a function into the table under these ops of the dialect."""

    def enter(make: Callable[[Call], Any]) -> Callable[[Call], Any]:
        CALLS.update({name: make for name in names})
        return make

    return enter
