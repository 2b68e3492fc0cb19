"""Runs a module on the vectors of real kernels: real_kernels.py TESSERA MODULE VECTORS FOLDER

VECTORS.inputs.npz has the arguments, VECTORS.p150.npz for each result K what real kernels give (outK) and the exact result
(fp64K). Prints the error of each against the exact one, relative and root mean square, and fails if ours is larger than
that of the kernels. Needs no numpy.
"""

import array
import ast
import math
import pathlib
import subprocess
import sys
import zipfile


def read(data):
    """The elements of a .npy file's bytes, as floats."""
    assert data[:6] == b"\x93NUMPY" and data[6] == 1, "not a .npy file of version 1"
    size = int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10 : 10 + size].decode())
    assert not header["fortran_order"]
    elements = array.array({"<f4": "f", "<f8": "d", "<i4": "i"}[header["descr"]])
    elements.frombytes(data[10 + size :])
    return elements


def error(values, exact):
    square = sum((a - b) ** 2 for a, b in zip(values, exact, strict=True))
    return math.sqrt(square / max(sum(b * b for b in exact), 1e-300))


def main():
    tessera, module, vectors, folder = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(vectors + ".inputs.npz") as inputs:
        names = sorted(inputs.namelist(), key=lambda name: int(name[3:-4]))
        inputs.extractall(folder)
    files = ",".join(str(folder / name) for name in names)
    subprocess.run([tessera, "run", module, "--inputs", files, "--outputs", folder], check=True, stdout=subprocess.PIPE)
    worse = False
    with zipfile.ZipFile(vectors + ".p150.npz") as results:
        for k in range(sum(name.startswith("fp64") for name in results.namelist())):
            exact = read(results.read("fp64%d.npy" % k))
            ours = error(read((folder / ("main.result%d.npy" % k)).read_bytes()), exact)
            theirs = error(read(results.read("out%d.npy" % k)), exact)
            worse |= ours > theirs
            print("result%d ours %.5f  kernels %.5f" % (k, ours, theirs))
    return worse


sys.exit(main())
