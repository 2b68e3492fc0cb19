"""Optimizes modules several times over and compares every byte that is written. Prints how many files were compared.

    same_bytes.py FOLDER module.mlir ...

With every policy, and greedy with every strategy of --spill and every schedule: twice, the second time on one core and at other addresses, all
outputs of tessera; by the pass of tessera-opt, with MLIR's threads and without, on the module and on several copies of it in one, which MLIR
gives to as many threads.
"""
import os
import pathlib
import re
import subprocess
import sys

OUTPUTS = {"--output": "out.mlir", "--json": "summary.json", "--dump-plan": "plan.json", "--decisions": "decisions.json",
           "--report": "report.html", "--dump-solver": "solver.txt"}
COPIES = 4


def values(option):
    """What the command line completes behind an option."""
    done = subprocess.run(["tessera", "__complete", "optimize", option, ""], capture_output=True, text=True, check=True)
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def on_one_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def outputs(folder, number, model, options):
    where = folder / str(number)
    where.mkdir(parents=True, exist_ok=True)
    named = [word for option, name in OUTPUTS.items() for word in (option, name)]
    subprocess.run(["tessera", "optimize", model, "-q", *options, *named], check=True, cwd=where,
                   env={**os.environ, "TESSERA_TEST_PADDING": number * 1000 * "x"}, preexec_fn=on_one_core if number else None)
    return {option: (where / name).read_bytes() for option, name in OUTPUTS.items()}


def split(text):
    """Lines that name attributes, and the others."""
    lines = text.splitlines(keepends=True)
    return [line for line in lines if line.startswith("#")], [line for line in lines if not line.startswith("#") and line.strip()]


def copied(text):
    """The module several times within one, under other names."""
    names, module = split(text)
    copies = ["  " + re.sub(r"^module @\S+", f"module @copy{copy}", line) for copy in range(COPIES) for line in module]
    return "".join([*names, "module {\n", *copies, "}\n"])


def by_pass(text, pipeline, *options):
    """What the pass makes of it, with MLIR's threads and without."""
    both = [subprocess.run(["tessera-opt", f"--pass-pipeline={pipeline}", "-", *more], input=text, capture_output=True, text=True,
                           check=True).stdout for more in ([], ["--mlir-disable-threading"])]
    if both[0] != both[1]:
        sys.exit(f"{model.name}, {pipeline}: threads change the module")
    return both[0]


folder, compared = pathlib.Path(sys.argv[1]), 0
for model in (pathlib.Path(name).resolve() for name in sys.argv[2:]):
    plans = [["--policy", policy] for policy in values("--policy")]
    plans += [["--spill", strategy] for strategy in values("--spill")] + [["--schedule", order] for order in values("--schedule")]
    for options in plans:
        first, again = (outputs(folder, number, model, options) for number in range(2))
        compared += len(OUTPUTS)
        for option in OUTPUTS:
            if first[option] != again[option]:
                sys.exit(f"{model.name} {' '.join(options)}: {option} differs from run to run")
    for policy in values("--policy"):
        optimizer = f"builtin.module(ttnn-optimizer{{memory-layout-analysis-enabled=true memory-layout-analysis-policy={policy}}})"
        alone, together = by_pass(model.read_text(), optimizer), by_pass(copied(model.read_text()), f"builtin.module({optimizer})")
        compared += 2
        if split(together) != split(copied(alone)):
            sys.exit(f"{model.name}, {policy}: several modules at once become something else than one")
print(f"{compared} files are the same")
