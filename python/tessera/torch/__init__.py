"""Models of PyTorch on their way to a plan (docs/import.md): `trace`, which is `tessera import torch` for a model at hand.

    from tessera.torch import trace

    module = trace(model, "1x128x768xbf16")
    plan = tessera.optimize(module)

Importing this needs no PyTorch; calling needs torch, torchax and JAX.
"""
from .traced import trace

__all__ = ["trace"]
