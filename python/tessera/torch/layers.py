"""Layers of torch.nn that are written in the order of another device: the same functions, where nothing has to be moved."""
from __future__ import annotations

import contextlib
import functools
from typing import Any, Iterator
from unittest import mock

import torch
import torch.nn.functional as F
from torch import nn
from torch._decomp import decompositions

_FORWARD = nn.MultiheadAttention.forward


def _added(mask: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """What is added to scores; a mask of truths says what is left out."""
    return torch.zeros_like(mask, dtype=like.dtype).masked_fill(mask, float("-inf")) if mask.dtype == torch.bool else mask.to(like.dtype)


def _mask(layer: nn.MultiheadAttention, query: torch.Tensor, mask: torch.Tensor | None, padding: torch.Tensor | None) -> torch.Tensor | None:
    parts = []
    if mask is not None:
        whole = mask if mask.dim() == 2 else mask.unflatten(0, (query.shape[0], layer.num_heads))
        parts.append(_added(whole, query))
    if padding is not None:
        parts.append(_added(padding, query)[:, None, None, :])
    return sum(parts[1:], parts[0]) if parts else None


def _projected(layer: nn.MultiheadAttention, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
    """Queries, keys and values: of one tensor by one product."""
    biases = [None] * 3 if layer.in_proj_bias is None else layer.in_proj_bias.chunk(3)
    if not layer._qkv_same_embed_dim:
        weights = [layer.q_proj_weight, layer.k_proj_weight, layer.v_proj_weight]
    elif inputs[0] is inputs[1] and inputs[1] is inputs[2]:
        return list(F.linear(inputs[0], layer.in_proj_weight, layer.in_proj_bias).chunk(3, dim=-1))
    else:
        weights = layer.in_proj_weight.chunk(3)
    return [F.linear(each, weight, bias) for each, weight, bias in zip(inputs, weights, biases)]


def _weights(heads: list[torch.Tensor], mask: torch.Tensor | None, are_averaged: bool) -> torch.Tensor:
    scores = heads[0] @ heads[1].transpose(-1, -2) / heads[0].shape[-1] ** 0.5
    weights = torch.softmax(scores if mask is None else scores + mask, dim=-1)
    return weights.mean(1) if are_averaged else weights


@functools.wraps(_FORWARD)
def _attention(layer: nn.MultiheadAttention, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor,
               key_padding_mask: torch.Tensor | None = None, need_weights: bool = True, attn_mask: torch.Tensor | None = None,
               average_attn_weights: bool = True, is_causal: bool = False) -> tuple[torch.Tensor, torch.Tensor | None]:
    """In the order that tensors come in, with batches before positions. Weights, which are asked for if nothing is said, are computed beside the attention:
    mostly nobody reads them, and then they are gone."""
    known = query.dim() == 3 and layer.bias_k is None and layer.bias_v is None and not layer.add_zero_attn
    if not known:
        return _FORWARD(layer, query, key, value, key_padding_mask, need_weights, attn_mask, average_attn_weights, is_causal)
    turned: dict[int, torch.Tensor] = {}
    inputs = [each if layer.batch_first else turned.setdefault(id(each), each.transpose(0, 1)) for each in (query, key, value)]
    # A mask that is said to be causal need not be read, unless others come to it.
    causal = is_causal and key_padding_mask is None and not need_weights
    mask = None if causal else _mask(layer, inputs[0], attn_mask, key_padding_mask)
    heads = [each.unflatten(-1, (layer.num_heads, -1)).transpose(1, 2) for each in _projected(layer, inputs)]
    attended = layer.out_proj(F.scaled_dot_product_attention(*heads, attn_mask=mask, is_causal=causal).transpose(1, 2).flatten(2))
    return attended if layer.batch_first else attended.transpose(0, 1), _weights(heads, mask, average_attn_weights) if need_weights else None


_EMBEDDING_BAG = F.embedding_bag


@functools.wraps(_EMBEDDING_BAG)
def _bags(input: torch.Tensor, weight: torch.Tensor, offsets: torch.Tensor | None = None, max_norm: float | None = None,  # noqa: A002: PyTorch's name
          norm_type: float = 2, scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
          per_sample_weights: torch.Tensor | None = None, include_last_offset: bool = False, padding_idx: int | None = None) -> torch.Tensor:
    """Bags of one size, which need no offsets: rows that are reduced."""
    if input.dim() != 2 or max_norm is not None or padding_idx is not None:
        return _EMBEDDING_BAG(input, weight, offsets, max_norm, norm_type, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset,
                              padding_idx)
    rows = F.embedding(input, weight)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    return rows.amax(1) if mode == "max" else rows.mean(1) if mode == "mean" else rows.sum(1)


_LSTM = decompositions.one_layer_lstm


@functools.wraps(_LSTM)
def _lstm(inp: torch.Tensor, hidden: tuple[torch.Tensor, torch.Tensor], *rest: Any, **named: Any) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
    """States at the end have the shapes of those at the beginning: PyTorch's own leaves a dimension of one before them, unless there is one sequence."""
    results, states = _LSTM(inp, hidden, *rest, **named)
    return results, tuple(state.reshape(before.shape) for state, before in zip(states, hidden))


def _is_said_to_be_causal(mask: torch.Tensor | None, is_causal: bool | None = None, size: int | None = None) -> bool:
    """PyTorch looks at the numbers of a mask that nothing is said of; a traced model has none, and attention reads the mask then."""
    return bool(is_causal)


@contextlib.contextmanager
def in_our_order() -> Iterator[None]:
    with (mock.patch.object(nn.MultiheadAttention, "forward", _attention), mock.patch.object(F, "embedding_bag", _bags),
          mock.patch.object(decompositions, "one_layer_lstm", _lstm),
          mock.patch.object(nn.modules.transformer, "_detect_is_causal_mask", _is_said_to_be_causal)):
        yield
