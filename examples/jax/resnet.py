"""A bottleneck block of ResNet-50, its batch norms folded into scales and shifts. docs/import.md has the command."""
import jax


def convolved(x, kernel, scale, shift):
    """x (images, height, width, channels); the kernel is (height, width, in, out)."""
    y = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return y * scale + shift


def bottleneck(x, reduce, scale1, shift1, middle, scale2, shift2, expand, scale3, shift3):
    y = jax.nn.relu(convolved(x, reduce, scale1, shift1))
    y = jax.nn.relu(convolved(y, middle, scale2, shift2))
    return jax.nn.relu(convolved(y, expand, scale3, shift3) + x)
