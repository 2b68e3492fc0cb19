// Permutes and reshapes in turn are one permute.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+one-permute %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_1x8x8x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x8x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128x2x4x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128x4x2x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<512x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x16x4 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x16x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x4x8 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x4 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x2x4x4 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x4x2x4 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_6x4 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x6 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_3x8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_8x3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_8x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x4 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x32x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x32x32x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 2048 + d1 * 1024 + d2 * 32 + d3, d4), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x2x32x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 2048 + d1 * 64 + d2 * 32 + d3, d4), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// An image whose channels are last, cut into patches of 2 x 2: rows of channels stay whole.
// CHECK-LABEL: func.func @patches
// CHECK-NEXT: %[[R:.*]] = "ttnn.reshape"(%arg0) <{shape = [4 : i32, 2 : i32, 4 : i32, 2 : i32, 32 : i32]}>
// CHECK-NEXT: %[[P:.*]] = "ttnn.permute"(%[[R]]) <{permutation = array<i64: 1, 3, 0, 2, 4>}>
// CHECK-NEXT: %[[B:.*]] = "ttnn.reshape"(%[[P]]) <{shape = [4 : i32, 16 : i32, 32 : i32]}>
// CHECK-NEXT: return %[[B]]
func.func @patches(%arg0: tensor<1x8x8x32xbf16, #bf16_1x8x8x32>) -> tensor<4x16x32xbf16, #bf16_4x16x32> {
  %0 = "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x8x8x32xbf16, #bf16_1x8x8x32>) -> tensor<1x32x8x8xbf16, #bf16_1x32x8x8>
  %1 = "ttnn.reshape"(%0) <{shape = [128 : i32, 2 : i32, 4 : i32, 2 : i32]}> : (tensor<1x32x8x8xbf16, #bf16_1x32x8x8>) -> tensor<128x2x4x2xbf16, #bf16_128x2x4x2>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<128x2x4x2xbf16, #bf16_128x2x4x2>) -> tensor<128x4x2x2xbf16, #bf16_128x4x2x2>
  %3 = "ttnn.reshape"(%2) <{shape = [32 : i32, 16 : i32, 4 : i32]}> : (tensor<128x4x2x2xbf16, #bf16_128x4x2x2>) -> tensor<32x16x4xbf16, #bf16_32x16x4>
  %4 = "ttnn.permute"(%3) <{permutation = array<i64: 2, 1, 0>}> : (tensor<32x16x4xbf16, #bf16_32x16x4>) -> tensor<4x16x32xbf16, #bf16_4x16x32>
  return %4 : tensor<4x16x32xbf16, #bf16_4x16x32>
}

// And put together again.
// CHECK-LABEL: func.func @image
// CHECK-NEXT: %[[R:.*]] = "ttnn.reshape"(%arg0) <{shape = [2 : i32, 2 : i32, 4 : i32, 4 : i32, 32 : i32]}>
// CHECK-NEXT: %[[P:.*]] = "ttnn.permute"(%[[R]]) <{permutation = array<i64: 2, 0, 3, 1, 4>}>
// CHECK-NEXT: %[[B:.*]] = "ttnn.reshape"(%[[P]]) <{shape = [1 : i32, 8 : i32, 8 : i32, 32 : i32]}>
// CHECK-NEXT: return %[[B]]
func.func @image(%arg0: tensor<4x16x32xbf16, #bf16_4x16x32>) -> tensor<1x8x8x32xbf16, #bf16_1x8x8x32> {
  %0 = "ttnn.permute"(%arg0) <{permutation = array<i64: 2, 1, 0>}> : (tensor<4x16x32xbf16, #bf16_4x16x32>) -> tensor<32x16x4xbf16, #bf16_32x16x4>
  %1 = "ttnn.reshape"(%0) <{shape = [128 : i32, 4 : i32, 2 : i32, 2 : i32]}> : (tensor<32x16x4xbf16, #bf16_32x16x4>) -> tensor<128x4x2x2xbf16, #bf16_128x4x2x2>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<128x4x2x2xbf16, #bf16_128x4x2x2>) -> tensor<128x2x4x2xbf16, #bf16_128x2x4x2>
  %3 = "ttnn.reshape"(%2) <{shape = [1 : i32, 32 : i32, 8 : i32, 8 : i32]}> : (tensor<128x2x4x2xbf16, #bf16_128x2x4x2>) -> tensor<1x32x8x8xbf16, #bf16_1x32x8x8>
  %4 = "ttnn.permute"(%3) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x32x8x8xbf16, #bf16_1x32x8x8>) -> tensor<1x8x8x32xbf16, #bf16_1x8x8x32>
  return %4 : tensor<1x8x8x32xbf16, #bf16_1x8x8x32>
}

// Where each element is where it was there is no permute.
// CHECK-LABEL: func.func @nothing_moves
// CHECK-NEXT: %[[R:.*]] = "ttnn.reshape"(%arg0) <{shape = [2 : i32, 4 : i32, 2 : i32, 4 : i32]}>
// CHECK-NEXT: return %[[R]]
func.func @nothing_moves(%arg0: tensor<2x4x8xbf16, #bf16_2x4x8>) -> tensor<2x4x2x4xbf16, #bf16_2x4x2x4> {
  %0 = "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x4x8xbf16, #bf16_2x4x8>) -> tensor<2x8x4xbf16, #bf16_2x8x4>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 2 : i32, 4 : i32, 4 : i32]}> : (tensor<2x8x4xbf16, #bf16_2x8x4>) -> tensor<2x2x4x4xbf16, #bf16_2x2x4x4>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x4x4xbf16, #bf16_2x2x4x4>) -> tensor<2x4x2x4xbf16, #bf16_2x4x2x4>
  return %2 : tensor<2x4x2x4xbf16, #bf16_2x4x2x4>
}

// Dimensions that are cut where none of their parts ends.
// CHECK-LABEL: func.func @parts_without_end
// CHECK-COUNT-2: "ttnn.permute"
// CHECK: return
func.func @parts_without_end(%arg0: tensor<6x4xbf16, #bf16_6x4>) -> tensor<8x3xbf16, #bf16_8x3> {
  %0 = "ttnn.permute"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<6x4xbf16, #bf16_6x4>) -> tensor<4x6xbf16, #bf16_4x6>
  %1 = "ttnn.reshape"(%0) <{shape = [3 : i32, 8 : i32]}> : (tensor<4x6xbf16, #bf16_4x6>) -> tensor<3x8xbf16, #bf16_3x8>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 1, 0>}> : (tensor<3x8xbf16, #bf16_3x8>) -> tensor<8x3xbf16, #bf16_8x3>
  return %2 : tensor<8x3xbf16, #bf16_8x3>
}

// What another reads as well stays where it is.
// CHECK-LABEL: func.func @read_by_others
// CHECK-COUNT-2: "ttnn.permute"
// CHECK: return
func.func @read_by_others(%arg0: tensor<8x32xbf16, #bf16_8x32>) -> (tensor<64x4xbf16, #bf16_64x4>, tensor<32x8xbf16, #bf16_32x8>) {
  %0 = "ttnn.permute"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<8x32xbf16, #bf16_8x32>) -> tensor<32x8xbf16, #bf16_32x8>
  %1 = "ttnn.reshape"(%0) <{shape = [4 : i32, 64 : i32]}> : (tensor<32x8xbf16, #bf16_32x8>) -> tensor<4x64xbf16, #bf16_4x64>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 1, 0>}> : (tensor<4x64xbf16, #bf16_4x64>) -> tensor<64x4xbf16, #bf16_64x4>
  return %2, %0 : tensor<64x4xbf16, #bf16_64x4>, tensor<32x8xbf16, #bf16_32x8>
}

// Channels that are shuffled, in front and not in rows of two: one permute would have a tile for every other row.
// CHECK-LABEL: func.func @emptier_tiles
// CHECK-COUNT-2: "ttnn.permute"
// CHECK: return
func.func @emptier_tiles(%arg0: tensor<1x32x32x64xbf16, #bf16_1x32x32x64>) -> tensor<1x32x2x32x32xbf16, #bf16_1x32x2x32x32> {
  %0 = "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x32x32x64xbf16, #bf16_1x32x32x64>) -> tensor<1x64x32x32xbf16, #bf16_1x64x32x32>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 2 : i32, 32 : i32, 32 : i32, 32 : i32]}> : (tensor<1x64x32x32xbf16, #bf16_1x64x32x32>) -> tensor<1x2x32x32x32xbf16, #bf16_1x2x32x32x32>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<1x2x32x32x32xbf16, #bf16_1x2x32x32x32>) -> tensor<1x32x2x32x32xbf16, #bf16_1x32x2x32x32>
  return %2 : tensor<1x32x2x32x32xbf16, #bf16_1x32x2x32x32>
}
