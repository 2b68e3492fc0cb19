"""tessera.torch.trace. Runs in the Python that `tessera setup torch` made, for which there is no native module: what would go there, the StableHLO, is
looked at."""
import pathlib
import runpy
import types

ROOT = pathlib.Path(__file__).resolve().parents[3]

runpy.run_path(str(ROOT / "python/tessera/jax/__main__.py"))["load"]()
import tessera  # noqa: E402


class TesseraError(Exception):
    pass


tessera.TesseraError, tessera._call = TesseraError, lambda work, *given: work(*given)
tessera._native = types.SimpleNamespace(compile_stablehlo=lambda stablehlo, level, device: stablehlo)

import torch  # noqa: E402
from tessera.torch import trace  # noqa: E402


class Turned(torch.nn.Module):
    """Takes a tree of tensors, and one by name."""

    def forward(self, x, tables, scale=None):
        cos, sin = tables
        turned = x * cos + torch.cat((-x[..., 32:], x[..., :32]), dim=-1) * sin
        return turned if scale is None else turned * scale


def ops(module):
    return [line.split(" loc(")[0] for line in module.splitlines() if not line.startswith("#loc")]


if __name__ == "__main__":
    cos, sin, scale = (torch.ones(shape, dtype=torch.bfloat16) for shape in ((32, 64), (32, 64), (64,)))
    words = trace(Turned(), "2x32x64xbf16", ("32x64xbf16", "32x64xbf16"), scale="64xbf16")
    tensors = trace(Turned(), torch.zeros(2, 32, 64, dtype=torch.bfloat16), [cos, sin], scale=scale)
    print("words and tensors:", ops(words) == ops(tensors))
    print("arguments:", words.count("%arg3: tensor<64xbf16>") >= 1, "%arg4" in words)
    # Weights are marked where no line of a model is.
    print("lines of Tessera:", str(ROOT / "python") in trace(torch.nn.Linear(64, 64), "32x64xf32"))
    for given in (("2x32x64",), ("2x32x64xbf16",)):
        try:
            trace(Turned(), *given)
        except TesseraError as error:
            print("refused:", error)
