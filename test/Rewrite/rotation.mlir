// Rotary embedding that is written out becomes one op.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_1x4x64x128 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x128 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x4x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<256x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x8x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x64x128 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4096 + d1 * 64 + d2, d3), <1x1>, memref<128x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4096 + d1 * 64 + d2, d3), <1x1>, memref<128x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @turned
// CHECK-NEXT: %[[Y:.*]] = "ttnn.rotary_embedding"(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[Y]]
func.func @turned(%x: tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, %cos: tensor<1x1x64x128xbf16, #bf16_1x1x64x128>, %sin: tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 64 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 128 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %2 = "ttnn.neg"(%1) : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %3 = "ttnn.concat"(%2, %0) <{dim = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %4 = "ttnn.multiply"(%x, %cos) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %5 = "ttnn.multiply"(%3, %sin) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %6 = "ttnn.add"(%4, %5) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  return %6 : tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
}

// A product with -1 negates as well ...
// CHECK-LABEL: func.func @negated_by_product
// CHECK-NEXT: %[[Y:.*]] = "ttnn.rotary_embedding"(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[Y]]
func.func @negated_by_product(%x: tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, %cos: tensor<1x1x64x128xbf16, #bf16_1x1x64x128>, %sin: tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 64 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 128 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = -1.000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %2 = "ttnn.multiply"(%n, %1) : (tensor<1x1x1x1xbf16, #bf16_1x1x1x1>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %3 = "ttnn.concat"(%2, %0) <{dim = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %4 = "ttnn.multiply"(%x, %cos) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %5 = "ttnn.multiply"(%3, %sin) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %6 = "ttnn.add"(%4, %5) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  return %6 : tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
}

// ... and no other number.
// CHECK-LABEL: func.func @halved_is_left
// CHECK-NOT: ttnn.rotary_embedding
// CHECK: return
func.func @halved_is_left(%x: tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, %cos: tensor<1x1x64x128xbf16, #bf16_1x1x64x128>, %sin: tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 64 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 128 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = -5.000000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %2 = "ttnn.multiply"(%n, %1) : (tensor<1x1x1x1xbf16, #bf16_1x1x1x1>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %3 = "ttnn.concat"(%2, %0) <{dim = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %4 = "ttnn.multiply"(%x, %cos) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %5 = "ttnn.multiply"(%3, %sin) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %6 = "ttnn.add"(%4, %5) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  return %6 : tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
}

