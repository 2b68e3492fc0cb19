"""What torch.export makes of a model, as a function of JAX."""
from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any, Callable

import jax
import torch
from torch.export.graph_signature import InputKind, InputSpec

from ..jax.model import Argument
from .interpreter import Interpreter, hide_frames
from .rows import find_rows
from .types import array, array_like


@dataclasses.dataclass(frozen=True)
class Placeholder:
    """Where the graph gets a value from: from an argument by its position, from the weights by its name, or it is the same always."""
    argument: int | None = None
    weight: str | None = None
    value: Any = None

    def of(self, values: tuple[Any, ...]) -> Any:
        if self.argument is not None:
            return values[self.argument]
        if self.weight is not None:
            return values[-1][self.weight]
        return self.value


def _state(program: torch.export.ExportedProgram, spec: InputSpec) -> torch.Tensor:
    found = program.state_dict.get(spec.target)
    return program.constants[spec.target] if found is None else found


def _is_constant(spec: InputSpec, tensor: torch.Tensor) -> bool:
    """What is in no state_dict is part of the model, and not of its weights, if it has values: on the device "meta" it has none."""
    kept = spec.kind == InputKind.PARAMETER or (spec.kind == InputKind.BUFFER and spec.persistent)
    return not kept and tensor.device.type != "meta"


#: What says something of values, at which nobody looks on the chip.
_ASSERTIONS = frozenset((torch.ops.aten._assert_async.default, torch.ops.aten._assert_async.msg, torch.ops.aten._assert_scalar.default,
                         torch.ops.aten.sym_constrain_range.default, torch.ops.aten.sym_constrain_range_for_size.default))


def _leave_out_assertions(module: torch.fx.GraphModule) -> None:
    """And what was computed for them, such as a number that a tensor would have to be read for."""
    for part in module.modules():
        if not isinstance(part, torch.fx.GraphModule):
            continue
        for node in list(part.graph.nodes):
            if node.target in _ASSERTIONS:
                part.graph.erase_node(node)
        part.graph.eliminate_dead_code()


def as_jax(program: torch.export.ExportedProgram) -> tuple[Callable[..., Any], list[Argument]]:
    """The function and its arguments: the user's, the buffers and parameters that `forward` changes, and all else that the state has, as a tree of weights whose leaves are
    called as PyTorch calls them. Its results are the user's, and what became of changed tensors behind them."""
    signature = program.graph_signature
    states = [*signature.buffers_to_mutate.values(), *signature.parameters_to_mutate.values()]
    changed, mutated_inputs = set(states), set(signature.user_inputs_to_mutate.values())
    given: list[Argument] = []
    buffers: list[Argument] = []
    weights: dict[str, Any] = {}
    placeholders: list[Placeholder] = []
    nodes = [node for node in program.graph.nodes if node.op == "placeholder"]
    users = sum(spec.kind == InputKind.USER_INPUT and isinstance(node.meta.get("val"), torch.Tensor) for spec, node in zip(signature.input_specs, nodes))
    for spec, node in zip(signature.input_specs, nodes):
        tensor = node.meta.get("val") if spec.kind == InputKind.USER_INPUT else _state(program, spec)
        if not isinstance(tensor, torch.Tensor):
            placeholders.append(Placeholder(value=getattr(spec.arg, "value", None)))
        elif spec.kind == InputKind.USER_INPUT:
            placeholders.append(Placeholder(argument=len(given)))
            given.append(Argument(node.name, array_like(tensor), donated=spec.arg.name in mutated_inputs))
        elif spec.target in changed:
            placeholders.append(Placeholder(argument=users + len(buffers)))
            buffers.append(Argument(spec.target, array_like(tensor), donated=True))
        elif _is_constant(spec, tensor):
            placeholders.append(Placeholder(value=array(tensor)))
        else:
            placeholders.append(Placeholder(weight=spec.target))
            weights[spec.target] = array_like(tensor)
    arguments = given + buffers
    mutated = len(states) + len(signature.user_inputs_to_mutate)

    def function(*values: Any) -> Any:
        results = Interpreter(program.graph_module).run(*(each.of(values) for each in placeholders), enable_io_processing=False)
        return (*results[mutated:], *results[:mutated])

    hide_frames()
    _leave_out_assertions(program.graph_module)
    find_rows(program.graph)
    # By which JAX calls arguments; those of forward and buffers may be called alike.
    words: list[str] = []
    for name in [argument.name for argument in arguments] + ["weights"] * bool(weights):
        word = re.sub(r"\W", "_", name)
        while word in words:
            word += "_"
        words.append(word)
    function.__signature__ = inspect.Signature([inspect.Parameter(word, inspect.Parameter.POSITIONAL_ONLY) for word in words])
    return function, arguments + ([Argument("", weights, weights=True)] if weights else [])
