"""Tessera: where every tensor of a TTNN program lives on a Tenstorrent chip.

    import tessera
    plan = tessera.optimize("model.mlir", policy="beam")
    plan.summary["estimated_ns"]
    open("report.html", "w").write(plan.to_html())

docs/python.md shows the rest.
"""
import csv as _csv
import functools as _functools
import html as _html
import io as _io
import json as _json
import os as _os
import pathlib as _pathlib
import threading as _threading

__all__ = ["Diagnostic", "MetalLayout", "Optimized", "TesseraError", "candidates", "compare", "devices", "layout", "metal_layout", "optimize",
           "policies", "query", "verify", "__version__"]


class Diagnostic:
    """A message: severity ("error", "warning", "remark", "note"), message, and file, line, column, 0 if it has no place."""

    def __init__(self, severity, message, file="", line=0, column=0):
        self.severity, self.message, self.file, self.line, self.column = severity, message, file, line, column

    def __repr__(self):
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        return f"{place}{self.severity}: {self.message}"


class TesseraError(Exception):
    """What Tessera refuses, with its message; `diagnostics` is all that was said."""

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = [Diagnostic(**each) for each in diagnostics]


def _refusing(function):
    """A value of a kind that the function cannot take is refused like all else."""

    @_functools.wraps(function)
    def call(*arguments, **named):
        try:
            return function(*arguments, **named)
        except (TypeError, ValueError, AttributeError) as error:
            message = str(error).split("\n")[0]
            # The extension goes on with types of C++, and with all that it was given, whole plans among it.
            if message.endswith("The following argument types are supported:"):
                given = [f"{value!r:.40}" for value in (*arguments, *named.values()) if not isinstance(value, Optimized)]
                message = f"{function.__name__}() takes no values such as {', '.join(given)}"
            raise TesseraError(message) from error

    return call


from . import _native  # noqa: E402  (it raises TesseraError)

__version__ = _native.__version__


def _call(work, *arguments):
    """What `work` returns. In the main thread Ctrl-C is heard meanwhile: native code runs in a thread of its own, as Python looks at signals only
    between its own instructions. What was begun then comes to its end unheard."""
    if _threading.current_thread() is not _threading.main_thread():
        return work(*arguments)
    outcome = {}

    def run():
        try:
            outcome["value"] = work(*arguments)
        except BaseException as error:  # raised again where it is waited for
            outcome["error"] = error

    thread = _threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]


