// Attention and its output projection as einsum writes them, with heads where einsum puts them.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_1x64x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x32x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// As jax.nn.dot_product_attention writes it: transposed values times transposed weights, which is the other product transposed.
// CHECK-LABEL: func.func @turned(
// CHECK-DAG: %[[Q:.*]] = "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK-DAG: %[[K:.*]] = "ttnn.permute"(%arg1) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK-DAG: %[[V:.*]] = "ttnn.permute"(%arg2) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK: %[[A:.*]] = "ttnn.scaled_dot_product_attention"(%[[Q]], %[[K]], %[[V]])
// CHECK-NEXT: %[[O:.*]] = "ttnn.permute"(%[[A]]) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK-NEXT: return %[[O]]
func.func @turned(%q: tensor<1x64x2x32xbf16, #bf16_1x64x2x32>, %k: tensor<1x64x2x32xbf16, #bf16_1x64x2x32>, %v: tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<1x64x2x32xbf16, #bf16_1x64x2x32> {
  %0 = "ttnn.permute"(%q) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<1x2x64x32xbf16, #bf16_1x2x64x32>
  %1 = "ttnn.permute"(%k) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<1x2x32x64xbf16, #bf16_1x2x32x64>
  %2 = "ttnn.matmul"(%0, %1) <{transpose_a = false, transpose_b = false}> : (tensor<1x2x64x32xbf16, #bf16_1x2x64x32>, tensor<1x2x32x64xbf16, #bf16_1x2x32x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %3 = "ttnn.softmax"(%2) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %4 = "ttnn.permute"(%v) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<1x2x32x64xbf16, #bf16_1x2x32x64>
  %5 = "ttnn.matmul"(%4, %3) <{transpose_a = false, transpose_b = true}> : (tensor<1x2x32x64xbf16, #bf16_1x2x32x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x32x64xbf16, #bf16_1x2x32x64>
  %6 = "ttnn.permute"(%5) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x2x32x64xbf16, #bf16_1x2x32x64>) -> tensor<1x64x2x32xbf16, #bf16_1x64x2x32>
  return %6 : tensor<1x64x2x32xbf16, #bf16_1x64x2x32>
}

// With a function behind the product it is none.
// CHECK-LABEL: func.func @with_function(
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @with_function(%q: tensor<1x64x2x32xbf16, #bf16_1x64x2x32>, %k: tensor<1x64x2x32xbf16, #bf16_1x64x2x32>, %v: tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<1x64x2x32xbf16, #bf16_1x64x2x32> {
  %0 = "ttnn.permute"(%q) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<1x2x64x32xbf16, #bf16_1x2x64x32>
  %1 = "ttnn.permute"(%k) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<1x2x32x64xbf16, #bf16_1x2x32x64>
  %2 = "ttnn.matmul"(%0, %1) <{transpose_a = false, transpose_b = false}> : (tensor<1x2x64x32xbf16, #bf16_1x2x64x32>, tensor<1x2x32x64xbf16, #bf16_1x2x32x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %3 = "ttnn.softmax"(%2) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %4 = "ttnn.permute"(%v) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<1x2x32x64xbf16, #bf16_1x2x32x64>
  %5 = "ttnn.matmul"(%4, %3) <{activation = "relu", transpose_a = false, transpose_b = true}> : (tensor<1x2x32x64xbf16, #bf16_1x2x32x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x32x64xbf16, #bf16_1x2x32x64>
  %6 = "ttnn.permute"(%5) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x2x32x64xbf16, #bf16_1x2x32x64>) -> tensor<1x64x2x32xbf16, #bf16_1x64x2x32>
  return %6 : tensor<1x64x2x32xbf16, #bf16_1x64x2x32>
}

// Heads behind their elements go before them, and the rows of the weights follow, once.
// CHECK-LABEL: func.func private @elements_first_const_eval
// CHECK: "ttnn.permute"({{.*}}) <{permutation = array<i64: 1, 0, 2>}> {{.*}} -> tensor<2x32x96xbf16
// CHECK-LABEL: func.func @elements_first(
// CHECK: "ttnn.concatenate_heads"(%arg0)
// CHECK: "ttnn.matmul"
func.func @elements_first(%x: tensor<1x2x64x32xbf16, #bf16_1x2x64x32>, %w: tensor<64x96xbf16, #bf16_64x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x96xbf16, #bf16_64x96> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x2x64x32xbf16, #bf16_1x2x64x32>) -> tensor<1x64x32x2xbf16, #bf16_1x64x32x2>
  %1 = "ttnn.reshape"(%0) <{shape = [64 : i32, 64 : i32]}> : (tensor<1x64x32x2xbf16, #bf16_1x64x32x2>) -> tensor<64x64xbf16, #bf16_64x64>
  %2 = "ttnn.matmul"(%1, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x96xbf16, #bf16_64x96>) -> tensor<64x96xbf16, #bf16_64x96>
  return %2 : tensor<64x96xbf16, #bf16_64x96>
}

// Weights that come with the call stay.
// CHECK-LABEL: func.func @own_weights(
// CHECK: "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 2, 3, 1>}>
// CHECK: "ttnn.matmul"({{.*}}, %arg1)
func.func @own_weights(%x: tensor<1x2x64x32xbf16, #bf16_1x2x64x32>, %w: tensor<64x96xbf16, #bf16_64x96>) -> tensor<64x96xbf16, #bf16_64x96> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x2x64x32xbf16, #bf16_1x2x64x32>) -> tensor<1x64x32x2xbf16, #bf16_1x64x32x2>
  %1 = "ttnn.reshape"(%0) <{shape = [64 : i32, 64 : i32]}> : (tensor<1x64x32x2xbf16, #bf16_1x64x32x2>) -> tensor<64x64xbf16, #bf16_64x64>
  %2 = "ttnn.matmul"(%1, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x96xbf16, #bf16_64x96>) -> tensor<64x96xbf16, #bf16_64x96>
  return %2 : tensor<64x96xbf16, #bf16_64x96>
}
