"""Whether the parts that rewrites made are what two decisions files say: of the module as it came, and rewritten."""
import json
import sys


def times(function):
    """By name of an op: its time, conversions that are made for it included."""
    found = {op["location"]: 0 for op in function["ops"]}
    for step in function["steps"]:
        found[function["ops"][step["op"]]["location"]] += step["time"]["total_ns"]
    return found


came, rewritten = (json.load(open(path))["functions"][0] for path in sys.argv[1:3])
assert came["rewrites"] is None
assert rewritten["before"] == came["before"], "gains are told against the program that came"
were, are = times(came), times(rewritten)
gone, made = set(), set()
for part in rewritten["rewrites"]:
    ops = [op["location"] for op in part["from"]]
    names = [rewritten["ops"][op]["location"] for op in part["made"]]
    assert ops and not set(ops) & gone and not set(names) & made, "an op is of one part"
    gone.update(ops)
    made.update(names)
    # Each time is rounded by itself.
    # What came was tried and not planned to the end: its times are near those of the plan.
    planned = sum(were[op] for op in ops)
    assert planned <= part["before_ns"] + len(ops) and part["before_ns"] <= 1.5 * planned + len(ops), part
    assert abs(part["after_ns"] - sum(are[op] for op in names)) <= len(names), part
assert gone == set(were) - set(are) and made == set(are) - set(were), "what differs is what parts tell of"
for part in rewritten["rewrites"]:
    print(", ".join(part["rewrites"]), part["class"], len(part["from"]), "->", len(part["made"]))
