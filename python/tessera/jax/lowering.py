"""Functions as StableHLO, their weights marked. Needs JAX, of whichever version."""
from __future__ import annotations

import contextlib
import functools
import warnings
from typing import Any, Callable, Iterator

from .calls import parameter
from .model import TYPES, Argument, Trouble, arguments_of, call, first_line, needs_package, place_in, positions, shape


#: What to do about errors of JAX and of PyTorch, by what they are called.
_HINTS = {
    "TracerArrayConversionError": "; numpy computes here and now: jax.numpy has the same for the chip",
    "ConcretizationTypeError": "; a traced function has no values to decide by: jnp.where decides on the chip",
    "NonConcreteBooleanIndexError": "; how many elements a mask chooses nobody knows before: where(mask, x, 0) keeps all of them",
    "GuardOnDataDependentSymNode": "; a traced model has no values to decide by: torch.where decides on the chip, and an index is a tensor with "
                                   "a dimension (1xsi32)",
}


def are_weights(default: Any) -> bool:
    """Whether it is a tree of arrays, or of what only has their shapes and types; a single number is none."""
    import jax

    leaves = jax.tree.leaves(default)
    return bool(leaves) and all(hasattr(leaf, "shape") and hasattr(leaf, "dtype") for leaf in leaves) and (len(leaves) > 1 or leaves[0].shape != ())


def described(argument: Argument) -> Any:
    """What stands for the argument while the function is traced: its shape and type, or the tree of those."""
    import jax

    def leaf(path: Any, like: Any) -> Any:
        if isinstance(like, str):
            dims, type_ = shape(like)
            return jax.ShapeDtypeStruct(dims, jax.numpy.dtype(type_))
        if not hasattr(like, "shape") or not hasattr(like, "dtype"):
            raise Trouble(f"{leaf_name(argument, path)} is a {type(like).__name__}; give an array, its jax.ShapeDtypeStruct, or words, as in "
                          "\"32x2048xbf16\"")
        if jax.numpy.dtype(like.dtype).name not in TYPES.values():
            raise Trouble(f"{leaf_name(argument, path)} is of type {like.dtype}; tensors are of {', '.join(sorted(set(TYPES.values())))}")
        return jax.ShapeDtypeStruct(like.shape, like.dtype)

    return jax.tree_util.tree_map_with_path(leaf, argument.like)


def leaf_name(argument: Argument, path: Any) -> str:
    import jax

    below = jax.tree_util.keystr(path, simple=True, separator=".")
    return f"{argument.name}.{below}" if argument.name and below else argument.name or below


@contextlib.contextmanager
def short_locations() -> Iterator[None]:
    """Places in the user's file alone: with whole tracebacks half of them would be ours."""
    import jax

    before = jax.config.jax_include_full_tracebacks_in_locations
    jax.config.update("jax_include_full_tracebacks_in_locations", False)
    try:
        yield
    finally:
        jax.config.update("jax_include_full_tracebacks_in_locations", before)


@contextlib.contextmanager
def troubles(name: str) -> Iterator[None]:
    """Whatever goes wrong while the user's own code runs, as a Trouble with a place in its file."""
    module = name.rpartition(":")[0]
    try:
        yield
    except Trouble:
        raise
    except ModuleNotFoundError as error:
        raise Trouble(f"'{name}' {needs_package(error)}{place_in(error, module)}") from error
    except (Exception, SystemExit) as error:  # noqa: BLE001: whatever the user's function throws
        instead = next((_HINTS[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in _HINTS), "")
        raise Trouble(f"'{name}' cannot be traced: {first_line(error)}{place_in(error, module)}{instead}") from error


def _given_up(traced: Any, arguments: list[Argument]) -> set[int]:
    """Arguments that the function itself hands on as given up, as one does that jax.jit has made with donate_argnums: all of a tree's leaves, or none."""
    import jax

    leaves = iter(traced.jaxpr.jaxpr.invars)
    by_argument = [[next(leaves) for _ in jax.tree.leaves(described(argument))] for argument in arguments]
    donated = {id(value) for call_ in traced.jaxpr.jaxpr.eqns for value, given in zip(call_.invars, call_.params.get("donated_invars", ())) if given}
    return {n for n, values in enumerate(by_argument) if all(id(value) in donated for value in values)}


def stablehlo_of(function: Callable[..., Any], name: str, arguments: list[Argument], chosen: set[int] = frozenset(),
                 donated: set[int] = frozenset()) -> str:
    """The module of the function, with marks on `chosen` of its arguments and on those that are weights anyway, and with results in place of
    `donated` ones, of those that are given up anyway, and of those that the function gives up."""
    import jax

    def marked(*values: Any) -> Any:
        def mark(n: int, value: Any) -> Any:
            if n not in chosen and not arguments[n].weights:
                return value
            return jax.tree_util.tree_map_with_path(lambda path, leaf: parameter(leaf, leaf_name(arguments[n], path)), value)

        return call(function, arguments, tuple(mark(n, value) for n, value in enumerate(values)))

    with short_locations():
        def trace(donated: set[int]) -> Any:
            return jax.jit(functools.wraps(function)(marked), keep_unused=True, donate_argnums=sorted(donated)).trace(*map(described, arguments))

        donated = donated | {n for n, argument in enumerate(arguments) if argument.donated}
        traced = trace(donated)
        if more := _given_up(traced, arguments) - donated:
            traced = trace(donated | more)
        if not jax.tree.leaves(traced.out_info):
            raise Trouble(f"'{name}' returns no tensor; let it return what the model computes")
        try:  # now each of its ops has to be one that the compiler could have
            # What is given up for no result of its shape is only lost, of which JAX warns.
            warnings.filterwarnings("ignore", message="Some donated buffers were not usable")
            return traced.lower(lowering_platforms=("tt",)).as_text(debug_info=True)
        except Exception as error:  # noqa: BLE001
            raise Trouble(f"'{name}' has a part that no chip runs: {first_line(error)}; write that part with other ops, or leave it out") from error


def lowered(function: Callable[..., Any], name: str, given: list[Any], params: list[str], donate: list[str]) -> str:
    """The function as StableHLO. `name` is what it is called, with its module or file in front of a colon; `given`, `params` and `donate` say what
    its arguments are (model.py)."""
    with troubles(name):
        arguments = arguments_of(function, given, are_weights)
        names = [argument.name for argument in arguments]
        return stablehlo_of(function, name, arguments, positions("--params", params, names), positions("--donate", donate, names))
