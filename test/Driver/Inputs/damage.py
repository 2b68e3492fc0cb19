"""Copies of a certificate, each with one thing changed: damage.py proof.json FOLDER. Prints their names."""
import copy
import json
import pathlib
import sys

proof, folder = json.load(open(sys.argv[1])), pathlib.Path(sys.argv[2])
folder.mkdir(exist_ok=True)


def cost(function):
    function["proof"]["cost"] -= 1


def time(function):
    function["time_ns"] -= 1


def bound(function):
    function["proof"]["bound"] += 1


def bound_time(function):
    function["bound_ns"] += 1


def multiplier(function):
    # Of one state alone: what all states of a node give alike cancels out. The edge then costs less with that state, so less is proven.
    sides = next(sides for sides in function["proof"]["gifts"] if len(sides[0]) > 1)
    sides[0][0] -= 10**9 * function["proof"]["scale"]


def state(function):
    states = function["proof"]["states"]
    states[states.index(max(states))] -= 1


def layout(function):
    function["plan"]["steps"] = function["plan"]["steps"][:-1]


for damage in (cost, time, bound, bound_time, multiplier, state, layout):
    damaged = copy.deepcopy(proof)
    damage(damaged["functions"][0])
    (folder / f"{damage.__name__}.json").write_text(json.dumps(damaged))
# A second claim, of the same function or of one that is not there.
for name, claim in (("twice", {"time_ns": 1}), ("other", {"function": "other"})):
    damaged = dict(proof, functions=[*proof["functions"], {**proof["functions"][0], **claim}])
    (folder / f"{name}.json").write_text(json.dumps(damaged))
