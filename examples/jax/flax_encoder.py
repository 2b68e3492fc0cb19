"""A layer of a transformer in flax, whose weights are a tree. tessera import jax examples/jax/flax_encoder.py:layer

flax is no part of what 'tessera setup jax' installs; the error tells how to add it.
"""
import flax.linen as nn
import jax
import jax.numpy as jnp

TOKENS, WIDTH, HEADS = 128, 768, 12


class Encoder(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = x + nn.MultiHeadDotProductAttention(num_heads=HEADS, dtype=x.dtype)(nn.LayerNorm(dtype=x.dtype)(x))
        y = nn.Dense(4 * WIDTH, dtype=x.dtype)(nn.LayerNorm(dtype=x.dtype)(x))
        return x + nn.Dense(WIDTH, dtype=x.dtype)(nn.gelu(y, approximate=False))


encoder = Encoder()
inputs = jax.ShapeDtypeStruct((8, TOKENS, WIDTH), jnp.bfloat16)
# Shapes and types are all that is read of weights, so none are made. They are trained in f32 and used in bf16.
trained = jax.eval_shape(encoder.init, jax.random.key(0), inputs)
weights = jax.tree.map(lambda w: jax.ShapeDtypeStruct(w.shape, jnp.bfloat16), trained)


def layer(x: "8x128x768xbf16", weights=weights):
    """x (sentences, tokens, width)."""
    return encoder.apply(weights, x)
