"""A program that `tessera export --python` wrote, run on the mock chip: how far it comes, and where its tensors lie."""
from __future__ import annotations

import ast
import pathlib
import types
from typing import Any

from .ask import message_of
from .library import Library

_RECORD = "_tessera_record"


class _Recorded(ast.NodeTransformer):
    """Calls the recorder behind each assignment in `forward`."""

    def visit_FunctionDef(self, function: ast.FunctionDef) -> ast.FunctionDef:
        if function.name == "forward":
            self.generic_visit(function)
        return function

    def visit_Assign(self, statement: ast.Assign) -> list[ast.stmt]:
        names = [node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        call = ast.parse(f"{_RECORD}({', '.join(f'{name}={name}' for name in names)})").body[0]
        return [statement, ast.copy_location(call, statement)]


def unwrapped(ttnn: Any) -> None:
    """Ops themselves in place of the wrappers that import torch."""
    for module in (ttnn, ttnn.transformer, ttnn.experimental):
        for name in dir(module):
            function = getattr(getattr(module, name, None), "function", None)
            if function is not None:
                setattr(module, name, function)


def place_of(error: BaseException, path: pathlib.Path) -> str:
    """Where in the program the error was, innermost."""
    place, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            place = f"{path.name}:{trace.tb_lineno}: "
        trace = trace.tb_next
    return place


def run_program(library: Library, path: pathlib.Path) -> dict[str, Any]:
    """{"addresses": {name: address in L1}, "ops": statements that ran} and "trouble" if the program did not come to its end."""
    unwrapped(library.ttnn)
    addresses: dict[str, int] = {}
    passed = 0

    def record(**values: Any) -> None:
        nonlocal passed
        passed += 1
        for name, tensor in values.items():
            if library.is_live(tensor) and tensor.memory_config().buffer_type == library.ttnn.BufferType.L1:
                addresses[name] = tensor.buffer_address()

    program = types.ModuleType("main")
    program.__dict__[_RECORD] = record
    answer: dict[str, Any] = {}
    try:
        tree = ast.fix_missing_locations(_Recorded().visit(ast.parse(path.read_text(), str(path))))
        exec(compile(tree, str(path), "exec"), program.__dict__)  # noqa: S102: it is what the user wants to see run
        inputs = [library.function("zeros")(list(shape), dtype, library.page(False)) for _, shape, dtype in program.INPUTS]
        program.forward(inputs, library.device)
    except Exception as error:  # noqa: BLE001
        answer["trouble"] = place_of(error, path) + message_of(error)
    return answer | {"addresses": addresses, "ops": passed}
