"""Models of PyTorch that ask what an import has to answer: caches in buffers, norms of groups, patches, and layers of torch.nn itself.

    tessera import torch examples/torch/models.py:LlamaDecode -o llama.mlir
"""
import torch
import torch.nn.functional as F
from torch import nn


class LlamaDecode(nn.Module):
    """A decoder layer of Llama 3.2 1B, one token of 32 users, over caches in its buffers."""

    USERS, WIDTH, HEADS, KV, SIZE, LENGTH = 32, 2048, 32, 8, 64, 128

    def __init__(self):
        super().__init__()
        self.q = nn.Linear(self.WIDTH, self.HEADS * self.SIZE, bias=False)
        self.k, self.v = (nn.Linear(self.WIDTH, self.KV * self.SIZE, bias=False) for _ in range(2))
        self.out = nn.Linear(self.HEADS * self.SIZE, self.WIDTH, bias=False)
        self.gate, self.up = (nn.Linear(self.WIDTH, 8192, bias=False) for _ in range(2))
        self.down = nn.Linear(8192, self.WIDTH, bias=False)
        self.input_norm, self.norm = nn.RMSNorm(self.WIDTH, eps=1e-5), nn.RMSNorm(self.WIDTH, eps=1e-5)
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(self.USERS, self.KV, self.LENGTH, self.SIZE))
        self.to(torch.bfloat16)

    def rotated(self, x, cos, sin):
        half = self.SIZE // 2
        return x * cos + torch.cat((-x[..., half:], x[..., :half]), dim=-1) * sin

    def heads(self, projected):
        return projected.view(self.USERS, 1, -1, self.SIZE).transpose(1, 2)

    def attended(self, x, cos, sin, position, mask):
        q, k, v = self.heads(self.q(x)), self.heads(self.k(x)), self.heads(self.v(x))
        self.keys.index_copy_(2, position, self.rotated(k, cos, sin))
        self.values.index_copy_(2, position, v)
        attended = F.scaled_dot_product_attention(self.rotated(q, cos, sin), self.keys, self.values, attn_mask=mask, enable_gqa=True)
        return self.out(attended.transpose(1, 2).reshape(self.USERS, 1, -1))

    def forward(self, x: "32x1x2048xbf16", cos: "1x1x1x64xbf16", sin: "1x1x1x64xbf16", position: "1xsi32", mask: "32x1x1x128xbf16"):
        x = x + self.attended(self.input_norm(x), cos, sin, position.long(), mask)
        h = self.norm(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class Encoder(nn.Module):
    """torch.nn.TransformerEncoderLayer of BERT's size, norms first, eight sentences of 128 tokens."""

    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(768, 12, 3072, activation="gelu", batch_first=True, norm_first=True).to(torch.bfloat16)

    def forward(self, x: "8x128x768xbf16"):
        return self.layer(x)


class Patches(nn.Module):
    """What comes before the layers of a ViT: patches by a convolution, a token for the class, positions; eight images."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 768, 16, 16)
        self.token = nn.Parameter(torch.zeros(1, 1, 768))
        self.positions = nn.Parameter(torch.zeros(1, 197, 768))
        self.norm = nn.LayerNorm(768)
        self.to(torch.bfloat16)

    def forward(self, image: "8x3x224x224xbf16"):
        x = self.patches(image).flatten(2).transpose(1, 2)
        return self.norm(torch.cat((self.token.expand(8, 1, 768), x), dim=1) + self.positions)


class Bottleneck(nn.Module):
    """A block of ResNet-50 with batch norms, one image of 56 x 56."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(256, 64, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
                                    nn.Conv2d(64, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
                                    nn.Conv2d(64, 256, 1, bias=False), nn.BatchNorm2d(256))
        self.to(torch.bfloat16)

    def forward(self, x: "1x256x56x56xbf16"):
        return F.relu(x + self.layers(x))


class Residual(nn.Module):
    """A residual block of a diffusion model's U-Net, with norms of groups and the step's embedding; two images."""

    def __init__(self):
        super().__init__()
        self.norm_1, self.conv_1 = nn.GroupNorm(32, 320), nn.Conv2d(320, 320, 3, padding=1)
        self.norm_2, self.conv_2 = nn.GroupNorm(32, 320), nn.Conv2d(320, 320, 3, padding=1)
        self.step = nn.Linear(1280, 320)
        self.to(torch.bfloat16)

    def forward(self, x: "2x320x64x64xbf16", step: "2x1280xbf16"):
        h = self.conv_1(F.silu(self.norm_1(x))) + self.step(F.silu(step))[:, :, None, None]
        return x + self.conv_2(F.silu(self.norm_2(h)))