class Optimized:
    """A module that was optimized: `ir`, its text; `summary` and `decisions`, as `tessera optimize` writes them with --json and --decisions;
    `diagnostics`, warnings and remarks."""

    def __init__(self, ir, summary, decisions, diagnostics):
        self.ir = ir
        self.diagnostics = [Diagnostic(**each) for each in diagnostics]
        self._summary, self._decisions = summary, decisions
        self._parsed = {}

    def _json(self, name):
        if name not in self._parsed:
            self._parsed[name] = _json.loads(getattr(self, name))
        return self._parsed[name]

    @property
    def summary(self):
        return self._json("_summary")

    @property
    def decisions(self):
        return self._json("_decisions")

    @_refusing
    def to_html(self, against=None):
        """The page of `tessera report`; with another plan, what that does otherwise as well."""
        return _call(_native.report, self._decisions, _plan(against)._decisions if against is not None else "")

    @_refusing
    def explain(self, op=None):
        """As `tessera explain --json`: of the op of that name ("matmul_0", "ttnn.matmul#3") why it runs as it does and what its runners-up would
        have cost; without a name, of each function what takes most time and who holds L1 where it is fullest."""
        return _json.loads(_call(_native.explain, self._decisions, op or ""))

    @_refusing
    def time_by(self, by):
        """Where the time is, by "kind", "layer", "bound" or "conversion": a list of dicts, with the function's name in each."""
        functions = _json.loads(_call(_native.time_by, self._decisions, by))
        return [{"function": f["function"], **group} for f in functions for group in f["groups"]]

    @_refusing
    def diff(self, other):
        """What another plan does otherwise, function by function, as `tessera diff --json`: the most expensive change first."""
        return _json.loads(_call(_native.diff, self._decisions, _plan(other)._decisions))

    @_refusing
    def save(self, path, summary=None, decisions=None, report=None):
        """Writes the optimized module, and its summary, decisions and report where paths are given for them: all of them, or none."""
        outputs = ((path, lambda: self.ir), (summary, lambda: self._summary), (decisions, lambda: self._decisions), (report, self.to_html))
        _native.write_files([(_file(name), content()) for name, content in outputs if name is not None])

    @_refusing
    def rows(self, table="steps"):
        """A table of `tessera export --csv`, as a list of dicts: "steps", "tensors", "circular_buffers", "runners_up" or "spills". Numbers are
        numbers; None where a cell is empty."""
        head, *lines = _csv.reader(_io.StringIO(_call(_native.table, self._decisions, table)))
        columns = [_values(column) for column in zip(*lines)]
        return [dict(zip(head, line)) for line in zip(*columns)]

    @_refusing
    def to_dataframe(self, table="steps"):
        """The same as a pandas.DataFrame."""
        try:
            import pandas
        except ImportError as error:
            raise TesseraError("a DataFrame needs pandas: pip install pandas; `rows` does without") from error
        return pandas.DataFrame(self.rows(table))

    def _totals(self):
        functions = self.decisions["functions"]
        before, after = (sum(f[key]["time_ns"] for f in functions) for key in ("before", "after"))
        peak = max((f["after"]["peak_l1_bytes"] for f in functions), default=0)
        return functions, before, after, peak

    @property
    def unknown_times(self):
        """Of how many ops the time is unknown, as the op model refuses them or does not know them: no estimate has them in it."""
        return self.summary["unknown_time"]["after"]

    def _and_unknown(self):
        return f", of {self.unknown_times} ops the time is unknown" if self.unknown_times else ""

    def _within(self):
        times = self.summary["estimated_ns"]
        return f", within {times['after_low'] / 1e6:.3g} to {times['after_high'] / 1e6:.3g} ms"

    def __repr__(self):
        functions, before, after, peak = self._totals()
        ops = sum(len(f["ops"]) for f in functions)
        return f"<tessera.Optimized: {ops} ops, {before / 1e6:.3g} ms -> {after / 1e6:.3g} ms{self._and_unknown()}, peak L1 {peak / 1024:.0f} KiB per core>"

    def _repr_html_(self):
        functions, before, after, peak = self._totals()
        rows = [("functions", ", ".join(f"@{f['function']} ({f['policy']} on {f['device']['name']})" for f in functions)),
                ("estimated time", f"{before / 1e6:.3g} ms before, {after / 1e6:.3g} ms after{self._within()}{self._and_unknown()}"),
                ("peak L1", f"{peak / 1024:.0f} KiB per core")]
        rows += [(kind.replace("_", " "), "{} values".format(sum(f["after"][kind]["count"] for f in functions)))
                 for kind in ("l1_sharded", "l1_interleaved", "dram")]
        cells = "".join(f"<tr><th>{_html.escape(name)}</th><td>{_html.escape(value)}</td></tr>" for name, value in rows)
        return f"<table>{cells}</table>"


def _plan(value):
    if not isinstance(value, Optimized):
        raise TesseraError(f"a plan is what `optimize` returns, not {value!r}")
    return value


def _file(path):
    """The bytes of a file's name: "-" is one here, where it stands for standard output on a command line."""
    name = _os.fsencode(path)
    return b"./-" if name == b"-" else name


def _module(path_or_text):
    """Text and name of a module; text has more than one line, or a brace and is no file's path."""
    if not isinstance(path_or_text, (str, _os.PathLike)) or path_or_text == "":
        # A text that came as bytes is long, and says nothing.
        raise TesseraError(f"a module is a path or its text, not {path_or_text!r:.40}")
    is_text = isinstance(path_or_text, str) and ("\n" in path_or_text or ("{" in path_or_text and not _os.path.exists(path_or_text)))
    if not is_text:
        path = _pathlib.Path(path_or_text)
        try:
            return path.read_text(encoding="utf-8"), str(path)
        except (OSError, ValueError) as error:  # ValueError: not text, or no path
            raise TesseraError(f"cannot read '{path}': {getattr(error, 'strerror', None) or error}") from error
    return path_or_text, "<text>"


def _values(cells):
    """The values of a column: of one kind, as a name may look like a number."""
    for kind in (int, float, str):
        try:
            return [kind(cell) if cell else None for cell in cells]
        except ValueError:
            pass


def _pairs(choices):
    if not isinstance(choices, str) and not hasattr(choices, "items"):
        raise TesseraError(f"overrides are a dict by op, or their text, not {choices!r}")
    return choices if isinstance(choices, str) else ",".join(f"{op}={choice}" for op, choice in choices.items())


