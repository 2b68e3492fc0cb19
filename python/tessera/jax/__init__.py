"""Models of JAX on their way to a plan (docs/import.md): `trace`, which is `tessera import jax` for a function at hand, and the compiler's own
calls, for functions that are imported.

    from tessera.jax import trace, paged_update_cache, paged_sdpa_decode

Importing this needs no JAX; calling does.
"""
from .calls import paged_fill_cache, paged_sdpa_decode, paged_update_cache, parameter
from .traced import trace

__all__ = ["paged_fill_cache", "paged_sdpa_decode", "paged_update_cache", "parameter", "trace"]
