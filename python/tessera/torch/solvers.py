"""Systems of equations of Hugging Face's transformers: its gated delta rules solve them where they run, and write a step for each row where they are
exported, since not all that exports are for have a solver.
"""
from __future__ import annotations

import contextlib
import sys
from typing import Iterator
from unittest import mock


@contextlib.contextmanager
def solved_at_once() -> Iterator[None]:
    """In the models that are in use."""
    rules = [module for name, module in list(sys.modules.items()) if name.startswith("transformers.models.") and
             {"torch_chunk_gated_delta_rule", "is_torchdynamo_exporting"} <= vars(module).keys()]
    with contextlib.ExitStack() as patches:
        for module in rules:
            patches.enter_context(mock.patch.object(module, "is_torchdynamo_exporting", lambda: False))
        yield
