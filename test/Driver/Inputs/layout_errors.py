"""Runs `tessera layout` with one wrong argument each: one error that names what is wrong, nothing on standard
output, exit code 2."""
import subprocess
import sys

CASES = {
    "--shape 2x3": "--grid is required",
    "--grid 2x3": "--shape is required",
    "--shape 2x3 --grid 1x1 --gird 2": "--gird",
    "--shape 2x-3 --grid 1x1": "--shape 2x-3: expected numbers",
    "--shape 2xx3 --grid 1x1": "--shape 2xx3: expected numbers",
    "--shape 2x?x3 --grid 1x1": "--shape 2x?x3: expected numbers",
    "--shape 2147483648 --grid 1": "--shape 2147483648: expected numbers below 2^31",
    "--shape 2x3 --grid a": "--grid a: expected numbers",
    "--shape 2x3 --grid 2": "the linear map has 2 results, but grid <2> has rank 1",
    "--shape 2x3 --grid 0x1": "grid <0x1> has an extent of 0",
    "--shape 2x3 --grid 1x1 --dtype bf17": "--dtype bf17: not known; did you mean 'bf16'",
    "--shape 2x3 --grid 1x1 --dtype bfp_bf8": "bfp_bf8 exists in tiles only",
    "--shape 2x3 --grid 1x1 --tile 32": "--tile 32: a tile has height and width",
    "--shape 2x3 --grid 1x1 --tile 20x32": "tile 20x32 does not consist of faces",
    "--shape 2x3 --grid 1x1 --tile 64x64": "tile extent 64 is not within [1, 32]",
    "--shape 5 --grid 1 --tile": "tiles cut two dimensions",
    "--shape 2x3x4 --grid 1x1 --collapse 0-2": "--collapse 0-2: expected begin:end",
    "--shape 2x3x4 --grid 1x1 --collapse 0:4": "collapse interval (0, 4) reaches beyond the 3 dimensions",
    "--shape 2x3x4 --grid 1x1 --collapse 0:2,1:3": "collapse intervals [0, 2) and [1, 3) overlap",
    "--shape 2x3x4 --grid 1x1 --collapse 2:1": "it ends before it begins",
    "--shape 2x3 --grid 1x1 --align 1": "1 alignments are given for a tensor of 2 dimensions",
    "--shape 2x3 --grid 1x1 --align 1x0": "an alignment is at least 1, not 0",
    "--shape 2x3 --grid 1x1 --oob two": "--oob two: not known; known: undef, zero, one, inf, neginf",
    "--shape 2x3 --grid 1x1 --memory l2": "--memory l2: not known; did you mean 'l1'?",
    "--shape 2x3 --grid 1x1 --index 2,0": "--index 2,0: the tensor has no such element, its shape is 2x3",
    "--shape 2x3 --grid 1x1 --index 1": "--index 1: the tensor has no such element",
    "--shape 2x3 --grid 1x1 --device n15": "unknown device 'n15'; did you mean 'n150'",
    "--shape 2x65536x65536x2 --grid 1x1": "a coefficient in the map of a layout is out of range",
    f"--shape {'x'.join(['1'] * 65)} --grid 1x1": "the tensor has 65 dimensions; layouts have at most 64",
    "--shape 2147483647x2147483647x2147483647 --grid 1x1": "exceeds what 64 bits can count",
}


def problem(tool, arguments, expected):
    """What the tool does wrong, or None."""
    run = subprocess.run([tool, "layout", *arguments.split()], capture_output=True, text=True)
    if run.returncode != 2:
        return f"exit code {run.returncode}"
    if run.stdout:
        return f"standard output: {run.stdout}"
    if expected not in run.stderr or run.stderr.count("error:") > 1:
        return f"expected one error '{expected}', got: {run.stderr}"
    return None


wrong = {arguments: text for arguments, expected in CASES.items() if (text := problem(sys.argv[1], arguments, expected))}
for arguments, text in wrong.items():
    print(f"tessera layout {arguments}\n  {text}")
print(f"{len(CASES) - len(wrong)} of {len(CASES)} cases are reported as they should be")
sys.exit(1 if wrong else 0)
