"""The memory that tessera takes for what goes with a plan, over that for the plan alone: a program of 1,500 ops, as most of it grows
with their number. Prints one line for each command, with the bound that must hold.

    decisions_size.py SCRATCH
"""
import os
import pathlib
import subprocess
import sys

OPS = 1500
BOUND = 2.5
TENSOR = "tensor<256x1024xbf16, #l>"


def module():
    lines = [
        f'  %{i} = "ttnn.add"(%{i - 1 if i else "a"}, %a) : ({TENSOR}, {TENSOR}) -> {TENSOR}\n' for i in range(OPS)
    ]
    return (
        "#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x32x!ttcore.tile<32x32, bf16>, "
        "#ttnn.buffer_type<dram>>, <interleaved>>\n"
        f"func.func @main(%a: {TENSOR}) -> {TENSOR} {{\n{''.join(lines)}  return %{OPS - 1} : {TENSOR}\n}}\n"
    )


def memory(command):
    """The most that it held, in MiB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
    return usage.ru_maxrss / 1024


folder = pathlib.Path(sys.argv[1])
file = str(folder / "adds.mlir")
pathlib.Path(file).write_text(module())
alone = memory(["tessera", "optimize", file, "-o", str(folder / "out.mlir")])
failed = False
for name, command in {
    "--decisions": ["tessera", "optimize", file, "--decisions", str(folder / "decisions.json")],
    "explain of the decisions file": ["tessera", "explain", str(folder / "decisions.json")],
    "report of the decisions file": ["tessera", "report", str(folder / "decisions.json"), "-o", str(folder / "read.html")],
    "report": ["tessera", "report", file, "-o", str(folder / "report.html")],
    "explain": ["tessera", "explain", file, "--op", "ttnn.add#7"],
    "diff": ["tessera", "diff", file, "greedy"],
}.items():
    ratio = memory(command) / alone
    failed |= ratio > BOUND
    print(f"{name}: {ratio:.1f} times the memory of optimize, at most {BOUND}")
sys.exit(failed)
