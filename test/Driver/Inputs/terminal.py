"""Runs a command on a terminal and prints what it wrote, control characters escaped: terminal.py COLUMNS [NAME=VALUE ...] COMMAND ..."""
import fcntl
import os
import pty
import struct
import sys
import termios

columns, words = int(sys.argv[1]), sys.argv[2:]
environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
while "=" in words[0]:
    name, value = words.pop(0).split("=", 1)
    environment[name] = value
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    os.execvpe(words[0], words, environment)
written = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # how Linux says that the other end is closed
        break
    if not part:
        break
    written += part
_, status = os.waitpid(child, 0)
for line in written.decode().split("\r\n"):
    print(line.encode("unicode_escape").decode())
sys.exit(os.waitstatus_to_exitcode(status))
