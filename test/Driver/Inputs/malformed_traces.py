"""Breaks a folder of recorded runs in one cell at a time: `tessera replay` must end with one error that names file and line."""
import pathlib
import shutil
import subprocess
import sys

# file, line, text on that line, what stands there instead, what the error must say
BROKEN = [
    ("traces-index.csv", 1, "alloc_align", "align", "no column 'alloc_align'"),
    ("traces-index.csv", 2, "3200,3200", "3200,many", "column 'bank_bytes': expected a whole number from 0 on, got 'many'"),
    ("traces-index.csv", 2, "3200,3200", "3210,3200", "column 'base': expected a multiple of alloc_align, 32, got '3210'"),
    ("traces-index.csv", 2, ",32,16", ",0,16", "column 'alloc_align': expected a whole number from 1 on, got '0'"),
    ("traces-index.csv", 3, "second", "x", "trace x is there twice"),
    ("traces-index.csv", 2, "16,14", "16,15", "column 'events': trace x has 14 events in 'events.csv', but 15 by this index"),
    ("traces-index.csv", 2, "16,14", "16,abc", "column 'events': expected a whole number from 0 on, got 'abc'"),
    ("traces-index.csv", 2, "3200,3200", "3200,9223372036854775807",
     "column 'bank_bytes': expected at most 9223372036854772607 from base 3200 on, got '9223372036854775807'"),
    ("events.csv", 1, "lowest", "least", "no column 'lowest'"),
    ("events.csv", 2, "x,A", "y,A", "column 'trace': expected a trace that"),
    ("events.csv", 2, "x,A", "x,a", "column 'op': expected A, D, P, Z, K or R, got 'a'"),
    ("events.csv", 2, ",6048,6048", ",-6048,6048", "column 'addr': expected a whole number from 0 on, got '-6048'"),
    ("events.csv", 2, ",6048,6048", ",6048,none", "column 'lowest': expected a whole number from 0 on, got 'none'"),
    ("events.csv", 2, "100,4,d", "100,0,d", "column 'banks': expected a whole number from 1 on, got '0'"),
    ("events.csv", 2, "100,4,d", "100,4,down", "column 'dir': expected u or d, got 'down'"),
    ("events.csv", 2, "I,10,", "I,,", "column 'pages': expected a whole number from 0 on, got ''"),
    ("events.csv", 2, "I,10,", "I,99999999999999999999,", "column 'pages': expected a whole number from 0 on, got '9"),
    ("events.csv", 3, "A,1,", "A,0,", "column 'id': expected a number that trace x has not used yet, got '0'"),
    ("events.csv", 4, "D,0,", "D,4,", "column 'id': expected a number that an A or P of trace x has above, got '4'"),
    ("events.csv", 4, "D,0,,", "D,0,OK,", "column 'addr': expected nothing for a D, got 'OK'"),
    ("events.csv", 11, "OK", "320", "column 'addr': expected OK or FAIL, got '320'"),
    ("events.csv", 12, ",,", ",", "13 fields, but the header names 14 columns"),
    ("cb-programs.csv", 2, "OK", "FINE", "column 'verdict': expected OK, CLASH or BEYOND_L1, got 'FINE'"),
    ("cb-programs.csv", 3, "0-0:0-0", "0-0", "column 'fail_range': expected rectangles of cores as x0-y0:x1-y1"),
    ("cb-programs.csv", 5, "touching", "clash", "program clash is there twice"),
    ("cb-placement.csv", 2, "aligned", "absent", "column 'program': expected a program that"),
    ("cb-placement.csv", 5, "1-1:2-2", "2-2:1-1", "column 'ranges': expected rectangles of cores as x0-y0:x1-y1"),
    ("cb-placement.csv", 2, "100,0", "100,no", "column 'aliases_tensor': expected 0 or 1, got 'no'"),
    ("cb-placement.csv", 4, "1,", "1,5", "column 'addr': expected nothing, as the buffer aliases a tensor, got '5'"),
    ("cb-placement.csv", 2, "0,1024", "0,", "column 'addr': expected an address, got ''"),
]


def replay(folder):
    return subprocess.run(["tessera", "replay", "--traces", folder], capture_output=True, text=True, timeout=60)


def broken(good, folder, file, line, old, new):
    """A copy of the folder `good` with one change."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(good, folder)
    path = pathlib.Path(folder, file)
    lines = path.read_text().split("\n")
    assert old in lines[line - 1], f"{file}:{line} has no '{old}'"
    head, tail = lines[line - 1].rsplit(old, 1) if old == "1," else lines[line - 1].split(old, 1)
    lines[line - 1] = head + new + tail
    path.write_text("\n".join(lines))


good, folder = sys.argv[1:]
for file, line, old, new, message in BROKEN:
    broken(good, folder, file, line, old, new)
    run = replay(folder)
    wanted = f"tessera: error: {folder}/{file}:{line}: {message}"
    ok = run.returncode == 1 and run.stderr.startswith(wanted) and run.stderr.count("\n") == 1 and not run.stdout
    if not ok:
        sys.exit(f"{file}:{line}: '{old}' -> '{new}': wanted\n{wanted}\ngot exit code {run.returncode} and\n{run.stderr}{run.stdout}")

# A file that the index names and that is not there.
broken(good, folder, "traces-index.csv", 3, "events.csv", "more.csv")
assert replay(folder).stderr.startswith(f"tessera: error: {folder}/events.csv:16: column 'trace'"), replay(folder).stderr
pathlib.Path(folder, "cb-placement.csv").unlink()
shutil.copy(pathlib.Path(good, "traces-index.csv"), folder)
assert replay(folder).stderr.startswith(f"tessera: error: cannot read '{folder}/cb-placement.csv'"), replay(folder).stderr
