"""What kinds of results the candidates of ops have, and of operands: a line per op of those named.

    result_kinds.py model.mlir OP ...
"""
import json
import subprocess
import sys


def kind(layout):
    if not layout:
        return "any"
    return f"{layout['buffer']}/{layout['memory']}" + ("/row_major" if layout["page"] == "row_major" else "")


model, names = sys.argv[1], sys.argv[2:]
for name in names:
    done = subprocess.run(["tessera", "candidates", model, "--rewrites", "none", "--op", name, "--all", "--json", "-"], capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout)["rows"]
    for what in ("outputs", "inputs"):
        kinds = sorted({kind(layout) for row in rows for layout in row[what][:1]})
        print(f"{name} {what}: {' '.join(kinds)}")
