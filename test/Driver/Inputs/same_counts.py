"""Compares what two summaries count of conversions; there must be some."""
import json
import sys

KINDS = ("reshards", "spills", "reloads", "returns")
made, read = ({kind: json.load(open(path))[kind] for kind in KINDS} for path in sys.argv[1:])
if made != read or not any(made.values()):
    sys.exit(f"{made} was planned, {read} is there")
