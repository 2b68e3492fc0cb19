// Products of tensors whose batches are folded alike are made in the batches that there were: the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_2x4x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_8x32x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_8x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_8x32x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Both as bmm wants them.
// CHECK-LABEL: func.func @folded(
// CHECK-NEXT: %[[P:.*]] = "ttnn.matmul"(%arg0, %arg1) {{.*}} -> tensor<2x4x32x32xbf16
// CHECK-NEXT: %[[Y:.*]] = "ttnn.reshape"(%[[P]])
// CHECK-NEXT: return %[[Y]]
func.func @folded(%x: tensor<2x4x32x64xbf16, #bf16_2x4x32x64>, %y: tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<8x32x32xbf16, #bf16_8x32x32> {
  %a = "ttnn.reshape"(%x) <{shape = [8 : i32, 32 : i32, 64 : i32]}> : (tensor<2x4x32x64xbf16, #bf16_2x4x32x64>) -> tensor<8x32x64xbf16, #bf16_8x32x64>
  %b = "ttnn.reshape"(%y) <{shape = [8 : i32, 64 : i32, 32 : i32]}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<8x64x32xbf16, #bf16_8x64x32>
  %p = "ttnn.matmul"(%a, %b) <{transpose_a = false, transpose_b = false}> : (tensor<8x32x64xbf16, #bf16_8x32x64>, tensor<8x64x32xbf16, #bf16_8x64x32>) -> tensor<8x32x32xbf16, #bf16_8x32x32>
  return %p : tensor<8x32x32xbf16, #bf16_8x32x32>
}

// One that never had other batches would have to be reshaped for it.
// CHECK-LABEL: func.func @one_is_left(
// CHECK-NEXT: "ttnn.reshape"
// CHECK-NEXT: "ttnn.matmul"
// CHECK-NEXT: return
func.func @one_is_left(%x: tensor<2x4x32x64xbf16, #bf16_2x4x32x64>, %y: tensor<8x64x32xbf16, #bf16_8x64x32>) -> tensor<8x32x32xbf16, #bf16_8x32x32> {
  %a = "ttnn.reshape"(%x) <{shape = [8 : i32, 32 : i32, 64 : i32]}> : (tensor<2x4x32x64xbf16, #bf16_2x4x32x64>) -> tensor<8x32x64xbf16, #bf16_8x32x64>
  %p = "ttnn.matmul"(%a, %y) <{transpose_a = false, transpose_b = false}> : (tensor<8x32x64xbf16, #bf16_8x32x64>, tensor<8x64x32xbf16, #bf16_8x64x32>) -> tensor<8x32x32xbf16, #bf16_8x32x32>
  return %p : tensor<8x32x32xbf16, #bf16_8x32x32>
}
