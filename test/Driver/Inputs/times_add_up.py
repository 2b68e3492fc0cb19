"""Whether the groups of `tessera explain --by` are all of the time: times_add_up.py decisions.json groups.json ..."""
import json
import sys

decisions, *groups = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
for by in groups:
    for function, found in zip(decisions["functions"], by["functions"], strict=True):
        steps = [step for step in function["steps"] if found["by"] != "conversion" or step["kind"] == "convert"]
        assert sum(group["time_ns"] for group in found["groups"]) == sum(step["time"]["total_ns"] for step in steps), found["by"]
        assert sum(group["steps"] for group in found["groups"]) == len(steps)
        assert all(group["conversions_ns"] <= group["time_ns"] for group in found["groups"])
    print(f"{by['functions'][0]['by']}: all of the time" + (" of conversions" if by["functions"][0]["by"] == "conversion" else ""))
