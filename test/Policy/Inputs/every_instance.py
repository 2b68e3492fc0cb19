"""Solves every instance of a folder with each policy and the given arguments. tessera-solve checks that plans are legal and not slower than
what they fall back to; the names of instances where one is not are printed.

    every_instance.py FOLDER ARGUMENT ...
"""
import pathlib
import subprocess
import sys

instances = sorted(pathlib.Path(sys.argv[1]).glob("*.problem"))
assert instances
wrong = [instance.name for instance in instances
         if subprocess.run(["tessera-solve", "--policy", "all", *sys.argv[2:], instance], stdout=subprocess.DEVNULL).returncode]
print(f"{len(instances) - len(wrong)} of {len(instances)} instances", *wrong)
sys.exit(bool(wrong))
