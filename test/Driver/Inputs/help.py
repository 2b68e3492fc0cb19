"""Reads the help of every command: each shows how it is used by an example, fits the terminal but for examples, and lists
what its options take as the tables do."""
import os
import re
import subprocess
import sys

NAMES_IN = {"--device": ["tessera", "devices"], "--policy": ["tessera", "policies"], "--policies": ["tessera", "policies"]}


def run(command, columns=100):
    environment = dict(os.environ, COLUMNS=str(columns))
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


def commands(path):
    """This command and all below it."""
    yield path
    listed = re.search(r"\nCommands:\n(.*?)\n\n", run(["tessera", "help", *path]), re.DOTALL)
    for name in re.findall(r"^  (\S+)", listed[1], re.MULTILINE) if listed else []:
        yield from commands(path + [name])


def problems(path):
    text = run(["tessera", "help", *path])
    if not re.search(r"\n\n  tessera " if path[:1] != ["completion"] else r"\(tessera completion", text):
        yield "no example"
    for columns, most in (40, 40), (60, 60), (100, 100), (1000, 120):
        for line in run(["tessera", "help", *path], columns).splitlines():
            # What cannot be broken stays whole: an example, a word.
            if len(line) > most and not line.startswith(("  tessera ", "  source ")) and " " in line.strip():
                yield f"{len(line)} columns instead of {most}: {line}"
    for option, table in NAMES_IN.items():
        described = re.search(rf"^ +{option} [A-Z](.*?)\n(?! {{8}})", text, re.DOTALL | re.MULTILINE)
        for row in run(table).split("\n\n")[0].splitlines()[2:] if described else []:
            if row.split()[0] not in described[1]:
                yield f"{option} does not list {row.split()[0]}"


everything = [tuple(path) for path in commands([])]
wrong = [f"tessera help {' '.join(path)}: {problem}" for path in everything for problem in problems(list(path))]
print("\n".join(wrong))
print(f"{len(everything)} commands")
sys.exit(1 if wrong or len(everything) < 10 else 0)
