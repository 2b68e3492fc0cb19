"""Plans modules, and what comes out once more: that never takes longer, whatever the policy starts from.

    again.py POLICY MODULE...
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def planned(module, policy, output):
    """Estimated nanoseconds of what is written to `output`."""
    done = subprocess.run(["tessera", "optimize", module, "--policy", policy, "-o", output, "--json", "-"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{module}: {done.stderr}")
    return json.JSONDecoder().raw_decode(done.stdout[done.stdout.index("{"):])[0]["estimated_ns"]["after"]


policy, *modules = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    once, twice = pathlib.Path(folder) / "once.mlir", pathlib.Path(folder) / "twice.mlir"
    for module in modules:
        before, after = planned(module, policy, once), planned(once, policy, twice)
        if after > before + 1:
            sys.exit(f"{module}: {before:.0f} ns, and planned again {after:.0f} ns")
