"""Optimizes a module with every policy, with and without decisions, compares the plans and checks the decisions.

    all_policies.py TESSERA model.mlir FOLDER        leaves POLICY.json there
"""
import filecmp
import pathlib
import subprocess
import sys

tessera, model, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
folder.mkdir(exist_ok=True)
names = subprocess.run([tessera, "__complete", "optimize", "--policy", ""], capture_output=True, text=True, check=True).stdout
for policy in (line.split("\t")[0] for line in names.splitlines()):
    plain, noted, decisions, summary = (folder / f"{policy}.{end}" for end in ("plain", "noted", "json", "summary"))
    run = [tessera, "optimize", model, "--policy", policy, "--rewrites", "none", "-q", "--json", summary]
    subprocess.run([*run, "--dump-plan", plain], check=True)
    subprocess.run([*run, "--dump-plan", noted, "--decisions", decisions], check=True)
    if not filecmp.cmp(plain, noted, shallow=False):
        sys.exit(f"{policy}: noting decisions changes the plan")
    subprocess.run([sys.executable, pathlib.Path(__file__).parent / "check_decisions.py", decisions, summary], check=True)
