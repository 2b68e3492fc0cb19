"""Prints what `tessera explain` says of every op of a decisions file that something was spilled for.

    spilled_for.py TESSERA decisions.json
"""
import json
import subprocess
import sys

for function in json.load(open(sys.argv[2]))["functions"]:
    for op in function["ops"]:
        text = subprocess.run([sys.argv[1], "explain", sys.argv[2], "--op", op["location"]], capture_output=True, text=True,
                              check=True).stdout
        print("\n".join(" ".join(line.split()) for line in text.splitlines() if "spilled for it" in line))