# What options of `tessera optimize` are called here, where that is not their name with _ for -, and how their values become one word.
_OTHER_NAMES = {"tensor-l1-usage-cap": "l1_usage_cap", "override-output-layout": "overrides", "override-conv2d-config": "conv2d_overrides",
                "insert-memreconfig": "mem_reconfigs"}
_NAMES = {_OTHER_NAMES.get(name, name.replace("-", "_")): name for name in (each.lstrip("-") for each in _native.option_names())}
_WORDS = {"overrides": _pairs, "conv2d_overrides": _pairs, "mem_reconfigs": _pairs, "beam_without": lambda parts: parts if isinstance(parts, str) else ",".join(parts)}


def _options(named):
    """Options as the command line has them; None, False and what is empty is not given."""
    words = []
    for name, value in named.items():
        if name not in _NAMES:
            raise TesseraError(f"unknown option '{name}'; known: {', '.join(_NAMES)}")
        if value is True:
            words.append(f"--{_NAMES[name]}")
        elif value is not None and value is not False and value != "" and value != {} and value != ():
            words.append(f"--{_NAMES[name]}={_WORDS.get(name, str)(value)}")
    return words


@_refusing
def optimize(path_or_text, device=None, policy=None, overrides=None, conv2d_overrides=None, mem_reconfigs=None, l1_usage_cap=None, numerics=None,
             rewrites=None, *, max_legal_layouts=None, spill=None, beam_width=None, beam_objective=None, beam_without=None, gap=None, time_limit=None,
             schedule=None, drop_slow_chains=False, chains_as_designed=False, row_major_enabled=False,
             l1_interleaved_fallback_analysis_enabled=False, keep_constants=False, strict=False, bound=False, op_model=None, backend_version=None,
             op_model_cache=None):
    """Optimizes a TTNN module: a path, or the module's text. The options are those of `tessera optimize` that decide a plan, as its help tells;
    what is not given is as there. `overrides` (--override-output-layout) is {"matmul_0": "8x8:l1:block_sharded"}, as docs/overrides.md has it, and
    so are `conv2d_overrides` and `mem_reconfigs`; `l1_usage_cap` is --tensor-l1-usage-cap. Raises TesseraError. Other threads run meanwhile."""
    named = dict(locals())
    text, name = _module(named.pop("path_or_text"))
    return Optimized(*_call(_native.optimize, text, name, _options(named)))


@_refusing
def candidates(path_or_text, op, all=False, **options):
    """The ways to run an op of a module, as `tessera candidates --json`: the fastest first. `all`: those, too, that another one beats. The options
    are those of `optimize` but the policy, which is not asked."""
    if "policy" in options:
        raise TesseraError("candidates are the same for every policy")
    text, name = _module(path_or_text)
    return _json.loads(_call(_native.candidates, text, name, _options(options), op, all))


def policies():
    """The names of those who can decide."""
    return _native.policies()


@_refusing
def compare(path_or_text, policies=None, **options):
    """The plans of several policies, all of them unless some are named: a dict of what `optimize` returns, with its options."""
    if isinstance(policies, str):
        raise TesseraError(f"policies are a list of names, not {policies!r}")
    text = _module(path_or_text)[0] + "\n"
    return {policy: optimize(text, policy=policy, **options) for policy in (_native.policies() if policies is None else policies)}


@_refusing
def verify(before, after, inputs="random:1"):
    """Runs two modules (paths, texts, or plans) on the same inputs on simulated devices, as `tessera verify` does: a dict with `equal`, whether each
    result is the same bit by bit, and `text`, a line for each."""
    (first, first_name), (second, second_name) = ((m.ir, "<plan>") if isinstance(m, Optimized) else _module(m) for m in (before, after))
    return _json.loads(_call(_native.verify, first, first_name, second, second_name, inputs))


def devices():
    """The boards that Tessera knows, with the figures it uses: a dict by name."""
    return {device["name"]: device for device in _json.loads(_native.devices())}


def _tensor(shape, dtype):
    return "x".join([*map(str, shape), dtype])


@_refusing
def layout(shape, memory, dtype="bf16", device="n150"):
    """The layout of a tensor in words ("l1/height_sharded/8x1", "hs8", "dram"): a dict with its shard, cores and bytes."""
    return _json.loads(_call(_native.layout, _tensor(shape, dtype), memory, device))


def _dims(numbers):
    return "x".join(map(str, numbers))


