"""Models of PyTorch for torch.test."""
import sys
import types

import torch
import torch.nn.functional as F
from torch import nn
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop


class Annotated(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(64, 128), nn.Linear(128, 64)
        self.norm = nn.LayerNorm(64)
        self.dropout = nn.Dropout(0.5)
        self.to(torch.bfloat16)

    def forward(self, x: "32x64xbf16"):
        return self.dropout(self.down(F.gelu(self.up(self.norm(x)))))


made = Annotated()
on_meta = Annotated().to("meta")


class Cached(nn.Module):
    """A buffer that is changed, one that is a constant, one that is a weight, and a tensor without dimensions that widens nothing."""

    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(2, 64, 32, dtype=torch.bfloat16))
        self.register_buffer("table", torch.arange(32).to(torch.bfloat16), persistent=False)
        self.register_buffer("scale", torch.ones(32, dtype=torch.bfloat16))

    def forward(self, tokens: "2x64x32xbf16", add: "2x64x32xbf16"):
        self.cache.copy_(tokens * self.scale)
        return self.cache + add * self.table * torch.tensor(2.0)


class Rescaled(nn.Module):
    """A parameter that is changed."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(32, dtype=torch.bfloat16), requires_grad=False)

    def forward(self, x: "64x32xbf16"):
        scaled = x * self.scale
        self.scale.div_(2)
        return scaled


class Spectrum(nn.Module):
    """What PyTorch takes apart into transforms."""

    def forward(self, x: "2x256xf32"):
        return torch.stft(x, 64, 32, return_complex=True).abs()


class Constant(nn.Module):
    """Scales that no state_dict has."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scales", torch.arange(1, 9).reshape(2, 4).to(torch.bfloat16), persistent=False)

    def forward(self, x: "2x4xbf16"):
        return x * self.scales


class Normed(nn.RMSNorm):
    """Nothing is said of what keeps the root from zero."""

    def __init__(self):
        super().__init__(64, dtype=torch.bfloat16)

    def forward(self, x: "32x64xbf16"):
        return super().forward(x)


class Attention(nn.Module):
    """Whole tiles are attended by one op; other sizes are taken apart."""

    def forward(self, query: "2x4x32x64xbf16", key: "2x4x64x64xbf16", mask: "2x1x1x64xi1"):
        whole = F.scaled_dot_product_attention(query, key, key, attn_mask=mask)
        return whole + F.scaled_dot_product_attention(query[..., :16], key[..., :16], key)


class Forbidden(nn.Module):
    """A query that no key is for, as a mask of f32 says it."""

    def forward(self, query: "1x1x32x32xbf16", key: "1x1x32x32xbf16"):
        mask = torch.full((32, 32), torch.finfo(torch.float32).min).triu(0)
        return F.scaled_dot_product_attention(query, key, key, attn_mask=mask.to(torch.float32))


class Alike(nn.Module):
    """Arguments that are called as a parameter and a buffer are."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(64))
        self.register_buffer("cache", torch.zeros(32, 64))

    def forward(self, scale: "32x64xf32", cache: "32x64xf32"):
        self.cache.add_(cache)
        return scale * self.scale


class Others(nn.Module):
    """What the compiler's own ops do not take."""

    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm((32, 64))

    def forward(self, query: "1x4x32x64xf32", key: "1x4x64x64xf32"):
        causal = F.scaled_dot_product_attention(query, key, key, is_causal=True)
        return self.norm(causal), torch.topk(query, 4, dim=1)[0], key.argmax(-1), torch.ldexp(query, torch.tensor(3))


