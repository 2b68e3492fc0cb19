"""`tessera import torch` for a model at hand."""
from __future__ import annotations

from typing import Any

from ..jax.traced import compiled_by
from .lowering import lowered


def trace(model: Any, *arguments: Any, level: int = 1, device: str = "p150", **named: Any) -> str:
    """The TTNN module, as text, that the public compiler makes of a torch.nn.Module, for `tessera.optimize`. `arguments` and `named` are what its `forward`
    is called with: tensors, of which shapes and types are read, or words, "1x128x768xbf16", or tuples, lists and dicts of these; without any,
    the annotations of `forward` say them. Parameters and buffers are weights; a buffer that `forward` changes is an argument and a result. The model is
    traced by the PyTorch of this Python, as it computes after `model.eval()`. Raises TesseraError."""
    return compiled_by(lambda: lowered(model, f"{type(model).__name__}:forward", arguments, named), level, device)
