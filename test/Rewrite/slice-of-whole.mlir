// A slice of what a reshape took apart is a slice before the reshape: the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_64x192 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x6x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x16x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x16x3x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 1536 + d1 * 96 + d2 * 32 + d3, d4), <1x1>, memref<192x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x16x1x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 512 + d1 * 32 + d2 * 32 + d3, d4), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x16x3x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 1536 + d1 * 96 + d2 * 32 + d3, d4), <1x1>, memref<192x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x16x2x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 1024 + d1 * 64 + d2 * 32 + d3, d4), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The second of three groups of columns.
// CHECK-LABEL: func.func @of_whole_rows(
// CHECK-NEXT: %[[C:.*]] = "ttnn.slice_static"(%arg0) <{begins = [0 : i32, 64 : i32], ends = [64 : i32, 128 : i32], step = [1 : i32, 1 : i32]}>
// CHECK-NEXT: %[[Y:.*]] = "ttnn.reshape"(%[[C]])
// CHECK-NEXT: return %[[Y]]
func.func @of_whole_rows(%x: tensor<64x192xbf16, #bf16_64x192>) -> tensor<4x16x2x32xbf16, #bf16_4x16x2x32> {
  %r = "ttnn.reshape"(%x) <{shape = [4 : i32, 16 : i32, 3 : i32, 2 : i32, 32 : i32]}> : (tensor<64x192xbf16, #bf16_64x192>) -> tensor<4x16x3x2x32xbf16, #bf16_4x16x3x2x32>
  %c = "ttnn.slice_static"(%r) <{begins = [0 : i32, 0 : i32, 1 : i32, 0 : i32, 0 : i32], ends = [4 : i32, 16 : i32, 2 : i32, 2 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<4x16x3x2x32xbf16, #bf16_4x16x3x2x32>) -> tensor<4x16x1x2x32xbf16, #bf16_4x16x1x2x32>
  %y = "ttnn.reshape"(%c) <{shape = [4 : i32, 16 : i32, 2 : i32, 32 : i32]}> : (tensor<4x16x1x2x32xbf16, #bf16_4x16x1x2x32>) -> tensor<4x16x2x32xbf16, #bf16_4x16x2x32>
  return %y : tensor<4x16x2x32xbf16, #bf16_4x16x2x32>
}

// One of each group: these columns are not side by side.
// CHECK-LABEL: func.func @of_each_group(
// CHECK-NEXT: "ttnn.reshape"(%arg0)
// CHECK-NEXT: "ttnn.slice_static"
func.func @of_each_group(%x: tensor<64x192xbf16, #bf16_64x192>) -> tensor<4x16x3x1x32xbf16, #bf16_4x16x3x1x32> {
  %r = "ttnn.reshape"(%x) <{shape = [4 : i32, 16 : i32, 3 : i32, 2 : i32, 32 : i32]}> : (tensor<64x192xbf16, #bf16_64x192>) -> tensor<4x16x3x2x32xbf16, #bf16_4x16x3x2x32>
  %c = "ttnn.slice_static"(%r) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32, 0 : i32], ends = [4 : i32, 16 : i32, 3 : i32, 2 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<4x16x3x2x32xbf16, #bf16_4x16x3x2x32>) -> tensor<4x16x3x1x32xbf16, #bf16_4x16x3x1x32>
  return %c : tensor<4x16x3x1x32xbf16, #bf16_4x16x3x1x32>
}

// CHECK-LABEL: func.func @every_second(
// CHECK-NEXT: "ttnn.reshape"(%arg0)
// CHECK-NEXT: "ttnn.slice_static"
func.func @every_second(%x: tensor<64x192xbf16, #bf16_64x192>) -> tensor<4x16x2x2x32xbf16, #bf16_4x16x2x2x32> {
  %r = "ttnn.reshape"(%x) <{shape = [4 : i32, 16 : i32, 3 : i32, 2 : i32, 32 : i32]}> : (tensor<64x192xbf16, #bf16_64x192>) -> tensor<4x16x3x2x32xbf16, #bf16_4x16x3x2x32>
  %c = "ttnn.slice_static"(%r) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [4 : i32, 16 : i32, 3 : i32, 2 : i32, 32 : i32], step = [1 : i32, 1 : i32, 2 : i32, 1 : i32, 1 : i32]}> : (tensor<4x16x3x2x32xbf16, #bf16_4x16x3x2x32>) -> tensor<4x16x2x2x32xbf16, #bf16_4x16x2x2x32>
  return %c : tensor<4x16x2x2x32xbf16, #bf16_4x16x2x2x32>
}
