// Attention over heads that fill no tiles. As one op it rounds otherwise than its parts.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact --max-error-growth 60

#dram = #ttnn.buffer_type<dram>
#bf16_64x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_96x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x16x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_96x320 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x10x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_320 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x10x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x320 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x10x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x80 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x80 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x80 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x80x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 384 + d1 * 96 + d2, d3), <1x1>, memref<12x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_320x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<10x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_96x480 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x15x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x480 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x15x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x160 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x5x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x40 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x40 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x40x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_160x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<5x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_96x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Heads of half a tile: the weights get columns and rows of zeros.
// CHECK-LABEL: func.func @narrow(
// CHECK-NOT: ttnn.pad
// CHECK-NOT: ttnn.slice_static
// CHECK: "ttnn.scaled_dot_product_attention"{{.*}} -> tensor<1x4x64x32xbf16
// CHECK-NOT: ttnn.slice_static
// CHECK: return
func.func @narrow(%x: tensor<64x96xbf16, #bf16_64x96>, %wq: tensor<96x64xbf16, #bf16_96x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %bq: tensor<64xbf16, #bf16_64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %wk: tensor<96x64xbf16, #bf16_96x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %bk: tensor<64xbf16, #bf16_64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %wv: tensor<96x64xbf16, #bf16_96x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %bv: tensor<64xbf16, #bf16_64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %o: tensor<64x96xbf16, #bf16_64x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x96xbf16, #bf16_64x96> {
  %0 = "ttnn.linear"(%x, %wq, %bq) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x64xbf16, #bf16_96x64>, tensor<64xbf16, #bf16_64>) -> tensor<64x64xbf16, #bf16_64x64>
  %1 = "ttnn.linear"(%x, %wk, %bk) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x64xbf16, #bf16_96x64>, tensor<64xbf16, #bf16_64>) -> tensor<64x64xbf16, #bf16_64x64>
  %2 = "ttnn.linear"(%x, %wv, %bv) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x64xbf16, #bf16_96x64>, tensor<64xbf16, #bf16_64>) -> tensor<64x64xbf16, #bf16_64x64>
  %3 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32, 4 : i32, 16 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x4x16xbf16, #bf16_1x64x4x16>
  %4 = "ttnn.permute"(%3) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x16xbf16, #bf16_1x64x4x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %5 = "ttnn.reshape"(%1) <{shape = [1 : i32, 64 : i32, 4 : i32, 16 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x4x16xbf16, #bf16_1x64x4x16>
  %6 = "ttnn.permute"(%5) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x16xbf16, #bf16_1x64x4x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %7 = "ttnn.reshape"(%2) <{shape = [1 : i32, 64 : i32, 4 : i32, 16 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x4x16xbf16, #bf16_1x64x4x16>
  %8 = "ttnn.permute"(%7) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x16xbf16, #bf16_1x64x4x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %9 = "ttnn.permute"(%6) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x16xbf16, #bf16_1x4x64x16>) -> tensor<1x4x16x64xbf16, #bf16_1x4x16x64>
  %10 = "ttnn.matmul"(%4, %9) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x16xbf16, #bf16_1x4x64x16>, tensor<1x4x16x64xbf16, #bf16_1x4x16x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %11 = "ttnn.softmax"(%10) <{dimension = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %12 = "ttnn.matmul"(%11, %8) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x16xbf16, #bf16_1x4x64x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %13 = "ttnn.permute"(%12) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x64x16xbf16, #bf16_1x4x64x16>) -> tensor<1x64x4x16xbf16, #bf16_1x64x4x16>
  %14 = "ttnn.reshape"(%13) <{shape = [64 : i32, 64 : i32]}> : (tensor<1x64x4x16xbf16, #bf16_1x64x4x16>) -> tensor<64x64xbf16, #bf16_64x64>
  %15 = "ttnn.matmul"(%14, %o) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x96xbf16, #bf16_64x96>) -> tensor<64x96xbf16, #bf16_64x96>
  return %15 : tensor<64x96xbf16, #bf16_64x96>
}

// So do those that are scaled by rows of a table.
// CHECK-LABEL: func.func @turned(
// CHECK-COUNT-2: "ttnn.multiply"{{.*}} -> tensor<1x4x64x96xbf16
// CHECK-NOT: ttnn.slice_static
// CHECK: "ttnn.scaled_dot_product_attention"{{.*}} -> tensor<1x4x64x96xbf16
// CHECK-NOT: ttnn.slice_static
// CHECK: return
func.func @turned(%x: tensor<64x96xbf16, #bf16_64x96>, %wq: tensor<96x320xbf16, #bf16_96x320> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %bq: tensor<320xbf16, #bf16_320> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %wk: tensor<96x320xbf16, #bf16_96x320> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %bk: tensor<320xbf16, #bf16_320> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %wv: tensor<96x320xbf16, #bf16_96x320> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %bv: tensor<320xbf16, #bf16_320> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %c: tensor<1x1x64x80xbf16, #bf16_1x1x64x80>, %o: tensor<320x96xbf16, #bf16_320x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x96xbf16, #bf16_64x96> {
  %0 = "ttnn.linear"(%x, %wq, %bq) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x320xbf16, #bf16_96x320>, tensor<320xbf16, #bf16_320>) -> tensor<64x320xbf16, #bf16_64x320>
  %1 = "ttnn.linear"(%x, %wk, %bk) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x320xbf16, #bf16_96x320>, tensor<320xbf16, #bf16_320>) -> tensor<64x320xbf16, #bf16_64x320>
  %2 = "ttnn.linear"(%x, %wv, %bv) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x320xbf16, #bf16_96x320>, tensor<320xbf16, #bf16_320>) -> tensor<64x320xbf16, #bf16_64x320>
  %3 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32, 4 : i32, 80 : i32]}> : (tensor<64x320xbf16, #bf16_64x320>) -> tensor<1x64x4x80xbf16, #bf16_1x64x4x80>
  %4 = "ttnn.permute"(%3) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x80xbf16, #bf16_1x64x4x80>) -> tensor<1x4x64x80xbf16, #bf16_1x4x64x80>
  %5 = "ttnn.reshape"(%1) <{shape = [1 : i32, 64 : i32, 4 : i32, 80 : i32]}> : (tensor<64x320xbf16, #bf16_64x320>) -> tensor<1x64x4x80xbf16, #bf16_1x64x4x80>
  %6 = "ttnn.permute"(%5) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x80xbf16, #bf16_1x64x4x80>) -> tensor<1x4x64x80xbf16, #bf16_1x4x64x80>
  %7 = "ttnn.reshape"(%2) <{shape = [1 : i32, 64 : i32, 4 : i32, 80 : i32]}> : (tensor<64x320xbf16, #bf16_64x320>) -> tensor<1x64x4x80xbf16, #bf16_1x64x4x80>
  %8 = "ttnn.permute"(%7) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x80xbf16, #bf16_1x64x4x80>) -> tensor<1x4x64x80xbf16, #bf16_1x4x64x80>
  %9 = "ttnn.multiply"(%4, %c) : (tensor<1x4x64x80xbf16, #bf16_1x4x64x80>, tensor<1x1x64x80xbf16, #bf16_1x1x64x80>) -> tensor<1x4x64x80xbf16, #bf16_1x4x64x80>
  %10 = "ttnn.multiply"(%6, %c) : (tensor<1x4x64x80xbf16, #bf16_1x4x64x80>, tensor<1x1x64x80xbf16, #bf16_1x1x64x80>) -> tensor<1x4x64x80xbf16, #bf16_1x4x64x80>
  %11 = "ttnn.permute"(%10) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x80xbf16, #bf16_1x4x64x80>) -> tensor<1x4x80x64xbf16, #bf16_1x4x80x64>
  %12 = "ttnn.matmul"(%9, %11) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x80xbf16, #bf16_1x4x64x80>, tensor<1x4x80x64xbf16, #bf16_1x4x80x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %13 = "ttnn.softmax"(%12) <{dimension = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %14 = "ttnn.matmul"(%13, %8) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x80xbf16, #bf16_1x4x64x80>) -> tensor<1x4x64x80xbf16, #bf16_1x4x64x80>
  %15 = "ttnn.permute"(%14) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x64x80xbf16, #bf16_1x4x64x80>) -> tensor<1x64x4x80xbf16, #bf16_1x64x4x80>
  %16 = "ttnn.reshape"(%15) <{shape = [64 : i32, 320 : i32]}> : (tensor<1x64x4x80xbf16, #bf16_1x64x4x80>) -> tensor<64x320xbf16, #bf16_64x320>
  %17 = "ttnn.matmul"(%16, %o) <{transpose_a = false, transpose_b = false}> : (tensor<64x320xbf16, #bf16_64x320>, tensor<320x96xbf16, #bf16_320x96>) -> tensor<64x96xbf16, #bf16_64x96>
  return %17 : tensor<64x96xbf16, #bf16_64x96>
}

// Queries, keys and values of one product.
// CHECK-LABEL: func.func @of_one_product(
// CHECK: "ttnn.scaled_dot_product_attention"{{.*}} -> tensor<1x4x64x64xbf16
// CHECK-NOT: ttnn.slice_static
// CHECK: return
func.func @of_one_product(%x: tensor<64x96xbf16, #bf16_64x96>, %w: tensor<96x480xbf16, #bf16_96x480> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %o: tensor<160x96xbf16, #bf16_160x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x96xbf16, #bf16_64x96> {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x480xbf16, #bf16_96x480>) -> tensor<64x480xbf16, #bf16_64x480>
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 160 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x480xbf16, #bf16_64x480>) -> tensor<64x160xbf16, #bf16_64x160>
  %2 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 160 : i32], ends = [64 : i32, 320 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x480xbf16, #bf16_64x480>) -> tensor<64x160xbf16, #bf16_64x160>
  %3 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 320 : i32], ends = [64 : i32, 480 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x480xbf16, #bf16_64x480>) -> tensor<64x160xbf16, #bf16_64x160>
  %4 = "ttnn.reshape"(%1) <{shape = [1 : i32, 64 : i32, 4 : i32, 40 : i32]}> : (tensor<64x160xbf16, #bf16_64x160>) -> tensor<1x64x4x40xbf16, #bf16_1x64x4x40>
  %5 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x40xbf16, #bf16_1x64x4x40>) -> tensor<1x4x64x40xbf16, #bf16_1x4x64x40>
  %6 = "ttnn.reshape"(%2) <{shape = [1 : i32, 64 : i32, 4 : i32, 40 : i32]}> : (tensor<64x160xbf16, #bf16_64x160>) -> tensor<1x64x4x40xbf16, #bf16_1x64x4x40>
  %7 = "ttnn.permute"(%6) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x40xbf16, #bf16_1x64x4x40>) -> tensor<1x4x64x40xbf16, #bf16_1x4x64x40>
  %8 = "ttnn.reshape"(%3) <{shape = [1 : i32, 64 : i32, 4 : i32, 40 : i32]}> : (tensor<64x160xbf16, #bf16_64x160>) -> tensor<1x64x4x40xbf16, #bf16_1x64x4x40>
  %9 = "ttnn.permute"(%8) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x40xbf16, #bf16_1x64x4x40>) -> tensor<1x4x64x40xbf16, #bf16_1x4x64x40>
  %10 = "ttnn.permute"(%7) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x40xbf16, #bf16_1x4x64x40>) -> tensor<1x4x40x64xbf16, #bf16_1x4x40x64>
  %11 = "ttnn.matmul"(%5, %10) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x40xbf16, #bf16_1x4x64x40>, tensor<1x4x40x64xbf16, #bf16_1x4x40x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %12 = "ttnn.softmax"(%11) <{dimension = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %13 = "ttnn.matmul"(%12, %9) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x40xbf16, #bf16_1x4x64x40>) -> tensor<1x4x64x40xbf16, #bf16_1x4x64x40>
  %14 = "ttnn.permute"(%13) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x64x40xbf16, #bf16_1x4x64x40>) -> tensor<1x64x4x40xbf16, #bf16_1x64x4x40>
  %15 = "ttnn.reshape"(%14) <{shape = [64 : i32, 160 : i32]}> : (tensor<1x64x4x40xbf16, #bf16_1x64x4x40>) -> tensor<64x160xbf16, #bf16_64x160>
  %16 = "ttnn.matmul"(%15, %o) <{transpose_a = false, transpose_b = false}> : (tensor<64x160xbf16, #bf16_64x160>, tensor<160x96xbf16, #bf16_160x96>) -> tensor<64x96xbf16, #bf16_64x96>
  return %16 : tensor<64x96xbf16, #bf16_64x96>
}

// Weights that come with the call would be padded in each.
// CHECK-LABEL: func.func @of_the_call(
// CHECK-COUNT-3: "ttnn.pad"
func.func @of_the_call(%x: tensor<64x96xbf16, #bf16_64x96>, %wq: tensor<96x64xbf16, #bf16_96x64>, %bq: tensor<64xbf16, #bf16_64>, %wk: tensor<96x64xbf16, #bf16_96x64>, %bk: tensor<64xbf16, #bf16_64>, %wv: tensor<96x64xbf16, #bf16_96x64>, %bv: tensor<64xbf16, #bf16_64>) -> tensor<64x64xbf16, #bf16_64x64> {
  %0 = "ttnn.linear"(%x, %wq, %bq) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x64xbf16, #bf16_96x64>, tensor<64xbf16, #bf16_64>) -> tensor<64x64xbf16, #bf16_64x64>
  %1 = "ttnn.linear"(%x, %wk, %bk) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x64xbf16, #bf16_96x64>, tensor<64xbf16, #bf16_64>) -> tensor<64x64xbf16, #bf16_64x64>
  %2 = "ttnn.linear"(%x, %wv, %bv) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x64xbf16, #bf16_96x64>, tensor<64xbf16, #bf16_64>) -> tensor<64x64xbf16, #bf16_64x64>
  %3 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32, 4 : i32, 16 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x4x16xbf16, #bf16_1x64x4x16>
  %4 = "ttnn.permute"(%3) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x16xbf16, #bf16_1x64x4x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %5 = "ttnn.reshape"(%1) <{shape = [1 : i32, 64 : i32, 4 : i32, 16 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x4x16xbf16, #bf16_1x64x4x16>
  %6 = "ttnn.permute"(%5) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x16xbf16, #bf16_1x64x4x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %7 = "ttnn.reshape"(%2) <{shape = [1 : i32, 64 : i32, 4 : i32, 16 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x4x16xbf16, #bf16_1x64x4x16>
  %8 = "ttnn.permute"(%7) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x16xbf16, #bf16_1x64x4x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %9 = "ttnn.permute"(%6) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x16xbf16, #bf16_1x4x64x16>) -> tensor<1x4x16x64xbf16, #bf16_1x4x16x64>
  %10 = "ttnn.matmul"(%4, %9) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x16xbf16, #bf16_1x4x64x16>, tensor<1x4x16x64xbf16, #bf16_1x4x16x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %11 = "ttnn.softmax"(%10) <{dimension = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %12 = "ttnn.matmul"(%11, %8) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x16xbf16, #bf16_1x4x64x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %13 = "ttnn.permute"(%12) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x64x16xbf16, #bf16_1x4x64x16>) -> tensor<1x64x4x16xbf16, #bf16_1x64x4x16>
  %14 = "ttnn.reshape"(%13) <{shape = [64 : i32, 64 : i32]}> : (tensor<1x64x4x16xbf16, #bf16_1x64x4x16>) -> tensor<64x64xbf16, #bf16_64x64>
  return %14 : tensor<64x64xbf16, #bf16_64x64>
}

// Heads of whole tiles.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: ttnn.pad
// CHECK: return
func.func @whole(%x: tensor<64x96xbf16, #bf16_64x96>, %wq: tensor<96x128xbf16, #bf16_96x128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %bq: tensor<128xbf16, #bf16_128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %wk: tensor<96x128xbf16, #bf16_96x128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %bk: tensor<128xbf16, #bf16_128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %wv: tensor<96x128xbf16, #bf16_96x128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %bv: tensor<128xbf16, #bf16_128> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %o: tensor<128x96xbf16, #bf16_128x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x96xbf16, #bf16_64x96> {
  %0 = "ttnn.linear"(%x, %wq, %bq) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x128xbf16, #bf16_96x128>, tensor<128xbf16, #bf16_128>) -> tensor<64x128xbf16, #bf16_64x128>
  %1 = "ttnn.linear"(%x, %wk, %bk) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x128xbf16, #bf16_96x128>, tensor<128xbf16, #bf16_128>) -> tensor<64x128xbf16, #bf16_64x128>
  %2 = "ttnn.linear"(%x, %wv, %bv) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x128xbf16, #bf16_96x128>, tensor<128xbf16, #bf16_128>) -> tensor<64x128xbf16, #bf16_64x128>
  %3 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %4 = "ttnn.permute"(%3) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  %5 = "ttnn.reshape"(%1) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %6 = "ttnn.permute"(%5) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  %7 = "ttnn.reshape"(%2) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %8 = "ttnn.permute"(%7) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  %9 = "ttnn.permute"(%6) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x4x32x64xbf16, #bf16_1x4x32x64>
  %10 = "ttnn.matmul"(%4, %9) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>, tensor<1x4x32x64xbf16, #bf16_1x4x32x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %11 = "ttnn.softmax"(%10) <{dimension = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %12 = "ttnn.matmul"(%11, %8) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  %13 = "ttnn.permute"(%12) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %14 = "ttnn.reshape"(%13) <{shape = [64 : i32, 128 : i32]}> : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<64x128xbf16, #bf16_64x128>
  %15 = "ttnn.matmul"(%14, %o) <{transpose_a = false, transpose_b = false}> : (tensor<64x128xbf16, #bf16_64x128>, tensor<128x96xbf16, #bf16_128x96>) -> tensor<64x96xbf16, #bf16_64x96>
  return %15 : tensor<64x96xbf16, #bf16_64x96>
}

// The same of slices that are counted from the end.
// CHECK-LABEL: func.func @from_the_end(
// CHECK-NOT: ttnn.slice_static
// CHECK: "ttnn.scaled_dot_product_attention"{{.*}} -> tensor<1x4x64x64xbf16
// CHECK-NOT: ttnn.slice_static
// CHECK: return
func.func @from_the_end(%x: tensor<64x96xbf16, #bf16_64x96>, %w: tensor<96x480xbf16, #bf16_96x480> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %o: tensor<160x96xbf16, #bf16_160x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x96xbf16, #bf16_64x96> {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x96xbf16, #bf16_64x96>, tensor<96x480xbf16, #bf16_96x480>) -> tensor<64x480xbf16, #bf16_64x480>
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 160 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x480xbf16, #bf16_64x480>) -> tensor<64x160xbf16, #bf16_64x160>
  %2 = "ttnn.slice_static"(%0) <{begins = [0 : i32, -320 : i32], ends = [64 : i32, 320 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x480xbf16, #bf16_64x480>) -> tensor<64x160xbf16, #bf16_64x160>
  %3 = "ttnn.slice_static"(%0) <{begins = [0 : i32, -160 : i32], ends = [64 : i32, 480 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x480xbf16, #bf16_64x480>) -> tensor<64x160xbf16, #bf16_64x160>
  %4 = "ttnn.reshape"(%1) <{shape = [1 : i32, 64 : i32, 4 : i32, 40 : i32]}> : (tensor<64x160xbf16, #bf16_64x160>) -> tensor<1x64x4x40xbf16, #bf16_1x64x4x40>
  %5 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x40xbf16, #bf16_1x64x4x40>) -> tensor<1x4x64x40xbf16, #bf16_1x4x64x40>
  %6 = "ttnn.reshape"(%2) <{shape = [1 : i32, 64 : i32, 4 : i32, 40 : i32]}> : (tensor<64x160xbf16, #bf16_64x160>) -> tensor<1x64x4x40xbf16, #bf16_1x64x4x40>
  %7 = "ttnn.permute"(%6) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x40xbf16, #bf16_1x64x4x40>) -> tensor<1x4x64x40xbf16, #bf16_1x4x64x40>
  %8 = "ttnn.reshape"(%3) <{shape = [1 : i32, 64 : i32, 4 : i32, 40 : i32]}> : (tensor<64x160xbf16, #bf16_64x160>) -> tensor<1x64x4x40xbf16, #bf16_1x64x4x40>
  %9 = "ttnn.permute"(%8) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x4x40xbf16, #bf16_1x64x4x40>) -> tensor<1x4x64x40xbf16, #bf16_1x4x64x40>
  %10 = "ttnn.permute"(%7) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x40xbf16, #bf16_1x4x64x40>) -> tensor<1x4x40x64xbf16, #bf16_1x4x40x64>
  %11 = "ttnn.matmul"(%5, %10) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x40xbf16, #bf16_1x4x64x40>, tensor<1x4x40x64xbf16, #bf16_1x4x40x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %12 = "ttnn.softmax"(%11) <{dimension = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %13 = "ttnn.matmul"(%12, %9) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x40xbf16, #bf16_1x4x64x40>) -> tensor<1x4x64x40xbf16, #bf16_1x4x64x40>
  %14 = "ttnn.permute"(%13) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x64x40xbf16, #bf16_1x4x64x40>) -> tensor<1x64x4x40xbf16, #bf16_1x64x4x40>
  %15 = "ttnn.reshape"(%14) <{shape = [64 : i32, 160 : i32]}> : (tensor<1x64x4x40xbf16, #bf16_1x64x4x40>) -> tensor<64x160xbf16, #bf16_64x160>
  %16 = "ttnn.matmul"(%15, %o) <{transpose_a = false, transpose_b = false}> : (tensor<64x160xbf16, #bf16_64x160>, tensor<160x96xbf16, #bf16_160x96>) -> tensor<64x96xbf16, #bf16_64x96>
  return %16 : tensor<64x96xbf16, #bf16_64x96>
}
