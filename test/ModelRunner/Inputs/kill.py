"""Kills a conversion a moment after its n-th file, for every n of a list, and resumes it: the folder ends like one that was never
interrupted. usage: kill.py CHECKPOINT FOLDER UNINTERRUPTED KILLS"""
import filecmp
import os
import random
import shutil
import signal
import subprocess
import sys
import time

checkpoint, folder, whole, kills = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
command = ["tessera", "weights", "convert", "--hf", checkpoint, "--out", folder, "--mesh", "2x4", "--jobs", "2", "-q",
           "--json-lines", "-"]


def files(top):
    return sorted(os.path.relpath(os.path.join(at, name), top) for at, _, names in os.walk(top) for name in names)


resumed = 0
for kill in range(kills):
    shutil.rmtree(folder, ignore_errors=True)
    for lines in (1 + 7 * kill % 60, 3):  # killed, resumed, killed again
        run = subprocess.Popen(command, stdout=subprocess.PIPE)
        for _ in range(lines):
            run.stdout.readline()
        time.sleep(random.Random(kill).random() * 0.01)  # so that it is in the middle of anything
        run.send_signal(signal.SIGKILL)
        run.wait()
    last = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    resumed += len(last.splitlines()) < len(files(whole)) - 2
    different = [name for name in files(whole) if not filecmp.cmp(os.path.join(whole, name), os.path.join(folder, name), False)]
    if files(folder) != files(whole) or different:
        sys.exit(f"killed after {lines} files: {different or set(files(folder)) ^ set(files(whole))}")
print(f"{kills} kills, the last run made less than all files {resumed} times")