class Windows(nn.Module):
    """Averages of windows that reach beyond the image, and pools of any size."""

    def forward(self, x: "1x4x13x14xf32", line: "1x4x29xf32"):
        whole = (4 * x).round().bfloat16()  # the device has a pool of these, and its sums are exact
        averages = [(F.avg_pool2d(image, 2, 2, ceil_mode=True), F.avg_pool2d(image, 3, 2, 1, ceil_mode=True),
                     F.avg_pool2d(image, 3, 2, 1, count_include_pad=False)) for image in (x, whole)]
        adaptive = F.adaptive_avg_pool2d(x, (3, 7)), F.adaptive_max_pool2d(x, 5), F.adaptive_max_pool2d(x, (13, 7))
        return averages, adaptive, F.avg_pool1d(line, 4, 3, 1, ceil_mode=True), F.adaptive_avg_pool1d(line, 6)


class Maxima(nn.Module):
    """Of windows of bf16, in which nothing is larger than its elements are."""

    def forward(self, x: "1x32x13x14xbf16"):
        return F.max_pool2d(x, 3, 2, 1), F.max_pool2d(x, 3, 2, ceil_mode=True), F.max_pool2d(x, 2)


class Lines(nn.Module):
    """Convolutions of lines: of single elements, of groups with long windows, and what the device has an op for."""

    def __init__(self):
        super().__init__()
        self.element, self.channel, self.device = nn.Conv1d(32, 64, 1), nn.Conv1d(32, 32, 1, groups=32), nn.Conv1d(32, 64, 5, 2, 2)
        self.even, self.odd = nn.Conv1d(768, 768, 128, padding=64, groups=16), nn.Conv1d(512, 512, 95, padding=3, groups=4, bias=False)

    def forward(self, x: "2x32x50xf32", speech: "2x768x40xf32", line: "1x512x120xf32"):
        return self.element(x), self.element(x[0]), self.channel(x), self.device(x), self.even(speech), self.odd(line)


class Unfolded(nn.Module):
    """Windows of whole steps, few windows and many."""

    def forward(self, x: "2x3x12x9xf32"):
        return x.unfold(2, 6, 3), x.unfold(2, 7, 5), x.unfold(-1, 3, 2), x.unfold(1, 2, 1).unfold(2, 4, 4)


class Columns(nn.Module):
    """Windows as columns, which overlap or not, and back, with pixels that no window has."""

    def forward(self, x: "2x3x13x9xf32"):
        ways = dict(kernel_size=3, padding=1, stride=2), dict(kernel_size=2, stride=2), dict(kernel_size=(2, 3), dilation=2), dict(kernel_size=2, stride=3)
        columns = [F.unfold(x, **way) for way in ways]
        return *columns, *(F.fold(each, (13, 9), **way) for each, way in zip(columns, ways)), F.fold(F.unfold(x[0], 2), (13, 9), 2)


class Sampled(nn.Module):
    def forward(self, image: "2x32x8x8xbf16", grid: "2x6x4x2xbf16"):
        return F.grid_sample(image, grid, align_corners=False)


class Dilated(nn.Module):
    def __init__(self):
        super().__init__()
        self.beyond, self.within = (nn.Conv2d(32, 32, 3, padding=size, dilation=size, bias=False).to(torch.bfloat16) for size in (12, 6))

    def forward(self, x: "1x32x8x8xbf16"):
        return self.within(self.beyond(x))


class Padded(nn.Module):
    """By a word, and by one number for two dimensions."""

    def __init__(self):
        super().__init__()
        self.same, self.valid = nn.Conv2d(4, 6, 3, padding="same"), nn.Conv2d(6, 4, 3, padding="valid")

    def forward(self, x: "2x4x9x7xf32"):
        return torch.ops.aten.convolution(self.valid(self.same(x)), self.same.weight, None, [1], [2], [1], False, [0], 1)


class Attended(nn.Module):
    """Layers of PyTorch whose weights are asked for, as they are if nothing is said, and read or not."""

    def __init__(self):
        super().__init__()
        self.layer = nn.MultiheadAttention(64, 4, batch_first=True)

    def forward(self, x: "2x16x64xf32", probe: "2x1x64xf32"):
        mask = torch.ones(16, 16).tril() < 1
        return self.layer(probe, x, x)[0], *self.layer(x, x, x, attn_mask=mask), self.layer(x, x, x, average_attn_weights=False)[1]


