// Attention of three dimensions, whose heads are its batches, and with a scale that only the call knows.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+attention %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#by_head = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#by_position = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#scores = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#dram = #ttnn.buffer_type<dram>
#bf16_2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x96x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 96 + d1, d2), <1x1>, memref<6x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64x96 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x64x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x96 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x128x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 128 + d1, d2), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @unknown_scale
// CHECK-NEXT: %[[S:.*]] = "ttnn.reshape"(%arg3) <{shape = [1 : i32, 1 : i32, 1 : i32]}>
// CHECK-NEXT: %[[D:.*]] = "ttnn.divide"(%arg0, %[[S]]) : {{.*}} -> tensor<2x64x64xbf16
// CHECK-NEXT: %[[Q:.*]] = "ttnn.reshape"(%[[D]]) <{shape = [1 : i32, 2 : i32, 64 : i32, 64 : i32]}>
// CHECK-NEXT: %[[K:.*]] = "ttnn.reshape"(%arg1) <{shape = [1 : i32, 2 : i32, 96 : i32, 64 : i32]}>
// CHECK-NEXT: %[[V:.*]] = "ttnn.reshape"(%arg2) <{shape = [1 : i32, 2 : i32, 96 : i32, 64 : i32]}>
// CHECK-NEXT: %[[A:.*]] = "ttnn.scaled_dot_product_attention"(%[[Q]], %[[K]], %[[V]]) <{{.*}}is_causal = false, {{.*}}scale = 1.000000e+00 : f32}>
// CHECK-NEXT: "ttnn.reshape"(%[[A]]) <{shape = [2 : i32, 64 : i32, 64 : i32]}>
// CHECK-NEXT: return
func.func @unknown_scale(%q: tensor<2x64x64xbf16, #bf16_2x64x64>, %k: tensor<2x96x64xbf16, #bf16_2x96x64>, %v: tensor<2x96x64xbf16, #bf16_2x96x64>, %s: tensor<1x1x1x1xbf16, #bf16_1x1x1x1> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<2x64x64xbf16, #bf16_2x64x64> {
  %0 = "ttnn.permute"(%k) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x96x64xbf16, #bf16_2x96x64>) -> tensor<2x64x96xbf16, #bf16_2x64x96>
  %1 = "ttnn.matmul"(%q, %0) <{transpose_a = false, transpose_b = false}> : (tensor<2x64x64xbf16, #bf16_2x64x64>, tensor<2x64x96xbf16, #bf16_2x64x96>) -> tensor<2x64x96xbf16, #bf16_2x64x96>
  %2 = "ttnn.reshape"(%1) <{shape = [1 : i32, 2 : i32, 64 : i32, 96 : i32]}> : (tensor<2x64x96xbf16, #bf16_2x64x96>) -> tensor<1x2x64x96xbf16, #bf16_1x2x64x96>
  %3 = "ttnn.divide"(%2, %s) : (tensor<1x2x64x96xbf16, #bf16_1x2x64x96>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x2x64x96xbf16, #bf16_1x2x64x96>
  %4 = "ttnn.softmax"(%3) <{dimension = -1 : si32, numericStable = false}> : (tensor<1x2x64x96xbf16, #bf16_1x2x64x96>) -> tensor<1x2x64x96xbf16, #bf16_1x2x64x96>
  %5 = "ttnn.reshape"(%4) <{shape = [2 : i32, 64 : i32, 96 : i32]}> : (tensor<1x2x64x96xbf16, #bf16_1x2x64x96>) -> tensor<2x64x96xbf16, #bf16_2x64x96>
  %6 = "ttnn.matmul"(%5, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x64x96xbf16, #bf16_2x64x96>, tensor<2x96x64xbf16, #bf16_2x96x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  return %6 : tensor<2x64x64xbf16, #bf16_2x64x64>
}

// A scale for each key is no scale of the query.
// CHECK-LABEL: func.func @scales_are_left
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @scales_are_left(%q: tensor<2x64x64xbf16, #bf16_2x64x64>, %k: tensor<2x96x64xbf16, #bf16_2x96x64>, %v: tensor<2x96x64xbf16, #bf16_2x96x64>, %s: tensor<1x1x96xbf16, #bf16_1x1x96>) -> tensor<2x64x64xbf16, #bf16_2x64x64> {
  %0 = "ttnn.permute"(%k) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x96x64xbf16, #bf16_2x96x64>) -> tensor<2x64x96xbf16, #bf16_2x64x96>
  %1 = "ttnn.matmul"(%q, %0) <{transpose_a = false, transpose_b = false}> : (tensor<2x64x64xbf16, #bf16_2x64x64>, tensor<2x64x96xbf16, #bf16_2x64x96>) -> tensor<2x64x96xbf16, #bf16_2x64x96>
  %2 = "ttnn.multiply"(%1, %s) : (tensor<2x64x96xbf16, #bf16_2x64x96>, tensor<1x1x96xbf16, #bf16_1x1x96>) -> tensor<2x64x96xbf16, #bf16_2x64x96>
  %3 = "ttnn.softmax"(%2) <{dimension = -1 : si32, numericStable = false}> : (tensor<2x64x96xbf16, #bf16_2x64x96>) -> tensor<2x64x96xbf16, #bf16_2x64x96>
  %4 = "ttnn.matmul"(%3, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x64x96xbf16, #bf16_2x64x96>, tensor<2x96x64xbf16, #bf16_2x96x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  return %4 : tensor<2x64x64xbf16, #bf16_2x64x64>
}

// Rows that a reshape cuts anew are other rows.
// CHECK-LABEL: func.func @other_rows_are_left
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @other_rows_are_left(%q: tensor<2x64x64xbf16, #bf16_2x64x64>, %k: tensor<2x64x64xbf16, #bf16_2x64x64>, %v: tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64> {
  %0 = "ttnn.permute"(%k) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %1 = "ttnn.matmul"(%q, %0) <{transpose_a = false, transpose_b = false}> : (tensor<2x64x64xbf16, #bf16_2x64x64>, tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %2 = "ttnn.reshape"(%1) <{shape = [2 : i32, 128 : i32, 32 : i32]}> : (tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x128x32xbf16, #bf16_2x128x32>
  %3 = "ttnn.softmax"(%2) <{dimension = -1 : si32, numericStable = false}> : (tensor<2x128x32xbf16, #bf16_2x128x32>) -> tensor<2x128x32xbf16, #bf16_2x128x32>
  %4 = "ttnn.reshape"(%3) <{shape = [2 : i32, 64 : i32, 64 : i32]}> : (tensor<2x128x32xbf16, #bf16_2x128x32>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  %5 = "ttnn.matmul"(%4, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x64x64xbf16, #bf16_2x64x64>, tensor<2x64x64xbf16, #bf16_2x64x64>) -> tensor<2x64x64xbf16, #bf16_2x64x64>
  return %5 : tensor<2x64x64xbf16, #bf16_2x64x64>
}

// A number for each head and position is added in four dimensions, and keys come by position.
// CHECK-LABEL: func.func @bias_by_head
// CHECK-DAG: %[[K:.*]] = "ttnn.permute"(%arg1) <{permutation = array<i64: 1, 0, 2>}>
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}}, %arg3)
// CHECK-NOT: ttnn.softmax
// CHECK: return
func.func @bias_by_head(%q: tensor<8x64x64xbf16, #by_head>, %k: tensor<64x8x64xbf16, #by_position>, %v: tensor<8x64x64xbf16, #by_head>, %m: tensor<1x8x64x64xbf16, #scores>) -> tensor<8x64x64xbf16, #by_head> {
  %0 = "ttnn.permute"(%k) <{permutation = array<i64: 1, 2, 0>}> : (tensor<64x8x64xbf16, #by_position>) -> tensor<8x64x64xbf16, #by_head>
  %1 = "ttnn.matmul"(%q, %0) <{transpose_a = false, transpose_b = false}> : (tensor<8x64x64xbf16, #by_head>, tensor<8x64x64xbf16, #by_head>) -> tensor<8x64x64xbf16, #by_head>
  %2 = "ttnn.add"(%1, %m) : (tensor<8x64x64xbf16, #by_head>, tensor<1x8x64x64xbf16, #scores>) -> tensor<1x8x64x64xbf16, #scores>
  %3 = "ttnn.softmax"(%2) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x8x64x64xbf16, #scores>) -> tensor<1x8x64x64xbf16, #scores>
  %4 = "ttnn.reshape"(%3) <{shape = [8 : i32, 64 : i32, 64 : i32]}> : (tensor<1x8x64x64xbf16, #scores>) -> tensor<8x64x64xbf16, #by_head>
  %5 = "ttnn.matmul"(%4, %v) <{transpose_a = false, transpose_b = false}> : (tensor<8x64x64xbf16, #by_head>, tensor<8x64x64xbf16, #by_head>) -> tensor<8x64x64xbf16, #by_head>
  return %5 : tensor<8x64x64xbf16, #by_head>
}
