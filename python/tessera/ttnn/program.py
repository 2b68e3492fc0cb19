"""A module as a program for ttnn: main.py, flat and readable, with `forward(input, device)`.

The module comes as lib/Driver/PythonProgram.cpp writes it: functions with arguments, steps and what they return; every value
has its Python name.
"""
from __future__ import annotations

import pathlib
from typing import Any

from .calls import call
from .library import Uncovered
from .question import Layout, Question
from .text import Text, TextLibrary, render

_HEAD = '''"""{title}

Written by `tessera export --python`: each op with the layouts, program configs and compute configs of the plan. `del` frees a
tensor where the plan frees it: its memory goes with its last name. forward(input, device) takes host tensors in rows, in the
order of INPUTS; what depends on parameters alone is computed in the first call and kept. run.py runs it alone.
"""
import ttnn
'''

_HELPERS = '''
def sharded(kind, buffer, ranges, shard):
    """Shards on ranges of cores (x0, y0, x1, y1), both corners included."""
    cores = {ttnn.CoreRange(ttnn.CoreCoord(x0, y0), ttnn.CoreCoord(x1, y1)) for x0, y0, x1, y1 in ranges}
    spec = ttnn.ShardSpec(ttnn.CoreRangeSet(cores), shard, ttnn.ShardOrientation.ROW_MAJOR)
    return ttnn.MemoryConfig(kind, buffer, spec)


def place(tensor, dtype, layout, memory_config, device):
    """A tensor of the host, or of the device, as the program wants it."""
    if tensor.storage_type() != ttnn.StorageType.DEVICE:
        if tensor.dtype != dtype:
            tensor = ttnn.to_dtype(tensor, dtype)
        if tensor.layout != layout:
            tensor = ttnn.to_layout(tensor, layout)
        return ttnn.to_device(tensor, device, memory_config=memory_config)
    return ttnn.to_memory_config(tensor, memory_config)
'''

#: Which results are indices.
_INDICES = {"topk": (1,), "sort": (1,)}
_CONSTANT_ROLES = ("parameter", "constant")


class Trouble(Exception):
    """What cannot be written, and where it stands."""


