"""Every key that commands write as JSON stands in backticks on docs/json.md, or on the page that it names for that output.

    json_keys.py DOCS MODULE SCRATCH
"""
import json
import pathlib
import re
import subprocess
import sys

docs, module, scratch = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)
planned = str(scratch / "planned.mlir")
decode = str(pathlib.Path(module).with_name("llama_decode.mlir"))
# What is below these has names of ops, attributes or rewrites for keys.
BY_NAME = {"attributes", "figures", "repaired", "rewrites"}
# By command: the pages that have its keys.
OUTPUTS = [
    (["optimize", module, "-q", "-o", planned, "--bound", "--json"], ["json.md", "op-model-backends.md"]),
    (["optimize", module, "-q", "--dump-plan"], ["json.md", "op-model-backends.md"]),
    (["compare", module, "--policies", "greedy,df-sharding", "--bound", "--json"], ["json.md", "op-model-backends.md"]),
    (["compare", module, "--against", planned, "--json"], ["report.md"]),
    (["diff", module, "declared", "--json"], ["report.md"]),
    (["explain", module, "--json"], ["json.md", "decisions-format.md"]),
    (["explain", module, "--all", "--json"], ["json.md", "decisions-format.md", "op-model-backends.md"]),
    (["explain", module, "--by", "kind", "--json"], ["json.md"]),
    (["candidates", module, "--op", "conv2d_0", "--rewrites", "none", "--json"], ["json.md", "op-model-backends.md"]),
    (["optimize", decode, "-q", "--dump-plan"], ["json.md", "op-model-backends.md"]),
    (["ops", "explain", module, "--op", "conv2d_0", "--json"], ["op-model-backends.md"]),
    (["ops", "explain", decode, "--op", "matmul_0", "--json"], ["op-model-backends.md"]),
]


def keys(value):
    """Of objects in it, however deep."""
    if isinstance(value, list):
        return {key for item in value for key in keys(item)}
    if not isinstance(value, dict):
        return set()
    return set(value) | {key for name, item in value.items() if name not in BY_NAME for key in keys(item)}


def told(pages):
    """The words in backticks, and those of examples of JSON."""
    text = "".join((docs / page).read_text().replace("```", "") for page in pages)
    return {word for code in re.findall(r"`([^`]+)`", text) for word in re.findall(r"\w+", code)} | set(re.findall(r'"(\w+)"', text))


wrong = []
for command, pages in OUTPUTS:
    path = scratch / "keys.json"
    subprocess.run(["tessera", *command, str(path)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    missing = sorted(keys(json.loads(path.read_text())) - told(pages))
    if missing:
        wrong.append(f"tessera {' '.join(command)}: {', '.join(missing)}")
print("\n".join(wrong))
print(f"{len(OUTPUTS) - len(wrong)} of {len(OUTPUTS)} outputs have their keys on a page")
sys.exit(1 if wrong else 0)
