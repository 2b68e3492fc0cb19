"""Checks the tables of `tessera candidates`: without and with dominated rows.

    check_candidates.py table.json all.json
"""
import json
import sys

short, full = (json.load(open(path)) for path in sys.argv[1:])


def interface(row):
    return json.dumps([row["inputs"], row["outputs"]])


def price(row):
    return row["time_ns"]["total"], row["own_l1_bytes"] + row["margin_bytes"]


assert short["rows_in_all"] == full["rows_in_all"] == len(full["rows"]) > len(short["rows"])
assert short["rows"] == [row for row in full["rows"] if not row["dominated"]]
assert sum(row["declared"] for row in full["rows"]) == 1
times = [row["time_ns"]["total"] for row in full["rows"]]
assert times == sorted(times)
for row in full["rows"]:
    better = [other for other in full["rows"] if other is not row and interface(other) == interface(row)
              and price(other)[0] <= price(row)[0] and price(other)[1] <= price(row)[1]]
    # Of equals one stays.
    assert row["dominated"] <= bool(better)
    assert row["dominated"] or all(price(other) == price(row) for other in better)
