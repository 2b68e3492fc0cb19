"""A program that `tessera export --python` wrote, run on the mock chip: how far it comes, and where its tensors lie."""
from __future__ import annotations

import ast
import collections
import itertools
import json
import pathlib
import types
from typing import Any, Iterator

from .ask import message_of
from .library import Library

_RECORD, _ENTER = "_tessera_record", "_tessera_enter"


class _Recorded(ast.NodeTransformer):
    """Calls the recorder behind each assignment in `forward` and in the functions that it calls more than once."""

    def __init__(self, repeated: dict[str, Any]):
        self.repeated, self.function = repeated, ""

    def visit_FunctionDef(self, function: ast.FunctionDef) -> ast.FunctionDef:
        if function.name == "forward" or function.name in self.repeated:
            self.function = function.name
            self.generic_visit(function)
            function.body.insert(0, self.call(function, f"{_ENTER}({function.name!r})"))
        return function

    def visit_Assign(self, statement: ast.Assign) -> list[ast.stmt]:
        # What is handed on, to a function or within one, has the name that it was made by.
        if isinstance(statement.value, (ast.Name, ast.List)):
            return [statement]
        names = [node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        return [statement, self.call(statement, f"{_RECORD}({', '.join([repr(self.function), *(f'{name}={name}' for name in names)])})")]

    @staticmethod
    def call(place: ast.stmt, text: str) -> ast.stmt:
        return ast.copy_location(ast.parse(text).body[0], place)


class _Recorder:
    """Where tensors lie in L1, by the names that they have in the module."""

    def __init__(self, library: Library, repeated: dict[str, dict[str, list[str]]]):
        self.library, self.repeated = library, repeated
        self.runs: dict[str, int] = collections.Counter()
        self.addresses: dict[str, int] = {}
        self.passed = 0

    def enter(self, function: str) -> None:
        self.runs[function] += 1

    def record(self, function: str, /, **values: Any) -> None:
        self.passed += 1
        names = self.repeated.get(function, {})
        for name, tensor in values.items():
            if isinstance(tensor, list) or not self.library.is_live(tensor):
                continue
            if tensor.memory_config().buffer_type == self.library.ttnn.BufferType.L1:
                called = names[name][self.runs[function] - 1] if name in names else name
                self.addresses[called] = tensor.buffer_address()


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


def read_inputs(library: Library, inputs: Any, files: list[str] | None) -> list[Any]:
    """What a program takes: tensors of the host in rows, of these files, else of zeros."""
    if files is None:
        return [library.function("zeros")(list(shape), dtype, library.page(False)) for _, shape, dtype in inputs]
    import numpy

    integers = {library.ttnn.int32: "int32", library.ttnn.uint32: "uint32", library.ttnn.uint16: "uint16", library.ttnn.uint8: "uint8"}
    return [library.ttnn.Tensor(numpy.load(file).astype(integers.get(dtype, "float32")).reshape(shape), dtype)
            for file, (_, shape, dtype) in zip(files, inputs, strict=True)]


def write_results(library: Library, results: list[Any], folder: pathlib.Path) -> None:
    """Result N as folder/N.npy: numbers as float32, integers as they are."""
    import numpy

    t = library.ttnn
    for n, tensor in enumerate(results):
        if library.is_live(tensor):
            tensor = library.function("from_device")(tensor)
        if tensor.dtype in (t.bfloat16, t.bfloat8_b, t.bfloat4_b):
            tensor = library.function("to_dtype")(tensor, t.float32)
        tensor = library.function("to_layout")(tensor, t.ROW_MAJOR_LAYOUT)
        numpy.save(folder / f"{n}.npy", numpy.asarray(tensor.to_numpy()))


def repeated_of(path: pathlib.Path) -> dict[str, dict[str, list[str]]]:
    names = path.with_name("names.json")
    return json.loads(names.read_text()) if names.is_file() else {}


def check_parts(program: types.ModuleType, takes: list[list[int]]) -> None:
    """Whether it has what a program has, for a function of such arguments."""
    for name in ("INPUTS", "forward"):
        if not hasattr(program, name):
            raise ValueError(f"the program has no {name}; 'tessera export --python' writes one that has it")
    shapes = [list(shape) for _, shape, _ in program.INPUTS]
    if shapes != takes:
        at = next((n for n, (a, b) in enumerate(zip(shapes, takes)) if a != b), min(len(shapes), len(takes)))
        said = [f"{' x '.join(map(str, each[at])) or 'a number'}" if at < len(each) else "nothing" for each in (shapes, takes)]
        raise ValueError(f"this is a program of another module: its input {at} is {said[0]}, and the module's {said[1]}")


def run_loops_once(program: types.ModuleType) -> None:
    """A mock chip holds no numbers, so loops whose end depends on some would run by chance: here each runs once."""
    goes_on: Iterator[bool] = itertools.cycle((True, False))

    def is_true(results: list[Any]) -> bool:
        return next(goes_on)

    program.__dict__.update(is_true=is_true, whole_number=lambda tensor: 1)


def run_program(library: Library, path: pathlib.Path, takes: list[list[int]], files: list[str] | None = None, outputs: str | None = None) -> dict[str, Any]:
    """{"addresses": {name: address in L1}, "ops": statements that ran} and "trouble" if the program did not come to its end."""
    unwrapped(library.ttnn)
    try:
        repeated = repeated_of(path)
    except ValueError as error:
        return {"trouble": f"names.json is no JSON ({error}); 'tessera export --python' writes it", "addresses": {}, "ops": 0}
    recorder = _Recorder(library, repeated)
    program = types.ModuleType("main")
    program.__dict__.update({"__file__": str(path), _RECORD: recorder.record, _ENTER: recorder.enter})
    answer: dict[str, Any] = {}
    try:
        tree = ast.fix_missing_locations(_Recorded(repeated).visit(ast.parse(path.read_text(), str(path))))
        exec(compile(tree, str(path), "exec"), program.__dict__)  # noqa: S102: it is what the user wants to see run
        check_parts(program, takes)
        if files is None:
            run_loops_once(program)
        results = program.forward(read_inputs(library, program.INPUTS, files), library.device)
        if outputs is not None:
            write_results(library, results, pathlib.Path(outputs))
    except (Exception, SystemExit) as error:  # noqa: BLE001
        answer["trouble"] = place_of(error, path) + (message_of(error) if isinstance(error, Exception) else f"the program ends itself: {error!r}")
    return answer | {"addresses": recorder.addresses, "ops": recorder.passed}
