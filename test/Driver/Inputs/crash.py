"""Sends each tool the signal of a crash while it waits for its input."""
import signal
import subprocess
import time

for command in (["tessera", "optimize", "-"], ["tessera-opt"], ["tessera-solve"]):
    tool = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    # The handler is there once the tool sleeps in read(): that is the first time it sleeps.
    while open(f"/proc/{tool.pid}/stat").read().rsplit(")", 1)[1].split()[0] != "S":
        time.sleep(0.001)
    tool.send_signal(signal.SIGSEGV)
    print(f"{command[0]}: signal {-tool.wait()}, stderr: {tool.stderr.read()}")
