"""Control flow of PyTorch (`torch.cond`, `while_loop`, `scan`), whose functions are graphs of their own. A function of JAX that runs a graph is `run`."""
from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator
from unittest import mock

import jax
import torch
from torch._higher_order_ops.scan import scan_op
from torch._higher_order_ops.while_loop import while_loop_op

Run = Callable[..., tuple[Any, ...]]


def _cond(run: Run, asked: Any, then: Any, otherwise: Any, operands: Any) -> tuple[Any, ...]:
    return jax.lax.cond(jax.numpy.asarray(asked, bool).reshape(()), lambda: run(then, *operands), lambda: run(otherwise, *operands))


def _while(run: Run, goes_on: Any, body: Any, carried: Any, more: Any) -> tuple[Any, ...]:
    # A number to begin with is of the type that steps make of it.
    first = tuple(jax.numpy.asarray(each) for each in carried)
    return jax.lax.while_loop(lambda state: run(goes_on, *state, *more)[0].reshape(()), lambda state: run(body, *state, *more), first)


def _scan(run: Run, combine: Any, first: Any, stacks: Any, more: Any) -> tuple[Any, ...]:
    def step(state: tuple[Any, ...], parts: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        made = run(combine, *state, *parts, *more)
        return made[:len(first)], made[len(first):]

    last, every = jax.lax.scan(step, tuple(first), tuple(stacks))
    return (*last, *every)


#: By the op of PyTorch.
FLOW: dict[Any, Callable[..., tuple[Any, ...]]] = {torch.ops.higher_order.cond: _cond, scan_op: _scan, while_loop_op: _while}


@contextlib.contextmanager
def of_no_device() -> Iterator[None]:
    """What traces these functions asks an accelerator for its streams. torchax says that it is one, and has none."""
    with mock.patch.object(torch.accelerator, "is_available", lambda: False):
        yield
