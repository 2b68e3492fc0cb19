"""A layer of BERT base on a batch of sentences. tessera import jax examples/jax/bert.py:layer --params 1-"""
import jax
import jax.numpy as jnp

HEADS = 12


def norm(x, weight, bias):
    centered = x - jnp.mean(x, -1, keepdims=True)
    return centered * jax.lax.rsqrt(jnp.mean(centered * centered, -1, keepdims=True) + 1e-12) * weight + bias


def layer(
    x: "8x128x768xbf16",
    wq: "768x768xbf16", bq: "768xbf16",
    wk: "768x768xbf16", bk: "768xbf16",
    wv: "768x768xbf16", bv: "768xbf16",
    wo: "768x768xbf16", bo: "768xbf16",
    norm1: "768xbf16", bias1: "768xbf16",
    up: "768x3072xbf16", b_up: "3072xbf16",
    down: "3072x768xbf16", b_down: "768xbf16",
    norm2: "768xbf16", bias2: "768xbf16",
):
    """x (sentences, tokens, width)."""
    sentences, tokens, width = x.shape

    def heads(y):
        return y.reshape(sentences, tokens, HEADS, width // HEADS).transpose(0, 2, 1, 3)

    query, key, value = (heads(jnp.dot(x, w) + b) for w, b in ((wq, bq), (wk, bk), (wv, bv)))
    scores = jax.nn.softmax(query @ key.transpose(0, 1, 3, 2) * (width // HEADS) ** -0.5, -1)
    attended = (scores @ value).transpose(0, 2, 1, 3).reshape(sentences, tokens, width)
    x = norm(x + jnp.dot(attended, wo) + bo, norm1, bias1)
    return norm(x + jnp.dot(jax.nn.gelu(jnp.dot(x, up) + b_up, approximate=False), down) + b_down, norm2, bias2)
