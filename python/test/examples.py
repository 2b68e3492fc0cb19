"""Runs the examples of docs/python.md: examples.py REPOSITORY."""
import doctest
import os
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
os.chdir(root)
result = doctest.testfile(str(root / "docs/python.md"), module_relative=False,
                          optionflags=doctest.ELLIPSIS)
print(f"{result.attempted - result.failed} of {result.attempted} examples")
sys.exit(bool(result.failed or not result.attempted))
