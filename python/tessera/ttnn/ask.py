"""One question put to the library: accepted or not, and what the op takes while it runs.

The call is made while a graph capture without dispatch is on. Operands are made inside the capture, as tt-mlir's op model
makes them: nothing is allocated then, so that a full memory refuses nothing, and conv2d finds nothing to check.
"""
from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Sequence
from typing import Any

from .calls import call, on_host
from .library import Library, Uncovered, describe, differences
from .question import Layout, Question, Tensor

_RANGE = re.compile(r"(?:\(x=)?(\d+)(?:,y=|-)(\d+)\)? - (?:\(x=)?(\d+)(?:,y=|-)(\d+)")
# Nodes of a program's buffers, and the parameter of each that says whether it lies on a tensor.
_LIES_ON_TENSOR = {"circular_buffer_allocate": "globally_allocated", "dataflow_buffer_allocate": "borrows_memory"}


def message_of(error: Exception) -> str:
    """The library's own words: the line below "info:" of a failed check, with the file that checks. Where one check tells of another one the
    inner one's words count, and with them what the compiler of kernels says."""
    text = str(error).strip()
    told = [info for info in re.finditer(r"info:\s*\n?(.*?)(?:\n|$)", text) if info[1].strip()]
    if told:
        where = re.findall(r"@ \S*?([\w.]+:\d+)", text[:told[-1].start()])
        words = told[-1][1].strip()
        compiler = re.search(r"^.*\berror: .*$", text[told[-1].end():], re.M)
        return (words + (": " + compiler[0].strip() if compiler else ""))[:400] + (f" [{where[-1]}]" if where else "")
    lines = [line for line in text.split("\n") if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:400]


def operands(library: Library, question: Question) -> list[Any]:
    """The operands, made anew; one tensor for those that are the same value."""
    made: list[Any] = []
    for n, operand in enumerate(question.operands):
        made.append(made[operand.same_as] if operand.same_as < n else library.make(operand, on_host(question, n)))
    return made


def as_list(results: Any) -> list[Any]:
    return [] if results is None else list(results) if isinstance(results, (list, tuple)) else [results]


def wanted_of(question: Question, expected: Sequence[Layout | None]) -> list[Tensor]:
    known = [*expected, *[None] * len(question.results)]
    return [wanted if wanted.layout is not None else dataclasses.replace(wanted, layout=layout)
            for wanted, layout in zip(question.results, known)]


def verdict_of(error: Exception) -> str:
    """"uncovered" if the question was not put: the library does not have the call in that form."""
    return "uncovered" if isinstance(error, (Uncovered, TypeError, KeyError, AttributeError)) else "refused"


def ask(library: Library, question: Question, expected: Sequence[Layout | None] = ()) -> dict[str, Any]:
    """{"verdict": "accepted"} with what the op takes, or "refused" or "uncovered" with a message.

    Results are compared with the layouts that the question asks for, or with those `expected` where it asks for none."""
    graph = library.graph
    inputs = sum(operand.layout is not None and operand.layout.buffer == "l1" and operand.same_as == n and not on_host(question, n)
                 for n, operand in enumerate(question.operands))
    drams = sum(operand.layout is not None and operand.layout.buffer == "dram" and operand.same_as == n and not on_host(question, n)
                for n, operand in enumerate(question.operands))
    graph.begin_graph_capture(graph.RunMode.NO_DISPATCH)
    try:
        made = operands(library, question)
        results = as_list(call(library, question, made))
        told = [describe(library, result) for result in results]
        answer: dict[str, Any] = {"verdict": "accepted", "results": told,
                                  "different": [differences(t, wanted, question.op == "argmax") for t, wanted in zip(told, wanted_of(question, expected))]}
    except Exception as error:  # noqa: BLE001: whatever the library throws is its answer
        answer = {"verdict": verdict_of(error), "message": message_of(error)}
    finally:
        trace = graph.end_graph_capture()
    if answer["verdict"] == "accepted":
        answer |= buffers(trace, inputs, drams)
    return answer


def buffers(trace: list[dict[str, Any]], l1_operands: int, dram_operands: int) -> dict[str, Any]:
    """What the op takes while it runs: circular buffers by program, and tensors beside the operands, the results among them."""
    programs, unrecorded = programs_of(trace)
    return {"programs": programs, "circular_buffers": max(map(highest_end, programs), default=0), "unrecorded_programs": unrecorded,
            "l1_tensors": tensors_peak(trace, "L1", l1_operands), "dram_tensors": tensors_peak(trace, "DRAM", dram_operands)}


def programs_of(trace: list[dict[str, Any]]) -> tuple[list[list[dict[str, Any]]], int]:
    """Circular buffers of each program that has any, and how many programs tell of none.

    Ops on the library's newer host API make programs without telling the capture of their buffers."""
    programs: list[list[dict[str, Any]]] = []
    current: list[dict[str, Any]] = []
    seen, silent = True, 0
    for node in trace:
        kind, params = node["node_type"], node["params"]
        if kind == "circular_buffer_deallocate_all":
            programs += [current] if current else []
            current, silent, seen = [], silent + (not seen), False
        elif kind in _LIES_ON_TENSOR:
            seen = True
            # Those that lie on a tensor are that tensor's bytes.
            if str(params.get(_LIES_ON_TENSOR[kind], "0")) in ("0", "false"):
                cores = [[int(n) for n in found.groups()] for found in _RANGE.finditer(params["core_range_set"])]
                current.append({"bytes": int(params["size"]), "cores": cores})
    return programs + ([current] if current else []), silent + (not seen)


def tensors_peak(trace: list[dict[str, Any]], memory: str, operands: int) -> int:
    """Bytes per bank of the tensors that lie there at once at most, without the first `operands`."""
    live: dict[int, int] = {}
    peak, passed = 0, 0
    for node in trace:
        kind, params = node["node_type"], node["params"]
        if not kind.startswith("buffer_") or params["type"] != memory:
            continue
        buffer = node["connections"][0]
        if kind == "buffer_deallocate":
            live.pop(buffer, None)
            continue
        passed += 1
        if passed > operands:
            live[buffer] = int(params.get("max_size_per_bank", params["size"]))
            peak = max(peak, sum(live.values()))
    return peak


def highest_end(program: list[dict[str, Any]]) -> int:
    """How far up the circular buffers of one program reach on the fullest core: each begins where the last one ends on any of its cores."""
    end: dict[tuple[int, int], int] = collections.defaultdict(int)
    for buffer in program:
        cores = [(x, y) for x0, y0, x1, y1 in buffer["cores"] for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]
        top = max((end[core] for core in cores), default=0) + buffer["bytes"]
        for core in cores:
            end[core] = top
    return max(end.values(), default=0)
