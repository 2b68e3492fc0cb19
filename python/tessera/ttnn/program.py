"""A module as a program for ttnn: main.py, flat and readable, with `forward(input, device)`.

The module comes as lib/Driver/Modules/PythonProgram.cpp writes it: functions with arguments, steps and what they return; every value
has its Python name.
"""
from __future__ import annotations

import ast
import json
import pathlib
import textwrap
from typing import Any, Iterable

from .calls import call
from .library import Uncovered
from .question import Layout, Question
from .repeats import Repeat, Run, kind, repeats, run_of, used
from .text import Text, TextLibrary, render

_HEAD = '''"""{title}

Written by `tessera export --python`: each op with the layouts, program configs and compute configs of the plan. `del`
frees a tensor where the plan frees it: its memory goes with its last name. forward(input, device) takes host tensors in
rows, in the order of INPUTS; what depends on parameters alone is computed in the first call and kept. run.py runs it
alone.
{layers}{on_host}"""
import ttnn
'''

_LAYERS = '''
What repeats is a function, with the names of its first run; names.json has those of the others. Tensors that it frees come to it in a
list, which it empties: as long as the caller had a name for one, its memory would stay.
'''

_ON_HOST = '''
On the host, as not every published library does them on the device, are made: {names}.
Their tensors go there and come back in each call, and no trace can be captured of them.
'''

_HELPERS = '''
def sharded(kind, buffer, ranges, shard):
    """Shards on ranges of cores (x0, y0, x1, y1), both corners included."""
    cores = {ttnn.CoreRange(ttnn.CoreCoord(x0, y0), ttnn.CoreCoord(x1, y1)) for x0, y0, x1, y1 in ranges}
    spec = ttnn.ShardSpec(ttnn.CoreRangeSet(cores), shard, ttnn.ShardOrientation.ROW_MAJOR)
    return ttnn.MemoryConfig(kind, buffer, spec)


def place(tensor, dtype, layout, memory_config, device):
    """A tensor of the host, or of the device, as the program wants it."""
    on_host = tensor.storage_type() != ttnn.StorageType.DEVICE
    if layout == ttnn.TILE_LAYOUT and tensor.layout != layout:
        tensor = ttnn.to_layout(tensor, layout)  # first: block floats are made of whole tiles alone
    if tensor.dtype != dtype:
        tensor = ttnn.to_dtype(tensor, dtype) if on_host else ttnn.typecast(tensor, dtype)
    if tensor.layout != layout:
        tensor = ttnn.to_layout(tensor, layout)
    # Rows that end inside a shard are put down by the device: from the host they would be as if they filled their shards.
    inside = layout == ttnn.ROW_MAJOR_LAYOUT and memory_config.is_sharded() and tensor.shape[-1] % memory_config.shard_spec.shape[1] != 0
    if on_host:
        tensor = ttnn.to_device(tensor, device, memory_config=ttnn.DRAM_MEMORY_CONFIG if inside else memory_config)
    return ttnn.to_memory_config(tensor, memory_config) if inside or not on_host else tensor
'''

_CONSTANTS = '''
#: Elements of constants that are too many to stand here.
CONSTANTS = json.loads(pathlib.Path(__file__).with_name("constants.json").read_text())
'''

#: Constants of more elements stand in a file of their own.
_FEW = 64
#: Which results are indices, and which operands. The library has them without a sign, or as bf16.
_INDICES = {"topk": (1,), "sort": (1,)}
_TAKES_INDICES = {"embedding": (0,)}
_CONSTANT_ROLES = ("parameter", "constant")


class Trouble(Exception):
    """What cannot be written, and where it stands."""


def spelled(numbers: Iterable[Any]) -> list[str]:
    """How numbers are written: 0 and -0.0 are equal, and not the same."""
    return list(map(repr, numbers))


