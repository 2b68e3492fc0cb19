"""How each op of the dialect is called: as tt-mlir's runtime calls it, with the same arguments and the same defaults.

A table, op -> function of a Call. Sections of tt-mlir's runtime/lib/ttnn/operations have a module each here.
"""
from __future__ import annotations

from typing import Any

from ..library import Library, Uncovered
from ..question import Question
from .table import CALLS, Call
from . import attention, creation, eltwise, matmul, movement, reduction, window  # noqa: F401  (they fill the table)


def call(library: Library, question: Question, operands: list[Any]) -> Any:
    """Makes the call of a question. Raises Uncovered, or what the library throws."""
    make = CALLS.get(question.op)
    if make is None:
        raise Uncovered("no call is known for ttnn." + question.op)
    return make(Call(library, question, operands))


def on_host(question: Question, operand: int) -> bool:
    """Whether an operand is handed over on the host: weights of a convolution that nobody has prepared, which it then does itself."""
    return question.op in window.CONVOLUTIONS and operand in (1, 2) and not window.is_prepared(question)
