"""The process that has JAX and the compiler loaded: one request as JSON on standard input, and its answer in a file.

It may crash, hang or print as it likes; command.py looks after it.
"""
from __future__ import annotations

import ctypes
import functools
import json
import os
import pathlib
import signal
import sys
from typing import Any

from .calls import parameter
from .compilable import compilable
from .model import TYPES, Argument, Trouble, arguments_of, call, find, first_line, needs_package, parameters, place_in


def are_weights(default: Any) -> bool:
    """Whether it is a tree of arrays, or of what only has their shapes and types; a single number is none."""
    import jax

    leaves = jax.tree.leaves(default)
    return bool(leaves) and all(hasattr(leaf, "shape") and hasattr(leaf, "dtype") for leaf in leaves) and (len(leaves) > 1 or leaves[0].shape != ())


def described(argument: Argument) -> Any:
    """What stands for the argument while the function is traced: its shape and type, or the tree of those."""
    import jax

    if argument.tensor:
        dims, type_ = argument.tensor
        return jax.ShapeDtypeStruct(dims, jax.numpy.dtype(type_))

    def leaf(path: Any, array: Any) -> Any:
        if array.dtype.name not in TYPES.values():
            raise Trouble(f"{leaf_name(argument, path)} is of type {array.dtype.name}; tensors are of {', '.join(sorted(set(TYPES.values())))}")
        return jax.ShapeDtypeStruct(array.shape, array.dtype)

    return jax.tree_util.tree_map_with_path(leaf, argument.weights)


def leaf_name(argument: Argument, path: Any) -> str:
    import jax

    below = jax.tree_util.keystr(path, simple=True, separator=".")
    return f"{argument.name}.{below}" if below else argument.name


def lowered(request: dict[str, Any]) -> str:
    """The function as StableHLO, its weights marked."""
    import jax

    jax.config.update("jax_include_full_tracebacks_in_locations", False)  # they would be half ours
    function = find(request["function"])
    arguments = arguments_of(function, request["shapes"], are_weights)
    weights = parameters(request["parameters"], [argument.name for argument in arguments])

    @functools.wraps(function)
    def marked(*values: Any) -> Any:
        def mark(n: int, value: Any) -> Any:
            if arguments[n].tensor:
                return parameter(value, arguments[n].name) if n in weights else value
            return jax.tree_util.tree_map_with_path(lambda path, leaf: parameter(leaf, leaf_name(arguments[n], path)), value)

        return call(function, arguments, tuple(mark(n, value) for n, value in enumerate(values)))

    name, module = request["function"], request["function"].rpartition(":")[0]
    try:
        traced = jax.jit(marked, keep_unused=True).trace(*map(described, arguments))
        if not jax.tree.leaves(traced.out_info):
            raise Trouble(f"'{name}' returns no tensor; let it return what the model computes")
        return traced.lower().as_text(debug_info=True)
    except Trouble:
        raise
    except ModuleNotFoundError as error:
        raise Trouble(f"'{name}' {needs_package(error)}{place_in(error, module)}") from error
    except Exception as error:  # noqa: BLE001: whatever the user's function throws
        values = isinstance(error, jax.errors.ConcretizationTypeError)
        instead = "; a traced function has no values to decide by: jnp.where and jax.lax.cond decide on the chip" if values else ""
        raise Trouble(f"'{name}' cannot be traced: {first_line(error)}{place_in(error, module)}{instead}") from error


def compiled(stablehlo: str, level: int, folder: pathlib.Path) -> str:
    """The compiler's TTNN module of a StableHLO module. It writes what it makes into `folder`."""
    import jax
    from jaxlib import xla_client

    device = jax.devices()[0]
    options = xla_client.CompileOptions()
    options.env_option_overrides = [("optimization_level", str(level)), ("export_path", str(folder))]
    try:
        device.client.compile_and_load(compilable(stablehlo).encode(), xla_client.DeviceList((device,)), options)
    except Exception as error:  # noqa: BLE001
        instead = "--level 1 leaves layouts to 'tessera optimize'" if level == 2 else "write that part of the function with other ops"
        raise Trouble(f"the compiler refuses this at level {level}: {first_line(error)}; {instead}") from error
    modules = sorted((folder / "irs").glob("ttnn_[0-9]*.mlir"))
    if not modules:
        raise Trouble("the compiler has written no TTNN module; another version of jax-tt-plugin?")
    return modules[-1].read_text()


def answer(request: dict[str, Any]) -> dict[str, str]:
    try:
        stablehlo = request.get("stablehlo") or lowered(request)
        return {"module": compiled(stablehlo, request["level"], pathlib.Path(request["folder"]))}
    except Trouble as trouble:
        return {"trouble": str(trouble)}


def main(into: str) -> int:
    PR_SET_PDEATHSIG = 1
    if sys.platform == "linux":  # the compiler is at work in a library and looks at no signal of Python's
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    request = json.loads(sys.stdin.read())
    pathlib.Path(into).write_text(json.dumps(answer(request)))
    sys.stdout.flush()
    os._exit(0)  # nothing that the libraries do at their end is of use
