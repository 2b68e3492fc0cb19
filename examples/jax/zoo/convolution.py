"""Convolutions and what stands around them, functions of our own that scripts/update-own-models plans.

From which argument on these are weights: gnres 1-, mbconv 1-, convnext 1-, patch 1-, unetup 2-, conformer 1-, vgg 1-, dense_block 1-.
"""

import jax
import jax.numpy as jnp
from jax import lax

bf = jnp.bfloat16


def ln(x, g, b, eps=1e-5):
    m = jnp.mean(x, -1, keepdims=True)
    v = jnp.mean((x - m) ** 2, -1, keepdims=True)
    return (x - m) * lax.rsqrt(v + eps) * g + b


def conv(x, k, s=(1, 1), g=1, p="SAME"):
    return lax.conv_general_dilated(x, k, s, p, dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=g)


def gnres(
    x: "1x64x64x128xbf16",
    g1: "128xbf16",
    b1: "128xbf16",
    k1: "3x3x128x128xbf16",
    g2: "128xbf16",
    b2: "128xbf16",
    k2: "3x3x128x128xbf16",
):
    """Diffusion res block, NHWC 1x64x64x128, group norm of 32."""

    def gn(x, g, b):
        B, H, W, C = x.shape
        y = x.reshape(B, H * W, 32, C // 32)
        m = jnp.mean(y, (1, 3), keepdims=True)
        v = jnp.mean((y - m) ** 2, (1, 3), keepdims=True)
        return ((y - m) * lax.rsqrt(v + 1e-5)).reshape(B, H, W, C) * g + b

    c = lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    y = c(jax.nn.silu(gn(x, g1, b1)), k1)
    y = c(jax.nn.silu(gn(y, g2, b2)), k2)
    return x + y


def mbconv(
    x: "1x28x28x32xbf16",
    k1: "1x1x32x192xbf16",
    b1: "192xbf16",
    k2: "3x3x1x192xbf16",
    b2: "192xbf16",
    s1: "192x48xbf16",
    s2: "48x192xbf16",
    k3: "1x1x192x32xbf16",
    b3: "32xbf16",
):
    """MBConv of an EfficientNet: expand, depthwise, squeeze and excite, project."""
    y = jax.nn.relu6(conv(x, k1) + b1)
    y = jax.nn.relu6(conv(y, k2, g=192) + b2)
    z = jnp.mean(y, (1, 2), keepdims=True)
    z = jax.nn.sigmoid(jax.nn.silu(z @ s1) @ s2)
    y = y * z
    return x + conv(y, k3) + b3


def convnext(
    x: "1x56x56x96xbf16",
    k: "7x7x1x96xbf16",
    b: "96xbf16",
    g: "96xbf16",
    c: "96xbf16",
    w1: "96x384xbf16",
    w2: "384x96xbf16",
    ls: "96xbf16",
):
    """ConvNeXt block: depthwise 7x7, layer norm, MLP with a scale per channel."""
    y = conv(x, k, g=96) + b
    y = ln(y, g, c)
    y = jax.nn.gelu(y @ w1) @ w2
    return x + y * ls


def patch(
    x: "1x224x224x3xbf16",
    k: "16x16x3x384xbf16",
    b: "384xbf16",
    pos: "1x196x384xbf16",
    g: "384xbf16",
    c: "384xbf16",
    wqkv: "384x1152xbf16",
    wo: "384x384xbf16",
):
    """ViT from pixels: patches of 16x16, positions, one attention."""
    y = conv(x, k, (16, 16), p="VALID") + b
    y = y.reshape(1, 196, 384) + pos
    h = ln(y, g, c)
    q, k_, v = jnp.split(h @ wqkv, 3, -1)
    s = lambda t: t.reshape(1, 196, 6, 64).swapaxes(1, 2)
    a = jax.nn.softmax((s(q) @ s(k_).swapaxes(-1, -2)) * 0.125, -1)
    return y + (a @ s(v)).swapaxes(1, 2).reshape(1, 196, 384) @ wo


def unetup(
    x: "1x16x16x256xbf16",
    skip: "1x32x32x128xbf16",
    k: "3x3x384x128xbf16",
    b: "128xbf16",
):
    """One step up of a U-Net: nearest upsampling, skip connection, convolution."""
    y = jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)
    y = jnp.concatenate([y, skip], -1)
    return jax.nn.silu(conv(y, k) + b)


def conformer(
    x: "4x400x256xbf16",
    g: "256xbf16",
    b: "256xbf16",
    w1: "256x512xbf16",
    b1: "512xbf16",
    kd: "31x1x256xbf16",
    gs: "256xbf16",
    bs: "256xbf16",
    w2: "256x256xbf16",
    b2: "256xbf16",
):
    """Conformer conv module: x 4x400x256; pointwise, GLU, depthwise conv1d 31, swish."""
    h = ln(x, g, b) @ w1 + b1
    u, v = jnp.split(h, 2, -1)
    h = u * jax.nn.sigmoid(v)
    h = lax.conv_general_dilated(h, kd, (1,), "SAME", dimension_numbers=("NHC", "HIO", "NHC"), feature_group_count=256)
    return x + jax.nn.silu(h * gs + bs) @ w2 + b2


def vgg(
    x: "4x32x32x64xbf16",
    k1: "3x3x64x128xbf16",
    c1: "128xbf16",
    k2: "3x3x128x128xbf16",
    c2: "128xbf16",
    w: "32768x256xbf16",
    b: "256xbf16",
):
    """Two convolutions, max pool, classifier: x 4x32x32x64."""
    c = lambda y, k, b: jax.nn.relu(lax.conv_general_dilated(y, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + b)
    y = c(c(x, k1, c1), k2, c2)
    y = lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return jax.nn.log_softmax(y.reshape(4, -1) @ w + b)


def dense_block(
    x: "1x56x56x128xbf16",
    g: "128xbf16",
    b: "128xbf16",
    m: "128xbf16",
    v: "128xbf16",
    k1: "1x1x128x128xbf16",
    g2: "128xbf16",
    b2: "128xbf16",
    m2: "128xbf16",
    v2: "128xbf16",
    k2: "3x3x128x32xbf16",
):
    """DenseNet layer with batch norms: x 1x56x56x128."""
    bn = lambda x, g, b, m, v: (x - m) * lax.rsqrt(v + 1e-5) * g + b
    c = lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    y = c(jax.nn.relu(bn(x, g, b, m, v)), k1)
    y = c(jax.nn.relu(bn(y, g2, b2, m2, v2)), k2)
    return jnp.concatenate([x, y], -1)
