"""A layer of Llama 3.2 1B: a step of 32 users with a paged cache, and a prompt of one user.

The annotations are the shapes that are imported unless --shape gives others; docs/first-model.md has the commands.
"""
import jax
import jax.numpy as jnp

from tessera.jax import paged_sdpa_decode, paged_update_cache

HEADS, KEY_HEADS, SIZE = 32, 8, 64


def norm(x, weight):
    wide = x.astype(jnp.float32)
    scaled = wide * jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
    return scaled.astype(x.dtype) * weight


def rotated(x, positions):
    """Rotary embedding of x (tokens, heads, size)."""
    frequencies = 1.0 / 500000.0 ** (jnp.arange(0, SIZE, 2, dtype=jnp.float32) / SIZE)
    angles = positions.astype(jnp.float32)[:, None] * frequencies
    angles = jnp.concatenate([angles, angles], -1)[:, None, :]
    left, right = jnp.split(x, 2, -1)
    turned = jnp.concatenate([-right, left], -1)
    return (x * jnp.cos(angles) + turned * jnp.sin(angles)).astype(x.dtype)


def mlp(x, gate, up, down):
    return jnp.dot(jax.nn.silu(jnp.dot(x, gate)) * jnp.dot(x, up), down)


def decode_layer(
    x: "32x2048xbf16",
    keys: "1024x8x32x64xbf16",
    values: "1024x8x32x64xbf16",
    positions: "32xsi32",
    page_table: "32x32xsi32",
    attention_norm: "2048xbf16",
    wq: "2048x2048xbf16",
    wk: "2048x512xbf16",
    wv: "2048x512xbf16",
    wo: "2048x2048xbf16",
    mlp_norm: "2048xbf16",
    gate: "2048x8192xbf16",
    up: "2048x8192xbf16",
    down: "8192x2048xbf16",
):
    """One token of each user, x (users, width). Caches are (blocks, key heads, block length, size)."""
    users = x.shape[0]
    h = norm(x, attention_norm)
    query = rotated(jnp.dot(h, wq).reshape(users, HEADS, SIZE), positions)
    key = rotated(jnp.dot(h, wk).reshape(users, KEY_HEADS, SIZE), positions)
    value = jnp.dot(h, wv).reshape(users, KEY_HEADS, SIZE)
    keys = paged_update_cache(keys, key[None], positions, page_table)
    values = paged_update_cache(values, value[None], positions, page_table)
    attended = paged_sdpa_decode(query[None], keys, values, page_table, positions, scale=SIZE**-0.5)
    x = x + jnp.dot(attended.reshape(users, HEADS * SIZE), wo)
    return x + mlp(norm(x, mlp_norm), gate, up, down), keys, values


def prefill_layer(
    x: "128x2048xbf16",
    attention_norm: "2048xbf16",
    wq: "2048x2048xbf16",
    wk: "2048x512xbf16",
    wv: "2048x512xbf16",
    wo: "2048x2048xbf16",
    mlp_norm: "2048xbf16",
    gate: "2048x8192xbf16",
    up: "2048x8192xbf16",
    down: "8192x2048xbf16",
):
    """A prompt, x (tokens, width); returns what the caches are filled with as well."""
    tokens = x.shape[0]
    positions = jnp.arange(tokens)
    h = norm(x, attention_norm)
    query = rotated(jnp.dot(h, wq).reshape(tokens, HEADS, SIZE), positions)
    key = rotated(jnp.dot(h, wk).reshape(tokens, KEY_HEADS, SIZE), positions)
    value = jnp.dot(h, wv).reshape(tokens, KEY_HEADS, SIZE)
    grouped = query.reshape(tokens, KEY_HEADS, HEADS // KEY_HEADS, SIZE)
    scores = jnp.einsum("tkgs,uks->kgtu", grouped, key) * SIZE**-0.5
    scores = jnp.where(positions[:, None] >= positions[None, :], scores, -jnp.inf)
    attended = jnp.einsum("kgtu,uks->tkgs", jax.nn.softmax(scores, -1), value)
    x = x + jnp.dot(attended.reshape(tokens, HEADS * SIZE), wo)
    return x + mlp(norm(x, mlp_norm), gate, up, down), key, value
