// A constant matrix that a product turns is turned once; products of one activation with such matrices are joined.
// RUN: tessera-opt --ttnn-rewrite="rewrites=none,+turned-constant" %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact
// RUN: tessera-opt --ttnn-rewrite="rewrites=none,+turned-constant,+join-products,+split-heads,+const-eval" %s | FileCheck %s --check-prefix=JOINED

#dram = #ttnn.buffer_type<dram>
#x = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#row = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#square = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#apart = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#heads = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @product(
// CHECK: %[[W:.*]] = "ttnn.permute"(%arg1) <{permutation = array<i64: 1, 0>}>
// CHECK: %[[Y:.*]] = "ttnn.linear"(%arg0, %[[W]], %arg2) <{activation = "relu", transpose_a = false, transpose_b = false}>
// CHECK-NEXT: return %[[Y]]
func.func @product(%x: tensor<64x64xbf16, #x>, %w: tensor<128x64xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<128xbf16, #row> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x128xbf16, #y> {
  %0 = "ttnn.linear"(%x, %w, %b) <{activation = "relu", transpose_a = false, transpose_b = true}> : (tensor<64x64xbf16, #x>, tensor<128x64xbf16, #w>, tensor<128xbf16, #row>) -> tensor<64x128xbf16, #y>
  return %0 : tensor<64x128xbf16, #y>
}

// The rows that it is multiplied with may be the matrix itself: these stay as they are.
// CHECK-LABEL: func.func @with_itself(
// CHECK: %[[W:.*]] = "ttnn.permute"(%arg0)
// CHECK: "ttnn.matmul"(%arg0, %[[W]]) <{transpose_a = false, transpose_b = false}>
func.func @with_itself(%w: tensor<64x64xbf16, #square> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x64xbf16, #square> {
  %0 = "ttnn.matmul"(%w, %w) <{transpose_a = false, transpose_b = true}> : (tensor<64x64xbf16, #square>, tensor<64x64xbf16, #square>) -> tensor<64x64xbf16, #square>
  return %0 : tensor<64x64xbf16, #square>
}

// What comes with the call would be turned at every call.
// CHECK-LABEL: func.func @from_outside(
// CHECK: "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}>
func.func @from_outside(%x: tensor<64x64xbf16, #x>, %w: tensor<128x64xbf16, #w>) -> tensor<64x128xbf16, #y> {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = true}> : (tensor<64x64xbf16, #x>, tensor<128x64xbf16, #w>) -> tensor<64x128xbf16, #y>
  return %0 : tensor<64x128xbf16, #y>
}

// Queries, keys and values of PyTorch's layers: each matrix is turned where its product stands, and the joined product stands before all of them.
// JOINED-LABEL: func.func @heads(
// JOINED: %[[W:.*]] = ttcore.load_cached
// JOINED: %[[Y:.*]] = "ttnn.matmul"(%arg0, %[[W]]) <{transpose_a = false, transpose_b = false}>
// JOINED-NOT: "ttnn.matmul"
// JOINED: "ttnn.split_query_key_value_and_split_heads"
func.func @heads(%x: tensor<64x64xbf16, #x>, %q: tensor<128x64xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %k: tensor<128x64xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v: tensor<128x64xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<1x4x64x32xbf16, #heads>, tensor<1x4x64x32xbf16, #heads>, tensor<1x4x64x32xbf16, #heads>) {
  %0 = "ttnn.matmul"(%x, %q) <{transpose_a = false, transpose_b = true}> : (tensor<64x64xbf16, #x>, tensor<128x64xbf16, #w>) -> tensor<64x128xbf16, #y>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32]}> : (tensor<64x128xbf16, #y>) -> tensor<1x64x4x32xbf16, #apart>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x32xbf16, #apart>) -> tensor<1x4x64x32xbf16, #heads>
  %3 = "ttnn.matmul"(%x, %k) <{transpose_a = false, transpose_b = true}> : (tensor<64x64xbf16, #x>, tensor<128x64xbf16, #w>) -> tensor<64x128xbf16, #y>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32]}> : (tensor<64x128xbf16, #y>) -> tensor<1x64x4x32xbf16, #apart>
  %5 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x32xbf16, #apart>) -> tensor<1x4x64x32xbf16, #heads>
  %6 = "ttnn.matmul"(%x, %v) <{transpose_a = false, transpose_b = true}> : (tensor<64x64xbf16, #x>, tensor<128x64xbf16, #w>) -> tensor<64x128xbf16, #y>
  %7 = "ttnn.reshape"(%6) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32]}> : (tensor<64x128xbf16, #y>) -> tensor<1x64x4x32xbf16, #apart>
  %8 = "ttnn.permute"(%7) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x32xbf16, #apart>) -> tensor<1x4x64x32xbf16, #heads>
  return %2, %5, %8 : tensor<1x4x64x32xbf16, #heads>, tensor<1x4x64x32xbf16, #heads>, tensor<1x4x64x32xbf16, #heads>
}