class Volumes(nn.Module):
    """Convolutions of volumes: patches, windows in space alone and along time alone, and whole ones."""

    def __init__(self):
        super().__init__()
        self.patches, self.space = nn.Conv3d(4, 6, (2, 3, 2), (2, 3, 2)), nn.Conv3d(4, 8, (1, 3, 3), (1, 2, 1), (0, 1, 1), groups=2)
        self.time, self.whole = nn.Conv3d(4, 6, (3, 1, 1), (2, 1, 1), (2, 0, 0), (2, 1, 1), bias=False), nn.Conv3d(4, 6, 3, padding=1)
        self.spread = nn.ConvTranspose3d(4, 6, 2, 2)

    def forward(self, x: "2x4x5x7x6xf32"):
        return self.patches(x), self.space(x), self.time(x), self.whole(x), self.spread(x)


class Numbered(nn.Module):
    """Sizes that are computed of numbers in buffers, as EnCodec pads, beside a number that counts calls."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Conv1d(4, 4, 5, 3)
        for name, value in ("stride", 3), ("taps", 5), ("calls", 7):
            self.register_buffer(name, torch.tensor(value), persistent=False)

    def forward(self, x: "1x4x30xf32"):
        self.calls.add_(1)
        frames = torch.ceil((x.shape[-1] - self.taps) / self.stride + 1).to(torch.int64) - 1
        return self.layer(F.pad(x, (1, frames * self.stride + self.taps - x.shape[-1]))) * self.calls


class Grid(nn.Module):
    """Windows of a grid of patches, as the towers of Qwen's models have them: which they are, and how long, numbers in a buffer say."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(16, 16)
        self.register_buffer("grid", torch.tensor([[1, 4, 6], [1, 2, 2]]), persistent=False)

    def forward(self, x: "28x16xf32"):
        order, lengths, begin = [], [], 0
        for frames, height, width in self.grid.tolist():
            places = F.pad(torch.arange(begin, begin + frames * height * width).reshape(frames, height, width), (0, 1, 0, 1), "constant", -1)
            order += [part[part != -1] for part in places.unfold(1, 3, 2).flatten(0, 1)]
            lengths += [len(part) for part in order[len(lengths):]]
            begin += frames * height * width
        ends = torch.tensor(lengths).cumsum(0)
        frames = torch.repeat_interleave(self.grid[:, 1] * self.grid[:, 2], self.grid[:, 0]).cumsum(0)
        table = self.layer(x)[torch.cat(order)]
        parts = torch.split(table, (ends - F.pad(ends, (1, 0))[:-1]).tolist())
        return torch.cat([part - part.mean(0) for part in parts]), torch.cat([part.cumsum(0) for part in table.tensor_split(frames[:-1].tolist())])