def copied(names: list[str]) -> list[str]:
    """Functions of on_host.py and on_device.py with those that they call, as text: to import them would need ttnn."""
    folder = pathlib.Path(__file__).resolve().parent
    functions = {}
    for source in ((folder / name).read_text() for name in ("on_host.py", "on_device.py")):
        functions |= {node.name: (node, source.split("\n")) for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    wanted = list(names)
    for name in wanted:
        called = {node.id for node in ast.walk(functions[name][0]) if isinstance(node, ast.Name)}
        wanted += [other for other in functions if other in called and other not in wanted]
    return [line for name, (node, lines) in functions.items() if name in wanted for line in ["", *lines[node.lineno - 1:node.end_lineno], ""]]


def is_kept(step: dict[str, Any], constants: set[str]) -> bool:
    """Whether a step loads what depends on constants alone. What is then written in place is not the same in the next call, so each makes its own."""
    return "load" in step and not step.get("written") and set(step["operands"]) <= constants


class Writer:
    def __init__(self, module: dict[str, Any]):
        self.module = module
        self.library = TextLibrary(tuple(module["grid"]))
        functions = module["functions"]
        #: Values that an op reads, of all functions.
        self.read = {name for function in functions for step in function["steps"] if {"question", "loop"} & set(step) for name in step["operands"]}
        #: Names that a function of ours may not have.
        self.taken = {name for function in functions for step in function["steps"] for name in (*used(step), *step.get("results", []))}
        self.taken |= {function["name"] for function in functions} | {a["name"] for function in functions for a in function["arguments"]}
        self.library.taken = self.taken
        #: For each function that is called the first one that does the same.
        self.same = self.first_of_its_kind()
        #: What each load is kept by: its function, or a name of its own where another load calls that with other operands.
        self.keys: dict[tuple[str, ...], str] = {}
        for step in (step for function in functions for step in function["steps"] if "load" in step):
            if (call := (step["load"], *step["operands"])) not in self.keys:
                self.keys[call] = self.free_name(step["load"]) if step["load"] in self.keys.values() else step["load"]
        #: For each function that repeats what its names are called in each run.
        self.names: dict[str, dict[str, list[str]]] = {}
        #: What is made on the host, by its names, in the order of the program.
        self.made_on_host: list[str] = []
        #: Elements of constants that are many, by name.
        self.many: dict[str, list[Any]] = {}

    def first_of_its_kind(self) -> dict[str, str]:
        first: dict[Any, str] = {}
        same = {}
        for function in self.module["functions"]:
            steps = function["steps"]
            given = [argument["name"] for argument in function["arguments"]]
            run = run_of([{"operands": given, "results": [], "given": True}, *steps, {"operands": function["returned"], "results": []}],
                         ["given", *(kind(step, self.read) for step in steps), "returned"])
            same[function["name"]] = first.setdefault(run.shape, function["name"])
        return same

    def free_name(self, wanted: str) -> str:
        name, number = wanted, 2
        while name in self.taken:
            name, number = f"{wanted}_{number}", number + 1
        self.taken.add(name)
        return name

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
        for n in _TAKES_INDICES.get(question.op, ()):
            if question.operands[n].dtype not in ("u32", "bf16"):
                operands[n] = Text("ttnn.typecast")(operands[n], self.library.dtype("u32"))
        self.library.works_on_host = False
        try:
            if "constant" in step:
                value = self.constant(question, step["constant"], step["results"][0])
            else:
                value = call(self.library, question, operands)
                value = self.library.last if value is None else value
        except (Uncovered, KeyError, AttributeError) as error:
            raise Trouble(f"{step['place']}: ttnn.{question.op} cannot be written as a call: {error}") from error
        if self.library.works_on_host:
            self.made_on_host.append(step["results"][0])
        lines = self.statement(step["results"], value, self.kinds(question) + (", by the host" if self.library.works_on_host else ""))
        # No op takes them beside si32.
        for n in _INDICES.get(question.op, ()):
            if question.results[n].dtype == "si32" and step["results"][n] in self.read:
                lines += self.statement([step["results"][n]], Text("ttnn.typecast")(Text(step["results"][n]), self.library.dtype("si32")))
        return lines

    @staticmethod
    def kinds(question: Question) -> str:
        """Shapes and types of the results, for who reads the program."""
        return ", ".join(f"{'x'.join(map(str, r.shape)) or 'scalar'} {r.dtype}" for r in question.results)

    def constant(self, question: Question, values: list[Any] | None, name: str) -> Any:
        """Its elements, as a host tensor in rows that is placed."""
        result, library = question.results[0], self.library
        if values is None:
            raise Uncovered("its elements are not in the module")
        numbers = [float(v) if isinstance(v, str) else v for v in values]
        listed: Any = numbers
        if numbers == list(range(len(numbers))) and spelled(numbers) == spelled(range(len(numbers))):
            listed = Text("list")(Text("range")(len(numbers)))
        elif len(set(numbers)) == len(set(spelled(numbers))) == 1:
            listed = Text(f"[{render(numbers[0])}] * {len(numbers)}")
        elif len(numbers) > _FEW:
            name = self.name_of_many(name, numbers)
            listed = Text(f'CONSTANTS["{name}"]')
        host = Text("ttnn.Tensor")(listed, list(result.shape), library.dtype(result.dtype), library.page(False))
        return library.placed(host, result.layout)

    def name_of_many(self, wanted: str, numbers: list[Any]) -> str:
        """What they are called in constants.json: in functions of their own several constants may have one name."""
        name, number = wanted, 2
        while spelled(self.many.setdefault(name, numbers)) != spelled(numbers):
            name, number = f"{wanted}_{number}", number + 1
        return name

    def source(self, step: dict[str, Any]) -> str:
        """Where what a load makes is kept."""
        return f"kept[\"{self.keys[(step['load'], *step['operands'])]}\"]"

    def load(self, step: dict[str, Any], constants: set[str]) -> list[str]:
        targets = [target + ("," if len(step["results"]) == 1 else "") for target in step["results"]]
        return self.statement(targets, Text(self.source(step)) if is_kept(step, constants) else self.loaded(step))

    def loop(self, step: dict[str, Any]) -> list[str]:
        """Its body again and again: states go from one run to the next, what comes behind them is the same in each."""
        loop = step["loop"]
        states, given = step["operands"][:loop["states"]], step["operands"][loop["states"]:]
        name = self.free_name("states")
        passed = [Text(f"*{name}"), *map(Text, given), Text("device")]
        if "condition" in loop:
            head = f"while {render(self.library.on_host('is_true')(Text(loop['condition'])(*passed)))}:"
        else:
            bounds = [step["operands"][bound["operand"]] if "operand" in bound else bound["value"] for bound in loop["bounds"]]
            numbers = [self.library.on_host("whole_number")(Text(bound)) if isinstance(bound, str) else bound for bound in bounds]
            head = f"for _ in {render(Text('range')(*numbers))}:"
        lines = [f"    {name} = [{', '.join(states)}]", "    " + head]
        lines += ["    " + line for line in self.statement([name], Text(loop["body"])(*passed))]
        results = step["results"]
        if results:
            lines.append(f"    {', '.join(results)} = {', '.join(f'{name}[{output}]' for output in loop['outputs'])}")
        return [*lines, f"    del {name}"]

    def loaded(self, step: dict[str, Any]) -> Text:
        return Text(self.same[step["load"]])(*map(Text, [*step["operands"], "device"]))

    @staticmethod
    def head(name: str, arguments: list[str]) -> str:
        return render(Text("def " + name)(*map(Text, [*arguments, "device"])), "", 1) + ":"

    @staticmethod
    def end(returned: list[str]) -> str:
        return f"    return {render(list(map(Text, returned)), '    ', len('return '))}"

    @staticmethod
    def free(lines: list[str], step: dict[str, Any]) -> list[str]:
        """A tensor goes with its last name: as long as it had one, its memory would stay, also if it were only a view's."""
        if step["force"]:
            return [f"    ttnn.deallocate({step['free']})"]
        if lines and lines[-1].startswith("    del ") and len(lines[-1]) + len(step["free"]) < 118:
            return [f"{lines.pop()}, {step['free']}"]
        return [f"    del {step['free']}"]

    def written(self, steps: list[dict[str, Any]], constants: set[str]) -> list[str]:
        lines: list[str] = []
        kept = constants | {name for step in steps if is_kept(step, constants) for name in step["results"]}
        for step in steps:
            if "free" in step:
                if step["free"] not in kept:  # what is kept is the next call's, too
                    lines += self.free(lines, step)
            elif "load" in step:
                lines += self.load(step, constants)
            elif "loop" in step:
                lines += self.loop(step)
            else:
                lines += self.op(step)
        return lines

    def placed(self, argument: dict[str, Any], source: str) -> list[str]:
        """The argument of a function of the device where it is declared."""
        try:
            value = self.library.placed(Text(source), Layout.read(argument["layout"]))
        except Uncovered as error:
            raise Trouble(f"argument '{argument['name']}' cannot be placed: {error}") from error
        return self.statement([argument["name"]], value)

    def on_host(self) -> str:
        """What the head says of the host. A function that repeats is written once."""
        names = ", ".join(dict.fromkeys(self.made_on_host))
        return _ON_HOST.format(names=textwrap.fill(names, 110)) if names else ""

    # ---- functions ---------------------------------------------------------------------------------------

    def const_eval(self, function: dict[str, Any]) -> list[str]:
        names = [argument["name"] for argument in function["arguments"]]
        return [self.head(function["name"], names), *self.written(function["steps"], set(names)), self.end(function["returned"]), ""]

    def constants(self, function: dict[str, Any], loads: list[dict[str, Any]], constants: set[str], read: set[str]) -> list[str]:
        prepared = {id(step) for step in loads}
        # What is read to prepare others alone need not stay: weights of a model may be all that a host holds.
        stays = {name for step in function["steps"] if id(step) not in prepared and "free" not in step for name in step["operands"]}
        stays |= set(function["returned"])
        lines = ["_kept = {}", "", "", "def constants(input, device):",
                 '    """What depends on parameters alone: computed once, and kept."""', "    if _kept:", "        return _kept"]
        for n, argument in enumerate(function["arguments"]):
            if argument["name"] in constants and argument["name"] in read:
                lines += self.placed(argument, f"input[{n}]")
                if argument["name"] in stays:
                    lines.append(f"    _kept[\"{argument['name']}\"] = {argument['name']}")
        for source, step in {self.source(step): step for step in loads}.items():
            lines += self.statement(["_" + source], self.loaded(step))
        return [*lines, "    return _kept", "", ""]

    def body(self, function: dict[str, Any]) -> list[str]:
        """What a loop runs. Its constants are among the program's."""
        names = [argument["name"] for argument in function["arguments"]]
        lines = self.written(function["steps"], set())
        kept = ["    kept = _kept"] if any(is_kept(step, set()) for step in function["steps"]) else []
        return [self.head(function["name"], names), *kept, *lines, self.end(function["returned"]), "", ""]

    def forward(self, function: dict[str, Any], bodies: list[dict[str, Any]]) -> list[str]:
        constants = {a["name"] for a in function["arguments"] if a["role"] in _CONSTANT_ROLES}
        read = {name for step in function["steps"] if "free" not in step for name in step["operands"]} | set(function["returned"])
        loads = [step for step in function["steps"] if is_kept(step, constants)]
        inner = [step for body in bodies for step in body["steps"] if is_kept(step, set())]
        layers = Layers(self, function, loads, constants)
        lines = [*layers.functions(), *self.constants(function, [*loads, *inner], constants, read), *(line for body in bodies for line in self.body(body)),
                 "def forward(input, device):",
                 "    kept = constants(input, device)"]
        loaded = {name for step in loads for name in step["operands"]}
        for n, argument in enumerate(function["arguments"]):
            name = argument["name"]
            if name in constants:
                if name in layers.named and name in read:
                    lines.append(f"    {name} = kept[\"{name}\"]")
            elif name in read or name not in loaded:
                lines += self.placed(argument, f"input[{n}]")
        return [*lines, *layers.body(), self.end(function["returned"]), ""]

    def main(self) -> str:
        steps = [step for function in self.module["functions"] for step in function["steps"]]
        for step in steps:
            if step.get("question", {}).get("op") == "ttcore.case":
                raise Trouble(f"{step['place']}: a choice of functions (ttcore.case), which cond and switch of JAX become, cannot be written; jnp.where computes "
                              "all and chooses")
        with_bodies = {function["name"] for function in self.module["functions"]}
        for step in steps:
            if step.get("load", "") not in {"", *with_bodies}:
                raise Trouble(f"{step['place']}: function '{step['load']}' has no body, so that nothing can be written in its place")
        loops = [step for step in steps if "loop" in step]
        for step in loops:
            if step["loop"] is None:
                raise Trouble(f"{step['place']}: a loop whose body and bounds do not belong together cannot be written")
        looped = {step["loop"][key] for step in loops for key in ("body", "condition") if key in step["loop"]}
        forward = [function for function in self.module["functions"] if function["forward"] and function["name"] not in looped]
        bodies = [function for function in self.module["functions"] if function["name"] in looped]
        if len(forward) != 1:
            raise Trouble(f"a program has one function that runs on the device; the module has {len(forward)}")
        lines: list[str] = []
        for function in self.module["functions"]:
            if not function["forward"] and function["called"] and function not in bodies and self.same[function["name"]] == function["name"]:
                lines += ["", *self.const_eval(function)]
        lines += ["", *self.forward(forward[0], bodies)]
        inputs = tuple((a["name"], tuple(a["shape"]), self.library.dtype("bf16" if a["dtype"].startswith("bfp") else a["dtype"]))
                       for a in forward[0]["arguments"])
        head = _HEAD.format(title=self.module["title"], layers=_LAYERS if self.names else "", on_host=self.on_host()).split("\n")
        defined = [f"{name} = {render(value, '', len(name) + 3)}" for name, value in self.library.defined.items()]
        names = ["#: Name, shape and type of each input.", f"INPUTS = {render(inputs, '', 9)}"]
        helpers = copied(self.library.copied)
        # What the standard library has stands before what has to be there.
        imports = (["import json", "import pathlib", ""] if self.many else []) + (["import numpy"] if any("numpy." in line for line in helpers) else [])
        head[head.index("import ttnn"):] = [*imports, "import ttnn", *(_CONSTANTS.split("\n") if self.many else [""])]
        text = "\n".join([*head, *_HELPERS.split("\n"), *helpers, "", *defined, "", *names, "", *lines])
        return text.rstrip() + "\n"


class Layers:
    """The device's function with what repeats in it as functions that are called."""

    def __init__(self, writer: Writer, function: dict[str, Any], loads: list[dict[str, Any]], constants: set[str]):
        self.writer, self.constants, self.steps = writer, constants, function["steps"]
        #: Where what is kept is found.
        self.sources = {name: f'kept["{name}"]' for name in constants}
        self.sources |= {name: f"{writer.source(step)}[{n}]" for step in loads for n, name in enumerate(step["results"])}
        #: Steps that what repeats may hold: what is kept is neither computed nor freed here.
        self.own = [step for step in self.steps if not is_kept(step, constants) and step.get("free") not in self.sources]
        self.found = list(repeats(self.own, writer.read))
        self.called = [writer.free_name("layer") for _ in self.found]
        self.state = writer.free_name("state") if self.found else ""
        for name, repeat in zip(self.called, self.found, strict=True):
            writer.names[name] = repeat.names()
        inside = {id(step) for repeat in self.found for run in repeat.runs for step in run.steps}
        flat = [step for step in self.own if id(step) not in inside and "free" not in step]
        #: Names that `forward` itself has to have.
        self.named = {name for step in flat for name in step["operands"]} | set(function["returned"])

    def functions(self) -> list[str]:
        lines = []
        for name, repeat in zip(self.called, self.found, strict=True):
            run = repeat.runs[0]
            taken, left = self.passed(repeat)
            lines.append(self.writer.head(name, [*([self.state] if taken else []), *self.arguments(run)]))
            if taken:
                lines += [f"    {', '.join(taken)}{',' if len(taken) == 1 else ''} = {self.state}", f"    {self.state}.clear()"]
            lines += [*self.writer.written(run.steps, set()), self.writer.end(left), "", ""]
        return lines

    def arguments(self, run: Run) -> list[str]:
        return [name for name in run.taken if name not in run.freed]

    @staticmethod
    def passed(repeat: Repeat) -> tuple[list[str], list[str]]:
        """Which tensors the first run takes in a list, and which it leaves: in the order in which the next one takes them, if it does."""
        first, second = repeat.runs[:2]
        left = first.left
        if sorted(left) == sorted(second.freed):
            left = second.freed
        return first.freed, left

    def left(self, repeat: Repeat, run: Run) -> list[str]:
        """What a run leaves, in the order of the first one."""
        named = dict(zip(repeat.runs[0].left, run.left, strict=True))
        return [named[name] for name in self.passed(repeat)[1]]

    def calls(self, name: str, repeat: Repeat) -> list[str]:
        lines, passes = [], False
        for n, run in enumerate(repeat.runs):
            left = self.left(repeat, run)
            if run.freed and not passes:
                lines += [f"    {self.state} = [{', '.join(run.freed)}]", f"    del {', '.join(run.freed)}"]
            passes = n + 1 < len(repeat.runs) and bool(left) and left == repeat.runs[n + 1].freed
            given = [Text(self.state)] if run.freed else []
            given += [Text(arg if arg in self.named else self.sources.get(arg, arg)) for arg in self.arguments(run)]
            targets = [self.state] if passes else [left[0] + ","] if len(left) == 1 else left
            lines += self.writer.statement(targets, Text(name)(*given, Text("device")))
        return lines

    def body(self) -> list[str]:
        """The statements of `forward`."""
        lines: list[str] = []
        flat: list[dict[str, Any]] = []
        calls = {id(repeat.runs[0].steps[0]): (name, repeat) for name, repeat in zip(self.called, self.found, strict=True)}
        inside = {id(step) for repeat in self.found for run in repeat.runs for step in run.steps}
        for step in self.steps:
            if id(step) in calls:
                lines += self.writer.written(flat, self.constants) + self.calls(*calls[id(step)])
                flat = []
            elif id(step) not in inside and not self.is_elsewhere(step):
                flat.append(step)
        return lines + self.writer.written(flat, self.constants)

    def is_elsewhere(self, step: dict[str, Any]) -> bool:
        """Whether a step is about what is kept and what `forward` has no name for."""
        if is_kept(step, self.constants):
            return self.named.isdisjoint(step["results"])
        return step.get("free") in self.sources


def named(names: dict[str, dict[str, list[str]]]) -> str:
    """The names in each function by run, a line each."""
    lists = [f'"{function}": {{\n' + ",\n".join(f'"{name}": {json.dumps(each)}' for name, each in entries.items()) + "\n}"
             for function, entries in names.items()]
    return "{" + ",\n".join(lists) + "}\n"


def write(module: dict[str, Any]) -> dict[str, Any]:
    """{"files": {name: text}}, or {"trouble": what cannot be written}."""
    try:
        writer = Writer(module)
        main = writer.main()
    except Trouble as error:
        return {"trouble": str(error)}
    compile(main, "main.py", "exec")
    alone = (pathlib.Path(__file__).resolve().parent / "alone.py").read_text()
    files = {"main.py": main, "run.py": alone, "names.json": named(writer.names)}
    if writer.many:
        files["constants.json"] = "{" + ",\n".join(f'"{name}": {json.dumps(numbers)}' for name, numbers in writer.many.items()) + "}\n"
    return {"files": files}
