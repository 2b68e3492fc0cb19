"""The function that is imported, and what it is called with, from the words of the command line. Needs no JAX."""
from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import inspect
import pathlib
import re
import sys
from typing import Any, Callable

#: Types as Tessera writes them, and as JAX does, that tensors of the chip have.
TYPES = {"bf16": "bfloat16", "f32": "float32", "si32": "int32", "i32": "int32", "u32": "uint32", "si8": "int8", "i8": "int8",
         "u8": "uint8", "u16": "uint16", "i1": "bool"}


#: How a trouble begins that is the compiler's; the place in the model is told behind it.
REFUSED = "the compiler refuses this"


class Trouble(Exception):
    """What is wrong, and what to do, in one sentence."""


def shape(word: str) -> tuple[tuple[int, ...], str]:
    """"32x2048xbf16" -> ((32, 2048), "bfloat16"); a type alone is a scalar."""
    *dims, type_ = word.split("x")
    if type_ not in TYPES and type_ not in TYPES.values(): # JAX's own names say the same
        raise Trouble(f"--shape '{word}' ends with no type; write dimensions and one of {', '.join(TYPES)}, as in 32x2048xbf16")
    if not all(re.fullmatch("[1-9][0-9]*", dim) for dim in dims):
        raise Trouble(f"--shape '{word}' has a dimension that is no whole number above 0; write it as in 32x2048xbf16")
    return tuple(map(int, dims)), TYPES.get(type_, type_)


def needs_package(error: ModuleNotFoundError) -> str:
    """What to do about a package that this Python does not have."""
    return f"needs the package '{error.name}'; '{sys.executable} -m pip install {error.name}' installs it"


def _load(module: str) -> Any:
    """By its name, looked for in the working folder first, or by the path of its file."""
    path = pathlib.Path(module)
    if not module.endswith(".py"):
        sys.path.insert(0, str(pathlib.Path.cwd()))
        return importlib.import_module(module)
    if not path.is_file():
        raise Trouble(f"there is no file '{module}'")
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def find(word: str) -> Callable[..., Any]:
    """The function of "package.module:function" or "file.py:function"."""
    module, colon, name = word.rpartition(":")
    if not colon or not module or not name:
        raise Trouble(f"'{word}' names no function; write package.module:function or file.py:function")
    try:
        loaded = _load(module)
    except ModuleNotFoundError as error:
        if error.name and module.startswith(error.name):
            raise Trouble(f"there is no module '{module}' in this folder or in {sys.executable}") from error
        raise Trouble(f"'{module}' {needs_package(error)}") from error
    except Trouble:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001: whatever the user's module throws
        raise Trouble(f"'{module}' cannot be loaded: {first_line(error)}{place_in(error, module)}") from error
    function = loaded
    for part in name.split("."):
        function = getattr(function, part, None)
    if not callable(function):
        raise Trouble(f"'{module}' has no '{name}' to call{_nearest(loaded)}")
    return function


def _nearest(module: Any) -> str:
    names = sorted(n for n, f in vars(module).items() if callable(f) and getattr(f, "__module__", "") == module.__name__)
    return f"; it has {', '.join(names[:8])}" if names else ""


def name_of(function: Callable[..., Any]) -> str:
    """What messages call it; a partial one has no name of its own."""
    return getattr(function, "__name__", type(function).__name__)


def names_of(function: Callable[..., Any], count: int) -> list[str]:
    """Of its arguments, if it is called with that many; an error if it cannot be."""
    try:
        bound = inspect.signature(function).bind(*range(count))
    except (TypeError, ValueError) as error:
        raise Trouble(f"{name_of(function)}{inspect.signature(function)} cannot be called with {count} tensors: {error}; give one --shape for "
                      "each of its arguments") from error
    names: list[str] = []
    for name, value in bound.arguments.items():
        names += [f"{name}_{n}" for n in range(len(value))] if isinstance(value, tuple) else [name]
    return names


