"""Processes that are of no use without the one that started them."""
from __future__ import annotations

import ctypes
import os
import signal
import sys


def end_with_parent(tidily: bool = False) -> None:
    """Ends this process with the one that started it: at once, as a call of a library looks at no pipe and no signal; or, tidily, as if it had
    called sys.exit(). Not by SIGINT: who is started in the background of a shell ignores that."""
    PR_SET_PDEATHSIG = 1
    if tidily:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM if tidily else signal.SIGKILL)
    if os.getppid() == 1:  # it is gone already
        sys.exit(1)
