// Masks of fewer dimensions than the scores: they are those of the last ones, of heads and not of batches.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+attention,+attention-decode %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#heads = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#one = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#by_head = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#one_by_head = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#matrix = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @of_heads
// CHECK: %[[M:.*]] = "ttnn.reshape"(%arg3) <{shape = [1 : i32, 2 : i32, 64 : i32, 64 : i32]}>
// CHECK: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %[[M]])
func.func @of_heads(%q: tensor<2x2x64x64xbf16, #heads>, %k: tensor<2x2x64x64xbf16, #heads>, %v: tensor<2x2x64x64xbf16, #heads>, %m: tensor<2x64x64xbf16, #by_head>) -> tensor<2x2x64x64xbf16, #heads> {
  %0 = "ttnn.permute"(%k) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x64x64xbf16, #heads>
  %1 = "ttnn.matmul"(%q, %0) <{transpose_a = false, transpose_b = false}> : (tensor<2x2x64x64xbf16, #heads>, tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x64x64xbf16, #heads>
  %2 = "ttnn.add"(%1, %m) : (tensor<2x2x64x64xbf16, #heads>, tensor<2x64x64xbf16, #by_head>) -> tensor<2x2x64x64xbf16, #heads>
  %3 = "ttnn.softmax"(%2) <{dimension = -1 : si32, numericStable = false}> : (tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x64x64xbf16, #heads>
  %4 = "ttnn.matmul"(%3, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x2x64x64xbf16, #heads>, tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x64x64xbf16, #heads>
  return %4 : tensor<2x2x64x64xbf16, #heads>
}

// CHECK-LABEL: func.func @of_all
// CHECK: %[[M:.*]] = "ttnn.reshape"(%arg3) <{shape = [1 : i32, 1 : i32, 64 : i32, 64 : i32]}>
// CHECK: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %[[M]])
func.func @of_all(%q: tensor<2x2x64x64xbf16, #heads>, %k: tensor<2x2x64x64xbf16, #heads>, %v: tensor<2x2x64x64xbf16, #heads>, %m: tensor<64x64xbf16, #matrix>) -> tensor<2x2x64x64xbf16, #heads> {
  %0 = "ttnn.permute"(%k) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x64x64xbf16, #heads>
  %1 = "ttnn.matmul"(%q, %0) <{transpose_a = false, transpose_b = false}> : (tensor<2x2x64x64xbf16, #heads>, tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x64x64xbf16, #heads>
  %2 = "ttnn.add"(%1, %m) : (tensor<2x2x64x64xbf16, #heads>, tensor<64x64xbf16, #matrix>) -> tensor<2x2x64x64xbf16, #heads>
  %3 = "ttnn.softmax"(%2) <{dimension = -1 : si32, numericStable = false}> : (tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x64x64xbf16, #heads>
  %4 = "ttnn.matmul"(%3, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x2x64x64xbf16, #heads>, tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x64x64xbf16, #heads>
  return %4 : tensor<2x2x64x64xbf16, #heads>
}

// CHECK-LABEL: func.func @of_one_position
// CHECK: "ttnn.scaled_dot_product_attention_decode"
func.func @of_one_position(%q: tensor<2x2x1x64xbf16, #one>, %k: tensor<2x2x64x64xbf16, #heads>, %v: tensor<2x2x64x64xbf16, #heads>, %m: tensor<2x1x64xbf16, #one_by_head>) -> tensor<2x2x1x64xbf16, #one> {
  %0 = "ttnn.permute"(%k) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x64x64xbf16, #heads>
  %1 = "ttnn.matmul"(%q, %0) <{transpose_a = false, transpose_b = false}> : (tensor<2x2x1x64xbf16, #one>, tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x1x64xbf16, #one>
  %2 = "ttnn.add"(%1, %m) : (tensor<2x2x1x64xbf16, #one>, tensor<2x1x64xbf16, #one_by_head>) -> tensor<2x2x1x64xbf16, #one>
  %3 = "ttnn.softmax"(%2) <{dimension = -1 : si32, numericStable = false}> : (tensor<2x2x1x64xbf16, #one>) -> tensor<2x2x1x64xbf16, #one>
  %4 = "ttnn.matmul"(%3, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x2x1x64xbf16, #one>, tensor<2x2x64x64xbf16, #heads>) -> tensor<2x2x1x64xbf16, #one>
  return %4 : tensor<2x2x1x64xbf16, #one>
}
