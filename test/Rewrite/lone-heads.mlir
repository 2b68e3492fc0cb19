// Heads that are cut from rows of nothing else; the bits stay.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_2x96x8x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 3072 + d1 * 32 + d2, d3), <1x1>, memref<192x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x96x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 768 + d1 * 96 + d2, d3), <1x1>, memref<48x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_192x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<6x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x96x6x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 3072 + d1 * 32 + d2, d3), <1x1>, memref<96x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x6x96x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 576 + d1 * 96 + d2, d3), <1x1>, memref<18x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_96x192 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x6x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x96x8x16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 3072 + d1 * 32 + d2, d3), <1x1>, memref<96x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x8x96x16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 768 + d1 * 96 + d2, d3), <1x1>, memref<24x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_96x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x96x8x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 3072 + d1 * 32 + d2, d3), <1x1>, memref<96x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x8x32x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_96x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x8x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x8x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Half of the heads come as queries, a quarter as keys and a quarter as values.
// CHECK-LABEL: func.func @keys
// CHECK: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [2 : i32, 96 : i32, 256 : i32]}>
// CHECK-NEXT: %[[Q:.*]], %[[K:.*]], %[[V:.*]] = "ttnn.split_query_key_value_and_split_heads"(%[[X]]) <{num_heads = 4 : ui32, num_kv_heads = 2 : ui32, transpose_key = false}>
// CHECK: %[[Y:.*]] = "ttnn.concat"(%[[Q]], %[[K]], %[[V]]) <{dim = 1 : si32
// CHECK-NEXT: return %[[Y]]
func.func @keys(%x: tensor<192x256xbf16, #bf16_192x256>) -> tensor<2x8x96x32xbf16, #bf16_2x8x96x32> {
  %r = "ttnn.reshape"(%x) <{shape = [2 : i32, 96 : i32, 8 : i32, 32 : i32]}> : (tensor<192x256xbf16, #bf16_192x256>) -> tensor<2x96x8x32xbf16, #bf16_2x96x8x32>
  %y = "ttnn.permute"(%r) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x96x8x32xbf16, #bf16_2x96x8x32>) -> tensor<2x8x96x32xbf16, #bf16_2x8x96x32>
  return %y : tensor<2x8x96x32xbf16, #bf16_2x8x96x32>
}

// Six heads have no quarter.
// CHECK-LABEL: func.func @six_heads
// CHECK-NOT: split_query_key_value
// CHECK: return
func.func @six_heads(%x: tensor<96x192xbf16, #bf16_96x192>) -> tensor<1x6x96x32xbf16, #bf16_1x6x96x32> {
  %r = "ttnn.reshape"(%x) <{shape = [1 : i32, 96 : i32, 6 : i32, 32 : i32]}> : (tensor<96x192xbf16, #bf16_96x192>) -> tensor<1x96x6x32xbf16, #bf16_1x96x6x32>
  %y = "ttnn.permute"(%r) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x96x6x32xbf16, #bf16_1x96x6x32>) -> tensor<1x6x96x32xbf16, #bf16_1x6x96x32>
  return %y : tensor<1x6x96x32xbf16, #bf16_1x6x96x32>
}

// The op takes no heads of half a tile.
// CHECK-LABEL: func.func @half_tiles
// CHECK-NOT: split_query_key_value
// CHECK: return
func.func @half_tiles(%x: tensor<96x128xbf16, #bf16_96x128>) -> tensor<1x8x96x16xbf16, #bf16_1x8x96x16> {
  %r = "ttnn.reshape"(%x) <{shape = [1 : i32, 96 : i32, 8 : i32, 16 : i32]}> : (tensor<96x128xbf16, #bf16_96x128>) -> tensor<1x96x8x16xbf16, #bf16_1x96x8x16>
  %y = "ttnn.permute"(%r) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x96x8x16xbf16, #bf16_1x96x8x16>) -> tensor<1x8x96x16xbf16, #bf16_1x8x96x16>
  return %y : tensor<1x8x96x16xbf16, #bf16_1x8x96x16>
}

// Another order.
// CHECK-LABEL: func.func @keys_turned
// CHECK-NOT: split_query_key_value
// CHECK: return
func.func @keys_turned(%x: tensor<96x256xbf16, #bf16_96x256>) -> tensor<1x8x32x96xbf16, #bf16_1x8x32x96> {
  %r = "ttnn.reshape"(%x) <{shape = [1 : i32, 96 : i32, 8 : i32, 32 : i32]}> : (tensor<96x256xbf16, #bf16_96x256>) -> tensor<1x96x8x32xbf16, #bf16_1x96x8x32>
  %y = "ttnn.permute"(%r) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x96x8x32xbf16, #bf16_1x96x8x32>) -> tensor<1x8x32x96xbf16, #bf16_1x8x32x96>
  return %y : tensor<1x8x32x96xbf16, #bf16_1x8x32x96>
}

// Heads of one position are where they were.
// CHECK-LABEL: func.func @one_position
// CHECK-NOT: split_query_key_value
// CHECK: return
func.func @one_position(%x: tensor<1x256xbf16, #bf16_1x256>) -> tensor<1x8x1x32xbf16, #bf16_1x8x1x32> {
  %r = "ttnn.reshape"(%x) <{shape = [1 : i32, 1 : i32, 8 : i32, 32 : i32]}> : (tensor<1x256xbf16, #bf16_1x256>) -> tensor<1x1x8x32xbf16, #bf16_1x1x8x32>
  %y = "ttnn.permute"(%r) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x1x8x32xbf16, #bf16_1x1x8x32>) -> tensor<1x8x1x32xbf16, #bf16_1x8x1x32>
  return %y : tensor<1x8x1x32xbf16, #bf16_1x8x1x32>
}
