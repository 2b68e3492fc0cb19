"""Answers questions for as long as there are any, whatever they do to the library.

Requests are lines of JSON on standard input: {"question": Q, "expected": [layout of each result], "planned": true} (expected and planned may be absent),
{"program": P}, {"execute": Q, "seed": N}, {"python": path of a program, "takes": shapes of its inputs} (with "inputs" and "outputs" where kernels run: files of its inputs, a folder for its results) or
{"about": true}; each gets a line of JSON, in order. The library runs in a process of its own. One that dies or hangs over a question is an answer to that question, and the
next one is put to a new process.
"""
from __future__ import annotations

import json
import os
import pathlib
import select
import signal
import stat
import subprocess
import sys
from typing import Any, IO

#: Seconds after which a question, a program or the start of the library counts as hanging.
LIMITS = {"question": 60.0, "program": 600.0, "python": 600.0, "execute": 600.0, "about": 300.0}


class Worker:
    """The library's process, started when it is needed."""

    def __init__(self, environment: dict[str, str], log: IO[bytes]):
        self.environment, self.log = {**os.environ, **environment}, log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> subprocess.Popen[bytes]:
        package = pathlib.Path(__file__).resolve().parent
        self.process = subprocess.Popen([sys.executable, "-I", str(package), "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.log, env=self.environment)
        return self.process

    def stop(self) -> int:
        """Ends the process; returns its exit code, negative for a signal."""
        assert self.process is not None
        self.process.kill()
        code = self.process.wait()
        self.process = None
        return code

    def exchange(self, request: bytes, limit: float | None) -> tuple[bytes, str]:
        """The answer, or b"" and what happened instead."""
        process = self.process or self.start()
        try:
            process.stdin.write(request)
            process.stdin.flush()
            answer = self.line(process, limit)
        except BrokenPipeError:
            answer = b""
        if answer is None:
            self.stop()
            return b"", f"no answer within {limit:.0f} s"
        if answer.endswith(b"\n"):
            return answer, ""
        code = process.wait()
        self.process = None
        return b"", f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"

    @staticmethod
    def line(process: subprocess.Popen[bytes], limit: float | None) -> bytes | None:
        """One line; what there was of it if the process ended; None after the limit. Ends the server if nobody waits any longer."""
        poll = select.poll()
        poll.register(process.stdout, select.POLLIN)
        # A socket ends with who asks, a pipe when they have said all. What they say next is of no interest here.
        if stat.S_ISSOCK(os.fstat(sys.stdin.fileno()).st_mode):
            poll.register(sys.stdin, 0)
        out = b""
        while not out.endswith(b"\n"):
            ready = dict(poll.poll(limit and limit * 1000))
            if sys.stdin.fileno() in ready:
                sys.exit(1)
            if not ready:
                return None
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                return out
            out += part
        return out


def kind_of(request: dict[str, Any]) -> str:
    return next((kind for kind in ("question", "program", "python", "execute") if kind in request), "about")


def last_words(log: pathlib.Path) -> str:
    """The last line of the log that tells of an error, behind a blank; "" if there is none."""
    lines = [line.strip() for line in log.read_text(errors="replace").split("\n") if "ERROR" in line or "FATAL" in line]
    return f" ({lines[-1]})" if lines else ""


def answer_all(worker: Worker, folder: pathlib.Path, limited: bool) -> int:
    # A library that does not start at all answers nothing: that is an error, not an answer.
    about, trouble = worker.exchange(b'{"about": true}\n', LIMITS["about"])
    if trouble:
        # Without limits the folder is this process's own, and gone when it ends.
        where = f"; its messages are in {folder / 'library.log'}" if limited else last_words(folder / "library.log")
        sys.stderr.write(f"the library does not start ({trouble}){where}\n")
        return 1
    for line in sys.stdin.buffer:
        kind = kind_of(json.loads(line))
        if kind == "about":
            answer, trouble = about, ""
        else:
            answer, trouble = worker.exchange(line, LIMITS[kind] if limited else None)
        if trouble:
            trouble += "" if limited else last_words(folder / "library.log")
            answer = json.dumps({"verdict": "crash", "message": "took the library down: " + trouble}).encode() + b"\n"
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    return 0


def serve(environment: dict[str, str], folder: pathlib.Path, limited: bool = True) -> int:
    """Serves standard input with a library of that environment. Its own messages go into `folder`. Not limited: kernels run, which takes
    as long as it takes."""
    os.chdir(folder)  # the library writes `generated/` where it is started
    with open(folder / "library.log", "wb") as log:
        worker = Worker(environment, log)
        try:
            return answer_all(worker, folder, limited)
        except KeyboardInterrupt:
            return 1
        finally:
            if worker.process:
                worker.stop()
