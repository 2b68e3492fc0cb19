// A row is added by the product itself; no less exact.
// RUN: tessera-opt --ttnn-rewrite="rewrites=none,+bias" %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#x = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y3 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#row = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#column = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Whatever rows it is added to.
// CHECK-LABEL: func.func @row(
// CHECK: %[[B:.*]] = "ttnn.reshape"(%arg2) <{shape = [128 : i32]}>
// CHECK-NEXT: %[[Y:.*]] = "ttnn.linear"(%arg0, %arg1, %[[B]])
// CHECK-NEXT: "ttnn.reshape"(%[[Y]]) <{shape = [2 : i32, 32 : i32, 128 : i32]}>
// CHECK-NEXT: return
func.func @row(%x: tensor<64x64xbf16, #x>, %w: tensor<64x128xbf16, #w>, %b: tensor<1x1x128xbf16, #row>) -> tensor<2x32x128xbf16, #y3> {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #x>, tensor<64x128xbf16, #w>) -> tensor<64x128xbf16, #y>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 128 : i32]}> : (tensor<64x128xbf16, #y>) -> tensor<2x32x128xbf16, #y3>
  %2 = "ttnn.add"(%b, %1) : (tensor<1x1x128xbf16, #row>, tensor<2x32x128xbf16, #y3>) -> tensor<2x32x128xbf16, #y3>
  return %2 : tensor<2x32x128xbf16, #y3>
}

// A column is none.
// CHECK-LABEL: func.func @column(
// CHECK-NOT: "ttnn.linear"
// CHECK: return
func.func @column(%x: tensor<64x64xbf16, #x>, %w: tensor<64x128xbf16, #w>, %b: tensor<2x32x1xbf16, #column>) -> tensor<2x32x128xbf16, #y3> {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #x>, tensor<64x128xbf16, #w>) -> tensor<64x128xbf16, #y>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 128 : i32]}> : (tensor<64x128xbf16, #y>) -> tensor<2x32x128xbf16, #y3>
  %2 = "ttnn.add"(%1, %b) : (tensor<2x32x128xbf16, #y3>, tensor<2x32x1xbf16, #column>) -> tensor<2x32x128xbf16, #y3>
  return %2 : tensor<2x32x128xbf16, #y3>
}

// Nor is what a function stands before.
// CHECK-LABEL: func.func @with_function(
// CHECK-NOT: "ttnn.linear"
// CHECK: return
func.func @with_function(%x: tensor<64x64xbf16, #x>, %w: tensor<64x128xbf16, #w>, %b: tensor<1x1x128xbf16, #row>) -> tensor<2x32x128xbf16, #y3> {
  %0 = "ttnn.matmul"(%x, %w) <{activation = "relu", transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #x>, tensor<64x128xbf16, #w>) -> tensor<64x128xbf16, #y>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 128 : i32]}> : (tensor<64x128xbf16, #y>) -> tensor<2x32x128xbf16, #y3>
  %2 = "ttnn.add"(%1, %b) : (tensor<2x32x128xbf16, #y3>, tensor<1x1x128xbf16, #row>) -> tensor<2x32x128xbf16, #y3>
  return %2 : tensor<2x32x128xbf16, #y3>
}

// Where another reads the product, it stays.
// CHECK-LABEL: func.func @read_twice(
// CHECK-NOT: "ttnn.linear"
// CHECK: return
func.func @read_twice(%x: tensor<64x64xbf16, #x>, %w: tensor<64x128xbf16, #w>, %b: tensor<1x1x128xbf16, #row>) -> (tensor<2x32x128xbf16, #y3>, tensor<2x32x128xbf16, #y3>) {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #x>, tensor<64x128xbf16, #w>) -> tensor<64x128xbf16, #y>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 128 : i32]}> : (tensor<64x128xbf16, #y>) -> tensor<2x32x128xbf16, #y3>
  %2 = "ttnn.add"(%1, %b) : (tensor<2x32x128xbf16, #y3>, tensor<1x1x128xbf16, #row>) -> tensor<2x32x128xbf16, #y3>
  return %2, %1 : tensor<2x32x128xbf16, #y3>, tensor<2x32x128xbf16, #y3>
}
