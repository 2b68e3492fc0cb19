"""Adds up who holds L1 at each op, as `tessera explain --all --json` tells: l1_shares.py TESSERA MODULE ..."""
import json
import os
import subprocess
import sys

tessera, *modules = sys.argv[1:]
policies = [line.split("\t")[0] for line in
            subprocess.run([tessera, "__complete", "optimize", "--policy", ""], capture_output=True, text=True, check=True).stdout.splitlines()]
views = 0
for module in modules:
    for policy in policies:
        said = subprocess.run([tessera, "explain", module, "--policy", policy, "--all", "--json", "-"], capture_output=True, text=True, check=True).stdout
        ops = json.loads(said)["ops"]
        for op in ops:
            l1, shares = op["run"]["l1"], op["l1_shares"]
            assert all(share["bytes"] >= 0 for share in shares), op["location"]
            assert sum(share["bytes"] for share in shares) == l1["tensors_bytes"] + l1["buffers_bytes"] + l1["margin_bytes"], op["location"]
            tensors = [share["tensor"] for share in shares if share["tensor"] is not None]
            assert len(tensors) == len(set(tensors))
            views += sum(share["holder"] == "view" for share in shares)
        print(f"{os.path.basename(module)} {policy}: {len(ops)} ops, all shares add up")
print("views:", views)
