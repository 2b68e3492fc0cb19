// A mean, sum, maximum or minimum comes before a permute: less is moved.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_2x8x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64x8x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64x8x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x64x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 64 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x64x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 64 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// As networks end: pixels are one dimension then.
// CHECK-LABEL: func.func @pooled(
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [2 : i32, 64 : i32, 64 : i32]}>
// CHECK-NEXT: %[[R:.*]] = "ttnn.relu"(%[[X]])
// CHECK-NEXT: %[[M:.*]] = "ttnn.mean"(%[[R]]) <{dim_arg = [1 : i32], keep_dim = true}> {{.*}} -> tensor<2x1x64xbf16
// CHECK-NEXT: %[[Y:.*]] = "ttnn.reshape"(%[[M]]) <{shape = [2 : i32, 64 : i32]}>
// CHECK-NEXT: return %[[Y]]
func.func @pooled(%x: tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<2x64xbf16, #bf16_2x64> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<2x64x8x8xbf16, #bf16_2x64x8x8>
  %1 = "ttnn.relu"(%0) : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>) -> tensor<2x64x8x8xbf16, #bf16_2x64x8x8>
  %2 = "ttnn.mean"(%1) <{dim_arg = [2 : i32, 3 : i32], keep_dim = false}> : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>) -> tensor<2x64xbf16, #bf16_2x64>
  return %2 : tensor<2x64xbf16, #bf16_2x64>
}

// What is left is permuted: dimension 3 was dimension 2.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: %[[M:.*]] = "ttnn.max"(%arg0) <{dim_arg = [2 : i32], keep_dim = true}> {{.*}} -> tensor<2x64x1x32xbf16
// CHECK-NEXT: %[[P:.*]] = "ttnn.permute"(%[[M]]) <{permutation = array<i64: 0, 3, 1, 2>}> {{.*}} -> tensor<2x32x64x1xbf16
// CHECK-NEXT: return %[[P]]
func.func @rows(%x: tensor<2x64x8x32xbf16, #bf16_2x64x8x32>) -> tensor<2x32x64x1xbf16, #bf16_2x32x64x1> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x64x8x32xbf16, #bf16_2x64x8x32>) -> tensor<2x32x64x8xbf16, #bf16_2x32x64x8>
  %1 = "ttnn.max"(%0) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<2x32x64x8xbf16, #bf16_2x32x64x8>) -> tensor<2x32x64x1xbf16, #bf16_2x32x64x1>
  return %1 : tensor<2x32x64x1xbf16, #bf16_2x32x64x1>
}

// What others read permuted stays so for them.
// CHECK-LABEL: func.func @read_twice(
// CHECK: %[[X:.*]] = "ttnn.reshape"(%arg0)
// CHECK: "ttnn.mean"(%[[X]])
func.func @read_twice(%x: tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>, tensor<2x64xbf16, #bf16_2x64>) {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<2x64x8x8xbf16, #bf16_2x64x8x8>
  %1 = "ttnn.mean"(%0) <{dim_arg = [2 : i32, 3 : i32], keep_dim = false}> : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>) -> tensor<2x64xbf16, #bf16_2x64>
  return %0, %1 : tensor<2x64x8x8xbf16, #bf16_2x64x8x8>, tensor<2x64xbf16, #bf16_2x64>
}
