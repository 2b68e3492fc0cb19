"""A bottleneck block of ResNet-50, its batch norms folded into scales and shifts. tessera import jax examples/jax/resnet.py:bottleneck --params 1-"""
import jax


def convolved(x, kernel, scale, shift):
    """x (images, height, width, channels); the kernel is (height, width, in, out)."""
    y = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return y * scale + shift


def bottleneck(
    x: "8x56x56x256xbf16",
    reduce: "1x1x256x64xbf16", scale1: "64xbf16", shift1: "64xbf16",
    middle: "3x3x64x64xbf16", scale2: "64xbf16", shift2: "64xbf16",
    expand: "1x1x64x256xbf16", scale3: "256xbf16", shift3: "256xbf16",
):
    y = jax.nn.relu(convolved(x, reduce, scale1, shift1))
    y = jax.nn.relu(convolved(y, middle, scale2, shift2))
    return jax.nn.relu(convolved(y, expand, scale3, shift3) + x)