@dataclasses.dataclass(frozen=True)
class Argument:
    """One of a function's: a tensor, or a tree of tensors. Each is a word as `shape` reads it, or an array, or whatever has an array's shape and type."""
    name: str
    like: Any
    weights: bool = False
    by_name: bool = False
    donated: bool = False  #: the caller gives it up, so that a result may be made in its place


def arguments_of(function: Callable[..., Any], given: list[Any], are_weights: Callable[[Any], bool]) -> list[Argument]:
    """The arguments that tensors are handed to. Tensors are those that `given` has; if there are none, those that annotations describe, as in
    `def mlp(x: "32x2048xbf16", weights=WEIGHTS)`. Weights are defaults for which `are_weights` holds; other defaults stay."""
    declared = inspect.signature(function).parameters
    if given:
        found = [Argument(name, like) for name, like in zip(names_of(function, len(given)), given)]
        rest = list(declared.values())[len(inspect.signature(function).bind(*given).arguments):]
    else:
        found, rest = [], list(declared.values())
    for argument in rest:
        has_default = argument.default is not inspect.Parameter.empty
        if isinstance(argument.annotation, str) and not given:  # quoted twice where annotations are not evaluated
            found.append(Argument(argument.name, argument.annotation.strip("'\""), by_name=argument.kind is argument.KEYWORD_ONLY))
        elif has_default and are_weights(argument.default):
            found.append(Argument(argument.name, argument.default, weights=True, by_name=True))
        elif not has_default and not given:
            raise _unshaped(function, f"{argument.name} has")
    if not declared:
        raise Trouble(f"{name_of(function)} takes no arguments; what it computes with has to come as arguments")
    if not found:
        raise _unshaped(function, "its arguments have")
    return found


def _unshaped(function: Callable[..., Any], what: str) -> Trouble:
    return Trouble(f"{name_of(function)} does not say what shape {what}; give one --shape for each of its arguments, or annotate them, as in "
                   '(x: "32x2048xbf16"); weights may be an argument\'s default')


def call(function: Callable[..., Any], arguments: list[Argument], values: tuple[Any, ...]) -> Any:
    """The function of a value for each of the arguments: by name, from the first on that has to be."""
    positional, named = [], {}
    for argument, value in zip(arguments, values):
        if named or argument.by_name:
            named[argument.name] = value
        else:
            positional.append(value)
    return function(*positional, **named)


def positions(option: str, words: list[str], names: list[str]) -> set[int]:
    """Which arguments the option's words say: by name, by number from 0, or as a range 2-8 or 2-."""
    chosen: set[int] = set()
    for word in words:
        numbers = re.fullmatch("([0-9]+)(-([0-9]*))?", word)
        if word in names:
            chosen.add(names.index(word))
        elif numbers:
            first = int(numbers[1])
            last = first if numbers[2] is None else int(numbers[3]) if numbers[3] else len(names) - 1
            if not first <= last < len(names):
                raise Trouble(f"{option} '{word}': the arguments are 0 to {len(names) - 1}")
            chosen |= set(range(first, last + 1))
        else:
            raise Trouble(f"{option} '{word}': the arguments are {', '.join(names)}")
    return chosen


def first_line(error: BaseException) -> str:
    text = str(error).strip()
    return f"{type(error).__name__}: {text.splitlines()[0]}" if text else type(error).__name__


def place_in(error: BaseException, module: str) -> str:
    """Where in the user's module it was thrown: the last frame of that file."""
    wanted = pathlib.Path(module if module.endswith(".py") else module.replace(".", "/") + ".py").name
    place, frame = "", error.__traceback__
    while frame:
        file = pathlib.Path(frame.tb_frame.f_code.co_filename)
        if file.name == wanted:
            place = f" ({file.name}:{frame.tb_lineno})"
        frame = frame.tb_next
    return place
