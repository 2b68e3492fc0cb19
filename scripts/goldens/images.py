"""Golden vectors: Convolutions and pools."""
import torch
import torch.nn.functional as F

from goldens.formats import Tensor
from goldens.tensors import FLOATS, normal


def flat(image):
    """NCHW to 1 x 1 x N*H*W x C."""
    return image.permute(0, 2, 3, 1).reshape(1, 1, -1, image.shape[1])


def window_of(image, kernel, stride, padding, dilation):
    return {"batch_size": image.shape[0], "input_height": image.shape[2], "input_width": image.shape[3],
            "kernel_size": kernel, "stride": stride, "padding": padding, "dilation": dilation}


def four_sides(image, padding, value=0.0):
    sides = padding if len(padding) == 4 else [padding[0], padding[0], padding[1], padding[1]]
    return F.pad(image, (sides[2], sides[3], sides[0], sides[1]), value=value)


CONVOLUTIONS = [  # channels, outputs, groups, kernel, stride, padding, dilation
    (3, 8, 1, [3, 3], [1, 1], [1, 1], [1, 1]), (4, 6, 2, [3, 2], [2, 1], [0, 1], [1, 1]),
    (5, 5, 5, [3, 3], [1, 2], [1, 1, 2, 0], [1, 1]), (4, 3, 1, [3, 3], [1, 1], [2, 2], [2, 2]), (7, 33, 1, [1, 1], [2, 2], [0, 0], [1, 1])]


def convolution(family):
    first = None
    for types in (("bf16", "bf16", "bf16"), ("f32", "f32", "f32"), ("bf16", "bfp_bf8", "bf16"), ("bf16", "f32", "bfp_bf8")):
        for channels, outputs, groups, kernel, stride, padding, dilation in CONVOLUTIONS:
            image, weight = normal((2, channels, 7, 6)).values, normal((outputs, channels // groups, *kernel), types[1], 0.3)
            bias = normal((1, 1, 1, outputs), types[1])
            made = F.conv2d(four_sides(image, padding), weight.values, bias.values.flatten(), stride, 0, dilation, groups)
            operands = [Tensor(flat(image), types[0]), weight, bias]
            first = first or (*operands, flat(made))
            family.add("conv2d", operands, flat(made), types[2], in_channels=channels, out_channels=outputs, groups=groups,
                       **window_of(image, kernel, stride, padding, dilation))
    image, weight = normal((1, 3, 5, 5)).values, normal((4, 3, 3, 3))
    made = F.relu(F.conv2d(image, weight.values))
    family.add("conv2d", [Tensor(flat(image), "bf16"), weight], flat(made), "bf16", in_channels=3, out_channels=4, groups=1,
               **window_of(image, [3, 3], [1, 1], [0, 0], [1, 1]), **{"conv2d_config.activation": "<op_type = relu>"})
    return first


POOLS = [  # kernel, stride, padding, ceil mode
    ([2, 2], [2, 2], [0, 0], False), ([3, 3], [2, 2], [1, 1], False), ([3, 2], [2, 3], [1, 1], True), ([2, 2], [2, 2], [0, 0], True),
    ([3, 3], [2, 2], [1, 1], True), ([3, 3], [3, 3], [0, 0], True)]


def pools(family):
    for dtype in ("bf16", "f32", "bfp_bf8"):
        for kernel, stride, padding, ceil_mode in POOLS:
            x = normal((2, 5, 8, 7)).values - 2
            image = Tensor(flat(x), dtype)
            x = image.values.reshape(2, 8, 7, 5).permute(0, 3, 1, 2)
            window = {"channels": 5, "ceil_mode": ceil_mode, **window_of(x, kernel, stride, padding, [1, 1])}
            family.add("max_pool2d", [image], flat(F.max_pool2d(x, kernel, stride, padding, 1, ceil_mode)), dtype, dtype != "bfp_bf8",
                       **window)
            for counted in (True, False):
                mean = F.avg_pool2d(x, kernel, stride, padding, ceil_mode, counted)
                family.add("avg_pool2d", [image], flat(mean), dtype, count_include_pad=counted, **window)
            mean = F.avg_pool2d(x, kernel, stride, padding, ceil_mode, True, 3)
            family.add("avg_pool2d", [image], flat(mean), dtype, divisor_override=3, **window)
        x = normal((2, 5, 8, 7)).values
        window = {"channels": 5, "ceil_mode": False, **window_of(x, [2, 3], [1, 1], [1, 1], [2, 2])}
        if dtype != "bfp_bf8":
            family.add("max_pool2d", [Tensor(flat(x), dtype)], flat(F.max_pool2d(x, [2, 3], 1, 1, 2)), dtype, True, **window)


def images(family):
    for dtype in FLOATS:
        x = normal((2, 3, 4, 35), dtype)
        family.add("global_avg_pool2d", [x], x.values.mean((1, 2), keepdim=True), dtype)
        for factors in (2, [3, 2]):
            made = F.interpolate(x.values.permute(0, 3, 1, 2), scale_factor=factors, mode="nearest").permute(0, 2, 3, 1)
            family.add("upsample", [x], made, dtype, True, scale_factor=factors, mode="nearest")


def prepared(family, image, weight, bias, made):
    """The first convolution once more, with weights that were prepared: (tap, input channel) x output channel."""
    rows = Tensor(weight.values.permute(2, 3, 1, 0).reshape(1, 1, 27, 8), "bf16")
    attributes = dict(in_channels=3, out_channels=8, groups=1, batch_size=2, input_height=7, input_width=6,
                      kernel_size=[3, 3], stride=[1, 1], padding=[1, 1], dilation=[1, 1])
    family.add("prepare_conv2d_weights", [weight], rows.values, "bf16", True, **attributes)
    family.add("conv2d", [image, rows, bias], made, "bf16", **attributes)


def window(family):
    first = convolution(family)
    pools(family)
    images(family)
    prepared(family, *first)
