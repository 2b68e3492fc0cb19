"""Compares the `$ tessera ...` examples of a Markdown page, each in a block of its own marked `console`, with what the
tool prints now. With --update, writes what it prints into the page instead."""
import difflib
import pathlib
import re
import shlex
import subprocess
import sys

EXAMPLE = re.compile(r"```console\n\$ (tessera [^\n]*)\n(.*?)```", re.DOTALL)


def as_printed(match):
    """The block, with the output that the command has now."""
    run = subprocess.run(shlex.split(match[1]), capture_output=True, text=True)
    return f"```console\n$ {match[1]}\n{run.stdout}{run.stderr}```"


page = pathlib.Path(sys.argv[1])
text = page.read_text()
printed, examples = EXAMPLE.subn(as_printed, text)
if "--update" in sys.argv[2:]:
    page.write_text(printed)
    sys.exit(0)
print("\n".join(difflib.unified_diff(text.splitlines(), printed.splitlines(), str(page), "tessera", lineterm="", n=0)))
print(f"{examples} examples of {page.name}")
sys.exit(0 if examples and printed == text else 1)
