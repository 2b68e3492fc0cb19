"""The process that has JAX and the compiler loaded: one request as JSON on standard input, and its answer in a file.

It may crash, hang or print as it likes; command.py looks after it.
"""
from __future__ import annotations

import json
import os
import pathlib
import re
import sys
from typing import Any

from ..ttnn.parent import end_with_parent
from .compilable import compilable, where_half
from .lowering import lowered
from .model import REFUSED, Trouble, find, first_line


#: What may help where the compiler refuses a module, by level.
_INSTEAD = ("write that part of the model with other ops", "--level 0 asks no library, and leaves rewrites to 'tessera optimize'",
            "--level 1 leaves layouts to 'tessera optimize'")


def named(told: str, stablehlo: str) -> str:
    """With the names of what the module calls outside of StableHLO, if that is what the compiler refuses: its own message has none."""
    calls = sorted({name for name in re.findall(r"stablehlo\.custom_call @([\w.$]+)", stablehlo) if not name.startswith("tt.")})
    refused = "operation 'stablehlo.custom_call'"
    return told.replace(refused, f"{refused} ({', '.join(calls)})") if calls else told


def compiled(stablehlo: str, level: int, folder: pathlib.Path) -> str:
    """The compiler's TTNN module of a StableHLO module. It writes what it makes into `folder`."""
    import jax
    from jaxlib import xla_client

    if (place := where_half(stablehlo)) is not None:
        raise Trouble(f"the chip has no tensors of f16{place}; bf16 is as small (model.to(torch.bfloat16), jnp.bfloat16), and f32 more exact")
    device = jax.devices("tt")[0]
    options = xla_client.CompileOptions()
    options.env_option_overrides = [("optimization_level", str(level)), ("export_path", str(folder))]
    try:
        device.client.compile_and_load(compilable(stablehlo).encode(), xla_client.DeviceList((device,)), options)
    except Exception as error:  # noqa: BLE001
        # The compiler's parser, which calls what it reads `-`.
        unread = re.search(r"-:([0-9]+):[0-9]+: error: (.*)", str(error))
        if unread:
            raise Trouble(f"this is no StableHLO that the compiler reads: line {unread[1]}: {unread[2][:200]}; "
                          "jax.jit(function).lower(...).as_text() is what it takes") from error
        # It begins alike at all levels.
        instead = _INSTEAD[0 if "from SHLO to TTIR" in str(error) else level]
        raise Trouble(f"{REFUSED} at level {level}: {named(first_line(error), stablehlo)}; {instead}") from error
    modules = sorted((folder / "irs").glob("ttnn_[0-9]*.mlir"))
    if not modules:
        raise Trouble("the compiler has written no TTNN module; another version of jax-tt-plugin?")
    return modules[-1].read_text()


def stablehlo_of(request: dict[str, Any]) -> str:
    if "stablehlo" in request:
        return request["stablehlo"]
    if "function" in request:
        return lowered(find(request["function"]), request["function"], request["shapes"], request["parameters"], request["donated"])
    from tessera.torch import lowering  # needs PyTorch, which other models do without

    return lowering.lowered_by_name(request["model"], request["shapes"])


def answer(request: dict[str, Any]) -> dict[str, str]:
    try:
        return {"module": compiled(stablehlo_of(request), request["level"], pathlib.Path(request["folder"]))}
    except Trouble as trouble:
        return {"trouble": str(trouble)}


def main(into: str) -> int:
    end_with_parent()
    request = json.loads(sys.stdin.read())
    pathlib.Path(into).write_text(json.dumps(answer(request)))
    sys.stdout.flush()
    os._exit(0)  # nothing that the libraries do at their end is of use
