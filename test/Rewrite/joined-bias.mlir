// Slices of a product, each plus a row, are slices of the product plus one row.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_64x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The product takes both rows as its bias, and is cut behind that.
// CHECK-LABEL: func.func @joined(
// CHECK-NEXT: %[[B:.*]] = ttcore.load_cached({{.*}}[%arg2, %arg3]) : {{.*}} -> tensor<64xbf16
// CHECK-NEXT: %[[P:.*]] = "ttnn.linear"(%arg0, %arg1, %[[B]])
// CHECK-NEXT: "ttnn.slice_static"(%[[P]])
// CHECK-NEXT: "ttnn.slice_static"(%[[P]])
// CHECK-NEXT: "ttnn.multiply"
func.func @joined(%x: tensor<64x32xbf16, #bf16_64x32>, %w: tensor<32x64xbf16, #bf16_32x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b0: tensor<1x32xbf16, #bf16_1x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b1: tensor<1x32xbf16, #bf16_1x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x32xbf16, #bf16_64x32> {
  %p = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x32xbf16, #bf16_64x32>, tensor<32x64xbf16, #bf16_32x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %s0 = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 32 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x32xbf16, #bf16_64x32>
  %a0 = "ttnn.add"(%b0, %s0) : (tensor<1x32xbf16, #bf16_1x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  %s1 = "ttnn.slice_static"(%p) <{begins = [0 : i32, 32 : i32], ends = [64 : i32, 64 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x32xbf16, #bf16_64x32>
  %a1 = "ttnn.add"(%b1, %s1) : (tensor<1x32xbf16, #bf16_1x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  %y = "ttnn.multiply"(%a0, %a1) : (tensor<64x32xbf16, #bf16_64x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  return %y : tensor<64x32xbf16, #bf16_64x32>
}

// A row that comes with the call would have to be joined in each.
// CHECK-LABEL: func.func @of_the_call_is_left(
// CHECK: "ttnn.matmul"
// CHECK-COUNT-2: "ttnn.add"
// CHECK: return
func.func @of_the_call_is_left(%x: tensor<64x32xbf16, #bf16_64x32>, %w: tensor<32x64xbf16, #bf16_32x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b0: tensor<1x32xbf16, #bf16_1x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b1: tensor<1x32xbf16, #bf16_1x32>) -> tensor<64x32xbf16, #bf16_64x32> {
  %p = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x32xbf16, #bf16_64x32>, tensor<32x64xbf16, #bf16_32x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %s0 = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 32 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x32xbf16, #bf16_64x32>
  %a0 = "ttnn.add"(%b0, %s0) : (tensor<1x32xbf16, #bf16_1x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  %s1 = "ttnn.slice_static"(%p) <{begins = [0 : i32, 32 : i32], ends = [64 : i32, 64 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x32xbf16, #bf16_64x32>
  %a1 = "ttnn.add"(%b1, %s1) : (tensor<1x32xbf16, #bf16_1x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  %y = "ttnn.multiply"(%a0, %a1) : (tensor<64x32xbf16, #bf16_64x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  return %y : tensor<64x32xbf16, #bf16_64x32>
}

// Columns that no slice has have no bias.
// CHECK-LABEL: func.func @gap_is_left(
// CHECK: "ttnn.matmul"
// CHECK-COUNT-2: "ttnn.add"
// CHECK: return
func.func @gap_is_left(%x: tensor<64x32xbf16, #bf16_64x32>, %w: tensor<32x96xbf16, #bf16_32x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b0: tensor<1x32xbf16, #bf16_1x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b1: tensor<1x32xbf16, #bf16_1x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x32xbf16, #bf16_64x32> {
  %p = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x32xbf16, #bf16_64x32>, tensor<32x96xbf16, #bf16_32x96>) -> tensor<64x96xbf16, #bf16_64x96>
  %s0 = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 32 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x96xbf16, #bf16_64x96>) -> tensor<64x32xbf16, #bf16_64x32>
  %a0 = "ttnn.add"(%b0, %s0) : (tensor<1x32xbf16, #bf16_1x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  %s1 = "ttnn.slice_static"(%p) <{begins = [0 : i32, 32 : i32], ends = [64 : i32, 64 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x96xbf16, #bf16_64x96>) -> tensor<64x32xbf16, #bf16_64x32>
  %a1 = "ttnn.add"(%b1, %s1) : (tensor<1x32xbf16, #bf16_1x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  %y = "ttnn.multiply"(%a0, %a1) : (tensor<64x32xbf16, #bf16_64x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  return %y : tensor<64x32xbf16, #bf16_64x32>
}