class Trained(nn.Module):
    """A step of training, whose gradients are of buffers that change, and one of what is given."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(16, 8)
        for name, tensor in ("weight", torch.zeros(8, 16)), ("bias", torch.zeros(8)), ("momentum", torch.zeros(8, 16)):
            self.register_buffer(name, tensor)

    def forward(self, x: "4x16xf32", y: "4x8xf32"):
        def loss(parts):
            return F.mse_loss(torch.func.functional_call(self.layer, parts, (x,)).tanh(), y)

        found, value = torch.func.grad_and_value(loss)({"weight": self.weight, "bias": self.bias})
        self.momentum.mul_(0.9).add_(found["weight"])
        self.weight.sub_(0.1 * self.momentum)
        with torch.enable_grad():
            given = x.detach().requires_grad_()
            (slope,) = torch.autograd.grad(F.gelu(given).square().sum(), given)
        return value, slope, self.weight.clone(), found["bias"]


class Rolled(nn.Module):
    """By one dimension, by two and by all."""

    def forward(self, x: "4x6x8xf32"):
        return x.roll(-1, -1), x.roll((2, -3), (0, 1)), x.roll(5)


class Transposed(nn.Module):
    """Convolutions backwards, in groups of one channel and of more."""

    def __init__(self):
        super().__init__()
        self.whole, self.groups = nn.ConvTranspose2d(4, 6, 3, 2), nn.ConvTranspose2d(4, 6, 4, 2, 1, groups=2)
        self.channels, self.line = nn.ConvTranspose2d(4, 8, 3, groups=4), nn.ConvTranspose1d(4, 8, 4, 3, groups=2, output_padding=1)

    def forward(self, x: "2x4x5x7xf32", line: "2x4x9xf32"):
        return self.whole(x), self.groups(x), self.channels(x), self.line(line)


class Repeated(nn.Module):
    """What is spread over a dimension, and what stands side by side."""

    def forward(self, x: "4x1x8xf32"):
        return x.repeat(1, 5, 1), x.repeat(2, 1, 3), x.repeat(2, 3, 2), x[..., :1].repeat(3, 1, 1, 7)


class Sums(nn.Module):
    """Products that are written as sums over letters."""

    def forward(self, query: "2x3x4x16x8xf32", key: "2x3x4x16x8xf32", weight: "8x5xf32"):
        scores = torch.einsum("B G H I D, B G H J D -> B G H I J", query, key)
        return scores, torch.einsum("bghid,bghjd,do->bo", query, key, weight), torch.einsum(query, [0, 1, 2, 3, 4], weight, [4, 5], [0, 1, 5])


class Resized(nn.Module):
    """Images of another size, by a factor, of a size, and by what PyTorch makes of both."""

    def forward(self, x: "2x3x7x9xf32", line: "1x4x9xf32"):
        sizes = [dict(scale_factor=2.0), dict(size=(13, 5)), dict(size=(13, 5), align_corners=True), dict(scale_factor=1.7),
                 dict(scale_factor=(1.7, 2.3), recompute_scale_factor=True)]
        images = [F.interpolate(x, mode=mode, **each) for mode in ("bilinear", "bicubic") for each in sizes]
        images += [F.interpolate(x, size=size, mode=mode, antialias=True) for mode in ("bilinear", "bicubic") for size in ((4, 5), (5, 14))]
        images += [F.interpolate(x, size=size, mode=mode) for mode in ("nearest", "nearest-exact") for size in ((14, 27), (14, 5), (7, 13))]
        return images, F.interpolate(line, scale_factor=2.0, mode="linear"), F.interpolate(line, scale_factor=2.5), F.interpolate(x.bfloat16(), scale_factor=2.0, mode="bilinear")


class Bags(nn.Module):
    """Bags of one size, classes as rows, rows that are repeated."""

    def __init__(self):
        super().__init__()
        self.mean, self.sum = nn.EmbeddingBag(16, 32), nn.EmbeddingBag(16, 32, mode="sum")

    def forward(self, words: "4x8xsi32", shares: "4x8xf32"):
        classes = F.one_hot(words[0].long(), 16).float()
        return self.mean(words), self.sum(words, per_sample_weights=shares), torch.repeat_interleave(classes, torch.tensor([1, 2] * 4), 0, output_size=12)


class Experts(nn.Module):
    """Tokens in the order of their experts, as transformers writes it."""

    def __init__(self):
        super().__init__()
        self.choice, self.experts = nn.Linear(64, 4), nn.Parameter(torch.randn(4, 64, 32) * 0.1)

    def forward(self, x: "48x64xf32"):
        which, order = torch.sort(self.choice(x).topk(2)[1].reshape(-1))
        ends = torch.histc(which.float(), bins=4, min=0, max=3).cumsum(0, dtype=torch.int32)
        return torch._grouped_mm(x[order // 2].bfloat16(), self.experts.bfloat16(), offs=ends).float()


def sorted_by_experts(layer, x, index, weights):
    """What transformers has under the name grouped_mm, in short."""
    which, order = torch.sort(index.reshape(-1))
    made = layer.up_proj[which] @ x[order // index.shape[1]].unsqueeze(-1)
    made = (layer.down_proj[which] @ layer.act_fn(made)).squeeze(-1) * weights.reshape(-1)[order].unsqueeze(-1)
    return made[torch.argsort(order)].view(*index.shape, -1).sum(1)


# The place where transformers keeps the ways of its layers of experts, for a machine without it.
ways = sys.modules.setdefault("transformers.integrations.moe", types.ModuleType("transformers.integrations.moe"))
ways.ExpertsInterface = type("ExpertsInterface", (), {"_global_mapping": {"grouped_mm": sorted_by_experts}})


class Mixture(nn.Module):
    has_gate = has_bias = is_transposed = has_post_expert_norm = _is_expert_parallel = False
    num_experts = 4

    def __init__(self):
        super().__init__()
        torch.manual_seed(6)
        self.choice, self.act_fn = nn.Linear(64, 4, bias=False), nn.SiLU()
        self.up_proj, self.down_proj = nn.Parameter(torch.randn(4, 96, 64) / 8), nn.Parameter(torch.randn(4, 64, 96) / 8)

    def forward(self, x: "48x64xf32"):
        weights, index = self.choice(x).softmax(-1).topk(2)
        return ways.ExpertsInterface._global_mapping["grouped_mm"](self, x, index, weights)


def solved(a, b):
    if rule.is_torchdynamo_exporting():
        raise ValueError("a step for each row")
    return torch.linalg.solve_triangular(a, b, upper=False, unitriangular=True)


# What models of transformers with a gated delta rule have.
rule = sys.modules.setdefault("transformers.models.delta", types.ModuleType("transformers.models.delta"))
rule.torch_chunk_gated_delta_rule, rule.is_torchdynamo_exporting = solved, torch.compiler.is_exporting


class Triangles(nn.Module):
    """Systems of equations, those of a gated delta rule among them."""

    def forward(self, a: "2x40x40xf32", b: "2x40x8xf32"):
        return rule.torch_chunk_gated_delta_rule(a * 0.1, b), torch.linalg.solve_triangular(a.tanh() + torch.eye(40) * 20, b, upper=True)


class Translated(nn.Module):
    """A mask of which nothing is said, whose numbers PyTorch looks at."""

    def __init__(self):
        super().__init__()
        self.whole = nn.Transformer(64, 4, 1, 1, 128, batch_first=True)

    def forward(self, x: "2x24x64xf32", y: "2x16x64xf32"):
        return self.whole(x, y, tgt_mask=nn.Transformer.generate_square_subsequent_mask(16))


class Searched(nn.Module):
    """Rows of which each has its own order, and a number that is looked for."""

    def forward(self, a: "4x32xf32", b: "4x8xf32"):
        bins, order = a.round().sort(-1)[0], a.argsort(-1)
        return (torch.searchsorted(bins, b.round()), torch.searchsorted(bins, b.round(), right=True), torch.searchsorted(a, b, sorter=order),
                torch.searchsorted(bins[0], b.round(), side="right"), torch.searchsorted(bins[0], 1.0))


class Checked(nn.Module):
    """What a number is read for that nothing but an assertion asks about, as models of transformers have it."""

    def forward(self, x: "16x32xf32", index: "4xsi32"):
        torch._check_tensor_all((index >= 0) & (index < 16), lambda: "outside of the table")
        return x[index.long()]


class Bytes(nn.Module):
    def forward(self, a: "32x64xsi8", b: "64x32xsi8"):
        return torch._int_mm(a, b)


class Determinant(nn.Module):
    def forward(self, a: "2x8x8xf32"):
        return torch.linalg.det(a.tanh() + torch.eye(8) * 3)


class Flow(nn.Module):
    """Functions that are chosen from, and that are run again and again."""

    def __init__(self):
        super().__init__()
        self.this, self.other = nn.Linear(16, 16), nn.Linear(16, 16)

    def forward(self, x: "6x16xf32", n: "1xsi32"):
        chosen = torch.cond(n.sum() > 2, lambda x: self.this(x), lambda x: self.other(x).relu(), (x,))
        _, halved = while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, x * 0.5 + 1), (torch.tensor(0), chosen))
        return scan(lambda state, row: (state * 0.5 + row, state.clone()), torch.zeros(16), halved)


class Complex(nn.Module):
    """Rows turned by complex numbers, which are constants, of constants, or of lengths and angles."""

    def __init__(self):
        super().__init__()
        angles = torch.outer(torch.arange(32.0), torch.rand(32))
        for name, table in dict(angles=angles, parts=torch.stack((angles.cos(), angles.sin()), -1), turns=torch.polar(torch.ones(32, 32), angles)).items():
            self.register_buffer(name, table, persistent=False)

    def forward(self, x: "2x32x64xf32"):
        turns = torch.polar(torch.ones(32, 32), self.angles) * self.turns * torch.view_as_complex(self.parts)
        return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (32, 2))) * turns).flatten(2)


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(64, 32).to(torch.bfloat16)

    def forward(self, words: "4x32xsi32"):
        return self.table(words)


class Rows(nn.Module):
    """Rows and elements that are looked up."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(16, 32, padding_idx=0)

    def forward(self, words: "4x8xsi32", x: "3x8x6xf32"):
        places = (words[:2, :5].long() + torch.arange(5)) % 8
        elements = torch.gather(x, 1, places[:, :, None].expand(2, 5, 4)), torch.gather(x[0], -1, words[:, :1].long().expand(4, 7)[:, :6] % 6)
        many = torch.gather(x.flatten().repeat(500), 0, torch.arange(70000) * 7 % 72000)
        best = torch.gather(x[:2], 1, places[:, :, None].repeat(1, 1, 6)), torch.nn.functional.embedding((torch.arange(70000) % 16).view(700, 100), self.table.weight)
        corner, other = torch.tril_indices(3, 6, 1), torch.triu_indices(3, 8, -1)
        return x[0, corner[0], corner[1]], x[1].T[other[0], other[1]], many, self.table(words), torch.index_select(x, 1, places[0]), torch.index_select(x, -1, places[0, 0]), elements, best


