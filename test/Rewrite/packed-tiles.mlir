// Packed tiles (bfp8) have elements of bf16 to the type, which share exponents. What is made of them stays as exact as it was: the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bfp8_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bfp8_64x1x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<64x2x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#bf16_64x1x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bfp8_64x80 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#f32_64x80 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_64x40 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bfp8_64x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#r_ui32_64 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x64xui32, #dram>, <interleaved>>
#f32_64x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#r_f32_64x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x256xf32, #dram>, <interleaved>>
#bfp8_32x5000 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x157x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#bfp8_32x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#ui16_32x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#bf16_32x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bfp8_96x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x2x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#bf16_32x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bfp8_128x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x1x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#bfp8_32x2x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<32x2x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
// CHECK-DAG: #[[BF16:[a-z0-9_]+]] = {{.*}} -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>

// The sum has bf16, whichever operand comes first.
// CHECK-LABEL: func.func @sum(
// CHECK-NEXT: "ttnn.add"(%arg0, %arg1) : {{.*}} -> tensor<64x64xbf16, #[[BF16]]>
func.func @sum(%x: tensor<64x64xbf16, #bfp8_64x64>, %y: tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x1x64xbf16, #bf16_1x64x1x64> {
  %a = "ttnn.reshape"(%x) <{shape = [64 : i32, 1 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x1x64xbf16, #bfp8_64x1x64>
  %r = "ttnn.reshape"(%y) <{shape = [64 : i32, 1 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x1x64xbf16, #bf16_64x1x64>
  %b = "ttnn.add"(%a, %r) : (tensor<64x1x64xbf16, #bfp8_64x1x64>, tensor<64x1x64xbf16, #bf16_64x1x64>) -> tensor<64x1x64xbf16, #bf16_64x1x64>
  %c = "ttnn.reshape"(%b) <{shape = [1 : i32, 64 : i32, 1 : i32, 64 : i32]}> : (tensor<64x1x64xbf16, #bf16_64x1x64>) -> tensor<1x64x1x64xbf16, #bf16_1x64x1x64>
  return %c : tensor<1x64x1x64xbf16, #bf16_1x64x1x64>
}

// A function of packed elements has bf16, too, and stays where it is.
// CHECK-LABEL: func.func @function(
// CHECK: %[[E:.*]] = "ttnn.exp"
// CHECK: "ttnn.reshape"(%[[E]])
func.func @function(%x: tensor<64x64xbf16, #bfp8_64x64>, %y: tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64> {
  %a = "ttnn.reshape"(%x) <{shape = [64 : i32, 1 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x1x64xbf16, #bfp8_64x1x64>
  %b = "ttnn.exp"(%a) : (tensor<64x1x64xbf16, #bfp8_64x1x64>) -> tensor<64x1x64xbf16, #bf16_64x1x64>
  %c = "ttnn.reshape"(%b) <{shape = [64 : i32, 64 : i32]}> : (tensor<64x1x64xbf16, #bf16_64x1x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %d = "ttnn.add"(%c, %y) : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %d : tensor<64x64xbf16, #bf16_64x64>
}

// Moved, packed elements would be rounded in other groups.
// CHECK-LABEL: func.func @cast_and_moved(
// CHECK: %[[C:.*]] = "ttnn.typecast"(%arg0)
// CHECK: "ttnn.permute"(%[[C]])
func.func @cast_and_moved(%x: tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x64xf32, #f32_64x64> {
  %a = "ttnn.typecast"(%x) : (tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %b = "ttnn.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  return %b : tensor<64x64xf32, #f32_64x64>
}

// CHECK-LABEL: func.func @moved_between_casts(
// CHECK-NOT: "ttnn.permute"(%arg0)
// CHECK: return
func.func @moved_between_casts(%x: tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x64xbf16, #bf16_64x64> {
  %a = "ttnn.typecast"(%x) : (tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %b = "ttnn.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %c = "ttnn.typecast"(%b) : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %c : tensor<64x64xbf16, #bf16_64x64>
}

// Halves in other places would be, too.
// CHECK-LABEL: func.func @halves(
// CHECK-NOT: "ttnn.matmul"
// CHECK: return
func.func @halves(%x: tensor<64x80xbf16, #bfp8_64x80>) -> tensor<64x80xf32, #f32_64x80> {
  %a = "ttnn.typecast"(%x) : (tensor<64x80xbf16, #bfp8_64x80>) -> tensor<64x80xf32, #f32_64x80>
  %s = "ttnn.slice_static"(%a) <{begins = [0 : i32, 40 : i32], ends = [64 : i32, 80 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x80xf32, #f32_64x80>) -> tensor<64x40xf32, #f32_64x40>
  %t = "ttnn.slice_static"(%a) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 40 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x80xf32, #f32_64x80>) -> tensor<64x40xf32, #f32_64x40>
  %n = "ttnn.neg"(%s) : (tensor<64x40xf32, #f32_64x40>) -> tensor<64x40xf32, #f32_64x40>
  %c = "ttnn.concat"(%n, %t) <{dim = 1 : si32}> : (tensor<64x40xf32, #f32_64x40>, tensor<64x40xf32, #f32_64x40>) -> tensor<64x80xf32, #f32_64x80>
  return %c : tensor<64x80xf32, #f32_64x80>
}

// Packed numbers do not tell 256 places apart.
// CHECK-LABEL: func.func @place(
// CHECK: "ttnn.argmax"
func.func @place(%x: tensor<64x256xbf16, #bfp8_64x256>) -> tensor<64xui32, #r_ui32_64> {
  %a = "ttnn.typecast"(%x) : (tensor<64x256xbf16, #bfp8_64x256>) -> tensor<64x256xf32, #f32_64x256>
  %r = "ttnn.to_layout"(%a) : (tensor<64x256xf32, #f32_64x256>) -> tensor<64x256xf32, #r_f32_64x256>
  %i = "ttnn.argmax"(%r) <{dim = 1 : si32, keep_dim = false}> : (tensor<64x256xf32, #r_f32_64x256>) -> tensor<64xui32, #r_ui32_64>
  return %i : tensor<64xui32, #r_ui32_64>
}

// And an infinity behind them takes the exponent of its neighbours.
// CHECK-LABEL: func.func @choice(
// CHECK-NOT: "ttnn.pad"
// CHECK: return
func.func @choice(%x: tensor<32x5000xbf16, #bfp8_32x5000>) -> (tensor<32x32xbf16, #bfp8_32x32>, tensor<32x32xui16, #ui16_32x32>) {
  %v, %i = "ttnn.topk"(%x) <{k = 32 : i32, dim = -1 : i32, largest = true, sorted = true}> : (tensor<32x5000xbf16, #bfp8_32x5000>) -> (tensor<32x32xbf16, #bfp8_32x32>, tensor<32x32xui16, #ui16_32x32>)
  return %v, %i : tensor<32x32xbf16, #bfp8_32x32>, tensor<32x32xui16, #ui16_32x32>
}

// Elements that come into other groups are rounded by that: neither made nor taken away.
// CHECK-LABEL: func.func @weights(
// CHECK: "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}>
func.func @weights(%x: tensor<32x64xbf16, #bf16_32x64>, %w: tensor<96x64xbf16, #bfp8_96x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<32x96xbf16, #bf16_32x96> {
  %p = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = true}> : (tensor<32x64xbf16, #bf16_32x64>, tensor<96x64xbf16, #bfp8_96x64>) -> tensor<32x96xbf16, #bf16_32x96>
  return %p : tensor<32x96xbf16, #bf16_32x96>
}

// The compiler writes their type out.
// CHECK-LABEL: func.func @weights_of_tiles(
// CHECK: "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}>
func.func @weights_of_tiles(%x: tensor<32x64xbf16, #bf16_32x64>, %w: tensor<96x64x!ttcore.tile<32x32, bfp_bf8>, #bfp8_96x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<32x96xbf16, #bf16_32x96> {
  %p = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = true}> : (tensor<32x64xbf16, #bf16_32x64>, tensor<96x64x!ttcore.tile<32x32, bfp_bf8>, #bfp8_96x64>) -> tensor<32x96xbf16, #bf16_32x96>
  return %p : tensor<32x96xbf16, #bf16_32x96>
}

// CHECK-LABEL: func.func @there_and_back(
// CHECK: "ttnn.permute"
// CHECK: "ttnn.permute"
func.func @there_and_back(%x: tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x64xbf16, #bfp8_64x64> {
  %a = "ttnn.permute"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x64xbf16, #bfp8_64x64>
  %b = "ttnn.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x64xbf16, #bfp8_64x64>
  return %b : tensor<64x64xbf16, #bfp8_64x64>
}

// Groups of whole rows stay as they are.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: "ttnn.reshape"(%arg0)
// CHECK-NEXT: return
func.func @rows(%x: tensor<64x64xbf16, #bfp8_64x64>) -> tensor<128x32xbf16, #bfp8_128x32> {
  %a = "ttnn.reshape"(%x) <{shape = [32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bfp8_64x64>) -> tensor<32x2x64xbf16, #bfp8_32x2x64>
  %b = "ttnn.reshape"(%a) <{shape = [128 : i32, 32 : i32]}> : (tensor<32x2x64xbf16, #bfp8_32x2x64>) -> tensor<128x32xbf16, #bfp8_128x32>
  return %b : tensor<128x32xbf16, #bfp8_128x32>
}
