"""Runs tessera-opt on every .mlir file of a folder and demands that each comes out byte for byte as it went in
(which makes it a fixpoint too), and that bytecode and generic form preserve it (--verify-roundtrip)."""
import difflib
import pathlib
import subprocess
import sys


def difference(path):
    """What changed in the file, or None."""
    run = subprocess.run(["tessera-opt", "--verify-roundtrip", path], capture_output=True)
    if run.returncode != 0:
        return run.stderr.decode(errors="replace")[:2000]
    expected = path.read_bytes()
    if run.stdout == expected:
        return None
    lines = difflib.unified_diff(
        expected.decode().splitlines(), run.stdout.decode().splitlines(), "input", "output", lineterm="", n=0
    )
    return "\n".join(line[:300] for line, _ in zip(lines, range(12)))


def main():
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.mlir"))
    changed = [(path, text) for path in files if (text := difference(path)) is not None]
    for path, text in changed:
        print(f"{path.name} changed:\n{text}\n")
    print(f"{len(files) - len(changed)} of {len(files)} files identical")
    return 0 if files and not changed else 1


sys.exit(main())