class MetalLayout:
    """The compiler's layout of a tensor (docs/tensor-layout.md): what `metal_layout` made, and what follows from it. It never changes; `tilize`,
    `untilize` and `parallelize` return another."""

    def __init__(self, **made):
        self._made = made
        self._facts = self._ask()

    def _ask(self, index=(), padding=False):
        made = self._made
        collapse = "none" if not made["collapse"] else ",".join(f"{begin}:{end}" for begin, end in made["collapse"])
        return _json.loads(_call(
            _native.metal_layout, _dims(made["shape"]), _dims(made["grid"]), made["dtype"], _dims(made["tile"] or ()), collapse, _dims(made["align"] or ()), made["oob"],
            made["memory"], made["device"], ",".join(map(str, index)), padding))

    def __getattr__(self, name):
        for facts in (self.__dict__.get("_facts", {}), self.__dict__.get("_made", {})):
            if name in facts:
                value = facts[name]
                return tuple(value) if isinstance(value, list) else value
        raise AttributeError(name)

    def __repr__(self):
        return self.attribute

    def __eq__(self, other):
        return isinstance(other, MetalLayout) and (tuple(self._made["shape"]), self.attribute) == (tuple(other._made["shape"]), other.attribute)

    def __hash__(self):
        return hash((tuple(self._made["shape"]), self.attribute))

    def _with(self, **changed):
        return MetalLayout(**{**self._made, **changed})

    @_refusing
    def tilize(self, dtype=None, tile=(32, 32)):
        """The same tensor in tiles; the logical shape stays."""
        return self._with(tile=tuple(tile), dtype=dtype or self._made["dtype"])

    @_refusing
    def untilize(self, dtype=None):
        """The same tensor in scalars."""
        return self._with(tile=None, dtype=dtype or self._made["dtype"])

    @_refusing
    def parallelize(self, grid, collapse=None):
        """The same tensor over another grid, its dimensions folded by other intervals if these are given."""
        return self._with(grid=tuple(grid), collapse=self._made["collapse"] if collapse is None else tuple(collapse))

    @_refusing
    def locate(self, *index):
        """Where an element lies: its core, its place in the shard, its tile (or itself, of scalars), and its byte."""
        place = self._ask(index=index).get("element")
        if place is None:  # no index was said
            raise TesseraError(f"an element of {'x'.join(map(str, self.shape))} has {len(self.shape)} indices, not {index!r}")
        return place

    def padding(self):
        """The padding as boxes of elements: the core, from, to (exclusive); the first 10,000."""
        return self._ask(padding=True)["padding"]


@_refusing
def metal_layout(shape, grid, dtype="f32", tile=None, collapse=((0, -1),), align=None, oob="undef", memory="l1", device="n150"):
    """The #ttcore.metal_layout of a tensor, as `tessera layout` builds it. `collapse` are intervals [begin, end) of dimensions that fold into one."""
    return MetalLayout(shape=tuple(shape), grid=tuple(grid), dtype=dtype, tile=tile and tuple(tile), collapse=tuple(collapse),
                       align=align and tuple(align), oob=oob, memory=memory, device=device)


def _attribute(value):
    """As `tessera ops explain` reads it: true and false, lists without blanks, text with blanks in quotes."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_attribute, value)) + "]"
    if isinstance(value, str) and any(letter in " ;" for letter in value) and not value.startswith("'"):
        return "'" + value.replace("'", "''") + "'"
    return str(value)


@_refusing
def query(op, inputs, config="", outputs=("?",), attributes=None, device="n150", l1_usage_cap=_native.DEFAULT_L1_USAGE_CAP):
    """What the op model says of an op, as `tessera ops explain --json` does: whether it is legal, its circular buffers, L1, and time. Inputs are
    "64x1024xbf16@hs8", or "=0" for the same tensor as input 0; attributes as Python has them ({"permutation": [0, 2, 1], "keep_dim": True}); of an
    output "64x1024@?" the layout is left to the op, of "?" the shape, too, if the inputs tell it: products of matrices, and what is computed element
    by element."""
    name = op if "." in op else "ttnn." + op
    given = " ".join(f"{key}={_attribute(value)}" for key, value in (attributes or {}).items())
    text = f"{name} {', '.join(inputs) or '()'} -> {', '.join(outputs) or '()'} ; {given} ; {config}"
    return _json.loads(_call(_native.query, text, device, l1_usage_cap))
