"""Models of JAX on their way to a plan (docs/import.md): the compiler's own calls, for functions that `tessera import jax` traces.

    from tessera.jax import paged_update_cache, paged_sdpa_decode

Importing this needs no JAX; calling does.
"""
from .calls import paged_fill_cache, paged_sdpa_decode, paged_update_cache, parameter

__all__ = ["paged_fill_cache", "paged_sdpa_decode", "paged_update_cache", "parameter"]
