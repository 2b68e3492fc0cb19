"""How wide the tables of a text are, whose first lines follow a heading: widest.py FILE HEADING. Escapes count as one character."""
import sys

lines = open(sys.argv[1], encoding="utf-8").read().split("\n")
start = next(i for i, line in enumerate(lines) if sys.argv[2] in line)
print("tables are at most", max(len(line) for line in lines[start + 1:]), "columns wide")
