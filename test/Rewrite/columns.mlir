// Rows that are put together of parts within tiles are a product with a matrix.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+columns,+const-eval %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_1x4x64x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x80 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x4x64x80 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x3x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x4x64x40 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x4x64x128 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x4x64x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x3x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x4x64x48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x4x64x16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Halves that begin within a tile: each element of the product is one of x.
// CHECK-LABEL: func.func @halves(
// CHECK: %[[P:.*]] = ttcore.load_cached(@halves_const_eval, [])
// CHECK-NEXT: %[[Y:.*]] = "ttnn.matmul"(%arg0, %[[P]])
// CHECK-NEXT: return %[[Y]]
func.func @halves(%x: tensor<1x4x64x96xbf16, #bf16_1x4x64x96>) -> tensor<1x4x64x96xbf16, #bf16_1x4x64x96> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 48 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 96 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x96xbf16, #bf16_1x4x64x96>) -> tensor<1x4x64x48xbf16, #bf16_1x4x64x48>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 48 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x96xbf16, #bf16_1x4x64x96>) -> tensor<1x4x64x48xbf16, #bf16_1x4x64x48>
  %2 = "ttnn.neg"(%0) : (tensor<1x4x64x48xbf16, #bf16_1x4x64x48>) -> tensor<1x4x64x48xbf16, #bf16_1x4x64x48>
  %3 = "ttnn.concat"(%2, %1) <{dim = 3 : si32}> : (tensor<1x4x64x48xbf16, #bf16_1x4x64x48>, tensor<1x4x64x48xbf16, #bf16_1x4x64x48>) -> tensor<1x4x64x96xbf16, #bf16_1x4x64x96>
  return %3 : tensor<1x4x64x96xbf16, #bf16_1x4x64x96>
}

// They are cast to more bits first: the product is of those that there were.
// CHECK-LABEL: func.func @cast_before(
// CHECK: %[[P:.*]] = ttcore.load_cached(@cast_before_const_eval, [])
// CHECK-NEXT: %[[Y:.*]] = "ttnn.matmul"(%arg0, %[[P]])
// CHECK-NEXT: %[[W:.*]] = "ttnn.typecast"(%[[Y]])
// CHECK-NEXT: return %[[W]]
func.func @cast_before(%x: tensor<1x4x64x80xbf16, #bf16_1x4x64x80>) -> tensor<1x4x64x80xf32, #f32_1x4x64x80> {
  %0 = "ttnn.typecast"(%x) : (tensor<1x4x64x80xbf16, #bf16_1x4x64x80>) -> tensor<1x4x64x80xf32, #f32_1x4x64x80>
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32, 40 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 80 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x80xf32, #f32_1x4x64x80>) -> tensor<1x4x64x40xf32, #f32_1x4x64x40>
  %2 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 40 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x80xf32, #f32_1x4x64x80>) -> tensor<1x4x64x40xf32, #f32_1x4x64x40>
  %3 = "ttnn.neg"(%1) : (tensor<1x4x64x40xf32, #f32_1x4x64x40>) -> tensor<1x4x64x40xf32, #f32_1x4x64x40>
  %4 = "ttnn.concat"(%3, %2) <{dim = 3 : si32}> : (tensor<1x4x64x40xf32, #f32_1x4x64x40>, tensor<1x4x64x40xf32, #f32_1x4x64x40>) -> tensor<1x4x64x80xf32, #f32_1x4x64x80>
  return %4 : tensor<1x4x64x80xf32, #f32_1x4x64x80>
}

// Whole tiles are moved as they are.
// CHECK-LABEL: func.func @whole_tiles(
// CHECK-NOT: ttnn.matmul
// CHECK: ttnn.concat
func.func @whole_tiles(%x: tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 64 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 128 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %2 = "ttnn.neg"(%0) : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %3 = "ttnn.concat"(%2, %1) <{dim = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  return %3 : tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
}

// A product would round f32.
// CHECK-LABEL: func.func @of_f32(
// CHECK-NOT: ttnn.matmul
// CHECK: ttnn.concat
func.func @of_f32(%x: tensor<1x4x64x96xf32, #f32_1x4x64x96>) -> tensor<1x4x64x96xf32, #f32_1x4x64x96> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 48 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 96 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x96xf32, #f32_1x4x64x96>) -> tensor<1x4x64x48xf32, #f32_1x4x64x48>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 48 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x96xf32, #f32_1x4x64x96>) -> tensor<1x4x64x48xf32, #f32_1x4x64x48>
  %2 = "ttnn.neg"(%0) : (tensor<1x4x64x48xf32, #f32_1x4x64x48>) -> tensor<1x4x64x48xf32, #f32_1x4x64x48>
  %3 = "ttnn.concat"(%2, %1) <{dim = 3 : si32}> : (tensor<1x4x64x48xf32, #f32_1x4x64x48>, tensor<1x4x64x48xf32, #f32_1x4x64x48>) -> tensor<1x4x64x96xf32, #f32_1x4x64x96>
  return %3 : tensor<1x4x64x96xf32, #f32_1x4x64x96>
}

// Of two tensors.
// CHECK-LABEL: func.func @of_two(
// CHECK-NOT: ttnn.matmul
// CHECK: ttnn.concat
func.func @of_two(%x: tensor<1x4x64x96xbf16, #bf16_1x4x64x96>, %y: tensor<1x4x64x96xbf16, #bf16_1x4x64x96>) -> tensor<1x4x64x96xbf16, #bf16_1x4x64x96> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 48 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 96 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x96xbf16, #bf16_1x4x64x96>) -> tensor<1x4x64x48xbf16, #bf16_1x4x64x48>
  %1 = "ttnn.slice_static"(%y) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 48 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x96xbf16, #bf16_1x4x64x96>) -> tensor<1x4x64x48xbf16, #bf16_1x4x64x48>
  %2 = "ttnn.neg"(%0) : (tensor<1x4x64x48xbf16, #bf16_1x4x64x48>) -> tensor<1x4x64x48xbf16, #bf16_1x4x64x48>
  %3 = "ttnn.concat"(%2, %1) <{dim = 3 : si32}> : (tensor<1x4x64x48xbf16, #bf16_1x4x64x48>, tensor<1x4x64x48xbf16, #bf16_1x4x64x48>) -> tensor<1x4x64x96xbf16, #bf16_1x4x64x96>
  return %3 : tensor<1x4x64x96xbf16, #bf16_1x4x64x96>
}

// Other parts, some of which are left out.
// CHECK-LABEL: func.func @parts(
// CHECK: "ttnn.matmul"(%arg0, %{{.*}}) {{.*}} -> tensor<1x4x64x64xbf16
// CHECK-NEXT: return
func.func @parts(%x: tensor<1x4x64x80xbf16, #bf16_1x4x64x80>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 80 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x80xbf16, #bf16_1x4x64x80>) -> tensor<1x4x64x48xbf16, #bf16_1x4x64x48>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 16 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x80xbf16, #bf16_1x4x64x80>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %2 = "ttnn.concat"(%1, %0) <{dim = 3 : si32}> : (tensor<1x4x64x16xbf16, #bf16_1x4x64x16>, tensor<1x4x64x48xbf16, #bf16_1x4x64x48>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  return %2 : tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
}

#bf16_1x4x64x32x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 2048 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 2048 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x4x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x4x64x32x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 2048 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x4x64x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 2048 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x4x2x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 512 + d1 * 128 + d2 * 64 + d3, d4), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Pairs as halves: no row has to be cut.
// CHECK-LABEL: func.func @pairs_as_halves(
// CHECK: %[[P:.*]] = ttcore.load_cached(@pairs_as_halves_const_eval, [])
// CHECK-NEXT: %[[Y:.*]] = "ttnn.matmul"(%arg0, %[[P]])
// CHECK-NEXT: return %[[Y]]
func.func @pairs_as_halves(%x: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64> {
  %0 = "ttnn.reshape"(%x) <{shape = [1 : i32, 4 : i32, 64 : i32, 32 : i32, 2 : i32]}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x32x2xbf16, #bf16_1x4x64x32x2>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 1, 2, 4, 3>}> : (tensor<1x4x64x32x2xbf16, #bf16_1x4x64x32x2>) -> tensor<1x4x64x2x32xbf16, #bf16_1x4x64x2x32>
  %2 = "ttnn.reshape"(%1) <{shape = [1 : i32, 4 : i32, 64 : i32, 64 : i32]}> : (tensor<1x4x64x2x32xbf16, #bf16_1x4x64x2x32>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  return %2 : tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
}

// Halves in turns, of f32 that is rounded behind them: it may be rounded before.
// CHECK-LABEL: func.func @rounded_behind(
// CHECK: %[[X:.*]] = "ttnn.typecast"(%arg0)
// CHECK: %[[Y:.*]] = "ttnn.matmul"(%[[X]],
// CHECK-NEXT: return %[[Y]]
func.func @rounded_behind(%x: tensor<1x4x64x64xf32, #f32_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64> {
  %0 = "ttnn.reshape"(%x) <{shape = [1 : i32, 4 : i32, 64 : i32, 2 : i32, 32 : i32]}> : (tensor<1x4x64x64xf32, #f32_1x4x64x64>) -> tensor<1x4x64x2x32xf32, #f32_1x4x64x2x32>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 1, 2, 4, 3>}> : (tensor<1x4x64x2x32xf32, #f32_1x4x64x2x32>) -> tensor<1x4x64x32x2xf32, #f32_1x4x64x32x2>
  %2 = "ttnn.reshape"(%1) <{shape = [1 : i32, 4 : i32, 64 : i32, 64 : i32]}> : (tensor<1x4x64x32x2xf32, #f32_1x4x64x32x2>) -> tensor<1x4x64x64xf32, #f32_1x4x64x64>
  %3 = "ttnn.typecast"(%2) : (tensor<1x4x64x64xf32, #f32_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  return %3 : tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
}

// Elements that go to other rows.
// CHECK-LABEL: func.func @other_rows(
// CHECK-NOT: ttnn.matmul
// CHECK: ttnn.permute
func.func @other_rows(%x: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64> {
  %0 = "ttnn.reshape"(%x) <{shape = [1 : i32, 4 : i32, 64 : i32, 2 : i32, 32 : i32]}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x2x32xbf16, #bf16_1x4x64x2x32>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 1, 3, 2, 4>}> : (tensor<1x4x64x2x32xbf16, #bf16_1x4x64x2x32>) -> tensor<1x4x2x64x32xbf16, #bf16_1x4x2x64x32>
  %2 = "ttnn.reshape"(%1) <{shape = [1 : i32, 4 : i32, 64 : i32, 64 : i32]}> : (tensor<1x4x2x64x32xbf16, #bf16_1x4x2x64x32>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  return %2 : tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
}
