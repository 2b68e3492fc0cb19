// Attention within windows: batches of batches.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_128x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x2x2x32x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 128 + d1 * 64 + d2 * 32 + d3, d4), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x2x32x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 2048 + d1 * 1024 + d2 * 32 + d3, d4), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x1x2x32x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 64 + d1 * 64 + d2 * 32 + d3, d4), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Two dimensions of batches are one for the kernel.
// CHECK-LABEL: func.func @windows(
// CHECK: %[[Y:.*]] = "ttnn.scaled_dot_product_attention"({{.*}} -> tensor<4x2x32x32xbf16
// CHECK-NEXT: %[[Z:.*]] = "ttnn.reshape"(%[[Y]])
// CHECK-NEXT: return %[[Z]]
func.func @windows(%xq: tensor<128x64xbf16, #bf16_128x64>, %xk: tensor<128x64xbf16, #bf16_128x64>, %xv: tensor<128x64xbf16, #bf16_128x64>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32> {
  %qr = "ttnn.reshape"(%xq) <{shape = [2 : i32, 2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<128x64xbf16, #bf16_128x64>) -> tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>
  %q = "ttnn.permute"(%qr) <{permutation = array<i64: 0, 1, 3, 2, 4>}> : (tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %kr = "ttnn.reshape"(%xk) <{shape = [2 : i32, 2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<128x64xbf16, #bf16_128x64>) -> tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>
  %k = "ttnn.permute"(%kr) <{permutation = array<i64: 0, 1, 3, 4, 2>}> : (tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %s = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>, tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %p = "ttnn.softmax"(%s) <{dimension = 4 : si32, numericStable = true}> : (tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %vr = "ttnn.reshape"(%xv) <{shape = [2 : i32, 2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<128x64xbf16, #bf16_128x64>) -> tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>
  %v = "ttnn.permute"(%vr) <{permutation = array<i64: 0, 1, 3, 2, 4>}> : (tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>, tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  return %y : tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
}

// A mask for the first of them has no form there.
// CHECK-LABEL: func.func @mask_of_the_first_batches(
// CHECK-NOT: "ttnn.scaled_dot_product_attention"
// CHECK: return
func.func @mask_of_the_first_batches(%xq: tensor<128x64xbf16, #bf16_128x64>, %xk: tensor<128x64xbf16, #bf16_128x64>, %xv: tensor<128x64xbf16, #bf16_128x64>, %m: tensor<2x1x2x32x32xbf16, #bf16_2x1x2x32x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32> {
  %qr = "ttnn.reshape"(%xq) <{shape = [2 : i32, 2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<128x64xbf16, #bf16_128x64>) -> tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>
  %q = "ttnn.permute"(%qr) <{permutation = array<i64: 0, 1, 3, 2, 4>}> : (tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %kr = "ttnn.reshape"(%xk) <{shape = [2 : i32, 2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<128x64xbf16, #bf16_128x64>) -> tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>
  %k = "ttnn.permute"(%kr) <{permutation = array<i64: 0, 1, 3, 4, 2>}> : (tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %s = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>, tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %t = "ttnn.add"(%s, %m) : (tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>, tensor<2x1x2x32x32xbf16, #bf16_2x1x2x32x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %p = "ttnn.softmax"(%t) <{dimension = 4 : si32, numericStable = true}> : (tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %vr = "ttnn.reshape"(%xv) <{shape = [2 : i32, 2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<128x64xbf16, #bf16_128x64>) -> tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>
  %v = "ttnn.permute"(%vr) <{permutation = array<i64: 0, 1, 3, 2, 4>}> : (tensor<2x2x32x2x32xbf16, #bf16_2x2x32x2x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>, tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>) -> tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
  return %y : tensor<2x2x2x32x32xbf16, #bf16_2x2x2x32x32>
}
