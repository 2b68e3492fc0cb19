"""Counts the different integers of a .npy file, without NumPy."""
import ast
import struct
import sys

below, data = int(sys.argv[1]), open(sys.argv[2], "rb").read()
length = struct.unpack("<H", data[8:10])[0]
header = ast.literal_eval(data[10:10 + length].decode())
kind = {"<i4": "i", "<u4": "I", "<i8": "q"}[header["descr"]]
values = struct.unpack(f"<{(len(data) - 10 - length) // struct.calcsize(kind)}{kind}", data[10 + length:])
print(len(set(values)), "of", len(values), "distinct,", "all" if all(0 <= value < below for value in values) else "not all", "below", below)
