"""The smallest model: tessera import jax examples/jax/mlp.py:mlp --params up,down"""
import jax
import jax.numpy as jnp


def mlp(x: "32x2048xbf16", up: "2048x8192xbf16", down: "8192x2048xbf16"):
    return jnp.dot(jax.nn.silu(jnp.dot(x, up)), down)
