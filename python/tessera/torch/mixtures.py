"""Layers of experts of Hugging Face's transformers: all experts of all tokens, weighed, where the library sorts tokens by their experts."""
from __future__ import annotations

import contextlib
import sys
from typing import Any, Iterator
from unittest import mock

import torch

_MODULE = "transformers.integrations.moe"


def _products(layer: Any, rows: torch.Tensor, name: str) -> torch.Tensor:
    """Of each expert's rows with its matrix."""
    weights = getattr(layer, name)
    made = torch.matmul(rows.to(weights.dtype), weights if layer.is_transposed else weights.transpose(-2, -1))
    return made + getattr(layer, name + "_bias").unsqueeze(1) if layer.has_bias else made


def _shares(layer: Any, index: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """What each expert's result weighs in each token: nothing where the token has not chosen it."""
    numbers = torch.arange(layer.num_experts, dtype=index.dtype, device=index.device)
    return torch.where(index.unsqueeze(-1) == numbers, weights.unsqueeze(-1), torch.zeros((), dtype=weights.dtype)).sum(1)


def _mixed(layer: Any, hidden_states: torch.Tensor, top_k_index: torch.Tensor, top_k_weights: torch.Tensor) -> torch.Tensor:
    """The sum of what a token's experts make of it. A device sorts slowly, and whichever rows an expert has, the product is made for all of them: so
    experts are batches of one product, of each token once, where sorted rows are each token as often as it has experts."""
    made = _products(layer, hidden_states.unsqueeze(0), "gate_up_proj" if layer.has_gate else "up_proj")
    made = _products(layer, layer._apply_gate(made) if layer.has_gate else layer.act_fn(made), "down_proj")
    if layer.has_post_expert_norm:
        made = layer.post_expert_norm(made)
    return (made * _shares(layer, top_k_index, top_k_weights).t().unsqueeze(-1)).sum(0).to(hidden_states.dtype)


@contextlib.contextmanager
def of_all_tokens() -> Iterator[None]:
    """Where the library is in use, in place of its own ways of the names that its configurations have."""
    library = sys.modules.get(_MODULE)
    known = getattr(getattr(library, "ExpertsInterface", None), "_global_mapping", {})
    ways = {name: way for name, way in known.items() if name in ("grouped_mm", "batched_mm")}

    def forward(name: str) -> Any:
        def mixed(layer: Any, hidden_states: torch.Tensor, top_k_index: torch.Tensor, top_k_weights: torch.Tensor) -> torch.Tensor:
            # Experts that other chips have need the library's way.
            way = ways[name] if getattr(layer, "_is_expert_parallel", False) else _mixed
            return way(layer, hidden_states, top_k_index, top_k_weights)
        return mixed

    with mock.patch.dict(known, {name: forward(name) for name in ways}):
        yield
