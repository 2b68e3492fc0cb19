"""Runs each tool with too little memory for its input: one line says so, and the exit code is 4."""
import resource
import subprocess
import sys
import tempfile

OPS = 200_000
LIMIT = 100 << 20  # bytes of address space: enough to read the file, not to build its ops

with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
    file.write("func.func @f(%0: tensor<32x32xbf16>) {\n")
    for i in range(OPS):
        file.write(f'%{i + 1} = "a.b"(%{i}) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>\n')
    file.write("return }\n")
    file.flush()
    for command in (["tessera", "optimize", file.name], ["tessera-opt", file.name]):
        run = subprocess.run(command, capture_output=True, text=True,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)))
        print(f"{command[0]}: exit code {run.returncode}, stderr: {run.stderr.strip().splitlines()[-1]}")
