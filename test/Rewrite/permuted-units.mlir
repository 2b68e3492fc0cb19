// Units that a permute moves between two reshapes: the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x2x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x2x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x1x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Where units alone change places, nothing moves.
// CHECK-LABEL: func.func @units_alone(
// CHECK-NEXT: %[[Y:.*]] = "ttnn.reshape"(%arg0)
// CHECK-NEXT: return %[[Y]]
func.func @units_alone(%x: tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x2x32xbf16, #bf16_64x2x32> {
  %r = "ttnn.reshape"(%x) <{shape = [1 : i32, 64 : i32, 2 : i32, 32 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x2x32xbf16, #bf16_1x64x2x32>
  %p = "ttnn.permute"(%r) <{permutation = array<i64: 1, 2, 0, 3>}> : (tensor<1x64x2x32xbf16, #bf16_1x64x2x32>) -> tensor<64x2x1x32xbf16, #bf16_64x2x1x32>
  %y = "ttnn.reshape"(%p) <{shape = [64 : i32, 2 : i32, 32 : i32]}> : (tensor<64x2x1x32xbf16, #bf16_64x2x1x32>) -> tensor<64x2x32xbf16, #bf16_64x2x32>
  return %y : tensor<64x2x32xbf16, #bf16_64x2x32>
}

// A unit that is dropped behind the permute need not go through it.
// CHECK-LABEL: func.func @fewer_units(
// CHECK-NEXT: %[[R:.*]] = "ttnn.reshape"(%arg0) {{.*}} -> tensor<64x2x32xbf16
// CHECK-NEXT: %[[Y:.*]] = "ttnn.permute"(%[[R]]) <{permutation = array<i64: 1, 0, 2>}>
// CHECK-NEXT: return %[[Y]]
func.func @fewer_units(%x: tensor<64x64xbf16, #bf16_64x64>) -> tensor<2x64x32xbf16, #bf16_2x64x32> {
  %r = "ttnn.reshape"(%x) <{shape = [64 : i32, 1 : i32, 2 : i32, 32 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x1x2x32xbf16, #bf16_64x1x2x32>
  %p = "ttnn.permute"(%r) <{permutation = array<i64: 1, 2, 0, 3>}> : (tensor<64x1x2x32xbf16, #bf16_64x1x2x32>) -> tensor<1x2x64x32xbf16, #bf16_1x2x64x32>
  %y = "ttnn.reshape"(%p) <{shape = [2 : i32, 64 : i32, 32 : i32]}> : (tensor<1x2x64x32xbf16, #bf16_1x2x64x32>) -> tensor<2x64x32xbf16, #bf16_2x64x32>
  return %y : tensor<2x64x32xbf16, #bf16_2x64x32>
}

// What is folded behind it stays.
// CHECK-LABEL: func.func @more_than_one(
// CHECK: "ttnn.permute"
// CHECK-NEXT: "ttnn.reshape"
func.func @more_than_one(%x: tensor<64x64xbf16, #bf16_64x64>) -> tensor<128x32xbf16, #bf16_128x32> {
  %r = "ttnn.reshape"(%x) <{shape = [64 : i32, 1 : i32, 2 : i32, 32 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x1x2x32xbf16, #bf16_64x1x2x32>
  %p = "ttnn.permute"(%r) <{permutation = array<i64: 1, 2, 0, 3>}> : (tensor<64x1x2x32xbf16, #bf16_64x1x2x32>) -> tensor<1x2x64x32xbf16, #bf16_1x2x64x32>
  %y = "ttnn.reshape"(%p) <{shape = [128 : i32, 32 : i32]}> : (tensor<1x2x64x32xbf16, #bf16_1x2x64x32>) -> tensor<128x32xbf16, #bf16_128x32>
  return %y : tensor<128x32xbf16, #bf16_128x32>
}
