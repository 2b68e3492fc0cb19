"""A layer of GPT-2's kind in PyTorch, as people write it:

    tessera import torch examples/torch/block.py:Block -o block.mlir

`forward` says by its annotations what it is called with; --shape says otherwise.
"""
import torch
import torch.nn.functional as F
from torch import nn

WIDTH, HEADS = 768, 12


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = (part.view(batch, length, HEADS, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(attended.transpose(1, 2).reshape(batch, length, WIDTH))


class Block(nn.Module):
    """A layer of GPT-2's size, causal, eight sentences of 128 tokens."""

    def __init__(self):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = Attention()
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))
        self.to(torch.bfloat16)

    def forward(self, x: "8x128x768xbf16"):
        x = x + self.attention(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))
