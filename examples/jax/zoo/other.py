"""Gates, experts, recurrences, lookups, functions of our own that scripts/update-own-models plans.

From which argument on these are weights: lstm 3-, mixer 1-, moe 1-, mamba 1-, rwkv 2-, nerf 1-, dlrm 2-.
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


def lstm(
    x: "64x512xbf16",
    h: "64x512xbf16",
    c: "64x512xbf16",
    w: "512x2048xbf16",
    u: "512x2048xbf16",
    b: "2048xbf16",
):
    """One LSTM step: x,h,c 64x512."""
    z = x @ w + h @ u + b
    i, f, g, o = jnp.split(z, 4, -1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def mixer(
    x: "8x196x512xbf16",
    g1: "512xbf16",
    b1: "512xbf16",
    w1: "196x256xbf16",
    w2: "256x196xbf16",
    g2: "512xbf16",
    b2: "512xbf16",
    w3: "512x2048xbf16",
    w4: "2048x512xbf16",
):
    """MLP-Mixer block: x 8x196x512."""
    y = ln(x, g1, b1).swapaxes(1, 2)
    y = jax.nn.gelu(y @ w1) @ w2
    x = x + y.swapaxes(1, 2)
    y = ln(x, g2, b2)
    return x + jax.nn.gelu(y @ w3) @ w4


def moe(
    x: "128x512xbf16",
    wr: "512x8xbf16",
    w1: "8x512x1024xbf16",
    w2: "8x1024x512xbf16",
):
    """Top-2 of 8 experts, dense: x 128x512."""
    l = jax.nn.softmax(x @ wr, -1)
    v, i = lax.top_k(l, 2)
    gate = jnp.sum(jax.nn.one_hot(i, 8, dtype=bf) * v[..., None], 1)
    y = jnp.einsum("td,edf->tef", x, w1)
    y = jax.nn.relu(y)
    y = jnp.einsum("tef,efd->ted", y, w2)
    return jnp.sum(y * gate[..., None], 1)


def mamba(
    x: "32x1024xbf16",
    wi: "1024x4096xbf16",
    cw: "2048xbf16",
    wx: "2048x96xbf16",
    wdt: "64x2048xbf16",
    A: "2048x16xbf16",
    D: "2048xbf16",
    wo: "2048x1024xbf16",
):
    """Mamba step: x 32x1024, state-free part with softplus and exp."""
    z = x @ wi
    u, g = jnp.split(z, 2, -1)
    u = jax.nn.silu(u * cw)
    p = u @ wx
    dt = jax.nn.softplus(p[:, :64] @ wdt)
    Bm = p[:, 64:80]
    C = p[:, 80:96]
    s = jnp.exp(dt[:, :, None] * A) * (dt * u)[:, :, None] * Bm[:, None, :]
    y = jnp.sum(s * C[:, None, :], -1) + u * D
    return (y * jax.nn.silu(g)) @ wo


def rwkv(
    x: "32x2048xbf16",
    xp: "32x2048xbf16",
    mk: "2048xbf16",
    mr: "2048xbf16",
    mv: "2048xbf16",
    wk: "2048x2048xbf16",
    wv: "2048x2048xbf16",
    wr: "2048x2048xbf16",
    wo: "2048x2048xbf16",
):
    """RWKV channel and time mixing of one position: x xp 32x2048."""
    k = (x * mk + xp * (1 - mk)) @ wk
    v = (x * mv + xp * (1 - mv)) @ wv
    r = jax.nn.sigmoid((x * mr + xp * (1 - mr)) @ wr)
    return x + (r * (jnp.exp(jnp.minimum(k, 10.0)) * v / (jnp.exp(jnp.minimum(k, 10.0)) + 1))) @ wo


def nerf(
    p: "65536x3xbf16",
    w1: "27x256xbf16",
    b1: "256xbf16",
    w2: "256x256xbf16",
    b2: "256xbf16",
    w3: "256x256xbf16",
    b3: "256xbf16",
    w4: "256x4xbf16",
    b4: "4xbf16",
):
    """NeRF: positional encoding of 65,536 points and an MLP of 256."""
    f = jnp.concatenate([p] + [fn(p * (2.0**i)) for i in range(4) for fn in (jnp.sin, jnp.cos)], -1)
    h = jax.nn.relu(f @ w1 + b1)
    h = jax.nn.relu(h @ w2 + b2)
    h = jax.nn.relu(h @ w3 + b3)
    return jax.nn.sigmoid(h @ w4 + b4)


def dlrm(
    dense: "128x16xbf16",
    idx: "128x26xi32",
    table: "10000x64xbf16",
    w1: "16x512xbf16",
    b1: "512xbf16",
    w2: "512x64xbf16",
    b2: "64xbf16",
    w3: "793x1xbf16",
    b3: "1xbf16",
):
    """DLRM: dense 128x16, 26 indices in a table of 10,000x64, pairwise interactions."""
    d = jax.nn.relu(jax.nn.relu(dense @ w1 + b1) @ w2 + b2)
    e = jnp.take(table, idx, axis=0)
    z = jnp.concatenate([d[:, None], e], 1)
    i = jnp.einsum("bnd,bmd->bnm", z, z).reshape(128, -1)
    return jax.nn.sigmoid(jnp.concatenate([d, i], -1) @ w3 + b3)
