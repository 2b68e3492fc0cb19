"""Asks every script of a folder for help: exit code 0, and more than a line, which names no traceback."""
import pathlib
import subprocess
import sys

for script in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    if not script.is_file():
        continue
    done = subprocess.run([script, "--help"], capture_output=True, text=True, timeout=60)
    told = done.stdout.strip()
    if done.returncode or done.stderr or len(told.split()) < 8:
        sys.exit(f"{script.name} --help: exit code {done.returncode}\n{told}\n{done.stderr}")
