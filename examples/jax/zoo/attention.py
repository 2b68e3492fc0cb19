"""Attention as models have it, functions of our own that scripts/update-own-models plans.

From which argument on these are weights: t5 1-, swin 1-, whisper 1-, gpt2 1-, cross 2-, dit 2-, gemma_decode 3-, parallel 1-, bart 2-, mla 1-, clip 1-.
"""

import jax
import jax.numpy as jnp
from jax import lax

bf = jnp.bfloat16


def ln(x, g, b, eps=1e-5):
    m = jnp.mean(x, -1, keepdims=True)
    v = jnp.mean((x - m) ** 2, -1, keepdims=True)
    return (x - m) * lax.rsqrt(v + eps) * g + b


def rms(x, g):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g


def t5(
    x: "1x512x768xbf16",
    g: "768xbf16",
    wq: "768x768xbf16",
    wk: "768x768xbf16",
    wv: "768x768xbf16",
    bias: "1x12x512x512xbf16",
    wo: "768x768xbf16",
    g2: "768xbf16",
    w1: "768x2048xbf16",
    w3: "768x2048xbf16",
    w2: "2048x768xbf16",
):
    """T5 encoder layer: x 1x512x768, 12 heads, relative bias."""
    h = rms(x, g)
    B, T, D = h.shape
    H = 12
    s = lambda w: (h @ w).reshape(B, T, H, 64).transpose(0, 2, 1, 3)
    a = jax.nn.softmax((s(wq) @ s(wk).swapaxes(-1, -2) + bias).astype(jnp.float32), -1).astype(bf)
    x = x + (a @ s(wv)).transpose(0, 2, 1, 3).reshape(B, T, H * 64) @ wo
    h = rms(x, g2)
    return x + (jax.nn.gelu(h @ w1) * (h @ w3)) @ w2