// The order of operands is no matter, and the table need not have all dimensions.
// CHECK-LABEL: func.func @table_of_less_dimensions
// CHECK-DAG: %[[C:.*]] = "ttnn.reshape"(%arg1) <{shape = [1 : i32, 1 : i32, 64 : i32, 64 : i32]}>
// CHECK-DAG: %[[S:.*]] = "ttnn.reshape"(%arg2) <{shape = [1 : i32, 1 : i32, 64 : i32, 64 : i32]}>
// CHECK-NEXT: %[[Y:.*]] = "ttnn.rotary_embedding"(%arg0, %[[C]], %[[S]])
// CHECK-NEXT: return %[[Y]]
func.func @table_of_less_dimensions(%x: tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, %cos: tensor<64x64xbf16, #bf16_64x64>, %sin: tensor<64x64xbf16, #bf16_64x64>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 4 : i32, 64 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x64x64xbf16, #bf16_2x4x64x64>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [2 : i32, 4 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x64x64xbf16, #bf16_2x4x64x64>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %2 = "ttnn.neg"(%1) : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %3 = "ttnn.concat"(%2, %0) <{dim = 3 : si32}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
  %4 = "ttnn.multiply"(%x, %cos) : (tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
  %5 = "ttnn.multiply"(%sin, %3) : (tensor<64x64xbf16, #bf16_64x64>, tensor<2x4x64x64xbf16, #bf16_2x4x64x64>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
  %6 = "ttnn.add"(%5, %4) : (tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, tensor<2x4x64x64xbf16, #bf16_2x4x64x64>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
  return %6 : tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
}

// Of one position heads share tiles (rotation-decode).
// CHECK-LABEL: func.func @one_position
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [1 : i32, 32 : i32, 8 : i32, 64 : i32]}>
// CHECK-NEXT: %[[Y:.*]] = "ttnn.rotary_embedding"(%[[X]], %arg1, %arg2) <{token_index = 0 : ui32}>
// CHECK-NEXT: "ttnn.slice_static"(%[[Y]])
// CHECK-NEXT: "ttnn.reshape"
// CHECK-NEXT: return
func.func @one_position(%x: tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, %cos: tensor<1x1x1x64xbf16, #bf16_1x1x1x64>, %sin: tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x32xbf16, #bf16_32x8x1x32>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x32xbf16, #bf16_32x8x1x32>
  %2 = "ttnn.neg"(%1) : (tensor<32x8x1x32xbf16, #bf16_32x8x1x32>) -> tensor<32x8x1x32xbf16, #bf16_32x8x1x32>
  %3 = "ttnn.concat"(%2, %0) <{dim = 3 : si32}> : (tensor<32x8x1x32xbf16, #bf16_32x8x1x32>, tensor<32x8x1x32xbf16, #bf16_32x8x1x32>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %4 = "ttnn.multiply"(%x, %cos) : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %5 = "ttnn.multiply"(%3, %sin) : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %6 = "ttnn.add"(%4, %5) : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  return %6 : tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
}

// Turned the other way round.
// CHECK-LABEL: func.func @turned_the_other_way
// CHECK-NOT: rotary_embedding
// CHECK: return
func.func @turned_the_other_way(%x: tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, %cos: tensor<1x1x64x128xbf16, #bf16_1x1x64x128>, %sin: tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 64 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 128 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %2 = "ttnn.neg"(%0) : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %3 = "ttnn.concat"(%1, %2) <{dim = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %4 = "ttnn.multiply"(%x, %cos) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %5 = "ttnn.multiply"(%3, %sin) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %6 = "ttnn.add"(%4, %5) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  return %6 : tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
}

// A row for each head at each position.
// CHECK-LABEL: func.func @tables_by_head
// CHECK-NOT: rotary_embedding
// CHECK: return
func.func @tables_by_head(%x: tensor<1x64x64x128xbf16, #bf16_1x64x64x128>, %cos: tensor<1x64x64x128xbf16, #bf16_1x64x64x128>, %sin: tensor<1x64x64x128xbf16, #bf16_1x64x64x128>) -> tensor<1x64x64x128xbf16, #bf16_1x64x64x128> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x64x128xbf16, #bf16_1x64x64x128>) -> tensor<1x64x64x64xbf16, #bf16_1x64x64x64>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 64 : i32], ends = [1 : i32, 64 : i32, 64 : i32, 128 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x64x128xbf16, #bf16_1x64x64x128>) -> tensor<1x64x64x64xbf16, #bf16_1x64x64x64>
  %2 = "ttnn.neg"(%1) : (tensor<1x64x64x64xbf16, #bf16_1x64x64x64>) -> tensor<1x64x64x64xbf16, #bf16_1x64x64x64>
  %3 = "ttnn.concat"(%2, %0) <{dim = 3 : si32}> : (tensor<1x64x64x64xbf16, #bf16_1x64x64x64>, tensor<1x64x64x64xbf16, #bf16_1x64x64x64>) -> tensor<1x64x64x128xbf16, #bf16_1x64x64x128>
  %4 = "ttnn.multiply"(%x, %cos) : (tensor<1x64x64x128xbf16, #bf16_1x64x64x128>, tensor<1x64x64x128xbf16, #bf16_1x64x64x128>) -> tensor<1x64x64x128xbf16, #bf16_1x64x64x128>
  %5 = "ttnn.multiply"(%3, %sin) : (tensor<1x64x64x128xbf16, #bf16_1x64x64x128>, tensor<1x64x64x128xbf16, #bf16_1x64x64x128>) -> tensor<1x64x64x128xbf16, #bf16_1x64x64x128>
  %6 = "ttnn.add"(%4, %5) : (tensor<1x64x64x128xbf16, #bf16_1x64x64x128>, tensor<1x64x64x128xbf16, #bf16_1x64x64x128>) -> tensor<1x64x64x128xbf16, #bf16_1x64x64x128>
  return %6 : tensor<1x64x64x128xbf16, #bf16_1x64x64x128>
}

// Only one of the products is of the tensor itself.
// CHECK-LABEL: func.func @computed_on_first
// CHECK-NOT: rotary_embedding
// CHECK: return
func.func @computed_on_first(%x: tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, %cos: tensor<1x1x64x128xbf16, #bf16_1x1x64x128>, %sin: tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 64 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 128 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %2 = "ttnn.neg"(%1) : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %3 = "ttnn.concat"(%2, %0) <{dim = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %4 = "ttnn.multiply"(%x, %cos) <{activations = [], input_tensor_a_activations = [#ttnn.unary_with_param<op_type = relu>], input_tensor_b_activations = []}> : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %5 = "ttnn.multiply"(%3, %sin) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x1x64x128xbf16, #bf16_1x1x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  %6 = "ttnn.add"(%4, %5) : (tensor<1x4x64x128xbf16, #bf16_1x4x64x128>, tensor<1x4x64x128xbf16, #bf16_1x4x64x128>) -> tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
  return %6 : tensor<1x4x64x128xbf16, #bf16_1x4x64x128>
}

// Halves are no whole tiles.
// CHECK-LABEL: func.func @halves_of_a_tile
// CHECK-NOT: rotary_embedding
// CHECK: return
func.func @halves_of_a_tile(%x: tensor<1x4x64x32xbf16, #bf16_1x4x64x32>, %cos: tensor<1x1x64x32xbf16, #bf16_1x1x64x32>, %sin: tensor<1x1x64x32xbf16, #bf16_1x1x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32> {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 16 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 16 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %2 = "ttnn.neg"(%1) : (tensor<1x4x64x16xbf16, #bf16_1x4x64x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  %3 = "ttnn.concat"(%2, %0) <{dim = 3 : si32}> : (tensor<1x4x64x16xbf16, #bf16_1x4x64x16>, tensor<1x4x64x16xbf16, #bf16_1x4x64x16>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  %4 = "ttnn.multiply"(%x, %cos) : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>, tensor<1x1x64x32xbf16, #bf16_1x1x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  %5 = "ttnn.multiply"(%3, %sin) : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>, tensor<1x1x64x32xbf16, #bf16_1x1x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  %6 = "ttnn.add"(%4, %5) : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>, tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  return %6 : tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
}
