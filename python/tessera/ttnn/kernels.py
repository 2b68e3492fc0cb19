"""Real kernels without a chip: the library on a functional simulator of the hardware, such as ttsim.

The simulator is a shared library that the user has; the library loads it in place of a driver. Kernels are compiled by SFPI, a compiler that
the wheel looks for below its own folder and does not hold. So the library is given a folder that looks like its own, with the compiler in it.
"""
from __future__ import annotations

import os
import pathlib
import shutil

from .boards import Chip

_SOCS = {"wormhole_b0": "wormhole_b0_80_arch.yaml", "blackhole": "blackhole_140_arch.yaml"}
#: Folders of SFPI's libraries by chip. One compiler builds for both, and the one that comes with Blackhole's links for Wormhole, too.
_MULTILIBS = {"wormhole_b0": "wh-ilp32", "blackhole": "bh-ilp32"}


class Missing(Exception):
    """What is not there, in one sentence."""


def _linked(into: pathlib.Path, source: pathlib.Path, without: tuple[str, ...] = ()) -> None:
    """A folder with links to what is in another, but for some names."""
    into.mkdir(parents=True)
    for path in source.iterdir():
        if path.name not in without:
            (into / path.name).symlink_to(path)


def _compiler(into: pathlib.Path, sfpi: pathlib.Path, chip: Chip) -> None:
    """SFPI as the library wants it: a folder of libraries for the chip, wherever the compiler has one for another chip only."""
    lacking = [folder.parent for folder in sfpi.glob(f"compiler/**/{_MULTILIBS['blackhole']}")
               if not (folder.parent / _MULTILIBS[chip.arch]).exists()]
    if not lacking:
        into.symlink_to(sfpi)
        return
    shutil.copytree(sfpi, into, symlinks=True)
    for folder in lacking:
        (into / folder.relative_to(sfpi) / _MULTILIBS[chip.arch]).symlink_to(_MULTILIBS["blackhole"])


def root(package: pathlib.Path, sfpi: pathlib.Path, chip: Chip, folder: pathlib.Path) -> pathlib.Path:
    """The library's folder with a compiler of kernels in it, below `folder`; made anew each time."""
    if not (sfpi / "compiler" / "bin" / "riscv-tt-elf-g++").is_file():
        raise Missing(f"there is no compiler of kernels in '{sfpi}': compiler/bin/riscv-tt-elf-g++ is looked for")
    made = folder / f"root-{chip.arch}"
    shutil.rmtree(made, ignore_errors=True)
    _linked(made, package, ("runtime",))
    _linked(made / "runtime", package / "runtime", ("sfpi",))
    _compiler(made / "runtime" / "sfpi", sfpi, chip)
    return made


def simulator_folder(simulator: pathlib.Path, package: pathlib.Path, chip: Chip, folder: pathlib.Path) -> pathlib.Path:
    """The simulator beside a description of the chip, which is where the library looks for that. Returns the simulator there."""
    if not simulator.is_file():
        raise Missing(f"there is no simulator '{simulator}'")
    made = folder / f"simulator-{chip.arch}"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    (made / "soc_descriptor.yaml").symlink_to(package / "tt_metal" / "soc_descriptors" / _SOCS[chip.arch])
    (made / simulator.name).symlink_to(simulator)
    return made / simulator.name


def remove(environment: dict[str, str]) -> None:
    """What `environment` made for a process."""
    shutil.rmtree(pathlib.Path(environment["TT_METAL_SIMULATOR"]).parent.parent, ignore_errors=True)


def environment(chip: Chip, package: pathlib.Path, simulator: pathlib.Path, sfpi: pathlib.Path, folder: pathlib.Path) -> dict[str, str]:
    """What the library reads before it is imported. `folder` is for this process alone, but for kernels that were compiled."""
    own = folder / f"kernels-{os.getpid()}"
    place = str(root(package, sfpi, chip, own))
    return {
        "TT_METAL_RUNTIME_ROOT": place,
        "TT_METAL_HOME": place,
        "TT_METAL_SIMULATOR": str(simulator_folder(simulator, package, chip, own)),
        "TT_METAL_SLOW_DISPATCH_MODE": "1",
        "TT_METAL_DISABLE_SFPLOADMACRO": "1",  # which ttsim does not know
        "TT_METAL_INSPECTOR": "0",
        "TT_METAL_LOGGER_LEVEL": "ERROR",
        "LOGURU_LEVEL": "ERROR",
        "TT_METAL_CACHE": str(folder / f"compiled-{chip.arch}"),
    }
