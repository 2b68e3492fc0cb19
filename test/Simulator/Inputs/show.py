"""Prints type, shape and values of a .npy file, without NumPy."""
import ast
import struct
import sys

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
length = struct.unpack("<H", data[8:10])[0]
header = ast.literal_eval(data[10:10 + length].decode())
values = struct.unpack("<%df" % ((len(data) - 10 - length) // 4), data[10 + length:])
print(header["descr"], header["shape"], list(values))
