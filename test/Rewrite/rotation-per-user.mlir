// Users at positions of their own: each has a row of the tables, and stands where positions do.
// RUN: tessera-opt --ttnn-rewrite="rewrites=all,-lone-heads" %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_32x512 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<256x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x8x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @per_user
// CHECK: %[[X:.*]] = "ttnn.permute"({{.*}}) <{permutation = array<i64: 0, 2, 1, 3>}> : {{.*}} -> tensor<1x8x32x64xbf16
// CHECK: %[[Y:.*]] = "ttnn.rotary_embedding"(%[[X]], %{{.*}}, %{{.*}}) : {{.*}} -> tensor<1x8x32x64xbf16
// CHECK-NEXT: %[[Z:.*]] = "ttnn.permute"(%[[Y]])
// CHECK-NEXT: return %[[Z]]
func.func @per_user(%x: tensor<32x512xbf16, #bf16_32x512>, %cos: tensor<32x64xbf16, #bf16_32x64>, %sin: tensor<32x64xbf16, #bf16_32x64>) -> tensor<1x32x8x64xbf16, #bf16_1x32x8x64> {
  %0 = "ttnn.reshape"(%x) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16, #bf16_32x512>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %1 = "ttnn.reshape"(%cos) <{shape = [32 : i32, 1 : i32, 1 : i32, 64 : i32]}> : (tensor<32x64xbf16, #bf16_32x64>) -> tensor<32x1x1x64xbf16, #bf16_32x1x1x64>
  %2 = "ttnn.reshape"(%sin) <{shape = [32 : i32, 1 : i32, 1 : i32, 64 : i32]}> : (tensor<32x64xbf16, #bf16_32x64>) -> tensor<32x1x1x64xbf16, #bf16_32x1x1x64>
  %3 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x32xbf16, #bf16_32x8x1x32>
  %4 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x32xbf16, #bf16_32x8x1x32>
  %5 = "ttnn.neg"(%4) : (tensor<32x8x1x32xbf16, #bf16_32x8x1x32>) -> tensor<32x8x1x32xbf16, #bf16_32x8x1x32>
  %6 = "ttnn.concat"(%5, %3) <{dim = 3 : si32}> : (tensor<32x8x1x32xbf16, #bf16_32x8x1x32>, tensor<32x8x1x32xbf16, #bf16_32x8x1x32>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %7 = "ttnn.multiply"(%0, %1) : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x1x1x64xbf16, #bf16_32x1x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %8 = "ttnn.multiply"(%6, %2) : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x1x1x64xbf16, #bf16_32x1x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %9 = "ttnn.add"(%7, %8) : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %10 = "ttnn.reshape"(%9) <{shape = [1 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<1x32x8x64xbf16, #bf16_1x32x8x64>
  return %10 : tensor<1x32x8x64xbf16, #bf16_1x32x8x64>
}

// A row for each head of each user is none that the kernel has.
// CHECK-LABEL: func.func @per_head
// CHECK-NOT: "ttnn.rotary_embedding"
func.func @per_head(%x: tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, %cos: tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, %sin: tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64> {
  %3 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x32xbf16, #bf16_32x8x1x32>
  %4 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x32xbf16, #bf16_32x8x1x32>
  %5 = "ttnn.neg"(%4) : (tensor<32x8x1x32xbf16, #bf16_32x8x1x32>) -> tensor<32x8x1x32xbf16, #bf16_32x8x1x32>
  %6 = "ttnn.concat"(%5, %3) <{dim = 3 : si32}> : (tensor<32x8x1x32xbf16, #bf16_32x8x1x32>, tensor<32x8x1x32xbf16, #bf16_32x8x1x32>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %7 = "ttnn.multiply"(%x, %cos) : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %8 = "ttnn.multiply"(%6, %sin) : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %9 = "ttnn.add"(%7, %8) : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  return %9 : tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
}
