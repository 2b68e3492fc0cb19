// Slices and concats of what a reshape spreads over emptier tiles go before it: the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_1x4x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x8x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x16x1x16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x16x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// phi turns a half of each head and joins the halves again; here it is negated.
// CHECK-LABEL: func.func @parts_of_heads
// CHECK-NEXT: %[[A:.*]] = "ttnn.slice_static"(%arg0) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 8 : i32, 32 : i32]
// CHECK-NEXT: %[[N:.*]] = "ttnn.neg"
// CHECK: %[[B:.*]] = "ttnn.slice_static"(%arg0) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32]
// CHECK-NEXT: %[[C:.*]] = "ttnn.concat"({{.*}}, %[[B]]) <{dim = 3 : si32}> : {{.*}} -> tensor<1x4x8x64xbf16
// CHECK-NEXT: return %[[C]]
func.func @parts_of_heads(%x: tensor<1x4x8x64xbf16, #bf16_1x4x8x64>) -> tensor<1x4x8x64xbf16, #bf16_1x4x8x64> {
  %0 = "ttnn.reshape"(%x) <{shape = [4 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<1x4x8x64xbf16, #bf16_1x4x8x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [4 : i32, 8 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x32xbf16, #bf16_4x8x1x32>
  %2 = "ttnn.reshape"(%1) <{shape = [1 : i32, 4 : i32, 8 : i32, 32 : i32]}> : (tensor<4x8x1x32xbf16, #bf16_4x8x1x32>) -> tensor<1x4x8x32xbf16, #bf16_1x4x8x32>
  %3 = "ttnn.neg"(%2) : (tensor<1x4x8x32xbf16, #bf16_1x4x8x32>) -> tensor<1x4x8x32xbf16, #bf16_1x4x8x32>
  %4 = "ttnn.reshape"(%3) <{shape = [4 : i32, 8 : i32, 1 : i32, 32 : i32]}> : (tensor<1x4x8x32xbf16, #bf16_1x4x8x32>) -> tensor<4x8x1x32xbf16, #bf16_4x8x1x32>
  %5 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [4 : i32, 8 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x32xbf16, #bf16_4x8x1x32>
  %6 = "ttnn.concat"(%4, %5) <{dim = 3 : si32}> : (tensor<4x8x1x32xbf16, #bf16_4x8x1x32>, tensor<4x8x1x32xbf16, #bf16_4x8x1x32>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %7 = "ttnn.reshape"(%6) <{shape = [1 : i32, 4 : i32, 8 : i32, 64 : i32]}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<1x4x8x64xbf16, #bf16_1x4x8x64>
  return %7 : tensor<1x4x8x64xbf16, #bf16_1x4x8x64>
}

// A reshape to fuller tiles stays where it is, and so does one that takes extents apart.
// CHECK-LABEL: func.func @fuller_is_left
// CHECK-NEXT: %[[A:.*]] = "ttnn.reshape"(%arg0)
// CHECK-NEXT: "ttnn.slice_static"(%[[A]])
// CHECK-NEXT: %[[B:.*]] = "ttnn.reshape"(%arg1)
// CHECK-NEXT: "ttnn.slice_static"(%[[B]])
// CHECK-NEXT: return
func.func @fuller_is_left(%x: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, %y: tensor<1x4x8x64xbf16, #bf16_1x4x8x64>) -> (tensor<1x4x8x32xbf16, #bf16_1x4x8x32>, tensor<4x16x1x16xbf16, #bf16_4x16x1x16>) {
  %0 = "ttnn.reshape"(%x) <{shape = [1 : i32, 4 : i32, 8 : i32, 64 : i32]}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<1x4x8x64xbf16, #bf16_1x4x8x64>
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 8 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x8x64xbf16, #bf16_1x4x8x64>) -> tensor<1x4x8x32xbf16, #bf16_1x4x8x32>
  %2 = "ttnn.reshape"(%y) <{shape = [4 : i32, 16 : i32, 1 : i32, 32 : i32]}> : (tensor<1x4x8x64xbf16, #bf16_1x4x8x64>) -> tensor<4x16x1x32xbf16, #bf16_4x16x1x32>
  %3 = "ttnn.slice_static"(%2) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [4 : i32, 16 : i32, 1 : i32, 16 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<4x16x1x32xbf16, #bf16_4x16x1x32>) -> tensor<4x16x1x16xbf16, #bf16_4x16x1x16>
  return %1, %3 : tensor<1x4x8x32xbf16, #bf16_1x4x8x32>, tensor<4x16x1x16xbf16, #bf16_4x16x1x16>
}
