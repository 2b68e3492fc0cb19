// What scales and shifts the columns of a product goes into its matrix and bias; no less exact.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_49x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x49x96 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_49x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_49x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// A norm over the batch, as it stands behind a layer: all that is rounded is rounded once.
// CHECK-LABEL: func.func @normed(
// CHECK: %[[C:.*]]:2 = ttcore.load_cached({{.*}} -> (tensor<64x96xbf16, {{.*}}>, tensor<96xbf16, {{.*}}>)
// CHECK-NEXT: %[[Y:.*]] = "ttnn.linear"(%arg0, %[[C]]#0, %[[C]]#1)
// CHECK-NEXT: %[[Z:.*]] = "ttnn.reshape"(%[[Y]])
// CHECK-NEXT: return %[[Z]]
func.func @normed(%x: tensor<49x64xbf16, #bf16_49x64>, %w: tensor<64x96xbf16, #bf16_64x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %m: tensor<1x96xbf16, #bf16_1x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x96xbf16, #bf16_1x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x96xbf16, #bf16_1x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x49x96xbf16, #bf16_1x49x96> {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<49x64xbf16, #bf16_49x64>, tensor<64x96xbf16, #bf16_64x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %1 = "ttnn.subtract"(%0, %m) : (tensor<49x96xbf16, #bf16_49x96>, tensor<1x96xbf16, #bf16_1x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %2 = "ttnn.multiply"(%1, %s) : (tensor<49x96xbf16, #bf16_49x96>, tensor<1x96xbf16, #bf16_1x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %3 = "ttnn.add"(%2, %b) : (tensor<49x96xbf16, #bf16_49x96>, tensor<1x96xbf16, #bf16_1x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 49 : i32, 96 : i32]}> : (tensor<49x96xbf16, #bf16_49x96>) -> tensor<1x49x96xbf16, #bf16_1x49x96>
  return %4 : tensor<1x49x96xbf16, #bf16_1x49x96>
}

// The matrix comes with the call: its columns would be scaled in each.
// CHECK-LABEL: func.func @matrix_of_the_call_is_left(
// CHECK: "ttnn.matmul"(%arg0, %arg1)
// CHECK-NEXT: "ttnn.subtract"
// CHECK-NEXT: "ttnn.multiply"
func.func @matrix_of_the_call_is_left(%x: tensor<49x64xbf16, #bf16_49x64>, %w: tensor<64x96xbf16, #bf16_64x96>, %m: tensor<1x96xbf16, #bf16_1x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x96xbf16, #bf16_1x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x96xbf16, #bf16_1x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x49x96xbf16, #bf16_1x49x96> {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<49x64xbf16, #bf16_49x64>, tensor<64x96xbf16, #bf16_64x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %1 = "ttnn.subtract"(%0, %m) : (tensor<49x96xbf16, #bf16_49x96>, tensor<1x96xbf16, #bf16_1x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %2 = "ttnn.multiply"(%1, %s) : (tensor<49x96xbf16, #bf16_49x96>, tensor<1x96xbf16, #bf16_1x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %3 = "ttnn.add"(%2, %b) : (tensor<49x96xbf16, #bf16_49x96>, tensor<1x96xbf16, #bf16_1x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 49 : i32, 96 : i32]}> : (tensor<49x96xbf16, #bf16_49x96>) -> tensor<1x49x96xbf16, #bf16_1x49x96>
  return %4 : tensor<1x49x96xbf16, #bf16_1x49x96>
}

// A number for each row is none for a column.
// CHECK-LABEL: func.func @per_row_is_left(
// CHECK: "ttnn.multiply"({{.*}}tensor<49x1xbf16
func.func @per_row_is_left(%x: tensor<49x64xbf16, #bf16_49x64>, %w: tensor<64x96xbf16, #bf16_64x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %m: tensor<1x96xbf16, #bf16_1x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<49x1xbf16, #bf16_49x1> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x96xbf16, #bf16_1x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x49x96xbf16, #bf16_1x49x96> {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<49x64xbf16, #bf16_49x64>, tensor<64x96xbf16, #bf16_64x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %1 = "ttnn.subtract"(%0, %m) : (tensor<49x96xbf16, #bf16_49x96>, tensor<1x96xbf16, #bf16_1x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %2 = "ttnn.multiply"(%1, %s) : (tensor<49x96xbf16, #bf16_49x96>, tensor<49x1xbf16, #bf16_49x1>) -> tensor<49x96xbf16, #bf16_49x96>
  %3 = "ttnn.add"(%2, %b) : (tensor<49x96xbf16, #bf16_49x96>, tensor<1x96xbf16, #bf16_1x96>) -> tensor<49x96xbf16, #bf16_49x96>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 49 : i32, 96 : i32]}> : (tensor<49x96xbf16, #bf16_49x96>) -> tensor<1x49x96xbf16, #bf16_1x49x96>
  return %4 : tensor<1x49x96xbf16, #bf16_1x49x96>
}
