// Rows that have a tile of their own each share tiles, and slices that are permuted alike are cut from one permuted tensor: the same
// bits.
// RUN: tessera-opt --ttnn-rewrite=rewrites=exact %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#rm_si32_32x1x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, memref<32x1xsi32, #dram>, <interleaved>>
#bf16_32x1x3200 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<32x100x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_4x8x1x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x3x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_4x8x1x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x1x1x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<4x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x1x1x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x3x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_2x32x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x8x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x64x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 64 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @argmax
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [32 : i32, 3200 : i32]}>
// CHECK-NEXT: %[[I:.*]] = "ttnn.argmax"(%[[X]]) <{dim = -1 : si32, keep_dim = true}> : ({{.*}}) -> tensor<32x1xsi32
// CHECK-NEXT: "ttnn.reshape"(%[[I]]) <{shape = [32 : i32, 1 : i32, 1 : i32]}>
// CHECK-NEXT: return
func.func @argmax(%x: tensor<32x1x3200xbf16, #bf16_32x1x3200>) -> tensor<32x1x1xsi32, #rm_si32_32x1x1> {
  %0 = "ttnn.argmax"(%x) <{dim = 2 : si32, keep_dim = true}> : (tensor<32x1x3200xbf16, #bf16_32x1x3200>) -> tensor<32x1x1xsi32, #rm_si32_32x1x1>
  return %0 : tensor<32x1x1xsi32, #rm_si32_32x1x1>
}

// CHECK-LABEL: func.func @softmax
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [4 : i32, 8 : i32, 96 : i32]}>
// CHECK-NEXT: %[[S:.*]] = "ttnn.softmax"(%[[X]]) <{dimension = -1 : si32, numericStable = true}>
// CHECK-NEXT: "ttnn.reshape"(%[[S]]) <{shape = [4 : i32, 8 : i32, 1 : i32, 96 : i32]}>
// CHECK-NEXT: return
func.func @softmax(%x: tensor<4x8x1x96xf32, #f32_4x8x1x96>) -> tensor<4x8x1x96xf32, #f32_4x8x1x96> {
  %0 = "ttnn.softmax"(%x) <{dimension = 3 : si32, numericStable = true}> : (tensor<4x8x1x96xf32, #f32_4x8x1x96>) -> tensor<4x8x1x96xf32, #f32_4x8x1x96>
  return %0 : tensor<4x8x1x96xf32, #f32_4x8x1x96>
}

// CHECK-LABEL: func.func @sum
// CHECK: "ttnn.sum"({{.*}}) <{dim_arg = [-1 : i32], keep_dim = true}> : ({{.*}}) -> tensor<4x8x1xbf16
// CHECK-NEXT: "ttnn.reshape"
// CHECK-NEXT: return
func.func @sum(%x: tensor<4x8x1x96xbf16, #bf16_4x8x1x96>) -> tensor<4x8x1x1xbf16, #bf16_4x8x1x1> {
  %0 = "ttnn.sum"(%x) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<4x8x1x96xbf16, #bf16_4x8x1x96>) -> tensor<4x8x1x1xbf16, #bf16_4x8x1x1>
  return %0 : tensor<4x8x1x1xbf16, #bf16_4x8x1x1>
}

// Along another dimension a row is no row.
// CHECK-LABEL: func.func @columns_are_left
// CHECK-NEXT: "ttnn.sum"
// CHECK-NEXT: return
func.func @columns_are_left(%x: tensor<4x8x1x96xbf16, #bf16_4x8x1x96>) -> tensor<4x1x1x96xbf16, #bf16_4x1x1x96> {
  %0 = "ttnn.sum"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8x1x96xbf16, #bf16_4x8x1x96>) -> tensor<4x1x1x96xbf16, #bf16_4x1x1x96>
  return %0 : tensor<4x1x1x96xbf16, #bf16_4x1x1x96>
}

// One row fills no tile with others.
// CHECK-LABEL: func.func @one_row_is_left
// CHECK-NEXT: "ttnn.softmax"
// CHECK-NEXT: return
func.func @one_row_is_left(%x: tensor<1x1x1x96xf32, #f32_1x1x1x96>) -> tensor<1x1x1x96xf32, #f32_1x1x1x96> {
  %0 = "ttnn.softmax"(%x) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x1x1x96xf32, #f32_1x1x1x96>) -> tensor<1x1x1x96xf32, #f32_1x1x1x96>
  return %0 : tensor<1x1x1x96xf32, #f32_1x1x1x96>
}

// CHECK-LABEL: func.func @slices
// CHECK-NEXT: %[[P:.*]] = "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 2, 1, 3>}> : ({{.*}}) -> tensor<2x8x32x64xbf16
// CHECK-NEXT: "ttnn.slice_static"(%[[P]]) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 8 : i32, 32 : i32, 64 : i32]
// CHECK-NEXT: "ttnn.slice_static"(%[[P]]) <{begins = [1 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 8 : i32, 32 : i32, 64 : i32]
// CHECK-NEXT: return
func.func @slices(%x: tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> (tensor<1x8x32x64xbf16, #bf16_1x8x32x64>, tensor<1x8x32x64xbf16, #bf16_1x8x32x64>) {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 32 : i32, 8 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<1x32x8x64xbf16, #bf16_1x32x8x64>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x8x64xbf16, #bf16_1x32x8x64>) -> tensor<1x8x32x64xbf16, #bf16_1x8x32x64>
  %2 = "ttnn.slice_static"(%x) <{begins = [1 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 32 : i32, 8 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<1x32x8x64xbf16, #bf16_1x32x8x64>
  %3 = "ttnn.permute"(%2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x8x64xbf16, #bf16_1x32x8x64>) -> tensor<1x8x32x64xbf16, #bf16_1x8x32x64>
  return %1, %3 : tensor<1x8x32x64xbf16, #bf16_1x8x32x64>, tensor<1x8x32x64xbf16, #bf16_1x8x32x64>
}

// One of them is permuted otherwise.
// CHECK-LABEL: func.func @others_are_left
// CHECK-NEXT: "ttnn.slice_static"(%arg0)
func.func @others_are_left(%x: tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> (tensor<1x8x32x64xbf16, #bf16_1x8x32x64>, tensor<1x32x64x8xbf16, #bf16_1x32x64x8>) {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 32 : i32, 8 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<1x32x8x64xbf16, #bf16_1x32x8x64>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x8x64xbf16, #bf16_1x32x8x64>) -> tensor<1x8x32x64xbf16, #bf16_1x8x32x64>
  %2 = "ttnn.slice_static"(%x) <{begins = [1 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 32 : i32, 8 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<1x32x8x64xbf16, #bf16_1x32x8x64>
  %3 = "ttnn.permute"(%2) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x32x8x64xbf16, #bf16_1x32x8x64>) -> tensor<1x32x64x8xbf16, #bf16_1x32x64x8>
  return %1, %3 : tensor<1x8x32x64xbf16, #bf16_1x8x32x64>, tensor<1x32x64x8xbf16, #bf16_1x32x64x8>
}
