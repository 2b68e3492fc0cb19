"""The command line, for `tessera judge` and `tessera setup`, which run it as a child process."""
from __future__ import annotations

import argparse
import importlib.util
import json
import pathlib
import sys


def package_of_library() -> pathlib.Path | None:
    """The folder of `ttnn` in this Python, without importing it."""
    spec = importlib.util.find_spec("ttnn")
    return pathlib.Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def install_compiler() -> int:
    from . import compiler

    package = package_of_library()
    if package is None:
        sys.stderr.write("this Python has no ttnn\n")
        return 1
    print(compiler.install(package))
    return 0


def serve(a: argparse.Namespace) -> int:
    from . import boards, kernels, server

    chip, folder = boards.Chip(a.arch, *a.grid, a.dram_banks), a.folder.resolve()
    if chip.trouble:
        sys.stderr.write(f"{chip.trouble}\n")
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    if a.simulator is None:
        return server.serve(boards.environment(chip, folder), folder)
    try:
        environment = kernels.environment(chip, package_of_library(), a.simulator, a.sfpi, folder)
    except kernels.Missing as missing:
        sys.stderr.write(f"{missing}\n")
        return 1
    try:
        return server.serve(environment, pathlib.Path(environment["TT_METAL_SIMULATOR"]).parent, limited=False)
    finally:
        kernels.remove(environment)


def grid(text: str) -> tuple[int, int]:
    rows, columns = text.split("x")
    return int(rows), int(columns)


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="ttnn", description=__doc__)
    commands = p.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="answer questions on standard input")
    serve.add_argument("--arch", choices=("wormhole_b0", "blackhole"), required=True)
    serve.add_argument("--grid", type=grid, required=True, help="worker cores, rows x columns")
    serve.add_argument("--dram-banks", type=int, required=True)
    serve.add_argument("--folder", type=pathlib.Path, required=True, help="for descriptions of chips, caches and logs")
    serve.add_argument("--simulator", type=pathlib.Path, help="libttsim.so: the chip is simulated, and kernels run")
    serve.add_argument("--sfpi", type=pathlib.Path, help="with --simulator: the folder of the compiler of kernels")
    commands.add_parser("worker", help="the same without protection from the library, on the chip that the environment describes")
    commands.add_parser("write-program", help="a module on standard input as a program for ttnn; needs no library")
    commands.add_parser("install-compiler", help="put the stand-in for the RISC-V compiler where this Python's ttnn looks for it")
    return p


def main(arguments: list[str]) -> int:
    a = parser().parse_args(arguments)
    if a.command == "worker":
        from .worker import serve as serve_unprotected

        return serve_unprotected()
    if a.command == "write-program":
        from . import program

        print(json.dumps(program.write(json.loads(sys.stdin.readline()))), flush=True)
        return 0
    if a.command == "install-compiler":
        return install_compiler()
    return serve(a)
