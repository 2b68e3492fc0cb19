"""Golden vectors: What programs have since autumn 2026: activations of binary ops, pages, rows, prepared weights."""
import math

import torch
import torch.nn.functional as F

from goldens.formats import Tensor
from goldens.tensors import FLOATS, normal
from goldens.images import flat, window_of
from goldens.transformer import attend


def recent(family):
    for dtype in FLOATS:
        activations(family, dtype)
        paged_attention(family, dtype)
        rows(family, dtype)
        prepared(family, dtype)
        heads = normal((2, 3, 8, 4), dtype)
        family.add("nlp_concat_heads_decode", [heads], heads.values[:, :, :6].reshape(2, 1, 3, 24), dtype, True, num_heads=6)
    for dtype in FLOATS:
        lines(family, dtype)
    for dtype in FLOATS:
        looked_up(family, dtype)
    for dtype in FLOATS:
        running(family, dtype)
    volumes(family, "bf16")
    for dtype in FLOATS:
        places_of_maxima(family, dtype)


def activations(family, dtype):
    a, b = normal((7, 37), dtype), normal((37,), dtype)
    x, y = a.values, b.values
    family.add("multiply", [a, b], F.silu(x) * y, dtype, input_tensor_a_activations="silu")
    family.add("subtract", [a, b], F.relu(x - torch.sigmoid(y)), dtype, input_tensor_b_activations="sigmoid", activations="relu")
    family.add("add", [a, b], F.leaky_relu(torch.abs(x) - 2 + y, 0.125), dtype,
               input_tensor_a_activations="abs, sub_unary_sfpu(2)", activations="leaky_relu(0.125)")
    family.add("ge", [a, b], (x * x >= torch.exp2(y)).double(), dtype, True, input_tensor_a_activations="square",
               input_tensor_b_activations="exp2")


def paged_attention(family, dtype):
    """Two users, blocks of 32 positions, two key heads of four heads each."""
    query = normal((1, 2, 8, 4), dtype)
    keys, values = normal((8, 2, 32, 4), dtype), normal((8, 2, 32, 4), dtype)
    table, last = Tensor(torch.tensor([[5, 0, 3], [6, 7, 1]]), "si32"), Tensor(torch.tensor([70, 31]), "si32")
    pages = [cache.values[table.values].permute(0, 2, 1, 3, 4).reshape(2, 2, 96, 4) for cache in (keys, values)]
    seen = torch.where(torch.arange(96) <= last.values[:, None], 0.0, -math.inf)[:, None, None].double()
    made = attend(query.values.permute(1, 2, 0, 3), *pages, 0.25, seen).permute(2, 0, 1, 3)
    family.add("paged_scaled_dot_product_attention_decode", [query, keys, values, table, last], made, dtype,
               operandSegmentSizes=[1, 1, 1, 1, 0, 1, 0], is_causal=True, scale=0.25)


def rows(family, dtype):
    store, new = normal((3, 34, 5), dtype), normal((3, 2, 5), dtype)
    made = store.values.clone()
    made[:, 31:33] = new.values
    family.add("rows_scatter", [store, Tensor(torch.tensor([[[31]]]), "si32"), new], made, dtype, True, column=False,
               reduce="#ttcore.reduce_type<invalid>", sizes=[34], windows=[2])


def prepared(family, dtype):
    """The weights as a matrix: rows are the kernel's rows, its columns and input channels; columns are output channels."""
    x, weight, bias = normal((2, 3, 5, 5)).values, normal((4, 3, 3, 2), dtype), normal((1, 1, 1, 4), dtype)
    image, matrix = Tensor(flat(x), dtype), weight.values.permute(2, 3, 1, 0).reshape(1, 1, 18, 4)
    x = image.values.reshape(2, 5, 5, 3).permute(0, 3, 1, 2)
    window = window_of(x, [3, 2], [1, 1], [0, 0], [1, 1])
    family.add("prepare_conv2d_weights", [weight], matrix, dtype, True, groups=1, weights_format="OIHW")
    family.add("prepare_conv2d_bias", [bias], bias.values, dtype, True, groups=1)
    family.add("conv2d", [image, Tensor(matrix, dtype), bias], flat(F.conv2d(x, weight.values, bias.values.flatten())), dtype,
               in_channels=3, out_channels=4, groups=1, **window)


