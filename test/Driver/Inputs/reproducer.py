"""Sends tessera the signal of a crash while it writes: to a pipe that nobody reads, so that it waits there. Prints what
tessera says and the reproducer, with the folder that it lies in left out; then optimizes the reproducer as the input."""
import os
import pathlib
import signal
import subprocess
import sys
import time

folder, model = sys.argv[1:3]
temporary = pathlib.Path(folder, "tmp")
temporary.mkdir(parents=True)
pipe = os.path.join(folder, "it's a pipe")
os.mkfifo(pipe)
command = ["tessera", "optimize", model, "-q", "-o"]
tool = subprocess.Popen(command + [pipe], stderr=subprocess.PIPE, text=True, env=dict(os.environ, TMPDIR=str(temporary)))
# Nothing else lets it sleep.
while open(f"/proc/{tool.pid}/stat").read().rsplit(")", 1)[1].split()[0] != "S":
    time.sleep(0.001)
tool.send_signal(signal.SIGSEGV)
print(f"signal {-tool.wait()}")
print(tool.stderr.read().replace(folder, "FOLDER"))
(reproducer,) = temporary.iterdir()
print(reproducer.read_text().replace(folder, "FOLDER"))
once = subprocess.run(command + ["-"], check=True, capture_output=True).stdout
again = subprocess.run(["tessera", "optimize", str(reproducer), "-q", "-o", "-"], check=True, capture_output=True).stdout
print("the same result" if once == again else "another result")
