"""Whole numbers in buffers, such as the steps and windows of EnCodec's convolutions, of which a model computes sizes while it is traced."""
from __future__ import annotations

import contextlib
from typing import Any, Iterator
from unittest import mock

import torch
from torch._export import non_strict_utils
from torch.export import _trace

#: Where PyTorch puts a tensor without values in the place of each parameter and buffer.
_PLACES = [(module, "_fakify_params_buffers") for module in (non_strict_utils, _trace) if hasattr(module, "_fakify_params_buffers")]


def numbers_of(model: torch.nn.Module) -> set[str]:
    """The buffers that are one whole number and no state_dict has: they are part of the model, and not of its weights."""
    kept = set(model.state_dict())
    return {name for name, buffer in model.named_buffers(remove_duplicate=False)
            if name not in kept and buffer.numel() == 1 and buffer.dtype in (torch.int32, torch.int64) and buffer.device.type == "cpu"}


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
