"""The model that is imported: what the words of the command line name, and what it is called with."""
from __future__ import annotations

import warnings
from typing import Any

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch.utils import _pytree as pytree

from ..jax.model import Argument, Trouble, arguments_of, find, first_line, place_in, shape


#: What PyTorch says where a size, or what is done, depends on values.
_UNKNOWN = (DataDependentOutputException, DynamicOutputShapeException, GuardOnDataDependentSymNode)


def made(word: str) -> torch.nn.Module:
    """The model of "package.module:NAME" or "file.py:NAME": a module, or what makes one without arguments, a function or a class."""
    found = find(word)
    if isinstance(found, torch.nn.Module):
        return found
    try:
        model = found()
    except Exception as error:  # noqa: BLE001: whatever the user's function throws
        raise Trouble(f"'{word}' makes no model: {first_line(error)}{place_in(error, word.rpartition(':')[0])}; name a torch.nn.Module, or a function "
                      "that takes nothing and returns one") from error
    if not isinstance(model, torch.nn.Module):
        raise Trouble(f"'{word}' makes a {type(model).__name__}; name a torch.nn.Module, or a function that takes nothing and returns one")
    return model


def described(model: torch.nn.Module, given: list[str]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What `forward` is called with, as words: those of --shape, or of its annotations."""
    arguments: list[Argument] = arguments_of(model.forward, given, are_weights=lambda default: False)
    return (tuple(each.like for each in arguments if not each.by_name), {each.name: each.like for each in arguments if each.by_name})


def examples(model: torch.nn.Module, described: Any) -> Any:
    """The same tree with a tensor for each word."""
    device = next((tensor.device for tensor in model.parameters()), None)

    def tensor(like: Any) -> Any:
        if not isinstance(like, str):
            return like
        dims, type_ = shape(like)
        return torch.zeros(dims, dtype=getattr(torch, type_), device=device)

    return pytree.tree_map(tensor, described)


def traced(model: torch.nn.Module, arguments: tuple[Any, ...], named: dict[str, Any]) -> torch.export.ExportedProgram:
    from .gradients import watched, written_out

    with watched() as called:
        try:
            program, told = _traced(model, arguments, named), None
        except Exception as error:  # noqa: BLE001: whatever becomes of gradients
            program, told = None, error
    if called:
        with written_out(model, arguments, named):
            return _traced(model, arguments, named)
    if told:
        raise told
    return program


def _traced(model: torch.nn.Module, arguments: tuple[Any, ...], named: dict[str, Any]) -> torch.export.ExportedProgram:
    from .numbers import known, numbers_of

    names = numbers_of(model)
    with known(model, names):
        program = _of_sizes(model, arguments, named)
    changed = names & set(program.graph_signature.buffers_to_mutate.values())
    if not changed:
        return program
    with known(model, names - changed):  # what forward changes is another number in the next call
        return _of_sizes(model, arguments, named)


def _of_sizes(model: torch.nn.Module, arguments: tuple[Any, ...], named: dict[str, Any]) -> torch.export.ExportedProgram:
    """Numbers become constants only where nothing else will do: a mask is a formula else, however large it is."""
    from .numbers import computed

    program, told = None, None
    try:
        program = torch.export.export(model, arguments, named, strict=False)
        if not program.range_constraints:  # of sizes that nobody knows
            return program
    except _UNKNOWN as error:
        told = error
    try:
        with computed(model):
            return torch.export.export(model, arguments, named, strict=False)
    except Exception:  # noqa: BLE001: what is wrong without the numbers is of what the user has written
        if told:
            raise told from None
        return program


def exported(model: torch.nn.Module, arguments: tuple[Any, ...], named: dict[str, Any]) -> torch.export.ExportedProgram:
    """What the model computes when it is not trained, as a graph of ops that we or torchax have functions for."""
    from torchax import decompositions

    from .flow import of_no_device
    from .functions import OURS
    from .layers import in_our_order
    from .mixtures import of_all_tokens
    from .solvers import solved_at_once

    tables = torch.export.default_decompositions(), dict(decompositions.DECOMPOSITIONS)
    for table in tables:
        for op in OURS:
            table.pop(op, None)

    # What PyTorch says of its own parts to those who write them.
    with (torch.no_grad(), in_our_order(), of_all_tokens(), solved_at_once(), of_no_device(),
          warnings.catch_warnings(action="ignore", category=FutureWarning)):
        program = traced(model.eval(), arguments, named)
        for table in tables:
            program = program.run_decompositions(table)
    return program
