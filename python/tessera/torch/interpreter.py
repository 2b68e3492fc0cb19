"""The graph that torch.export makes of a model, run by functions of JAX."""
from __future__ import annotations

import ast
import contextlib
import functools
import pathlib
import re
from typing import Any, Callable

import jax
import torch
import torchax
from torchax.ops import jaten, jtorch, ops_registry  # noqa: F401: the first two fill the third

from ..jax.model import Trouble
from .flow import FLOW
from .functions import OURS
from .types import array, array_type

_TORCH = str(pathlib.Path(torch.__file__).parent)


def hide_frames() -> None:
    """Places in modules are those of the first frame that is nobody's library."""
    from jax._src import source_info_util

    for folder in (_TORCH, pathlib.Path(torchax.__file__).parent, pathlib.Path(__file__).parent.parent):
        source_info_util.register_exclusion(str(folder))


def place_of(node: torch.fx.Node) -> tuple[str, int] | None:
    """File and line of what the node was made of: the innermost that is not of PyTorch itself."""
    frames = re.findall(r'File "([^"]+)", line ([0-9]+)', node.meta.get("stack_trace") or "")
    outside = [frame for frame in frames if not frame[0].startswith(_TORCH)]
    return (outside[-1][0], int(outside[-1][1])) if outside else None


def scope_of(node: torch.fx.Node) -> str:
    """The module that the node is of, as folders: "layers/0/self_attn"."""
    stack = list((node.meta.get("nn_module_stack") or {}).values())
    return stack[-1][0].replace(".", "/") if stack else ""


@functools.lru_cache(maxsize=None)
def at(file: str, line: int) -> Callable[[Callable[[], Any]], Any]:
    """A function that calls what it is given, and looks in tracebacks as if it stood in that line: JAX takes places from tracebacks, and the user's
    own frames are gone when the graph is run."""
    tree = ast.parse("def call(work): return work()")
    ast.increment_lineno(tree, line - 1)
    for node in ast.walk(tree):  # which columns are meant nobody knows
        if hasattr(node, "col_offset"):
            node.col_offset = node.end_col_offset = 1
    names: dict[str, Any] = {}
    exec(compile(tree, file, "exec"), names)  # noqa: S102: our own line
    return names["call"]


def _op_of_torchax(target: torch._ops.OpOverload) -> Any:
    return ops_registry.all_aten_ops.get(target) or ops_registry.all_aten_ops.get(target.overloadpacket)


class Interpreter(torch.fx.Interpreter):
    """Runs the graph of an exported program with JAX's tensors; each op has the place and the scope of its node, and so has what goes wrong: PyTorch's own
    lines about it would be no one error."""

    def __init__(self, module: torch.fx.GraphModule):
        super().__init__(module)
        self.extra_traceback = False

    def run_node(self, node: torch.fx.Node) -> Any:
        try:
            return self.run_at_place(node)
        except Trouble as trouble:
            place = place_of(node)
            raise Trouble(f"{trouble} ({pathlib.Path(place[0]).name}:{place[1]})" if place else str(trouble)) from trouble

    def run_at_place(self, node: torch.fx.Node) -> Any:
        place, scope = place_of(node), scope_of(node)
        work = functools.partial(super().run_node, node)
        if place:
            work = functools.partial(at(*place), work)
        if node.op != "call_function":
            return work()
        with jax.named_scope(scope) if scope else contextlib.nullcontext():
            return as_torch_has_it(node, work())

    def get_attr(self, target: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A graph that control flow runs, or a tensor that such a graph has for itself."""
        found = super().get_attr(target, args, kwargs)
        return array(found) if isinstance(found, torch.Tensor) else found

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if target in FLOW:
            return FLOW[target](results_of, *args, **kwargs)
        if not isinstance(target, torch._ops.OpOverload):
            return super().call_function(target, args, kwargs)
        if target in OURS:
            return OURS[target](*args, **kwargs)
        op = _op_of_torchax(target)
        if (op is not None and op.needs_env) or torch.Tag.nondeterministic_seeded in target.tags:
            raise Trouble(f"{target} draws numbers by chance, and nothing does on the chip; let forward take them as an argument, and let F.dropout be told "
                          "that nothing is trained")
        if op is None or not op.is_jax_function:
            raise Trouble(f"torchax has no function of JAX for {target}; write that part of the model with other ops")
        return op.func(*args, **kwargs)


def results_of(graph: torch.fx.GraphModule, *given: Any) -> tuple[Any, ...]:
    made = Interpreter(graph).run(*given)
    return tuple(made) if isinstance(made, tuple | list) else (made,)


def as_torch_has_it(node: torch.fx.Node, result: Any) -> Any:
    """The result in the type that PyTorch gives it, where JAX gives another: a tensor without dimensions widens no other in PyTorch."""
    wanted = getattr(node.meta.get("val"), "dtype", None)
    if wanted is None or not isinstance(result, jax.Array):
        return result
    type_ = array_type(wanted)
    return result if result.dtype == type_ else result.astype(type_)
