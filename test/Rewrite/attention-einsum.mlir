// Attention and its output projection as einsum writes them, with heads where einsum puts them.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#g_q = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#g_k5 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 4096 + d1 * 64 + d2 * 32 + d3, d4), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#g_r5 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 4096 + d1 * 64 + d2 * 32 + d3, d4), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#g_h = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#g_t = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#g_s = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#g_v = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
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

// Heads behind positions, each for a group of queries, and weights that a permute transposes, as flax has them.
// CHECK-LABEL: func.func @groups(
// CHECK: %[[A:.*]] = "ttnn.scaled_dot_product_attention"({{.*}}) {{.*}} : (tensor<1x4x64x32xbf16, {{.*}}>, tensor<1x2x64x32xbf16, {{.*}}>, tensor<1x2x64x32xbf16
// CHECK-NEXT: %[[O:.*]] = "ttnn.permute"(%[[A]]) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK-NEXT: return %[[O]]
func.func @groups(%q: tensor<1x64x4x32xbf16, #g_q>, %k: tensor<1x64x2x32xbf16, #bf16_1x64x2x32>, %v: tensor<64x64xbf16, #g_v>) -> tensor<1x64x4x32xbf16, #g_q> {
  %0 = "ttnn.permute"(%q) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x32xbf16, #g_q>) -> tensor<1x4x64x32xbf16, #g_h>
  %1 = "ttnn.repeat_interleave"(%k) <{dim = 2 : si32, repeats = 2 : ui32}> : (tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<1x64x4x32xbf16, #g_q>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x64x4x32xbf16, #g_q>) -> tensor<1x4x32x64xbf16, #g_t>
  %3 = "ttnn.matmul"(%0, %2) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x32xbf16, #g_h>, tensor<1x4x32x64xbf16, #g_t>) -> tensor<1x4x64x64xbf16, #g_s>
  %4 = "ttnn.softmax"(%3) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x4x64x64xbf16, #g_s>) -> tensor<1x4x64x64xbf16, #g_s>
  %5 = "ttnn.reshape"(%v) <{shape = [1 : i32, 64 : i32, 2 : i32, 1 : i32, 32 : i32]}> : (tensor<64x64xbf16, #g_v>) -> tensor<1x64x2x1x32xbf16, #g_k5>
  %6 = "ttnn.repeat"(%5) <{repeat_dims = #ttnn.shape<1x1x1x2x1>}> : (tensor<1x64x2x1x32xbf16, #g_k5>) -> tensor<1x64x2x2x32xbf16, #g_r5>
  %7 = "ttnn.reshape"(%6) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32]}> : (tensor<1x64x2x2x32xbf16, #g_r5>) -> tensor<1x64x4x32xbf16, #g_q>
  %8 = "ttnn.permute"(%7) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x64x4x32xbf16, #g_q>) -> tensor<1x4x32x64xbf16, #g_t>
  %9 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x64xbf16, #g_s>) -> tensor<1x4x64x64xbf16, #g_s>
  %10 = "ttnn.matmul"(%8, %9) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x32x64xbf16, #g_t>, tensor<1x4x64x64xbf16, #g_s>) -> tensor<1x4x32x64xbf16, #g_t>
  %11 = "ttnn.permute"(%10) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x4x32x64xbf16, #g_t>) -> tensor<1x64x4x32xbf16, #g_q>
  return %11 : tensor<1x64x4x32xbf16, #g_q>
}

// A softmax over queries is none of attention.
// CHECK-LABEL: func.func @over_queries(
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @over_queries(%q: tensor<1x64x4x32xbf16, #g_q>, %k: tensor<1x64x2x32xbf16, #bf16_1x64x2x32>, %v: tensor<64x64xbf16, #g_v>) -> tensor<1x64x4x32xbf16, #g_q> {
  %0 = "ttnn.permute"(%q) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x32xbf16, #g_q>) -> tensor<1x4x64x32xbf16, #g_h>
  %1 = "ttnn.repeat_interleave"(%k) <{dim = 2 : si32, repeats = 2 : ui32}> : (tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<1x64x4x32xbf16, #g_q>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x64x4x32xbf16, #g_q>) -> tensor<1x4x32x64xbf16, #g_t>
  %3 = "ttnn.matmul"(%0, %2) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x32xbf16, #g_h>, tensor<1x4x32x64xbf16, #g_t>) -> tensor<1x4x64x64xbf16, #g_s>
  %4 = "ttnn.softmax"(%3) <{dimension = 2 : si32, numericStable = true}> : (tensor<1x4x64x64xbf16, #g_s>) -> tensor<1x4x64x64xbf16, #g_s>
  %5 = "ttnn.reshape"(%v) <{shape = [1 : i32, 64 : i32, 2 : i32, 1 : i32, 32 : i32]}> : (tensor<64x64xbf16, #g_v>) -> tensor<1x64x2x1x32xbf16, #g_k5>
  %6 = "ttnn.repeat"(%5) <{repeat_dims = #ttnn.shape<1x1x1x2x1>}> : (tensor<1x64x2x1x32xbf16, #g_k5>) -> tensor<1x64x2x2x32xbf16, #g_r5>
  %7 = "ttnn.reshape"(%6) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32]}> : (tensor<1x64x2x2x32xbf16, #g_r5>) -> tensor<1x64x4x32xbf16, #g_q>
  %8 = "ttnn.permute"(%7) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x64x4x32xbf16, #g_q>) -> tensor<1x4x32x64xbf16, #g_t>
  %9 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x64xbf16, #g_s>) -> tensor<1x4x64x64xbf16, #g_s>
  %10 = "ttnn.matmul"(%8, %9) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x32x64xbf16, #g_t>, tensor<1x4x64x64xbf16, #g_s>) -> tensor<1x4x32x64xbf16, #g_t>
  %11 = "ttnn.permute"(%10) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x4x32x64xbf16, #g_t>) -> tensor<1x64x4x32xbf16, #g_q>
  return %11 : tensor<1x64x4x32xbf16, #g_q>
}
