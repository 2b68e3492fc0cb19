// Attention of three dimensions has heads, not batches: one op cuts them.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_64x384 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x12x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x2x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x416 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x13x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @one_batch(
// CHECK: %[[Q:.*]], %[[K:.*]], %[[V:.*]] = "ttnn.split_query_key_value_and_split_heads"
// CHECK-NEXT: %[[Y:.*]] = "ttnn.scaled_dot_product_attention"(%[[Q]], %[[K]], %[[V]])
// CHECK-NEXT: %[[Z:.*]] = "ttnn.reshape"(%[[Y]])
// CHECK-NEXT: return %[[Z]]
func.func @one_batch(%x: tensor<64x384xbf16, #bf16_64x384>) -> tensor<2x64x64xbf16, #bf16_2x64x64> {
  %q0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 128 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x384xbf16, #bf16_64x384>) -> tensor<64x128xbf16, #bf16_64x128>
  %q1 = "ttnn.reshape"(%q0) <{shape = [64 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<64x2x64xbf16, #bf16_64x2x64>
  %q = "ttnn.permute"(%q1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<64x2x64xbf16, #bf16_64x2x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %k0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 128 : i32], ends = [64 : i32, 256 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x384xbf16, #bf16_64x384>) -> tensor<64x128xbf16, #bf16_64x128>
  %k1 = "ttnn.reshape"(%k0) <{shape = [64 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<64x2x64xbf16, #bf16_64x2x64>
  %k = "ttnn.permute"(%k1) <{permutation = array<i64: 1, 2, 0>}> : (tensor<64x2x64xbf16, #bf16_64x2x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %v0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 256 : i32], ends = [64 : i32, 384 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x384xbf16, #bf16_64x384>) -> tensor<64x128xbf16, #bf16_64x128>
  %v1 = "ttnn.reshape"(%v0) <{shape = [64 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<64x2x64xbf16, #bf16_64x2x64>
  %v = "ttnn.permute"(%v1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<64x2x64xbf16, #bf16_64x2x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %s = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<2x64x64xbf16, #bf16_2x64x64>, tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %p = "ttnn.softmax"(%s) <{dimension = 2 : si32, numericStable = true}> : (tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x64x64xbf16, #bf16_2x64x64>, tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  return %y : tensor<2x64x64xbf16, #bf16_2x64x64>
}

// Columns that nobody reads stand between them.
// CHECK-LABEL: func.func @with_a_gap(
// CHECK-NOT: "ttnn.split_query_key_value_and_split_heads"
// CHECK: "ttnn.scaled_dot_product_attention"
func.func @with_a_gap(%x: tensor<64x416xbf16, #bf16_64x416>) -> tensor<2x64x64xbf16, #bf16_2x64x64> {
  %q0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 128 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x416xbf16, #bf16_64x416>) -> tensor<64x128xbf16, #bf16_64x128>
  %q1 = "ttnn.reshape"(%q0) <{shape = [64 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<64x2x64xbf16, #bf16_64x2x64>
  %q = "ttnn.permute"(%q1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<64x2x64xbf16, #bf16_64x2x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %k0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 160 : i32], ends = [64 : i32, 288 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x416xbf16, #bf16_64x416>) -> tensor<64x128xbf16, #bf16_64x128>
  %k1 = "ttnn.reshape"(%k0) <{shape = [64 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<64x2x64xbf16, #bf16_64x2x64>
  %k = "ttnn.permute"(%k1) <{permutation = array<i64: 1, 2, 0>}> : (tensor<64x2x64xbf16, #bf16_64x2x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %v0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 288 : i32], ends = [64 : i32, 416 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x416xbf16, #bf16_64x416>) -> tensor<64x128xbf16, #bf16_64x128>
  %v1 = "ttnn.reshape"(%v0) <{shape = [64 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<64x2x64xbf16, #bf16_64x2x64>
  %v = "ttnn.permute"(%v1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<64x2x64xbf16, #bf16_64x2x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %s = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<2x64x64xbf16, #bf16_2x64x64>, tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %p = "ttnn.softmax"(%s) <{dimension = 2 : si32, numericStable = true}> : (tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x64x64xbf16, #bf16_2x64x64>, tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  return %y : tensor<2x64x64xbf16, #bf16_2x64x64>
}
