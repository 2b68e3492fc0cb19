"""Takes the tensor types and affine maps out of the code blocks of a Markdown page, as they stand, and demands that
tessera-opt reads them, and that what it prints comes out of it unchanged."""
import pathlib
import re
import subprocess
import sys


def balanced(text, start):
    """From `start` to the `>` that closes the first `<`; `->` closes nothing."""
    depth = 0
    for at in range(text.index("<", start), len(text)):
        if text[at] == "<":
            depth += 1
        elif text[at] == ">" and text[at - 1] != "-":
            depth -= 1
            if depth == 0:
                return text[start : at + 1]
    return text[start:]


def read_back(module):
    run = subprocess.run(["tessera-opt", "-"], input=module, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{module}\n{run.stderr}")
    return run.stdout


blocks = re.findall(r"```mlir\n(.*?)```", pathlib.Path(sys.argv[1]).read_text(), re.DOTALL)
tensors = [balanced(block, match.start()) for block in blocks for match in re.finditer(r"^tensor<", block, re.MULTILINE)]
maps = [line for block in blocks for line in block.splitlines() if re.match(r"\(d0.*->", line)]

module = "".join(f"func.func private @f{i}(\n{tensor}\n)\n" for i, tensor in enumerate(tensors))
module += "".join(f"func.func private @m{i}() attributes {{map = affine_map<\n{line}\n>}}\n" for i, line in enumerate(maps))
printed = read_back(module)
if read_back(printed) != printed:
    sys.exit("what is printed is not a fixpoint")
print(f"{len(tensors)} tensor types and {len(maps)} maps, {printed.count('#ttcore.metal_layout<')} layouts")
