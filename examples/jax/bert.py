"""A layer of BERT base on a batch of sentences. docs/import.md has the command."""
import jax
import jax.numpy as jnp

HEADS = 12


def norm(x, weight, bias):
    centered = x - jnp.mean(x, -1, keepdims=True)
    return centered * jax.lax.rsqrt(jnp.mean(centered * centered, -1, keepdims=True) + 1e-12) * weight + bias


def layer(x, wq, bq, wk, bk, wv, bv, wo, bo, norm1, bias1, up, b_up, down, b_down, norm2, bias2):
    """x (sentences, tokens, width)."""
    sentences, tokens, width = x.shape

    def heads(y):
        return y.reshape(sentences, tokens, HEADS, width // HEADS).transpose(0, 2, 1, 3)

    query, key, value = (heads(jnp.dot(x, w) + b) for w, b in ((wq, bq), (wk, bk), (wv, bv)))
    scores = jax.nn.softmax(query @ key.transpose(0, 1, 3, 2) * (width // HEADS) ** -0.5, -1)
    attended = (scores @ value).transpose(0, 2, 1, 3).reshape(sentences, tokens, width)
    x = norm(x + jnp.dot(attended, wo) + bo, norm1, bias1)
    return norm(x + jnp.dot(jax.nn.gelu(jnp.dot(x, up) + b_up, approximate=False), down) + b_down, norm2, bias2)
