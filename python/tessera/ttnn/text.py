"""Calls as text: what stands in for the library when a program is written instead of run.

The table of calls (calls/) builds a call of parts of the library. Here the parts are expressions, so the same table that
puts a question to the library writes the statement that would.
"""
from __future__ import annotations

import json
import struct
from typing import Any

from .library import Library, Uncovered
from .question import Layout, Question

_WIDTH = 120
_STEP = "    "


class Text:
    """An expression. Attributes and calls of it are expressions again."""

    def __init__(self, function: Any, arguments: tuple[Any, ...] | None = None, named: dict[str, Any] | None = None):
        # A name, or a call of another expression.
        self._function, self._arguments, self._named = function, arguments, named or {}

    def __getattr__(self, name: str) -> Text:
        if name.startswith("__"):
            raise AttributeError(name)
        return Text(f"{render(self)}.{name}")

    def __call__(self, *arguments: Any, **named: Any) -> Text:
        # What is None is what the library takes if nothing is said.
        return Text(self, arguments, {name: value for name, value in named.items() if value is not None})

    def __hash__(self) -> int:
        return hash(render(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and render(self) == render(other)


def _brackets(value: Any) -> tuple[str, str, list[tuple[str, Any]]] | None:
    """How a value with parts is written: what opens and closes it, and its parts with what stands before each."""
    if isinstance(value, Text):
        if value._arguments is None:
            return None
        arguments = list(value._arguments)
        while arguments and arguments[-1] is None:  # as above
            arguments.pop()
        return render(value._function) + "(", ")", [("", a) for a in arguments] + [(f"{n}=", a) for n, a in value._named.items()]
    if isinstance(value, list):
        return "[", "]", [("", item) for item in value]
    if isinstance(value, tuple):
        return "(", ",)" if len(value) == 1 else ")", [("", item) for item in value]
    if isinstance(value, set):
        return "{", "}", [("", item) for item in sorted(value, key=render)]
    return None


def _bits(number: float) -> bytes:
    """As 32 bits; those of infinity for what is too large."""
    try:
        return struct.pack("f", number)
    except OverflowError:
        return struct.pack("f", float("inf"))


def _number(value: float) -> str:
    """Of what 32 bits hold, the fewest digits that mean the same: 1e-05, not 9.999999747378752e-06."""
    if value != value or value in (float("inf"), float("-inf")):
        return f'float("{value}")'
    if struct.unpack("f", _bits(value))[0] != value:
        return repr(value)
    return next(repr(float(text)) for digits in range(1, 10) if _bits(float(text := f"{value:.{digits}g}")) == _bits(value))


def _atom(value: Any) -> str:
    if isinstance(value, Text):
        return value._function
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value) if isinstance(value, str) else repr(value)


def render(value: Any, indent: str = "", used: int = 0) -> str:
    """The value as Python, broken into lines where it would pass the margin. `used` columns of the first line are taken."""
    brackets = _brackets(value)
    if brackets is None:
        return _atom(value)
    begin, end, parts = brackets
    flat = begin + ", ".join(name + render(part, "", -10**6) for name, part in parts) + end
    if not parts or len(indent) + used + len(flat) <= _WIDTH:
        return flat
    inner = indent + _STEP
    lines = [f"{inner}{name}{render(part, inner, len(name) + 1)},\n" for name, part in parts]
    return f"{begin}\n{''.join(lines)}{indent}{end.lstrip(',')}"


class _Function(Text):
    """A function of the library. Who writes in place returns nothing, so the last call is noted."""

    def __init__(self, library: TextLibrary, path: str):
        super().__init__("ttnn." + path)
        self._library = library

    def __call__(self, *arguments: Any, **named: Any) -> Text:
        self._library.last = super().__call__(*arguments, **named)
        return self._library.last


class TextLibrary(Library):
    """The library as expressions. What is said often gets a name of its own, which is defined once."""

    def __init__(self, grid: tuple[int, int]):  # without opening anything
        self.ttnn, self.device, self.grid = Text("ttnn"), Text("device"), grid
        self.defined: dict[str, Any] = {}
        #: Names of the program's own, which would hide what is defined.
        self.taken: set[str] = set()
        self._names: dict[str, str] = {}
        self.last: Text | None = None
        #: Functions of on_host.py and on_device.py that the program calls.
        self.copied: list[str] = []
        #: Whether one was called since somebody last looked.
        self.works_on_host = False

    def about(self) -> dict[str, Any]:
        return {"grid": list(self.grid)}

    @property
    def sorts_in_order(self) -> bool:
        """A program may run with a version that does not."""
        return False

    def pages_of_maxima(self, layout: Layout | None) -> dict[str, Any]:
        """Tiles where the module has them, as the plan's next op takes them so."""
        return {"output_layout": self.page(True)} if layout is not None and layout.tiled else {}

    def function(self, path: str) -> Text:
        return _Function(self, path)

    def on_host(self, name: str) -> Text:
        self.works_on_host = True
        return self.on_device(name)

    def on_device(self, name: str) -> Text:
        if name not in self.copied:
            self.copied.append(name)
        return Text(name)

    def whole_number(self, tensor: Text) -> Text:
        return self.on_device("whole_number")(tensor)

    def placed(self, host: Text, layout: Layout | None) -> Text:
        """A tensor of the host where a layout has it."""
        if layout is None or not layout.on_device:
            return host
        return Text("place")(host, self.dtype(layout.dtype), self.page(layout.tiled), self.memory(layout), self.device)

    def named(self, name: str, value: Text) -> Text:
        """The value under a name like that."""
        text = render(value)
        if text not in self._names:
            taken, number = name, 2
            while taken in self.defined or taken in self.taken:
                taken, number = f"{name}_{number}", number + 1
            self._names[text], self.defined[taken] = taken, value
        return Text(self._names[text])

    def memory(self, layout: Layout | None) -> Any:
        if layout is None or not layout.on_device:
            return None
        if not layout.sharded:
            if layout.buffer not in ("dram", "l1"):
                raise Uncovered("buffer " + layout.buffer)
            return Text(f"ttnn.{layout.buffer.upper()}_MEMORY_CONFIG")
        if not layout.cores or layout.memory == "nd_sharded":
            raise Uncovered("a layout without cores")
        height, width = layout.shard[-2:]
        cores = sum((x1 - x0 + 1) * (y1 - y0 + 1) for x0, y0, x1, y1 in layout.cores)
        kind, buffer = layout.memory.split("_")[0].upper(), layout.buffer.upper()
        config = Text("sharded")(Text(f"ttnn.TensorMemoryLayout.{kind}_SHARDED"), Text(f"ttnn.BufferType.{buffer}"),
                                 [tuple(cores) for cores in layout.cores], [height, width])
        return self.named(f"{buffer}_{kind}_{height}x{width}_ON_{cores}", config)

    def compute(self, question: Question) -> Any:
        config = super().compute(question)
        if config is None:
            return None
        fields = question.group("compute_config") or {}
        words = [str(fields.get("math_fidelity", "default")).upper(), *(["FP32"] if fields.get("fp32_dest_acc_en") else [])]
        return self.named("_".join(words), config)
