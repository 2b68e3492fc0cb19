"""Plans modules for less and less L1: it always succeeds, and no smaller cap gives a plan that is more than 1 % faster.

    caps.py POLICY MODULE...
"""
import json
import subprocess
import sys

policy, *modules = sys.argv[1:]
for module in modules:
    before = 0
    for cap in (0.95, 0.8, 0.6, 0.5, 0.3, 0.1, 0.05, 0.01):
        done = subprocess.run(["tessera", "optimize", module, "--policy", policy, "--rewrites", "none", "--tensor-l1-usage-cap", str(cap), "--json", "-"],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{module}: cap {cap}: {done.stderr}")
        after = json.JSONDecoder().raw_decode(done.stdout[done.stdout.index("{"):])[0]["estimated_ns"]["after"]
        if after < before / 1.01:
            sys.exit(f"{module}: cap {cap}: {after:.0f} ns, {before:.0f} ns with more L1")
        before = after
