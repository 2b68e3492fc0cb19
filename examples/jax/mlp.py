"""The smallest model: tessera import jax examples/jax/mlp.py:mlp --shape 32x2048xbf16 --shape 2048x8192xbf16 --shape 8192x2048xbf16 --params 1-"""
import jax
import jax.numpy as jnp


def mlp(x, up, down):
    return jnp.dot(jax.nn.silu(jnp.dot(x, up)), down)
