"""tessera.jax.trace beside `tessera import jax`: jax_trace.py FOLDER. Runs in the Python that `tessera setup jax` made, for which there is no native
module: what would go there, the StableHLO, is looked at."""
import os
import pathlib
import runpy
import subprocess
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = pathlib.Path(sys.argv[1])

runpy.run_path(str(ROOT / "python/tessera/jax/__main__.py"))["load"]()
import tessera  # noqa: E402


class TesseraError(Exception):
    pass


tessera.TesseraError, tessera._call = TesseraError, lambda work, *given: work(*given)
tessera._native = types.SimpleNamespace(compile_stablehlo=lambda stablehlo, level, device: stablehlo)

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy  # noqa: E402
from tessera.jax import trace  # noqa: E402

SHAPE = jax.ShapeDtypeStruct((64, 64), jnp.bfloat16)
WEIGHTS = {"up": [SHAPE, SHAPE], "down": SHAPE}


def mlp(x: "32x64xbf16", weights=WEIGHTS):
    return jax.nn.gelu(x @ weights["up"][0] + x @ weights["up"][1]) @ weights["down"]


def program(*words, **environment):
    done = subprocess.run(["tessera", "import", *map(str, words), "--level", "0"], env={**os.environ, **environment}, check=True, capture_output=True, text=True)
    return shown(done.stdout)


def shown(module):
    """What does not depend on where it stands."""
    return [line.split(" loc(")[0] for line in module.splitlines() if not line.startswith("#loc")]


def refused(what, function, *arguments, **options):
    try:
        trace(function, *arguments, **options)
    except TesseraError as error:
        print(f"{what}: {error}")


if __name__ == "__main__":
    traced, path = FOLDER / "traced.stablehlo.mlir", FOLDER / "path"
    traced.write_text(trace(mlp))
    path.mkdir()
    (path / "numpy.py").write_text('raise ImportError("of another Python")')
    print("the command's module:", program("jax", f"{__file__}:mlp") == program("stablehlo", traced, PYTHONPATH=str(path)))
    arrays = jax.tree.map(lambda like: jnp.zeros(like.shape, like.dtype), WEIGHTS)
    words = {"up": ["64x64xbf16", "64x64xbf16"], "down": "64x64xbf16"}
    for name, module in (("a tree of shapes", trace(mlp, "32x64xbf16", WEIGHTS, params=["weights"])),
                         ("a tree of arrays", trace(mlp, SHAPE.update(shape=(32, 64)), arrays, params=[1])),
                         ("a tree of words", trace(mlp, "32x64xbf16", words, params=["1-"])),
                         ("no weights", trace(mlp, "32x64xbf16", WEIGHTS))):
        print(f"{name}:", shown(module) == shown(traced.read_text()))
    refused("number", mlp, "32x64xbf16", {"up": [SHAPE, 3], "down": SHAPE})
    refused("type", mlp, "32x64xbf16", {"up": [SHAPE, SHAPE], "down": jax.ShapeDtypeStruct((64, 64), jnp.complex64)})
    refused("word", mlp, "32x64")
    refused("shape", lambda x: x)
    refused("params", mlp, params=["bias"])
    refused("function", lambda x: x if x.sum() > 0 else -x, "8xf32")
    refused("numpy", lambda x: numpy.linalg.inv(x), "8x8xf32")
    refused("end", lambda x: sys.exit(3), "8xf32")
    print("tracebacks as before:", jax.config.jax_include_full_tracebacks_in_locations)
