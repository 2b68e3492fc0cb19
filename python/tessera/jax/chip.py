"""A chip that is not there, for the compiler in the package jax-tt-plugin, and a compiler of kernels that compiles none.

From level 1 on the compiler opens a chip, and at level 2 it has every kernel compiled of every op that it asks about: minutes, though
nothing ever runs. It calls `ccache`, if it is told to, with the real compiler's command behind it; ours (python/tessera/ttnn/compiler.py has its
answer) counts the calls and leaves one small executable where each result should be.
"""
from __future__ import annotations

import os
import pathlib

from ..ttnn import boards, compiler

#: A byte for every call, beside the stand-in.
_COUNT = 'printf . >> "${0%/*}/calls"\n'


def calls_file(folder: pathlib.Path) -> pathlib.Path:
    """A byte in it for every call of the stand-in."""
    return folder / "bin" / "calls"


def environment(chip: boards.Chip, folder: pathlib.Path) -> dict[str, str]:
    """What the plugin reads before it is loaded. All that it writes goes below `folder`, and is found there the next time."""
    tools = folder / "bin"
    compiler.write(tools, ["ccache"], first=_COUNT)
    calls_file(folder).write_bytes(b"")
    return boards.environment(chip, folder) | {
        # What a model computes while it is loaded and traced is needed: the first platform does that, and nothing runs on a mock chip.
        "JAX_PLATFORMS": "cpu,tt",
        "TMPDIR": str(folder),  # where the plugin unpacks 100 MB of its own
        "TT_METAL_LOGS_PATH": str(folder),  # else `generated/` appears where the user is
        "TT_METAL_CCACHE_KERNEL_SUPPORT": "1",
        "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '')}",
    }
