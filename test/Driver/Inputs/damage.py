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
    # Of an edge with a choice; the other end stays, so that more is proven than there is.
    sides = next(sides for sides in function["proof"]["gifts"] if len(sides[0]) > 1)
    sides[0] = [gift + 1000 * function["proof"]["scale"] for gift in sides[0]]


def state(function):
    states = function["proof"]["states"]
    states[states.index(max(states))] -= 1


def layout(function):
    function["plan"]["steps"] = function["plan"]["steps"][:-1]


for damage in (cost, time, bound, bound_time, multiplier, state, layout):
    damaged = copy.deepcopy(proof)
    damage(damaged["functions"][0])
    (folder / f"{damage.__name__}.json").write_text(json.dumps(damaged))
