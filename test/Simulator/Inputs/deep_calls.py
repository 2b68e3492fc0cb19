"""Prints a module of functions of which each calls the next. usage: deep_calls.py COUNT"""
import sys

count = int(sys.argv[1])
tensor = "tensor<2x3xbf16, #t>"
print("#dram = #ttnn.buffer_type<dram>")
print("#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>")
for i in range(count):
    print(f"func.func @f{i}(%x: {tensor}) -> {tensor} {{")
    print(f"  %0 = call @f{i + 1}(%x) : ({tensor}) -> {tensor}")
    print(f"  return %0 : {tensor}")
    print("}")
print(f"func.func @f{count}(%x: {tensor}) -> {tensor} {{")
print(f"  return %x : {tensor}")
print("}")
