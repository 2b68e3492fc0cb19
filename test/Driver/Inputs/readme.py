"""Runs what README.md tells its readers to run, in a scratch folder, and compares the summary that it shows.

    readme.py README.md SCRATCH               in ctest; SCRATCH holds what the commands read
    readme.py README.md SCRATCH --update      writes the summary as it is printed now into the page

Of the indented blocks every line is a command. Those of tessera run in bash as they stand, must succeed, and must write the
files that they name. What needs tt-mlir or the vendor's library, or builds Tessera, is known by how it starts and is not run.
"""
import difflib
import pathlib
import re
import shutil
import subprocess
import sys

NOT_RUN = ("ttmlir-opt", "scripts/quickstart", "ctest", "cmake", "pip install", "tessera setup ttnn", "tessera judge",
           "tessera optimize model.mlir --confirm", "tessera ops evaluate --library")
SUMMARY = re.compile(r"(?<=```\n)function  .*?(?=```)", re.DOTALL)
OUTPUT = re.compile(r"(?:-o|--json|--dump-plan|--out|--svg) ([\w./]+)")
TIMES = re.compile(r"^(planned in +).*", re.MULTILINE)


ROAD = re.compile(r"^## A model of JAX, in five commands\n.*?(?=^## )", re.MULTILINE | re.DOTALL)


def commands(page):
    """Lines of the indented blocks, without the comments behind them; those of the road from JAX are run by road.py."""
    indented = re.findall(r"^    (\S.*)$", ROAD.sub("", page), re.MULTILINE)
    return [re.sub(r"\s+# .*", "", line) for line in indented]


def run(command, folder):
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True)


def complaint(command, folder):
    """What is wrong with a command; "" if nothing is."""
    if command.startswith(NOT_RUN):
        return ""
    if not re.match(r"tessera|source <\(tessera ", command):
        return "is not a command of Tessera"
    answer = run(command, folder)
    if answer.returncode:
        return f"exit code {answer.returncode}: {answer.stderr}"
    return ", ".join(f"wrote no {name}" for name in OUTPUT.findall(command) if not (folder / name).exists())


def summary_now(root, folder):
    """What the last line of scripts/quickstart prints."""
    last = (root / "scripts/quickstart").read_text().splitlines()[-1].replace("build/release/bin/tessera", "tessera")
    shutil.copytree(root / "examples", folder / "examples", dirs_exist_ok=True)
    answer = run(last, folder)
    if answer.returncode:
        sys.exit(f"{last}: exit code {answer.returncode}: {answer.stderr}")
    return answer.stdout


def main():
    readme, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    page = readme.read_text()
    inputs = "test/ModelRunner/Inputs"
    shutil.copytree(readme.parent / inputs, folder / inputs, dirs_exist_ok=True)
    shown, now = SUMMARY.search(ROAD.sub("", page))[0], summary_now(readme.parent, folder)
    if "--update" in sys.argv:
        readme.write_text(page.replace(shown, now))
        return 0
    difference = list(difflib.unified_diff(TIMES.sub(r"\1", shown).splitlines(), TIMES.sub(r"\1", now).splitlines(),
                                           readme.name, "tessera", lineterm="", n=0))
    print("\n".join(difference))
    if difference:
        print(f"to bring the summary up to date: python3 {__file__} {readme} $(mktemp -d) --update")
    wrong = {command: said for command in commands(page) if (said := complaint(command, folder))}
    for command, said in wrong.items():
        print(f"wrong: {command}\n  {said}")
    ran = [command for command in commands(page) if not command.startswith(NOT_RUN)]
    print(f"{len(ran)} commands")
    return 1 if difference or wrong or not ran else 0


sys.exit(main())
