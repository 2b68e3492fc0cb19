"""Writes a mistake into an attribute or a type of a module, one at a time: each tool says one thing, at the place of the
mistake, and names no C++ type."""
import re
import subprocess
import sys

LAYOUT = (
    "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
    "<interleaved>>"
)
# The line, the word that is wrong, and what is said of it.
CASES = [
    (LAYOUT.replace("<dram>", "<drm>"), "drm", "expected one of [dram, l1, "),
    (LAYOUT.replace("interleaved", "interleavd"), "interleavd", "expected one of [interleaved, "),
    (LAYOUT.replace("bf16", "bf17"), "bf17", "expected one of [f32, f16, bf16, "),
    ("#ttnn.conv2d_config<weights_dtype = bf17>", "bf17", "expected one of [f32, f16, bf16, "),
    ("#ttnn.conv2d_config<act_block_h_override = many>", "many", "expected integer value"),
    ("#ttnn.conv2d_config<act_block_w_div = 3, act_block_w_div = 4>", "4>", "key 'act_block_w_div' is not known here, or stands twice"),
    ("#ttnn.conv2d_slice_config<l1_ful, 0>", "l1_ful", "expected one of [dram_height, dram_width, l1_full]"),
    ("#ttnn.core_range<(0,0), (a,1)>", "a,1", "expected integer value"),
    ("#ttnn.core_range_set<[]>", "[]", "a set without cores is <>"),
    ("#ttnn.memory_config<#ttnn.buffer_type<l2>, <interleaved>>", "l2", "expected one of [dram, l1, "),
    ("#ttcore.argument_type<inputt>", "inputt", "expected one of [input, "),
]


def problem(command, line, word, message):
    """What the tool does wrong, or None."""
    text = f"#a = {line}\nmodule {{\n}}\n"
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    column = text.index(word) + 1
    expected = re.compile(rf"<stdin>:1:{column}: error: .*{re.escape(message)}")
    if run.returncode == 1 and expected.match(run.stderr) and run.stderr.count("error:") == 1 and "::" not in run.stderr:
        return None
    return f"exit code {run.returncode}, {run.stderr}expected {expected.pattern}"


wrong = [
    f"{command[0]}: {line}\n  {found}"
    for case in CASES
    for line in case[:1]
    for command in (["tessera", "optimize", "-"], ["tessera-opt", "-"])
    if (found := problem(command, *case))
]
print("\n".join(wrong))
print(f"{2 * len(CASES) - len(wrong)} of {2 * len(CASES)} are said as they should be")
sys.exit(1 if wrong else 0)
