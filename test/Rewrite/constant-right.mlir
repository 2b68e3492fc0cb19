// A constant on the left of a product that is turned behind it goes to the right: it is read as it lies, and nothing is turned.
// RUN: tessera-opt --ttnn-rewrite="rewrites=none,+constant-right" %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#x = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#xt = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#parts = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 128 + d1, d2), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#turned = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#whole = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Of two experts, as JAX writes einsum('bd,edf->ebf').
// CHECK-LABEL: func.func @parts(
// CHECK: %[[X1:.*]] = "ttnn.reshape"(%arg0) <{shape = [1 : i32, 32 : i32, 64 : i32]}>
// CHECK: %[[X:.*]] = "ttnn.repeat"(%[[X1]]) <{repeat_dims = #ttnn.shape<2x1x1>}>
// CHECK: %[[W2:.*]] = "ttnn.reshape"(%arg1) <{shape = [2 : i32, 128 : i32, 64 : i32]}>
// CHECK: %[[W:.*]] = "ttnn.permute"(%[[W2]]) <{permutation = array<i64: 0, 2, 1>}>
// CHECK: %[[Y:.*]] = "ttnn.matmul"(%[[X]], %[[W]]) <{transpose_a = false, transpose_b = false}>
// CHECK-NEXT: return %[[Y]]
func.func @parts(%x: tensor<32x64xbf16, #x>, %w: tensor<256x64xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<2x32x128xbf16, #turned> {
  %0 = "ttnn.matmul"(%w, %x) <{transpose_a = false, transpose_b = true}> : (tensor<256x64xbf16, #w>, tensor<32x64xbf16, #x>) -> tensor<256x32xbf16, #y>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 128 : i32, 32 : i32]}> : (tensor<256x32xbf16, #y>) -> tensor<2x128x32xbf16, #parts>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x128x32xbf16, #parts>) -> tensor<2x32x128xbf16, #turned>
  return %2 : tensor<2x32x128xbf16, #turned>
}

// Whole; what comes with the call is turned, which is less.
// CHECK-LABEL: func.func @whole(
// CHECK: %[[X:.*]] = "ttnn.permute"(%arg0) <{permutation = array<i64: 1, 0>}>
// CHECK: %[[W:.*]] = "ttnn.permute"(%arg1) <{permutation = array<i64: 1, 0>}>
// CHECK: %[[Y:.*]] = "ttnn.matmul"(%[[X]], %[[W]]) <{transpose_a = false, transpose_b = false}>
// CHECK-NEXT: return %[[Y]]
func.func @whole(%x: tensor<64x32xbf16, #xt>, %w: tensor<256x64xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<32x256xbf16, #whole> {
  %0 = "ttnn.matmul"(%w, %x) <{transpose_a = false, transpose_b = false}> : (tensor<256x64xbf16, #w>, tensor<64x32xbf16, #xt>) -> tensor<256x32xbf16, #y>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<256x32xbf16, #y>) -> tensor<32x256xbf16, #whole>
  return %1 : tensor<32x256xbf16, #whole>
}

// What comes with the call would be turned at every call.
// CHECK-LABEL: func.func @from_outside(
// CHECK: "ttnn.matmul"(%arg1, %arg0)
// CHECK: "ttnn.permute"
func.func @from_outside(%x: tensor<64x32xbf16, #xt>, %w: tensor<256x64xbf16, #w>) -> tensor<32x256xbf16, #whole> {
  %0 = "ttnn.matmul"(%w, %x) <{transpose_a = false, transpose_b = false}> : (tensor<256x64xbf16, #w>, tensor<64x32xbf16, #xt>) -> tensor<256x32xbf16, #y>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<256x32xbf16, #y>) -> tensor<32x256xbf16, #whole>
  return %1 : tensor<32x256xbf16, #whole>
}

// Parts are put before rows of the same part: rows and columns do not change places.
// CHECK-LABEL: func.func @other_order(
// CHECK: "ttnn.matmul"(%arg1, %arg0)
// CHECK: "ttnn.permute"
func.func @other_order(%x: tensor<32x64xbf16, #x>, %w: tensor<256x64xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<128x2x32xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>> {
  %0 = "ttnn.matmul"(%w, %x) <{transpose_a = false, transpose_b = true}> : (tensor<256x64xbf16, #w>, tensor<32x64xbf16, #x>) -> tensor<256x32xbf16, #y>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 128 : i32, 32 : i32]}> : (tensor<256x32xbf16, #y>) -> tensor<2x128x32xbf16, #parts>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x128x32xbf16, #parts>) -> tensor<128x2x32xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
  return %2 : tensor<128x2x32xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
}
