"""An alternative that has the layouts of the choice names what differs: alternatives_differ.py TESSERA MODEL ..."""
import re
import subprocess
import sys


def lines(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()


def main(tessera, *models):
    told = by_configuration = 0
    for model in models:
        for line in lines(tessera, "explain", model, "--top", "100000"):
            if found := re.search(r", makes (.*?)(?:; (.*) instead: .*|; nothing else is legal)$", line):
                assert found[1] != found[2], f"choice and alternative read the same: {line}"
                told += found[2] is not None
                by_configuration += found[2] is not None and not re.match("(l1|dram)/", found[2])
    print(f"{told} alternatives, {by_configuration} of the same layouts")


main(*sys.argv[1:])
