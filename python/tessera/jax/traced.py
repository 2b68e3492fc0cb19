"""`tessera import jax` for a function at hand."""
from __future__ import annotations

import inspect
import re
from typing import Any, Callable, Sequence

from .lowering import lowered
from .model import Trouble, name_of


def _place(function: Callable[..., Any]) -> str:
    """The file and the name, as the command line would have them."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{code.co_filename}:{name_of(function)}" if code else name_of(function)


def compiled_by(lower: Callable[[], str], level: int, device: str) -> str:
    """The TTNN module of the StableHLO that `lower` makes. What is wrong with what the user gave is a TesseraError."""
    from .. import TesseraError, _call, _native

    try:
        stablehlo = lower()
    except Trouble as trouble:  # of which the command line speaks with hyphens
        raise TesseraError(re.sub(r"--(shape|params|donate)\b", r"\1", str(trouble))) from trouble
    return _call(_native.compile_stablehlo, stablehlo, level, device)


def trace(function: Callable[..., Any], *arguments: Any, params: Sequence[str | int] = (), donate: Sequence[str | int] = (), level: int = 1,
          device: str = "p150") -> str:
    """The TTNN module, as text, that the public compiler makes of the function, for `tessera.optimize`. Each of the arguments is a tensor or a tree of
    tensors: arrays, of which shapes and types are read, what has these (jax.eval_shape), or words, "32x2048xbf16". Without any, the
    function's own annotations say them. `params` are those that are weights, by name, position or range ("2-"); a tree that is an argument's default is
    weights anyway. `donate` are, likewise, those that the caller gives up, so that results may be made in their place. The function
    is traced by the JAX of this Python; what compiles is what `tessera setup jax` has set up. Raises TesseraError."""
    def lower() -> str:
        return lowered(function, _place(function), list(arguments), [str(each) for each in params], [str(each) for each in donate])

    return compiled_by(lower, level, device)