class Elements(nn.Module):
    """Elements of rows that are looked up, more than a core holds the places of."""

    def forward(self, x: "400x300xf32", places: "400x200xsi32"):
        return torch.gather(x, 1, (places % 300).long())


class Sequences(nn.Module):
    """What the last states of both directions say of each sequence, and of one with projections of its states."""

    def __init__(self):
        super().__init__()
        self.both, self.projected = nn.LSTM(20, 12, bidirectional=True), nn.LSTM(20, 12, proj_size=5, batch_first=True)
        self.out = nn.Linear(24, 3)

    def forward(self, x: "6x4x20xf32"):
        _, (last, _) = self.both(x)
        every, (state, cell) = self.projected(x)
        return self.out(torch.cat((last[-2], last[-1]), dim=1)), every, state, cell


def two_inputs():
    return nn.Bilinear(32, 32, 32)


def a_number():
    return 3


def fails():
    raise ValueError("no such size")


class Needs(nn.Module):
    def __init__(self, width):
        super().__init__()


class Decides(nn.Module):
    def forward(self, x: "32xf32"):
        return x if x.sum() > 0 else -x


class Backward(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(32, 32)

    def forward(self, x: "32x32xf32"):
        loss = self.layer(x).sum()
        loss.backward()
        return loss


class Unknown(nn.Module):
    def forward(self, x: "32x32xf32"):
        return torch.linalg.eigvals(x)


class Random(nn.Module):
    def forward(self, x: "32x32xf32"):
        return x + torch.randn_like(x)


class Halves(nn.Linear):
    """Weights of a type that the chip has not."""

    def __init__(self):
        super().__init__(32, 32, dtype=torch.float16)

    def forward(self, x: "32x32xf32"):
        return super().forward(x.half())


class Halved(nn.Module):
    def forward(self, x: "32x32xf32"):
        return x.half().float()


class Tossed(nn.Module):
    def forward(self, x: "32x32xf32"):
        return F.gumbel_softmax(x)
