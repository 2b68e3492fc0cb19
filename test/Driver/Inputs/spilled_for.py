"""Prints what `tessera explain` says of every op of a decisions file that something was spilled for, and how much of it is in its JSON.

    spilled_for.py TESSERA decisions.json
"""
import json
import subprocess
import sys


def explain(op, *options):
    return subprocess.run([sys.argv[1], "explain", sys.argv[2], "--op", op["location"], *options], capture_output=True, text=True,
                          check=True).stdout


in_json = 0
for function in json.load(open(sys.argv[2]))["functions"]:
    for op in function["ops"]:
        for line in explain(op).splitlines():
            if "spilled for it" in line:
                print(" ".join(line.split()))
        in_json += len(json.loads(explain(op, "--json", "-"))["spilled_for_it"])
print(in_json, "in JSON")
