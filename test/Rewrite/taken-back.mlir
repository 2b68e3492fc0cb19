// What loses time is taken back, and what gains it stands: heads are joined by one op, but two small slices are not worth a permute of all that
// they are cut from. The order of names is no matter.
// RUN: tessera-opt --ttnn-rewrite %s | FileCheck %s --check-prefix=ALL
// RUN: tessera optimize %s --rewrites all -q -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera optimize %s --rewrites none,+early-permute,+join-heads -q -o %t.1.mlir && cmp %t.mlir %t.1.mlir
// RUN: tessera optimize %s --rewrites none,+join-heads,+early-permute -q -o %t.2.mlir && cmp %t.mlir %t.2.mlir

// ALL: "ttnn.concatenate_heads"
// ALL: "ttnn.permute"({{.*}}tensor<1x64x1024x64xbf16
// CHECK: "ttnn.concatenate_heads"
// CHECK-NOT: "ttnn.permute"({{.*}}tensor<1x64x1024x64xbf16
// CHECK: return

#dram = #ttnn.buffer_type<dram>
#heads = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 128 + d2, d3), <1x1>, memref<32x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4096 + d1 * 32 + d2, d3), <1x1>, memref<128x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#joined = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#whole = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 65536 + d1 * 1024 + d2, d3), <1x1>, memref<2048x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#part = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#turned = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4096 + d1 * 64 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @main(%x: tensor<1x8x128x256xbf16, #heads>, %whole: tensor<1x64x1024x64xbf16, #whole>) -> (tensor<128x2048xbf16, #joined>, tensor<1x64x64x32xbf16, #turned>, tensor<1x64x64x32xbf16, #turned>) {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x8x128x256xbf16, #heads>) -> tensor<1x128x8x256xbf16, #rows>
  %1 = "ttnn.reshape"(%0) <{shape = [128 : i32, 2048 : i32]}> : (tensor<1x128x8x256xbf16, #rows>) -> tensor<128x2048xbf16, #joined>
  %2 = "ttnn.slice_static"(%whole) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 32 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x1024x64xbf16, #whole>) -> tensor<1x64x32x64xbf16, #part>
  %3 = "ttnn.permute"(%2) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x64x32x64xbf16, #part>) -> tensor<1x64x64x32xbf16, #turned>
  %4 = "ttnn.slice_static"(%whole) <{begins = [0 : i32, 0 : i32, 512 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 544 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x1024x64xbf16, #whole>) -> tensor<1x64x32x64xbf16, #part>
  %5 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x64x32x64xbf16, #part>) -> tensor<1x64x64x32xbf16, #turned>
  return %1, %3, %5 : tensor<128x2048xbf16, #joined>, tensor<1x64x64x32xbf16, #turned>, tensor<1x64x64x32xbf16, #turned>
}
