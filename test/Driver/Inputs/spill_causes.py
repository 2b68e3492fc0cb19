"""Each conversion that takes a value out of L1 says why, in one cause: spill_causes.py TESSERA MODEL ...

Little L1 and all spill strategies, so that much leaves. Prints what was looked at.
"""
import collections
import json
import subprocess
import sys
import tempfile

RUNS = [["--policy", "beam", "--tensor-l1-usage-cap", "0.15"],
        ["--policy", "greedy", "--spill", "cost", "--tensor-l1-usage-cap", "0.2"],
        ["--policy", "df-sharding", "--tensor-l1-usage-cap", "0.3"]]


def check(tessera, model, options, seen):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        subprocess.run([tessera, "optimize", model, "--rewrites", "none", "-q", *options, "--decisions", file.name],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        decisions = json.load(open(file.name))
        words = subprocess.run([tessera, "explain", file.name, "--top", "100000"], check=True, capture_output=True, text=True).stdout
    for f in decisions["functions"]:
        where = [f["layouts"][tensor["layout"]]["buffer"] for tensor in f["tensors"]]
        steps = [step for step in f["steps"] if step["reason"] == "spill"]
        for step in steps:
            assert where[step["reads"][0]] == "l1" and where[step["writes"][0]] == "dram", "a spill that leaves L1 for nowhere"
        counted = f["after"]["spills"]
        assert len(steps) == counted, f"{len(steps)} steps are spills, the totals say {counted}"
        told = [line for line in words.splitlines() if line.startswith("  spill of ")]
        assert len(told) == counted and all("bound by" in line and "; " in line for line in told), f"{counted} spills, told: {told}"
        for spill in f["spills"]:
            seen[spill["cause"]] += 1
            assert (spill["cause"] == "memory") <= (spill["missing_bytes"] > 0 and spill["at_step"] is not None), spill
        seen["spill steps"] += len(steps)


def main(tessera, *models):
    seen = collections.Counter()
    for model in models:
        for options in RUNS:
            check(tessera, model, options, seen)
    for what, count in sorted(seen.items()):
        print(f"{what}: {count}")


main(*sys.argv[1:])
