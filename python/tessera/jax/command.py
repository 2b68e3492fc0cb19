"""The command line, for `tessera import`, which runs it as a child process.

    python .../tessera/jax compile --arch blackhole --grid 10x12 --dram-banks 8 --folder F --request REQUEST --into ANSWER

REQUEST is a file of JSON: {"level": 1, "function": "model.py:layer", "shapes": ["32x2048xbf16"], "parameters": ["1-"],
"donated": []}, or with "stablehlo" in place of the last four. ANSWER becomes {"module": text} or {"trouble": what is wrong and what to do}.
"""
from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any, IO, Iterator

from ..ttnn import boards
from ..ttnn.parent import end_with_parent
from . import chip as chips
from .model import REFUSED

#: Seconds after which the compiler counts as hanging.
LIMIT = 1800.0


#: Worker cores, rows and columns: the compiler gives up unless its op model finds as many as its description of the system has, and on a
#: mock chip the op model finds these.
BLACKHOLE_GRID = (10, 12)


def grid(text: str) -> tuple[int, int]:
    rows, columns = text.split("x")
    return int(rows), int(columns)


def said(log: pathlib.Path) -> str:
    """The line of the log that says why it ended: the last one with an error in it, else the last one."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"error|FATAL|TT_THROW|assert", line, re.IGNORECASE)]
    return (errors or lines or ["it said nothing"])[-1][:500]


def place(log: pathlib.Path) -> str:
    """The line of the model that the compiler's last error is about, " (model.py:12)"; nothing if it says none."""
    lines = [line for line in log.read_text(errors="replace").splitlines() if re.match(r"loc\(.*\): error: ", line)]
    found = re.search(r'"([^"]+\.py)":([0-9]+):', lines[-1]) if lines else None
    return f" ({pathlib.Path(found[1]).name}:{found[2]})" if found else ""


class Progress:
    """A line on a terminal that is written over; elsewhere nothing."""

    def __init__(self, calls: pathlib.Path, out: IO[str] = sys.stderr):
        self.calls, self.out, self.begun, self.shown = calls, out, time.monotonic(), False

    def show(self) -> None:
        if not self.out.isatty():
            return
        count = self.calls.stat().st_size if self.calls.exists() else 0
        self.out.write(f"\r{time.monotonic() - self.begun:.0f} s, {count} compilations of kernels stood in for")
        self.out.flush()
        self.shown = True

    def end(self) -> None:
        if self.shown:
            self.out.write("\r\033[K")
            self.out.flush()


def run(request: dict[str, Any], environment: dict[str, str], folder: pathlib.Path, scratch: pathlib.Path) -> dict[str, str]:
    """Has a process of its own answer the request; whatever becomes of it is an answer."""
    log, into = folder / "compiler.log", scratch / "answer.json"
    # Where no file of the user's is loaded, PYTHONPATH is another Python's: its packages would hide those of this one.
    alone = ["-I"] if "stablehlo" in request else []
    # Who runs a program in place of a graph has said so here; the graph is what is wanted now, not a program for it.
    inherited = {name: value for name, value in os.environ.items() if name != "TTXLA_CODEGEN_LOAD_DIR"}
    with open(log, "wb") as out:
        process = subprocess.Popen([sys.executable, *alone, str(pathlib.Path(__file__).resolve().parent), "worker", str(into)],
                                   stdin=subprocess.PIPE, stdout=out, stderr=out, env={**inherited, **environment})
        progress = Progress(chips.calls_file(folder))
        try:
            process.stdin.write(json.dumps(request).encode())
            process.stdin.close()
            while process.poll() is None and time.monotonic() - progress.begun < LIMIT:
                progress.show()
                time.sleep(0.1)
        except BrokenPipeError:
            process.wait()
        finally:
            progress.end()
            hangs = process.poll() is None
            if hangs:
                process.kill()
                process.wait()
    if into.exists():
        answer = json.loads(into.read_text())
        if "trouble" in answer:
            answer["trouble"] = answer["trouble"].replace(REFUSED, REFUSED + place(log), 1)
        return answer
    code = process.returncode
    how = f"gave no answer within {LIMIT:.0f} s" if hangs else f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    return {"trouble": f"the compiler {how}: {said(log)} (all of it is in {log})"}


@contextlib.contextmanager
def own_folder(folder: pathlib.Path) -> Iterator[pathlib.Path]:
    """A folder for one import, which is the only one meanwhile: what the plugin unpacks and compiles is kept, and it does not expect to share that."""
    with open(folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if sys.stderr.isatty():
                sys.stderr.write(f"another import is at work in {folder}; waiting for its end\n")
            fcntl.flock(lock, fcntl.LOCK_EX)
        # Imports that were killed have left theirs; one that waits for the lock has none yet.
        for left in folder.glob("import-*"):
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="import-", dir=folder) as scratch:
            yield pathlib.Path(scratch)


def compile_request(a: argparse.Namespace, request: dict[str, Any]) -> dict[str, str]:
    chip = boards.Chip(a.arch, *(BLACKHOLE_GRID if a.arch == "blackhole" else a.grid), a.dram_banks)
    if request["level"] > 0 and not chip.blackhole:
        return {"trouble": "levels 1 and 2 need a Blackhole chip (--device p150): the plugin's op model sees another grid on a Wormhole than its "
                           "compiler; --level 0 works there"}
    a.folder.mkdir(parents=True, exist_ok=True)
    with own_folder(a.folder) as scratch:
        request["folder"] = str(scratch)
        return run(request, chips.environment(chip, a.folder), a.folder, scratch)


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="jax", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = p.add_subparsers(dest="command", required=True)
    compile_ = commands.add_parser("compile", help="the request on standard input")
    compile_.add_argument("--arch", choices=("wormhole_b0", "blackhole"), required=True)
    compile_.add_argument("--grid", type=grid, required=True, help="worker cores, rows x columns")
    compile_.add_argument("--dram-banks", type=int, required=True)
    compile_.add_argument("--folder", type=pathlib.Path, required=True, help="for descriptions of chips, caches and the log")
    compile_.add_argument("--request", type=pathlib.Path, required=True)
    compile_.add_argument("--into", type=pathlib.Path, required=True)
    worker = commands.add_parser("worker", help="the same without protection from the compiler")
    worker.add_argument("into")
    return p


def main(arguments: list[str]) -> int:
    a = parser().parse_args(arguments)
    if a.command == "worker":
        from . import worker

        return worker.main(a.into)
    a.folder = a.folder.resolve()
    end_with_parent(tidily=True)  # else the next import waits for an answer that nobody reads
    try:
        answer = compile_request(a, json.loads(a.request.read_text()))
    except KeyboardInterrupt:
        return 130
    a.into.write_text(json.dumps(answer))
    return 0
