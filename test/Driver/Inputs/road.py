"""Runs the commands of one section of a page as they stand, and compares what they print with what the page shows.

    road.py PAGE HEADING SCRATCH             in ctest; SCRATCH becomes a folder with the examples in it
    road.py PAGE HEADING SCRATCH --update    writes into the page what is printed now

Indented lines below a blank one are commands, with a backslash where one goes on in the next line; all must succeed. A fenced block below them is what the last
of them prints; where a line of it is `...`, lines are left out. Seconds are not compared. `python program/run.py` needs a chip, and is not run.
"""
import difflib
import pathlib
import re
import shutil
import subprocess
import sys

NOT_RUN = ("python program/run.py",)
BLOCK = re.compile(r"(?<=\n\n)((?:^    [^\n]+\n)+)(?:\n```\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"\d+(?:\.\d+)? s\b")


def section(page, heading):
    """Where the text below a heading begins and ends."""
    begin = re.search(rf"^(#+) {re.escape(heading)}\n", page, re.MULTILINE)
    if not begin:
        raise SystemExit(f"no heading '{heading}'")
    end = re.compile(rf"^#{{1,{len(begin[1])}}} ", re.MULTILINE).search(page, begin.end())
    return begin.end(), end.start() if end else len(page)


def commands(block):
    lines = re.sub(r"\\\n\s*", "", block)
    return [re.sub(r"\s+# .*", "", line.strip()) for line in lines.splitlines()]


def shortened(shown, printed):
    """What is printed, without as many lines as the page leaves out: as many stay at the beginning and the end."""
    lines, now = shown.splitlines(), printed.rstrip().splitlines()
    if "..." not in lines:
        return "\n".join(now) + "\n"
    gap = lines.index("...")
    tail = len(lines) - gap - 1
    return "\n".join([*now[:gap], "...", *now[len(now) - tail:]]) + "\n"


def run(block, folder):
    """The standard output of the last command. Ends the program if one fails."""
    printed = ""
    for command in commands(block):
        if command.startswith(NOT_RUN):
            continue
        answer = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True)
        if answer.returncode:
            raise SystemExit(f"{command}\nended with exit code {answer.returncode}: {answer.stdout}{answer.stderr}")
        printed = answer.stdout
    return printed


def main():
    path, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[3])
    root = next(parent for parent in path.parents if (parent / "examples").is_dir())
    shutil.copytree(root / "examples", folder / "examples", dirs_exist_ok=True)
    page = path.read_text()
    begin, end = section(page, sys.argv[2])
    pieces, at, different, ran = [], begin, False, 0
    for block in BLOCK.finditer(page, begin, end):
        printed, shown = run(block[1], folder), block[2]
        ran += len(commands(block[1]))
        if shown is None:
            continue
        now = shortened(shown, printed)
        pieces += [page[at:block.start(2)], now]
        at = block.end(2)
        if SECONDS.sub("s", shown) != SECONDS.sub("s", now):
            different = True
            print("\n".join(difflib.unified_diff(shown.splitlines(), now.splitlines(), path.name, "now", lineterm="", n=1)))
    if "--update" in sys.argv:
        path.write_text(page[:begin] + "".join(pieces) + page[at:])
        return 0
    if (folder / "generated").exists():  # what the vendor's libraries write where they are started
        raise SystemExit("a command has left generated/ behind")
    print(f"{ran} commands")
    if different:
        print(f"to bring the page up to date: {' '.join(sys.argv)} --update")
    return int(different or not ran)


sys.exit(main())
