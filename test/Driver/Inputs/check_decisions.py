"""Checks what docs/decisions-format.md promises of a decisions file, and prints what there is, a line per function.

    check_decisions.py decisions.json [summary.json]      the summary of the same run, to be equal
"""
import json
import sys

CAUSES = {"backend", "memory", "faster", "policy"}
LOST = {"slower", "memory", "equal", "missed"}
TRACE = {"version", "functionName", "beamWidth", "totalOps", "forwardPass", "edges", "backwardPass", "finalChoices",
         "spillManagement"}


def check(ok, what):
    if not ok:
        sys.exit("wrong: " + what)


def check_steps(f):
    tensors = f["tensors"]
    for i, step in enumerate(f["steps"]):
        held = sum(t["l1_bytes"] for t in tensors if t["begin"] <= i < t["end"])
        l1 = step["l1"]
        check(held + l1["temporaries_bytes"] == l1["tensors_bytes"], f"step {i}: the sum of who holds L1")
        check(l1["tensors_bytes"] + l1["buffers_bytes"] + l1["margin_bytes"] <= f["budget_bytes"], f"step {i}: the budget")
        programs = {}
        for b in step["circular_buffers"]:
            programs[b["program"]] = programs.get(b["program"], 0) + b["bytes"]
        check(not programs or max(programs.values()) == l1["buffers_bytes"], f"step {i}: circular buffers")
        for t in step["reads"]:
            check(i in tensors[t]["readers"] and tensors[t]["begin"] <= i < tensors[t]["end"], f"step {i}: reads the living")
        for t in step["writes"]:
            check(tensors[t]["made_by"] == i, f"step {i}: makes what it writes")


def check_addresses(f):
    reserved, top = f["device"]["l1_reserved_bytes"], f["device"]["l1_bytes"] - f["device"]["l1_small_bytes"]
    refused = {t for c in f["clashes"] for t in c["tensors"]}
    for i, t in enumerate(f["tensors"]):
        if t["l1_bytes"] and i not in refused:
            check(t["address"] and reserved <= t["address"][0] < t["address"][1] <= top, f"tensor {i}: address")
            check(t["address"][1] - t["address"][0] >= t["l1_bytes"], f"tensor {i}: size")


def check_ops(f):
    for op in f["ops"]:
        step = f["steps"][op["step"]]
        outputs = [f["tensors"][t]["layout"] for t in step["writes"]]
        for other in op["runners_up"]:
            check(other["lost"] in LOST and other["because"] != "" or other["lost"] == "missed", op["location"] + ": reason")
            parts = other["delta_op_ns"] + other["delta_inputs_ns"] + other["delta_readers_ns"]
            check(abs(parts - other["delta_ns"]) <= 3, op["location"] + ": parts of the difference")
            check(other["outputs"] != outputs or other["config"] != step["config"] or
                  other["inputs"] != [f["tensors"][t]["layout"] for t in step["reads"]], op["location"] + ": is another way")
            if other["outputs"] == outputs and other["inputs"] == [f["tensors"][t]["layout"] for t in step["reads"]]:
                check(other["delta_inputs_ns"] == other["delta_readers_ns"] == 0, op["location"] + ": same layouts")


def main():
    data = json.load(open(sys.argv[1]))
    check(data["format"] == "tessera.decisions" and data["version"] == 1, "head")
    for f in data["functions"]:
        check_steps(f)
        check_addresses(f)
        check_ops(f)
        after, steps = f["after"], f["steps"]
        check(abs(sum(s["time"]["total_ns"] for s in steps) - after["time_ns"]) <= len(steps), "sum of times")
        peak = max(sum(s["l1"][k] for k in ("tensors_bytes", "buffers_bytes", "margin_bytes")) for s in steps)
        check(peak == after["peak_l1_bytes"], "peak")
        for s in f["spills"]:
            check(s["cause"] in CAUSES and (s["delta_ns"] is None) == (s["cause"] == "backend"), "cause")
        check(set(f["trace"]) >= TRACE and f["trace"]["version"] == 3 and f["trace"]["totalOps"] == len(f["ops"]), "trace")
        for op in f["trace"]["forwardPass"]:
            check(all("score" in e or "failureReason" in e for e in op["evaluations"]), "evaluations")
        if len(sys.argv) > 2:
            summary = json.load(open(sys.argv[2]))
            for key in ("spills", "returns", "reloads", "reshards"):
                check(summary[key] == after[key], key)
            check(summary["values"]["dram"] == after["dram"], "DRAM")
        missed = sum(o["lost"] == "missed" for op in f["ops"] for o in op["runners_up"])
        print(f"{f['function']} {f['policy']}: {len(f['ops'])} ops, {len(steps)} steps, all sums agree; "
              f"{sum(len(op['runners_up']) for op in f['ops'])} runners-up, {missed} of them missed, {len(f['spills'])} spills")


if __name__ == "__main__":
    main()
