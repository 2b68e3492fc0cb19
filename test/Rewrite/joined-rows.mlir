// Products with transposed weights, as PyTorch's are, are joined as those with weights that lie the other way: the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_64x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x2x32x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Weights as rows are joined as such.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: %[[W:.*]] = ttcore.load_cached({{.*}}[%arg1, %arg2, %arg3]) : {{.*}} -> tensor<192x32xbf16
// CHECK-NEXT: %[[P:.*]] = "ttnn.matmul"(%arg0, %[[W]]) <{transpose_a = false, transpose_b = true}>
// CHECK: "ttnn.split_query_key_value_and_split_heads"
func.func @rows(%x: tensor<64x32xbf16, #bf16_64x32>, %w0: tensor<64x32xbf16, #bf16_64x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w1: tensor<64x32xbf16, #bf16_64x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w2: tensor<64x32xbf16, #bf16_64x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32> {
  %p0 = "ttnn.matmul"(%x, %w0) <{transpose_a = false, transpose_b = true}> : (tensor<64x32xbf16, #bf16_64x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x64xbf16, #bf16_64x64>
  %r0 = "ttnn.reshape"(%p0) <{shape = [2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<2x32x2x32xbf16, #bf16_2x32x2x32>
  %h0 = "ttnn.permute"(%r0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x32xbf16, #bf16_2x32x2x32>) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
  %p1 = "ttnn.matmul"(%x, %w1) <{transpose_a = false, transpose_b = true}> : (tensor<64x32xbf16, #bf16_64x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x64xbf16, #bf16_64x64>
  %r1 = "ttnn.reshape"(%p1) <{shape = [2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<2x32x2x32xbf16, #bf16_2x32x2x32>
  %h1 = "ttnn.permute"(%r1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x32xbf16, #bf16_2x32x2x32>) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
  %p2 = "ttnn.matmul"(%x, %w2) <{transpose_a = false, transpose_b = true}> : (tensor<64x32xbf16, #bf16_64x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x64xbf16, #bf16_64x64>
  %r2 = "ttnn.reshape"(%p2) <{shape = [2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<2x32x2x32xbf16, #bf16_2x32x2x32>
  %h2 = "ttnn.permute"(%r2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x32xbf16, #bf16_2x32x2x32>) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
  %y = "ttnn.add"(%h0, %h1) : (tensor<2x2x32x32xbf16, #bf16_2x2x32x32>, tensor<2x2x32x32xbf16, #bf16_2x2x32x32>) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
  %z = "ttnn.add"(%y, %h2) : (tensor<2x2x32x32xbf16, #bf16_2x2x32x32>, tensor<2x2x32x32xbf16, #bf16_2x2x32x32>) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
  return %z : tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
}

// But not with columns.
// CHECK-LABEL: func.func @rows_and_columns_are_left(
// CHECK-COUNT-3: "ttnn.matmul"
// CHECK: return
func.func @rows_and_columns_are_left(%x: tensor<64x32xbf16, #bf16_64x32>, %w0: tensor<64x32xbf16, #bf16_64x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w1: tensor<32x64xbf16, #bf16_32x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w2: tensor<64x32xbf16, #bf16_64x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32> {
  %p0 = "ttnn.matmul"(%x, %w0) <{transpose_a = false, transpose_b = true}> : (tensor<64x32xbf16, #bf16_64x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x64xbf16, #bf16_64x64>
  %r0 = "ttnn.reshape"(%p0) <{shape = [2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<2x32x2x32xbf16, #bf16_2x32x2x32>
  %h0 = "ttnn.permute"(%r0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x32xbf16, #bf16_2x32x2x32>) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
  %p1 = "ttnn.matmul"(%x, %w1) <{transpose_a = false, transpose_b = false}> : (tensor<64x32xbf16, #bf16_64x32>, tensor<32x64xbf16, #bf16_32x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %r1 = "ttnn.reshape"(%p1) <{shape = [2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<2x32x2x32xbf16, #bf16_2x32x2x32>
  %h1 = "ttnn.permute"(%r1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x32xbf16, #bf16_2x32x2x32>) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
  %p2 = "ttnn.matmul"(%x, %w2) <{transpose_a = false, transpose_b = true}> : (tensor<64x32xbf16, #bf16_64x32>, tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x64xbf16, #bf16_64x64>
  %r2 = "ttnn.reshape"(%p2) <{shape = [2 : i32, 32 : i32, 2 : i32, 32 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<2x32x2x32xbf16, #bf16_2x32x2x32>
  %h2 = "ttnn.permute"(%r2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x32xbf16, #bf16_2x32x2x32>) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
  %y = "ttnn.add"(%h0, %h1) : (tensor<2x2x32x32xbf16, #bf16_2x2x32x32>, tensor<2x2x32x32xbf16, #bf16_2x2x32x32>) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
  %z = "ttnn.add"(%y, %h2) : (tensor<2x2x32x32xbf16, #bf16_2x2x32x32>, tensor<2x2x32x32xbf16, #bf16_2x2x32x32>) -> tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
  return %z : tensor<2x2x32x32xbf16, #bf16_2x2x32x32>
}
