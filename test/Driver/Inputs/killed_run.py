"""Runs a command whose last argument is a pipe that nobody reads, and kills it when it waits there: what goes to -o
is complete by then, but has not taken its name."""
import os
import subprocess
import sys
import time

temporary = sys.argv[sys.argv.index("-o") + 1] + ".tmp-0"
os.mkfifo(sys.argv[-1])
run = subprocess.Popen(sys.argv[1:])
waits = False
while run.poll() is None and not waits:
    time.sleep(0.001)
    with open(f"/proc/{run.pid}/stat") as stat:
        sleeps = stat.read().rsplit(")", 1)[1].split()[0] == "S"
    waits = sleeps and os.path.exists(temporary)
run.kill()
sys.exit(0 if waits and run.wait() == -9 else 1)
