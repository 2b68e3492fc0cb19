"""Fails unless the ops that the op model knows and no call is known for are those that docs/judge.md lists.

    unasked_ops.py TEXT-OF-TESSERA-OPS ROOT-OF-THE-REPOSITORY
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
listed, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
sys.path.insert(0, str(root / "python/tessera"))
from ttnn.calls import CALLS  # noqa: E402: ours, not the vendor's

known = set(re.findall(r"^ttnn\.(\w+)", listed.read_text(), re.MULTILINE))
section = (root / "docs/judge.md").read_text().split("## What cannot be asked")[1].split("\n## ")[0]
said = set(re.findall(r"`(\w+)`", section))
for what, names in (("asked, and yet listed", said - (known - set(CALLS))), ("neither asked nor listed", known - set(CALLS) - said)):
    if names:
        sys.exit(f"{what}: {', '.join(sorted(names))}")
print(f"{len(known & set(CALLS))} of {len(known)} ops can be asked")
