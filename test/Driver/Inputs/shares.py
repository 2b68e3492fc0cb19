"""What the lines of progress on a terminal (terminal.py) say of the whole."""
import re
import sys

lines = re.findall(r"\\r\\x1b\[K(\d+) %(?:, (\d+ (?:s|min)) left)?: ", sys.stdin.read())
shares = [int(share) for share, _ in lines]
print("shares never go back" if shares == sorted(shares) else f"shares go back: {shares}")
print("the last is above 60 %" if shares[-1] > 60 else f"the last is {shares[-1]} %")
times = [bool(time) for _, time in lines]
print("time left is told, if at all, behind others that have none" if not times[0] and times == sorted(times) else f"time left: {times}")