def swin(
    x: "1x56x56x96xbf16",
    g: "96xbf16",
    b: "96xbf16",
    wqkv: "96x288xbf16",
    bias: "3x49x49xbf16",
    wo: "96x96xbf16",
):
    """Window attention: x 1x56x56x96, windows 7x7, 3 heads."""
    B, H, W, C = x.shape
    w = 7
    h = ln(x, g, b).reshape(B, H // w, w, W // w, w, C).transpose(0, 1, 3, 2, 4, 5).reshape(-1, w * w, C)
    qkv = (h @ wqkv).reshape(-1, w * w, 3, 3, C // 3).transpose(2, 0, 3, 1, 4)
    q, k, v = qkv[0], qkv[1], qkv[2]
    a = jax.nn.softmax(q @ k.swapaxes(-1, -2) * (C // 3) ** -0.5 + bias, -1)
    o = (a @ v).swapaxes(1, 2).reshape(-1, w * w, C) @ wo
    o = o.reshape(B, H // w, W // w, w, w, C).transpose(0, 1, 3, 2, 4, 5).reshape(B, H, W, C)
    return x + o


def whisper(
    x: "1x80x3000xbf16",
    k1: "384x80x3xbf16",
    c1: "384xbf16",
    k2: "384x384x3xbf16",
    c2: "384xbf16",
    g: "384xbf16",
    b: "384xbf16",
    wq: "384x384xbf16",
    wk: "384x384xbf16",
    wv: "384x384xbf16",
    wo: "384x384xbf16",
):
    """Conv1d stem + attention: x 1x80x3000 (NCT)."""
    y = lax.conv_general_dilated(x, k1, (1,), [(1, 1)], dimension_numbers=("NCH", "OIH", "NCH")) + c1[None, :, None]
    y = jax.nn.gelu(y)
    y = lax.conv_general_dilated(y, k2, (2,), [(1, 1)], dimension_numbers=("NCH", "OIH", "NCH")) + c2[None, :, None]
    y = jax.nn.gelu(y).swapaxes(1, 2)
    h = ln(y, g, b)
    B, T, D = h.shape
    H = 6
    q = (h @ wq).reshape(B, T, H, D // H).swapaxes(1, 2)
    k = (h @ wk).reshape(B, T, H, D // H).swapaxes(1, 2)
    v = (h @ wv).reshape(B, T, H, D // H).swapaxes(1, 2)
    a = jax.nn.softmax(q @ k.swapaxes(-1, -2) * (D // H) ** -0.5, axis=-1)
    return y + ((a @ v).swapaxes(1, 2).reshape(B, T, D)) @ wo


def gpt2(
    x: "2x256x768xbf16",
    g: "768xbf16",
    c: "768xbf16",
    wqkv: "768x2304xbf16",
    bq: "2304xbf16",
    wo: "768x768xbf16",
    bo: "768xbf16",
):
    """Causal attention of GPT-2."""
    h = ln(x, g, c)
    q, k, v = jnp.split(h @ wqkv + bq, 3, -1)
    B, T, D = x.shape
    s = lambda t: t.reshape(B, T, 12, 64).swapaxes(1, 2)
    m = jnp.tril(jnp.ones((T, T), bool))
    a = (s(q) @ s(k).swapaxes(-1, -2)) * 0.125
    a = jnp.where(m, a, -1e9)
    return x + (jax.nn.softmax(a, -1) @ s(v)).swapaxes(1, 2).reshape(B, T, D) @ wo + bo


def cross(
    x: "2x1024x320xbf16",
    ctx: "2x77x768xbf16",
    wq: "320x320xbf16",
    wk: "768x320xbf16",
    wv: "768x320xbf16",
    wo: "320x320xbf16",
):
    """Cross attention of a diffusion U-Net, 8 heads of 40."""
    B, T, D = x.shape
    S = ctx.shape[1]
    q = (x @ wq).reshape(B, T, 8, 40).swapaxes(1, 2)
    k = (ctx @ wk).reshape(B, S, 8, 40).swapaxes(1, 2)
    v = (ctx @ wv).reshape(B, S, 8, 40).swapaxes(1, 2)
    a = jax.nn.softmax((q @ k.swapaxes(-1, -2)).astype(jnp.float32) * 40**-0.5, -1).astype(bf)
    return x + (a @ v).swapaxes(1, 2).reshape(B, T, 320) @ wo


def dit(
    x: "2x256x1152xbf16",
    c: "2x1152xbf16",
    wc: "1152x6912xbf16",
    wqkv: "1152x3456xbf16",
    wo: "1152x1152xbf16",
    w1: "1152x4608xbf16",
    b1: "4608xbf16",
    w2: "4608x1152xbf16",
    b2: "1152xbf16",
):
    """DiT block with adaLN: x 2x256x1152, c 2x1152, 16 heads of 72."""
    B, T, D = x.shape
    H = 16
    nrm = lambda y: (y - jnp.mean(y, -1, keepdims=True)) * lax.rsqrt(jnp.var(y, -1, keepdims=True) + 1e-6)
    s1, k1, g1, s2, k2, g2 = jnp.split((jax.nn.silu(c) @ wc)[:, None, :], 6, -1)
    h = nrm(x) * (1 + k1) + s1
    q, k, v = jnp.split(h @ wqkv, 3, -1)
    s = lambda y: y.reshape(B, T, H, D // H).swapaxes(1, 2)
    a = jax.nn.softmax(s(q) @ s(k).swapaxes(-1, -2) * (D // H) ** -0.5, -1)
    x = x + g1 * ((a @ s(v)).swapaxes(1, 2).reshape(B, T, D) @ wo)
    h = nrm(x) * (1 + k2) + s2
    return x + g2 * (jax.nn.gelu(h @ w1 + b1) @ w2 + b2)


def gemma_decode(
    x: "32x2304xbf16",
    k: "32x4x256x256xbf16",
    v: "32x4x256x256xbf16",
    g1: "2304xbf16",
    wq: "2304x2048xbf16",
    wk: "2304x1024xbf16",
    wv: "2304x1024xbf16",
    wo: "2048x2304xbf16",
    g2: "2304xbf16",
    g3: "2304xbf16",
    w1: "2304x9216xbf16",
    w3: "2304x9216xbf16",
    w2: "9216x2304xbf16",
    cos: "1x1x256xbf16",
    sin: "1x1x256xbf16",
):
    """Gemma 2 decode with soft caps: x 32x2304, k v 32x4x256x256 (users, kv heads, positions, head); 8 heads."""
    h = rms(x, g1)
    U = 32
    rot = lambda y: y * cos + jnp.concatenate([-y[..., 128:], y[..., :128]], -1) * sin
    q = rot((h @ wq).reshape(U, 8, 256))
    kn = rot((h @ wk).reshape(U, 4, 256))
    vn = (h @ wv).reshape(U, 4, 256)
    k = jnp.concatenate([k[:, :, 1:], kn[:, :, None]], 2)
    v = jnp.concatenate([v[:, :, 1:], vn[:, :, None]], 2)
    s = jnp.einsum("ughd,ugtd->ught", q.reshape(U, 4, 2, 256), k) * 256**-0.5
    s = jnp.tanh(s / 50) * 50
    a = jax.nn.softmax(s, -1)
    o = jnp.einsum("ught,ugtd->ughd", a, v).reshape(U, -1) @ wo
    x = x + rms(o, g2)
    h = rms(x, g3)
    return x + (jax.nn.gelu(h @ w1) * (h @ w3)) @ w2, k, v


def parallel(
    x: "1x256x2048xbf16",
    g: "2048xbf16",
    b: "2048xbf16",
    wqkv: "2048x6144xbf16",
    bqkv: "6144xbf16",
    wo: "2048x2048xbf16",
    w1: "2048x8192xbf16",
    b1: "8192xbf16",
    w2: "8192x2048xbf16",
):
    """GPT-J / Phi: attention and MLP side by side, causal: x 1x256x2048, 32 heads of 64."""
    h = ln(x, g, b)
    B, T, D = x.shape
    q, k, v = jnp.split(h @ wqkv + bqkv, 3, -1)
    s = lambda y: y.reshape(B, T, 32, 64).swapaxes(1, 2)
    m = jnp.tril(jnp.ones((T, T), bool))
    a = jnp.where(m, s(q) @ s(k).swapaxes(-1, -2) * 0.125, -1e9)
    a = jax.nn.softmax(a, -1)
    return x + (a @ s(v)).swapaxes(1, 2).reshape(B, T, D) @ wo + jax.nn.gelu(h @ w1 + b1) @ w2


def bart(
    x: "4x128x768xbf16",
    enc: "4x512x768xbf16",
    g1: "768xbf16",
    b1: "768xbf16",
    wq: "768x768xbf16",
    wk: "768x768xbf16",
    wv: "768x768xbf16",
    wo: "768x768xbf16",
    g2: "768xbf16",
    b2: "768xbf16",
    w1: "768x3072xbf16",
    c1: "3072xbf16",
    w2: "3072x768xbf16",
    c2: "768xbf16",
):
    """Decoder layer's cross attention and MLP, norms behind: x 4x128x768, enc 4x512x768."""
    B, T, D = x.shape
    s = lambda y: y.reshape(B, -1, 12, 64).swapaxes(1, 2)
    a = jax.nn.softmax(s(x @ wq) @ s(enc @ wk).swapaxes(-1, -2) * 0.125, -1)
    x = ln(x + (a @ s(enc @ wv)).swapaxes(1, 2).reshape(B, T, D) @ wo, g1, b1)
    return ln(x + jax.nn.gelu(x @ w1 + c1) @ w2 + c2, g2, b2)


def mla(
    x: "1x128x1024xbf16",
    wdq: "1024x512xbf16",
    gq: "512xbf16",
    wuq: "512x1024xbf16",
    wdkv: "1024x256xbf16",
    gk: "256xbf16",
    wuk: "256x1024xbf16",
    wuv: "256x1024xbf16",
    wo: "1024x1024xbf16",
):
    """DeepSeek's latent attention, prefill without rope: x 1x128x1024, 16 heads of 64."""
    T = 128
    q = (rms(x @ wdq, gq) @ wuq).reshape(1, T, 16, 64).swapaxes(1, 2)
    c = rms(x @ wdkv, gk)
    k = (c @ wuk).reshape(1, T, 16, 64).swapaxes(1, 2)
    v = (c @ wuv).reshape(1, T, 16, 64).swapaxes(1, 2)
    a = jax.nn.softmax((q @ k.swapaxes(-1, -2)).astype(jnp.float32) * 0.125, -1).astype(bf)
    return x + (a @ v).swapaxes(1, 2).reshape(1, T, -1) @ wo


def clip(
    tok: "8x77xi32",
    emb: "49408x512xbf16",
    pos: "77x512xbf16",
    g: "512xbf16",
    b: "512xbf16",
    wqkv: "512x1536xbf16",
    bqkv: "1536xbf16",
    wo: "512x512xbf16",
    bo: "512xbf16",
    g2: "512xbf16",
    b2: "512xbf16",
    w1: "512x2048xbf16",
    c1: "2048xbf16",
    w2: "2048x512xbf16",
    c2: "512xbf16",
    proj: "512x512xbf16",
):
    """CLIP text layer with embedding and quick gelu, causal: 8x77 tokens, 512, 8 heads."""
    x = jnp.take(emb, tok, axis=0) + pos
    B, T, D = x.shape
    h = ln(x, g, b)
    q, k, v = jnp.split(h @ wqkv + bqkv, 3, -1)
    s = lambda y: y.reshape(B, T, 8, 64).swapaxes(1, 2)
    m = jnp.where(jnp.tril(jnp.ones((T, T), bool)), 0.0, -1e9).astype(bf)
    a = jax.nn.softmax(s(q) @ s(k).swapaxes(-1, -2) * 0.125 + m, -1)
    x = x + (a @ s(v)).swapaxes(1, 2).reshape(B, T, D) @ wo + bo
    h = ln(x, g2, b2) @ w1 + c1
    x = x + (h * jax.nn.sigmoid(1.702 * h)) @ w2 + c2
    return x[:, -1] @ proj
