"""Where a list of steps repeats itself up to the names of values: the layers of a model.

A step is a dictionary as program.py has it: "question" or "load" or "free", with the names of its operands and results. Two runs of
steps are alike if the steps are, and if each name that one defines or takes from outside is one name in the other.
"""
from __future__ import annotations

import collections
import dataclasses
import json
from typing import Any, Iterator

#: What is written once and called must be more than its call.
_LEAST_STEPS = 6
#: Distances at which repeats are looked for: those that occur most often between a step and the next one like it.
_MOST_DISTANCES = 32


@dataclasses.dataclass
class Run:
    """Some steps that follow each other, as a function: what it takes, which of that it frees, and what it leaves."""

    steps: list[dict[str, Any]]
    taken: list[str]  #: names from outside, in the order of their first use
    freed: list[str]  #: of these the ones whose memory goes in here
    left: list[str]  #: names that are defined in here and not freed
    shape: tuple[Any, ...]  #: what it does, without names


@dataclasses.dataclass
class Repeat:
    """Runs that are alike, one behind the other, and the number of the first step."""

    begin: int
    runs: list[Run]

    @property
    def end(self) -> int:
        return self.begin + sum(len(run.steps) for run in self.runs)

    def names(self) -> dict[str, list[str]]:
        """For each name that the first run defines, what it is called in each."""
        defined = [[name for step in run.steps for name in step.get("results", [])] for run in self.runs]
        return {names[0]: list(names) for names in zip(*defined, strict=True)}


def used(step: dict[str, Any]) -> list[str]:
    return [step["free"]] if "free" in step else step["operands"]


def kind(step: dict[str, Any], read: set[str]) -> str:
    """What a step does, without names. Which results are read matters to how some are written."""
    if "free" in step:
        return f"free {step['force']}"
    said = {key: value for key, value in step.items() if key not in ("place", "operands", "results")}
    return json.dumps([said, len(step["operands"]), [name in read for name in step["results"]]], sort_keys=True)


def run_of(steps: list[dict[str, Any]], kinds: list[Any]) -> Run:
    numbers: dict[str, tuple[str, int]] = {}
    taken: list[str] = []
    freed, defined, gone, shape = [], [], set(), []
    for step, what in zip(steps, kinds, strict=True):
        parts = []
        for name in used(step):
            if name not in numbers:
                numbers[name] = ("taken", len(taken))
                taken.append(name)
            parts.append(numbers[name])
        if "free" in step:
            gone.add(step["free"])
            if numbers[step["free"]][0] == "taken" and not step["force"]:
                freed.append(step["free"])
        for name in step.get("results", []):
            numbers[name] = ("defined", len(defined))
            defined.append(name)
        shape.append((what, *parts))
    return Run(steps, taken, freed, [name for name in defined if name not in gone], tuple(shape))


def _longest(kinds: list[int], distance: int) -> tuple[int, int]:
    """Begin and length of the longest stretch whose steps are like those at that distance behind them."""
    best, begin = (0, 0), 0
    for n in range(len(kinds) - distance + 1):
        if n == len(kinds) - distance or kinds[n] != kinds[n + distance]:
            best = max(best, (n - begin, -begin))
            begin = n + 1
    return -best[1], best[0]


def _distances(kinds: list[int]) -> list[int]:
    last: dict[int, int] = {}
    found: collections.Counter[int] = collections.Counter()
    for n, what in enumerate(kinds):
        if what in last:
            found[n - last[what]] += 1
        last[what] = n
    return sorted(distance for distance, _ in found.most_common(_MOST_DISTANCES) if distance >= _LEAST_STEPS)


def _alike(runs: list[Run]) -> list[Run]:
    """The longest stretch of runs that have one shape."""
    best: list[Run] = []
    begin = 0
    for n in range(1, len(runs) + 1):
        if n == len(runs) or runs[n].shape != runs[begin].shape:
            best = max(best, runs[begin:n], key=len)
            begin = n
    return best


def _best(steps: list[dict[str, Any]], kinds: list[int], first: int) -> Repeat | None:
    """The repeat that spares the most steps; of these one whose runs pass the least on."""
    best: tuple[tuple[int, int], Repeat] | None = None
    for distance in _distances(kinds):
        begin, length = _longest(kinds, distance)
        count = length // distance + 1
        if count < 2 or best and (count - 1) * distance < best[0][0]:
            continue
        for shift in range(length % distance + 1):
            places = [begin + shift + n * distance for n in range(count)]
            runs = _alike([run_of(steps[place : place + distance], kinds[place : place + distance]) for place in places])
            if len(runs) < 2:
                continue
            rank = ((len(runs) - 1) * distance, -len(runs[0].left) - len(runs[0].freed))
            if best is None or rank > best[0]:
                start = next(place for place in places if steps[place] is runs[0].steps[0])
                best = rank, Repeat(first + start, runs)
    return best[1] if best else None


def repeats(steps: list[dict[str, Any]], read: set[str]) -> Iterator[Repeat]:
    """What repeats, in the order of the steps. `read`: names that any step reads."""
    numbers: dict[str, int] = {}
    kinds = [numbers.setdefault(kind(step, read), len(numbers)) for step in steps]

    def within(begin: int, end: int) -> Iterator[Repeat]:
        found = _best(steps[begin:end], kinds[begin:end], begin) if end - begin >= 2 * _LEAST_STEPS else None
        if found:
            yield from within(begin, found.begin)
            yield found
            yield from within(found.end, end)

    yield from within(0, len(steps))
