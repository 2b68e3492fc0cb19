// Products of one activation become one, with the weights joined once and for all; the bits stay.
// RUN: tessera-opt --ttnn-rewrite="rewrites=all,-lone-heads" %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_64x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_256x512 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x512 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_256x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x2x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_512 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @joined
// CHECK-NEXT: %[[W:.*]] = ttcore.load_cached(@joined_const_eval
// CHECK-NEXT: %[[Y:.*]] = "ttnn.matmul"(%arg0, %[[W]])
// CHECK-SAME: -> tensor<64x768xbf16
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%[[Y]]) <{shape = [2 : i32, 32 : i32, 768 : i32]}>
// CHECK-NEXT: %{{.*}}, %{{.*}}, %{{.*}} = "ttnn.split_query_key_value_and_split_heads"(%[[X]])
// CHECK-NEXT: return
func.func @joined(%x: tensor<64x256xbf16, #bf16_64x256>, %w0: tensor<256x512xbf16, #bf16_256x512> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w1: tensor<256x128xbf16, #bf16_256x128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w2: tensor<256x128xbf16, #bf16_256x128> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<2x8x32x64xbf16, #bf16_2x8x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>) {
  %0 = "ttnn.matmul"(%x, %w0) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x512xbf16, #bf16_256x512>) -> tensor<64x512xbf16, #bf16_64x512>
  %r0 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<64x512xbf16, #bf16_64x512>) -> tensor<2x32x8x64xbf16, #bf16_2x32x8x64>
  %p0 = "ttnn.permute"(%r0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<2x8x32x64xbf16, #bf16_2x8x32x64>
  %1 = "ttnn.matmul"(%x, %w1) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x128xbf16, #bf16_256x128>) -> tensor<64x128xbf16, #bf16_64x128>
  %r1 = "ttnn.reshape"(%1) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %p1 = "ttnn.permute"(%r1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  %2 = "ttnn.matmul"(%x, %w2) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x128xbf16, #bf16_256x128>) -> tensor<64x128xbf16, #bf16_64x128>
  %r2 = "ttnn.reshape"(%2) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %p2 = "ttnn.permute"(%r2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  return %p0, %p1, %p2 : tensor<2x8x32x64xbf16, #bf16_2x8x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
}

// CHECK-LABEL: func.func @joined_with_bias
// CHECK-NEXT: %[[W:.*]] = ttcore.load_cached(@joined_with_bias_const_eval, [%arg1, %arg3, %arg5])
// CHECK-NEXT: %[[B:.*]] = ttcore.load_cached(@joined_with_bias_const_eval_0, [%arg2, %arg4, %arg6])
// CHECK-NEXT: %[[Y:.*]] = "ttnn.linear"(%arg0, %[[W]], %[[B]])
// CHECK-NEXT: "ttnn.reshape"
// CHECK-NEXT: "ttnn.split_query_key_value_and_split_heads"
func.func @joined_with_bias(%x: tensor<64x256xbf16, #bf16_64x256>, %w0: tensor<256x512xbf16, #bf16_256x512> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b0: tensor<512xbf16, #bf16_512> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w1: tensor<256x128xbf16, #bf16_256x128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b1: tensor<128xbf16, #bf16_128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w2: tensor<256x128xbf16, #bf16_256x128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b2: tensor<128xbf16, #bf16_128> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<2x8x32x64xbf16, #bf16_2x8x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>) {
  %0 = "ttnn.linear"(%x, %w0, %b0) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x512xbf16, #bf16_256x512>, tensor<512xbf16, #bf16_512>) -> tensor<64x512xbf16, #bf16_64x512>
  %r0 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<64x512xbf16, #bf16_64x512>) -> tensor<2x32x8x64xbf16, #bf16_2x32x8x64>
  %p0 = "ttnn.permute"(%r0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<2x8x32x64xbf16, #bf16_2x8x32x64>
  %1 = "ttnn.linear"(%x, %w1, %b1) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x128xbf16, #bf16_256x128>, tensor<128xbf16, #bf16_128>) -> tensor<64x128xbf16, #bf16_64x128>
  %r1 = "ttnn.reshape"(%1) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %p1 = "ttnn.permute"(%r1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  %2 = "ttnn.linear"(%x, %w2, %b2) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x128xbf16, #bf16_256x128>, tensor<128xbf16, #bf16_128>) -> tensor<64x128xbf16, #bf16_64x128>
  %r2 = "ttnn.reshape"(%2) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %p2 = "ttnn.permute"(%r2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  return %p0, %p1, %p2 : tensor<2x8x32x64xbf16, #bf16_2x8x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
}

// Weights that come with the call would be joined in each.
// CHECK-LABEL: func.func @weights_of_the_call
// CHECK-NOT: concat
// CHECK: return
func.func @weights_of_the_call(%x: tensor<64x256xbf16, #bf16_64x256>, %w0: tensor<256x512xbf16, #bf16_256x512> {ttcore.argument_type = #ttcore.argument_type<input>}, %w1: tensor<256x128xbf16, #bf16_256x128> {ttcore.argument_type = #ttcore.argument_type<input>}, %w2: tensor<256x128xbf16, #bf16_256x128> {ttcore.argument_type = #ttcore.argument_type<input>}) -> (tensor<2x8x32x64xbf16, #bf16_2x8x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>) {
  %0 = "ttnn.matmul"(%x, %w0) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x512xbf16, #bf16_256x512>) -> tensor<64x512xbf16, #bf16_64x512>
  %r0 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<64x512xbf16, #bf16_64x512>) -> tensor<2x32x8x64xbf16, #bf16_2x32x8x64>
  %p0 = "ttnn.permute"(%r0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<2x8x32x64xbf16, #bf16_2x8x32x64>
  %1 = "ttnn.matmul"(%x, %w1) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x128xbf16, #bf16_256x128>) -> tensor<64x128xbf16, #bf16_64x128>
  %r1 = "ttnn.reshape"(%1) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %p1 = "ttnn.permute"(%r1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  %2 = "ttnn.matmul"(%x, %w2) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x128xbf16, #bf16_256x128>) -> tensor<64x128xbf16, #bf16_64x128>
  %r2 = "ttnn.reshape"(%2) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %p2 = "ttnn.permute"(%r2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  return %p0, %p1, %p2 : tensor<2x8x32x64xbf16, #bf16_2x8x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
}

// Nothing cuts two.
// CHECK-LABEL: func.func @two_products
// CHECK-NOT: concat
// CHECK: return
func.func @two_products(%x: tensor<64x256xbf16, #bf16_64x256>, %w0: tensor<256x512xbf16, #bf16_256x512> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w1: tensor<256x128xbf16, #bf16_256x128> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<2x8x32x64xbf16, #bf16_2x8x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>) {
  %0 = "ttnn.matmul"(%x, %w0) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x512xbf16, #bf16_256x512>) -> tensor<64x512xbf16, #bf16_64x512>
  %r0 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<64x512xbf16, #bf16_64x512>) -> tensor<2x32x8x64xbf16, #bf16_2x32x8x64>
  %p0 = "ttnn.permute"(%r0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<2x8x32x64xbf16, #bf16_2x8x32x64>
  %1 = "ttnn.matmul"(%x, %w1) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x128xbf16, #bf16_256x128>) -> tensor<64x128xbf16, #bf16_64x128>
  %r1 = "ttnn.reshape"(%1) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %p1 = "ttnn.permute"(%r1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  return %p0, %p1 : tensor<2x8x32x64xbf16, #bf16_2x8x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
}

// What follows one product would follow all.
// CHECK-LABEL: func.func @with_activation
// CHECK-NOT: concat
// CHECK: return
func.func @with_activation(%x: tensor<64x256xbf16, #bf16_64x256>, %w0: tensor<256x512xbf16, #bf16_256x512> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w1: tensor<256x128xbf16, #bf16_256x128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w2: tensor<256x128xbf16, #bf16_256x128> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<2x8x32x64xbf16, #bf16_2x8x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>) {
  %0 = "ttnn.matmul"(%x, %w0) <{activation = "silu", transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x512xbf16, #bf16_256x512>) -> tensor<64x512xbf16, #bf16_64x512>
  %r0 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<64x512xbf16, #bf16_64x512>) -> tensor<2x32x8x64xbf16, #bf16_2x32x8x64>
  %p0 = "ttnn.permute"(%r0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<2x8x32x64xbf16, #bf16_2x8x32x64>
  %1 = "ttnn.matmul"(%x, %w1) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x128xbf16, #bf16_256x128>) -> tensor<64x128xbf16, #bf16_64x128>
  %r1 = "ttnn.reshape"(%1) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %p1 = "ttnn.permute"(%r1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  %2 = "ttnn.matmul"(%x, %w2) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x128xbf16, #bf16_256x128>) -> tensor<64x128xbf16, #bf16_64x128>
  %r2 = "ttnn.reshape"(%2) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %p2 = "ttnn.permute"(%r2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  return %p0, %p1, %p2 : tensor<2x8x32x64xbf16, #bf16_2x8x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
}
