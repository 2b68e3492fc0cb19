"""declared_stands.py FOLDER: fails if policy `declared` plans another time than that of the module as it is, for a module that fits as it is."""
import json
import pathlib
import subprocess
import sys

fitting = 0
for module in sorted(pathlib.Path(sys.argv[1]).glob("*.mlir")):
    if subprocess.run(["tessera", "replay", module], capture_output=True).returncode:
        continue
    fitting += 1
    run = subprocess.run(["tessera", "optimize", module, "--policy", "declared", "-q", "-o", "/dev/null", "--json", "-"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    times = json.loads(run.stdout)["estimated_ns"]
    if times["after"] != times["before"]:
        print(f"{module.name}: {times['before']} ns as it is, {times['after']} ns planned")
print(f"{fitting} modules fit as they are")
