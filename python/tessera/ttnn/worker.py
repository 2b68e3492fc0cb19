"""The process that has the library loaded: reads requests, writes answers, a line of JSON each."""
from __future__ import annotations

import json
import os
import pathlib
import sys
from typing import Any

from .ask import ask, message_of
from .execute import execute
from .library import Library
from .parent import end_with_parent
from .question import Layout, Question
from .run import run
from .run_program import run_program


def answer(library: Library, request: dict[str, Any]) -> dict[str, Any]:
    if "question" in request:
        question = Question.read(request["question"])
        return ask(library, question.as_planned() if request.get("planned") else question, [Layout.read(layout) for layout in request.get("expected", ())])
    if "execute" in request:
        return execute(library, Question.read(request["execute"]), request.get("seed", 1))
    if "program" in request:
        try:
            return run(library, request["program"])
        except Exception as error:  # noqa: BLE001
            return {"steps": [], "trouble": message_of(error)}
    if "python" in request:
        return run_program(library, pathlib.Path(request["python"]), request["takes"], request.get("inputs"), request.get("outputs"))
    return library.about()


def serve() -> int:
    end_with_parent()
    # The library prints as it likes; answers have a pipe of their own.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    library = Library()
    for line in sys.stdin:
        out.write(json.dumps(answer(library, json.loads(line)), separators=(",", ":")) + "\n")
        out.flush()
    out.flush()
    os._exit(0)  # nothing that the library does at its end is of use
