"""no_faster.py MODULE OVERRIDE...: fails if an output-layout override makes the plan faster by 0.5 %."""
import json
import subprocess
import sys


def time(*options):
    run = subprocess.run(["tessera", "optimize", sys.argv[1], "-q", "--json", "-", *options], capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads(run.stdout)["estimated_ns"]["after"]


plain = time()
for override in sys.argv[2:]:
    if (forced := time("--override-output-layout", override)) < 0.995 * plain:
        sys.exit(f"{override}: {forced} ns instead of {plain}")
