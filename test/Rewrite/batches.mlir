// Products of rows that fill no tiles are made in batches: the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_64x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x49x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x7x7x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 224 + d1 * 32 + d2, d3), <1x1>, memref<28x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_196x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<7x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_196x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<7x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x196x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 6272 + d1 * 32 + d2, d3), <1x1>, memref<196x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x49x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_28x7x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<28x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_28x7x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<28x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x49x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1568 + d1 * 32 + d2, d3), <1x1>, memref<196x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x196x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 224 + d1 * 224 + d2, d3), <1x1>, memref<7x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x196x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 224 + d1 * 224 + d2, d3), <1x1>, memref<7x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Rows of 49 are moved once, behind the product.
// CHECK-LABEL: func.func @there(
// CHECK-NEXT: %[[P:.*]] = "ttnn.matmul"(%arg0, %arg1) {{.*}} -> tensor<4x49x64xbf16
// CHECK-NEXT: %[[Y:.*]] = "ttnn.reshape"(%[[P]])
// CHECK-NEXT: return %[[Y]]
func.func @there(%x: tensor<4x49x32xbf16, #bf16_4x49x32>, %w: tensor<32x64xbf16, #bf16_32x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4x7x7x64xbf16, #bf16_4x7x7x64> {
  %r = "ttnn.reshape"(%x) <{shape = [196 : i32, 32 : i32]}> : (tensor<4x49x32xbf16, #bf16_4x49x32>) -> tensor<196x32xbf16, #bf16_196x32>
  %p = "ttnn.matmul"(%r, %w) <{transpose_a = false, transpose_b = false}> : (tensor<196x32xbf16, #bf16_196x32>, tensor<32x64xbf16, #bf16_32x64>) -> tensor<196x64xbf16, #bf16_196x64>
  %y = "ttnn.reshape"(%p) <{shape = [4 : i32, 7 : i32, 7 : i32, 64 : i32]}> : (tensor<196x64xbf16, #bf16_196x64>) -> tensor<4x7x7x64xbf16, #bf16_4x7x7x64>
  return %y : tensor<4x7x7x64xbf16, #bf16_4x7x7x64>
}

// So it is with all that does the same to each row.
// CHECK-LABEL: func.func @several(
// CHECK-NEXT: %[[N:.*]] = "ttnn.rms_norm"(%arg0, %arg3) {{.*}} -> tensor<4x49x32xbf16
// CHECK-NEXT: %[[P:.*]] = "ttnn.matmul"(%[[N]], %arg1) {{.*}} -> tensor<4x49x64xbf16
// CHECK-NEXT: %[[G:.*]] = "ttnn.multiply"(%[[P]], %arg4) {{.*}} -> tensor<4x49x64xbf16
// CHECK-NEXT: %[[Q:.*]] = "ttnn.matmul"(%[[G]], %arg2) {{.*}} -> tensor<4x49x32xbf16
// CHECK-NEXT: return %[[Q]]
func.func @several(%x: tensor<4x49x32xbf16, #bf16_4x49x32>, %w: tensor<32x64xbf16, #bf16_32x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v: tensor<64x32xbf16, #bf16_64x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %g: tensor<32xbf16, #bf16_32>, %s: tensor<1x64xbf16, #bf16_1x64>) -> tensor<4x49x32xbf16, #bf16_4x49x32> {
  %r = "ttnn.reshape"(%x) <{shape = [196 : i32, 32 : i32]}> : (tensor<4x49x32xbf16, #bf16_4x49x32>) -> tensor<196x32xbf16, #bf16_196x32>
  %n = "ttnn.rms_norm"(%r, %g) <{epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<196x32xbf16, #bf16_196x32>, tensor<32xbf16, #bf16_32>) -> tensor<196x32xbf16, #bf16_196x32>
  %p = "ttnn.matmul"(%n, %w) <{transpose_a = false, transpose_b = false}> : (tensor<196x32xbf16, #bf16_196x32>, tensor<32x64xbf16, #bf16_32x64>) -> tensor<196x64xbf16, #bf16_196x64>
  %m = "ttnn.multiply"(%p, %s) : (tensor<196x64xbf16, #bf16_196x64>, tensor<1x64xbf16, #bf16_1x64>) -> tensor<196x64xbf16, #bf16_196x64>
  %q = "ttnn.matmul"(%m, %v) <{transpose_a = false, transpose_b = false}> : (tensor<196x64xbf16, #bf16_196x64>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<196x32xbf16, #bf16_196x32>
  %y = "ttnn.reshape"(%q) <{shape = [4 : i32, 49 : i32, 32 : i32]}> : (tensor<196x32xbf16, #bf16_196x32>) -> tensor<4x49x32xbf16, #bf16_4x49x32>
  return %y : tensor<4x49x32xbf16, #bf16_4x49x32>
}

// Other rows for each batch would have to be moved themselves.
// CHECK-LABEL: func.func @other_rows(
// CHECK-NEXT: "ttnn.reshape"(%arg0)
// CHECK: "ttnn.multiply"({{.*}}, %arg2) {{.*}} -> tensor<196x64xbf16
func.func @other_rows(%x: tensor<4x49x32xbf16, #bf16_4x49x32>, %w: tensor<32x64xbf16, #bf16_32x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<196x64xbf16, #bf16_196x64>) -> tensor<4x49x64xbf16, #bf16_4x49x64> {
  %r = "ttnn.reshape"(%x) <{shape = [196 : i32, 32 : i32]}> : (tensor<4x49x32xbf16, #bf16_4x49x32>) -> tensor<196x32xbf16, #bf16_196x32>
  %p = "ttnn.matmul"(%r, %w) <{transpose_a = false, transpose_b = false}> : (tensor<196x32xbf16, #bf16_196x32>, tensor<32x64xbf16, #bf16_32x64>) -> tensor<196x64xbf16, #bf16_196x64>
  %m = "ttnn.multiply"(%p, %s) : (tensor<196x64xbf16, #bf16_196x64>, tensor<196x64xbf16, #bf16_196x64>) -> tensor<196x64xbf16, #bf16_196x64>
  %y = "ttnn.reshape"(%m) <{shape = [4 : i32, 49 : i32, 64 : i32]}> : (tensor<196x64xbf16, #bf16_196x64>) -> tensor<4x49x64xbf16, #bf16_4x49x64>
  return %y : tensor<4x49x64xbf16, #bf16_4x49x64>
}

// Or before it, in the batches that are wanted.
// CHECK-LABEL: func.func @wanted(
// CHECK-NEXT: %[[R:.*]] = "ttnn.reshape"(%arg0) {{.*}} -> tensor<4x49x32xbf16
// CHECK-NEXT: %[[P:.*]] = "ttnn.matmul"(%[[R]], %arg1)
// CHECK-NEXT: return %[[P]]
func.func @wanted(%x: tensor<1x196x1x32xbf16, #bf16_1x196x1x32>, %w: tensor<32x64xbf16, #bf16_32x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4x49x64xbf16, #bf16_4x49x64> {
  %r = "ttnn.reshape"(%x) <{shape = [196 : i32, 32 : i32]}> : (tensor<1x196x1x32xbf16, #bf16_1x196x1x32>) -> tensor<196x32xbf16, #bf16_196x32>
  %p = "ttnn.matmul"(%r, %w) <{transpose_a = false, transpose_b = false}> : (tensor<196x32xbf16, #bf16_196x32>, tensor<32x64xbf16, #bf16_32x64>) -> tensor<196x64xbf16, #bf16_196x64>
  %y = "ttnn.reshape"(%p) <{shape = [4 : i32, 49 : i32, 64 : i32]}> : (tensor<196x64xbf16, #bf16_196x64>) -> tensor<4x49x64xbf16, #bf16_4x49x64>
  return %y : tensor<4x49x64xbf16, #bf16_4x49x64>
}

// Rows of 7 would fill a quarter of their tiles.
// CHECK-LABEL: func.func @too_few_rows(
// CHECK-NEXT: "ttnn.reshape"
// CHECK-NEXT: "ttnn.matmul"({{.*}} -> tensor<196x64xbf16
func.func @too_few_rows(%x: tensor<28x7x32xbf16, #bf16_28x7x32>, %w: tensor<32x64xbf16, #bf16_32x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<28x7x64xbf16, #bf16_28x7x64> {
  %r = "ttnn.reshape"(%x) <{shape = [196 : i32, 32 : i32]}> : (tensor<28x7x32xbf16, #bf16_28x7x32>) -> tensor<196x32xbf16, #bf16_196x32>
  %p = "ttnn.matmul"(%r, %w) <{transpose_a = false, transpose_b = false}> : (tensor<196x32xbf16, #bf16_196x32>, tensor<32x64xbf16, #bf16_32x64>) -> tensor<196x64xbf16, #bf16_196x64>
  %y = "ttnn.reshape"(%p) <{shape = [28 : i32, 7 : i32, 64 : i32]}> : (tensor<196x64xbf16, #bf16_196x64>) -> tensor<28x7x64xbf16, #bf16_28x7x64>
  return %y : tensor<28x7x64xbf16, #bf16_28x7x64>
}

// The reshape behind it takes rows apart.
// CHECK-LABEL: func.func @rows_apart(
// CHECK-NEXT: "ttnn.reshape"
// CHECK-NEXT: "ttnn.matmul"({{.*}} -> tensor<196x64xbf16
func.func @rows_apart(%x: tensor<4x49x32xbf16, #bf16_4x49x32>, %w: tensor<32x64xbf16, #bf16_32x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4x49x2x32xbf16, #bf16_4x49x2x32> {
  %r = "ttnn.reshape"(%x) <{shape = [196 : i32, 32 : i32]}> : (tensor<4x49x32xbf16, #bf16_4x49x32>) -> tensor<196x32xbf16, #bf16_196x32>
  %p = "ttnn.matmul"(%r, %w) <{transpose_a = false, transpose_b = false}> : (tensor<196x32xbf16, #bf16_196x32>, tensor<32x64xbf16, #bf16_32x64>) -> tensor<196x64xbf16, #bf16_196x64>
  %y = "ttnn.reshape"(%p) <{shape = [4 : i32, 49 : i32, 2 : i32, 32 : i32]}> : (tensor<196x64xbf16, #bf16_196x64>) -> tensor<4x49x2x32xbf16, #bf16_4x49x2x32>
  return %y : tensor<4x49x2x32xbf16, #bf16_4x49x2x32>
}

// A row for all may have more dimensions than the batches.
// CHECK-LABEL: func.func @row_of_more_dimensions(
// CHECK-DAG: %[[P:.*]] = "ttnn.matmul"(%arg0, %arg1) {{.*}} -> tensor<4x49x64xbf16
// CHECK-DAG: %[[R:.*]] = "ttnn.reshape"(%arg2) {{.*}} -> tensor<1x1x64xbf16
// CHECK: "ttnn.maximum"(%[[P]], %[[R]])
func.func @row_of_more_dimensions(%x: tensor<4x49x32xbf16, #bf16_4x49x32>, %w: tensor<32x64xbf16, #bf16_32x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<4x49x64xbf16, #bf16_4x49x64> {
  %a = "ttnn.reshape"(%x) <{shape = [1 : i32, 1 : i32, 196 : i32, 32 : i32]}> : (tensor<4x49x32xbf16, #bf16_4x49x32>) -> tensor<1x1x196x32xbf16, #bf16_1x1x196x32>
  %p = "ttnn.matmul"(%a, %w) <{transpose_a = false, transpose_b = false}> : (tensor<1x1x196x32xbf16, #bf16_1x1x196x32>, tensor<32x64xbf16, #bf16_32x64>) -> tensor<1x1x196x64xbf16, #bf16_1x1x196x64>
  %s = "ttnn.maximum"(%p, %b) : (tensor<1x1x196x64xbf16, #bf16_1x1x196x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<1x1x196x64xbf16, #bf16_1x1x196x64>
  %c = "ttnn.reshape"(%s) <{shape = [4 : i32, 49 : i32, 64 : i32]}> : (tensor<1x1x196x64xbf16, #bf16_1x1x196x64>) -> tensor<4x49x64xbf16, #bf16_4x49x64>
  return %c : tensor<4x49x64xbf16, #bf16_4x49x64>
}
