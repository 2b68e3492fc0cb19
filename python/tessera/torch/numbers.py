"""Whole numbers of which a model computes sizes while it is traced: in buffers, as the steps and windows of EnCodec's convolutions and the grid of Qwen's
patches, and in tensors that `forward` makes of them, or of nothing."""
from __future__ import annotations

import contextlib
import functools
from typing import Any, Callable, Iterator
from unittest import mock

import torch
from torch._export import non_strict_utils
from torch._subclasses.fake_tensor import FakeTensor
from torch.export import _trace
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import _disable_current_modes

#: Where PyTorch puts a tensor without values in the place of each parameter and buffer.
_PLACES = [(module, "_fakify_params_buffers") for module in (non_strict_utils, _trace) if hasattr(module, "_fakify_params_buffers")]
#: Elements of a buffer whose values are sizes and places; larger ones are tables.
_MOST_IN_BUFFER = 1 << 10
#: Elements of what is computed of such.
_MOST = 1 << 16
#: What makes tensors of no tensor.
_MAKERS = frozenset((torch.arange, torch.tensor, torch.zeros, torch.ones, torch.full, torch.linspace, torch.as_tensor))


def numbers_of(model: torch.nn.Module) -> set[str]:
    """The buffers that are a few whole numbers and that no state_dict has: they are part of the model, and not of its weights."""
    kept = set(model.state_dict())
    return {name for name, buffer in model.named_buffers(remove_duplicate=False)
            if name not in kept and buffer.numel() <= _MOST_IN_BUFFER and buffer.dtype in (torch.int32, torch.int64) and buffer.device.type == "cpu"}


@contextlib.contextmanager
def known(model: torch.nn.Module, names: set[str]) -> Iterator[None]:
    """While the model is traced, these have their values, as numbers have that `forward` makes tensors of."""
    values = {name: buffer.detach().clone() for name, buffer in model.named_buffers(remove_duplicate=False) if name in names}

    def with_values(fakify: Any) -> Any:
        def fakified(mode: Any, traced: torch.nn.Module) -> dict[str, Any]:
            made = fakify(mode, traced)
            for name in values.keys() & made.keys():
                made[name].constant = values[name]
            return made
        return fakified

    with contextlib.ExitStack() as patches:
        for module, name in _PLACES:
            patches.enter_context(mock.patch.object(module, name, with_values(getattr(module, name))))
        yield


def _value(like: Any) -> Any:
    """The tensor itself, if it has values; None if it has none."""
    return like.constant if isinstance(like, FakeTensor) else like if type(like) is torch.Tensor else None


class _Computed(TorchFunctionMode):
    """What follows from whole numbers that are known is computed here and now. All else goes its way, and has these as constants."""

    def __torch_function__(self, function: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        tensors = [leaf for leaf in pytree.tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        if all(_value(each) is not None for each in tensors) and (tensors or function in _MAKERS):
            with _disable_current_modes(), torch._C.DisableTorchFunction():
                made = function(*pytree.tree_map_only(torch.Tensor, _value, args), **pytree.tree_map_only(torch.Tensor, _value, kwargs))
            if all(leaf.numel() <= _MOST and not leaf.is_floating_point() for leaf in pytree.tree_leaves(made) if isinstance(leaf, torch.Tensor)):
                return made
        return function(*args, **kwargs)


@contextlib.contextmanager
def computed(model: torch.nn.Module) -> Iterator[None]:
    """While the model is traced, sizes may depend on whole numbers that are known."""
    forward = model.forward

    @functools.wraps(forward)  # by which arguments are called
    def with_numbers(*args: Any, **kwargs: Any) -> Any:
        with _Computed():
            return forward(*args, **kwargs)

    with mock.patch.object(model, "forward", with_numbers):
        yield