def lines(family, dtype):
    """Convolutions over one dimension: lines of channels last."""
    for channels, outputs, groups, kernel, stride, padding, dilation in ((3, 4, 1, 3, 1, [1, 1], 1), (4, 6, 2, 2, 2, [0, 1], 1), (2, 2, 2, 3, 1, [2, 2], 2)):
        given, weight = normal((2, channels, 9), dtype), normal((outputs, channels // groups, kernel), dtype, 0.3)
        line = Tensor(given.values.permute(0, 2, 1), dtype)
        made = F.conv1d(F.pad(line.values.permute(0, 2, 1), padding), weight.values, None, stride, 0, dilation, groups)
        family.add("conv1d", [line, weight], made.permute(0, 2, 1).reshape(1, 1, -1, outputs), dtype, batch_size=2, input_length=9, in_channels=channels,
                   out_channels=outputs, groups=groups, kernel_size=kernel, stride=stride, padding=padding, dilation=dilation)


def looked_up(family, dtype):
    """Rows by number, one of them beyond the last; a window of a row and three elements in each of two entries; a part that begins at a number."""
    table, numbers = normal((1, 9, 5), dtype), torch.tensor([[[7, 0, 12, 3]]])
    family.add("rows_gather", [table, Tensor(numbers, "si32")], table.values[:, numbers.flatten().clamp(0, 8)], dtype, True, column=False,
               fill_out_of_bounds=False, sizes=[9], windows=[1])
    entries, places = normal((2, 4, 6), dtype), torch.tensor([[[2], [1]], [[0], [3]]])
    made = torch.stack([entries.values[0, 2:3, 1:4], entries.values[1, 0:1, 3:6]])
    family.add("rows_gather", [entries, Tensor(places, "si32")], made, dtype, True, column=True, fill_out_of_bounds=False, sizes=[4, 6], windows=[1, 3])
    whole, begins, ends = normal((3, 8, 10), dtype), torch.tensor([2, 0, 0]), torch.tensor([3, 8, 10])
    family.add("slice_dynamic", [whole, Tensor(begins, "si32"), Tensor(ends, "si32")], whole.values[2:3], dtype, True)


def running(family, dtype):
    """What each element makes with those before it, or with those behind it."""
    x = normal((5, 40), dtype)
    for name, made in (("max", lambda v: v.cummax(1).values), ("min", lambda v: v.cummin(1).values),
                       ("logsumexp", lambda v: v.logcumsumexp(1))):
        for reverse in (False, True):
            values = made(x.values.flip(1)).flip(1) if reverse else made(x.values)
            family.add("cumulative", [x], values, dtype, name != "logsumexp", dim=1, reduction=f"#ttcore.reduce_type<{name}>",
                       reverse=reverse)


def volumes(family, dtype):
    """Convolutions over depth, height and width, channels last; weights as given, and prepared in blocks of sixteen channels."""
    for kernel, stride, padding, dilation in (([3, 2, 3], [1, 2, 1], [1, 0, 1], [1, 1, 1]), ([1, 3, 2], [2, 1, 1], [0, 1, 0], [1, 2, 1])):
        given, weight = normal((2, 32, 5, 6, 4), dtype), normal((7, 32, *kernel), dtype, 0.1)
        bias = normal((1, 7), dtype)
        volume = Tensor(given.values.permute(0, 2, 3, 4, 1), dtype)
        made = F.conv3d(given.values, weight.values, bias.values.flatten(), stride, padding, dilation).permute(0, 2, 3, 4, 1)
        sizes = dict(batch_size=2, in_channels=32, out_channels=7, input_depth=5, input_height=6, input_width=4, kernel_size=kernel,
                     stride=stride, padding=padding, dilation=dilation, groups=1, padding_mode="zeros")
        family.add("conv3d", [volume, weight, bias], made, dtype, **sizes)
        taps = kernel[0] * kernel[1] * kernel[2]
        rows = Tensor(weight.values.reshape(7, 2, 16, taps).permute(1, 3, 2, 0).reshape(-1, 7), dtype)
        family.add("prepare_conv3d_weights", [weight], rows.values, dtype, True, groups=1, c_in_block=16, alignment=32)
        family.add("conv3d", [volume, rows, bias], made, dtype, **sizes, **{"conv3d_config.c_in_block": 16})


def places_of_maxima(family, dtype):
    """Of a window: which pixel of its image."""
    x = normal((2, 5, 8, 7)).values
    image = Tensor(flat(x), dtype)
    x = image.values.reshape(2, 8, 7, 5).permute(0, 3, 1, 2)
    window = {"channels": 5, "ceil_mode": False, **window_of(x, [3, 3], [2, 2], [1, 1], [1, 1])}
    values, places = F.max_pool2d(x, 3, 2, 1, 1, False, True)
    family.add("max_pool2d_with_indices", [image], flat(values), dtype, True, others=[Tensor(flat(places), "u16")], **window)
    family.add("max_pool2d_with_indices", [image], flat(places), "u16", True, others=[Tensor(flat(values), dtype)], place=1, **window)