class Writer:
    def __init__(self, module: dict[str, Any]):
        self.module = module
        self.library = TextLibrary(tuple(module["grid"]))
        #: Values that an op reads, of all functions.
        self.read = {name for function in module["functions"] for step in function["steps"] if "question" in step for name in step["operands"]}

    # ---- statements --------------------------------------------------------------------------------------

    def statement(self, targets: list[str], value: Any, comment: str = "") -> list[str]:
        left = ", ".join(targets) + " = " if targets else ""
        line = f"    {left}{render(value, '    ', len(left))}"
        if comment and "\n" not in line and len(line) + len(comment) + 4 <= 120:
            return [f"{line}  # {comment}"]
        return [*([f"    # {comment}"] if comment else []), line]

    def op(self, step: dict[str, Any]) -> list[str]:
        question = Question.read(step["question"])
        operands = [Text(name) for name in step["operands"]]
        try:
            if "constant" in step:
                value = self.constant(question, step["constant"])
            else:
                value = call(self.library, question, operands)
                value = self.library.last if value is None else value
        except (Uncovered, KeyError, AttributeError) as error:
            raise Trouble(f"{step['place']}: ttnn.{question.op} cannot be written as a call: {error}") from error
        lines = self.statement(step["results"], value, self.kinds(question))
        # The library has indices without a sign, and no op that takes them beside si32.
        for n in _INDICES.get(question.op, ()):
            if question.results[n].dtype == "si32" and step["results"][n] in self.read:
                lines += self.statement([step["results"][n]], Text("ttnn.typecast")(Text(step["results"][n]), self.library.dtype("si32")))
        return lines

    @staticmethod
    def kinds(question: Question) -> str:
        """Shapes and types of the results, for who reads the program."""
        return ", ".join(f"{'x'.join(map(str, r.shape)) or 'scalar'} {r.dtype}" for r in question.results)

    def constant(self, question: Question, values: list[Any] | None) -> Any:
        """Its elements, as a host tensor in rows that is placed."""
        result, library = question.results[0], self.library
        if values is None:
            raise Uncovered("its elements are not in the module")
        numbers = [float(v) if isinstance(v, str) else v for v in values]
        listed: Any = numbers
        if numbers == list(range(len(numbers))):
            listed = Text("list")(Text("range")(len(numbers)))
        elif len(set(numbers)) == 1:
            listed = Text(f"[{render(numbers[0])}] * {len(numbers)}")
        host = Text("ttnn.Tensor")(listed, list(result.shape), library.dtype(result.dtype), library.page(False))
        if result.layout is None or not result.layout.on_device:
            return host
        return Text("place")(host, library.dtype(result.layout.dtype), library.page(result.layout.tiled), library.memory(result.layout),
                             library.device)

    def load(self, step: dict[str, Any], constants: set[str]) -> list[str]:
        targets = [target + ("," if len(step["results"]) == 1 else "") for target in step["results"]]
        if set(step["operands"]) <= constants:
            return [f"    {' '.join([', '.join(targets)])} = kept[\"{step['load']}\"]"]
        return [f"    {', '.join(targets)} = {step['load']}({', '.join([*step['operands'], 'device'])})"]

    @staticmethod
    def free(lines: list[str], step: dict[str, Any]) -> list[str]:
        """A tensor goes with its last name: as long as it had one, its memory would stay, also if it were only a view's."""
        if step["force"]:
            return [f"    ttnn.deallocate({step['free']})"]
        if lines and lines[-1].startswith("    del ") and len(lines[-1]) + len(step["free"]) < 118:
            return [f"{lines.pop()}, {step['free']}"]
        return [f"    del {step['free']}"]

    def body(self, function: dict[str, Any], constants: set[str]) -> list[str]:
        lines: list[str] = []
        kept = constants | {name for step in function["steps"] if "load" in step for name in step["results"]}
        for step in function["steps"]:
            if "free" in step:
                if step["free"] not in kept:  # what is kept is the next call's, too
                    lines += self.free(lines, step)
            elif "load" in step:
                lines += self.load(step, constants)
            else:
                lines += self.op(step)
        return [*lines, f"    return [{', '.join(function['returned'])}]"]

    def placed(self, argument: dict[str, Any], source: str) -> list[str]:
        """The argument of a function of the device where it is declared."""
        layout = Layout.read(argument["layout"])
        if layout is None or not layout.on_device:
            return [f"    {argument['name']} = {source}"]
        value = Text("place")(Text(source), self.library.dtype(layout.dtype), self.library.page(layout.tiled), self.library.memory(layout),
                              self.library.device)
        return self.statement([argument["name"]], value)

    # ---- functions ---------------------------------------------------------------------------------------

    def const_eval(self, function: dict[str, Any]) -> list[str]:
        names = [argument["name"] for argument in function["arguments"]]
        return [f"def {function['name']}({', '.join([*names, 'device'])}):", *self.body(function, set(names)), ""]

    def forward(self, function: dict[str, Any]) -> list[str]:
        arguments = list(enumerate(function["arguments"]))
        constants = {a["name"] for _, a in arguments if a["role"] in _CONSTANT_ROLES}
        read = {name for step in function["steps"] if "free" not in step for name in step["operands"]} | set(function["returned"])
        lines = ["_kept = {}", "", "", "def constants(input, device):",
                 '    """What depends on parameters alone: computed once, and kept."""', "    if _kept:", "        return _kept"]
        for n, argument in arguments:
            if argument["name"] in constants and argument["name"] in read:
                lines += self.placed(argument, f"input[{n}]")
                lines.append(f"    _kept[\"{argument['name']}\"] = {argument['name']}")
        loads = [step for step in function["steps"] if "load" in step and set(step["operands"]) <= constants]
        for step in loads:
            lines.append(f"    _kept[\"{step['load']}\"] = {step['load']}({', '.join([*step['operands'], 'device'])})")
        lines += ["    return _kept", "", "", f"def {self.entry(function)}(input, device):", "    kept = constants(input, device)"]
        loaded = {name for step in loads for name in step["operands"]}
        direct = {name for step in function["steps"] if "free" not in step and step not in loads for name in step["operands"]}
        for n, argument in arguments:
            name = argument["name"]
            if name in constants:
                if name in direct | set(function["returned"]) and name in read:
                    lines.append(f"    {name} = kept[\"{name}\"]")
            elif name in read or name not in loaded:
                lines += self.placed(argument, f"input[{n}]")
        return [*lines, *self.body(function, constants), ""]

    def entry(self, function: dict[str, Any]) -> str:
        return "forward"

    def main(self) -> str:
        forward = [function for function in self.module["functions"] if function["forward"]]
        if len(forward) != 1:
            raise Trouble(f"a program has one function that runs on the device; the module has {len(forward)}")
        lines: list[str] = []
        for function in self.module["functions"]:
            if not function["forward"] and function["called"]:
                lines += ["", *self.const_eval(function)]
        lines += ["", *self.forward(forward[0])]
        inputs = tuple((a["name"], tuple(a["shape"]), self.library.dtype("bf16" if a["dtype"].startswith("bfp") else a["dtype"]))
                       for a in forward[0]["arguments"])
        head = _HEAD.format(title=self.module["title"]).split("\n")
        defined = [f"{name} = {render(value, '', len(name) + 3)}" for name, value in self.library.defined.items()]
        names = ["#: Name, shape and type of each input.", f"INPUTS = {render(inputs, '', 9)}"]
        text = "\n".join([*head, *_HELPERS.split("\n"), "", *defined, "", *names, "", *lines])
        return text.rstrip() + "\n"


def write(module: dict[str, Any]) -> dict[str, Any]:
    """{"files": {name: text}}, or {"trouble": what cannot be written}."""
    try:
        main = Writer(module).main()
    except Trouble as error:
        return {"trouble": str(error)}
    compile(main, "main.py", "exec")
    alone = (pathlib.Path(__file__).resolve().parent / "alone.py").read_text()
    return {"files": {"main.py": main, "run.py": alone}}
