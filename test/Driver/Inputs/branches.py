"""A TTNN module of N results that all live until sums read them in reverse order: not all have room in L1."""
import sys

count = int(sys.argv[1])
tensor = "tensor<2048x2048xbf16, #l>"
print(
    "#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, "
    "#ttnn.buffer_type<dram>>, <interleaved>>"
)
print(f"func.func @main(%a: {tensor}) -> {tensor} {{")
for i in range(count):
    print(f'  %v{i} = "ttnn.relu"(%a) : ({tensor}) -> {tensor}')
total = "%v0"
for i in reversed(range(1, count)):
    print(f'  %s{i} = "ttnn.add"({total}, %v{i}) : ({tensor}, {tensor}) -> {tensor}')
    total = f"%s{i}"
print(f"  return {total} : {tensor}\n}}")
