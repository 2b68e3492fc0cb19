"""Gradients that `forward` asks for, as steps of training do (`torch.func.grad`, `torch.autograd.grad`). torch.export takes what they are of for constants, so
such a model is written out first, gradients and all, and the graph of that is what is exported."""
from __future__ import annotations

import contextlib
import functools
from typing import Any, Callable, Iterator
from unittest import mock

import torch
from torch._functorch import eager_transforms
from torch.func import functional_call
from torch.fx.experimental.proxy_tensor import make_fx

#: What finds gradients, whatever calls it.
_FINDERS = ((eager_transforms, "grad_and_value_impl"), (eager_transforms, "_vjp_with_argnums"), (eager_transforms, "_jvp_with_argnums"),
            (torch.autograd, "grad"))


@contextlib.contextmanager
def watched() -> Iterator[list[str]]:
    """The names of those that were called meanwhile."""
    called: list[str] = []

    def noting(name: str, find: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(find)
        def noted(*args: Any, **kwargs: Any) -> Any:
            called.append(name)
            return find(*args, **kwargs)
        return noted

    def refused(*_: Any, **__: Any) -> None:
        raise RuntimeError("backward() leaves gradients beside the graph, where nobody has them; torch.func.grad and torch.autograd.grad return them")

    with contextlib.ExitStack() as patches:
        patches.enter_context(mock.patch.object(torch.Tensor, "backward", refused))
        for module, name in _FINDERS:
            patches.enter_context(mock.patch.object(module, name, noting(name, getattr(module, name))))
        yield called


def _state(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {**dict(model.named_parameters()), **dict(model.named_buffers())}


@contextlib.contextmanager
def written_out(model: torch.nn.Module, arguments: tuple[Any, ...], named: dict[str, Any]) -> Iterator[None]:
    """The model computes by a graph of it meanwhile."""
    def whole(state: dict[str, torch.Tensor], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return functional_call(model, state, args, kwargs)

    values = {name: tensor.detach().clone() for name, tensor in _state(model).items()}
    graph = make_fx(whole, tracing_mode="fake")(values, arguments, named)

    @functools.wraps(model.forward)  # by which arguments are called
    def forward(*args: Any, **kwargs: Any) -> Any:
        return graph(_state(model), args, kwargs)

    with mock.patch.object(model, "forward", forward):
        yield
