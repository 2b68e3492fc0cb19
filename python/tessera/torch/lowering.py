"""Models of PyTorch as StableHLO, their weights marked. Needs torch, torchax and JAX."""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ..jax.lowering import stablehlo_of, troubles
from ..jax.model import Trouble, first_line

if TYPE_CHECKING:
    import torch


def _load() -> None:
    """torchax, which knows the PyTorch of its own time."""
    import torch

    try:
        import torchax  # noqa: F401
    except ModuleNotFoundError:
        raise
    except Exception as error:  # noqa: BLE001: whatever it misses in another PyTorch
        raise Trouble(f"the torchax of {sys.executable} does not load beside its torch {torch.__version__}: {first_line(error)}; 'tessera setup torch' "
                      "installs two that fit") from error


def lowered(model: torch.nn.Module, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> str:
    """The model as StableHLO. `name` is what it is called, with its module or file in front of a colon; `arguments` and `named` are what `forward` is
    called with, tensors or words in their place, or nothing: its annotations say it then."""
    with troubles(name):
        _load()
        from .model import described, examples, exported
        from .program import as_jax

        if not arguments and not named:
            arguments, named = described(model, [])
        function, wanted = as_jax(exported(model, *examples(model, (tuple(arguments), named))))
        function.__name__ = name.rpartition(":")[2]
        return stablehlo_of(function, name, wanted)


def lowered_by_name(name: str, shapes: list[str]) -> str:
    """The same of "package.module:NAME" or "file.py:NAME", and the words of --shape."""
    with troubles(name):
        from .model import described, made

        model = made(name)
        return lowered(model, name, *described(model, shapes))
