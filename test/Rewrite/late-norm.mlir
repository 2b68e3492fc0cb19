// Qwen 3 norms queries and keys before heads come first. Permuted first, queries, keys and values are cut by one op, and normed then: the same
// rows, the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#row = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#m = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#q = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#kv = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#q4 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#kv4 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#qh = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<16x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#kvh = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<8x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @heads(
// CHECK: %[[Q:.*]], %[[K:.*]], %[[V:.*]] = "ttnn.split_query_key_value_and_split_heads"
// CHECK-DAG: %[[QN:.*]] = "ttnn.rms_norm"(%[[Q]], %arg1)
// CHECK-DAG: %[[KN:.*]] = "ttnn.rms_norm"(%[[K]], %arg1)
// CHECK: return %[[QN]], %[[KN]], %[[V]]
func.func @heads(%x: tensor<128x1024xbf16, #m>, %w: tensor<128xbf16, #row>) -> (tensor<2x4x64x128xbf16, #qh>, tensor<2x2x64x128xbf16, #kvh>, tensor<2x2x64x128xbf16, #kvh>) {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32], ends = [128 : i32, 512 : i32], step = [1 : i32, 1 : i32]}> : (tensor<128x1024xbf16, #m>) -> tensor<128x512xbf16, #q>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 512 : i32], ends = [128 : i32, 768 : i32], step = [1 : i32, 1 : i32]}> : (tensor<128x1024xbf16, #m>) -> tensor<128x256xbf16, #kv>
  %2 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 768 : i32], ends = [128 : i32, 1024 : i32], step = [1 : i32, 1 : i32]}> : (tensor<128x1024xbf16, #m>) -> tensor<128x256xbf16, #kv>
  %3 = "ttnn.reshape"(%0) <{shape = [2 : i32, 64 : i32, 4 : i32, 128 : i32]}> : (tensor<128x512xbf16, #q>) -> tensor<2x64x4x128xbf16, #q4>
  %4 = "ttnn.reshape"(%1) <{shape = [2 : i32, 64 : i32, 2 : i32, 128 : i32]}> : (tensor<128x256xbf16, #kv>) -> tensor<2x64x2x128xbf16, #kv4>
  %5 = "ttnn.reshape"(%2) <{shape = [2 : i32, 64 : i32, 2 : i32, 128 : i32]}> : (tensor<128x256xbf16, #kv>) -> tensor<2x64x2x128xbf16, #kv4>
  %6 = "ttnn.rms_norm"(%3, %w) <{epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x64x4x128xbf16, #q4>, tensor<128xbf16, #row>) -> tensor<2x64x4x128xbf16, #q4>
  %7 = "ttnn.rms_norm"(%4, %w) <{epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x64x2x128xbf16, #kv4>, tensor<128xbf16, #row>) -> tensor<2x64x2x128xbf16, #kv4>
  %8 = "ttnn.permute"(%6) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x64x4x128xbf16, #q4>) -> tensor<2x4x64x128xbf16, #qh>
  %9 = "ttnn.permute"(%7) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x64x2x128xbf16, #kv4>) -> tensor<2x2x64x128xbf16, #kvh>
  %10 = "ttnn.permute"(%5) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x64x2x128xbf16, #kv4>) -> tensor<2x2x64x128xbf16, #kvh>
  return %8, %9, %10 : tensor<2x4x64x128xbf16, #qh>, tensor<2x2x64x128xbf16, #kvh>, tensor<2x2x64x128xbf16, #kvh>
}

// Who else reads the normed rows wants them as they are.
// CHECK-LABEL: func.func @read_twice(
// CHECK: "ttnn.rms_norm"
// CHECK-NEXT: "ttnn.permute"
func.func @read_twice(%x: tensor<128x512xbf16, #q>, %w: tensor<128xbf16, #row>) -> (tensor<2x4x64x128xbf16, #qh>, tensor<2x64x4x128xbf16, #q4>) {
  %0 = "ttnn.reshape"(%x) <{shape = [2 : i32, 64 : i32, 4 : i32, 128 : i32]}> : (tensor<128x512xbf16, #q>) -> tensor<2x64x4x128xbf16, #q4>
  %1 = "ttnn.rms_norm"(%0, %w) <{epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x64x4x128xbf16, #q4>, tensor<128xbf16, #row>) -> tensor<2x64x4x128xbf16, #q4>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x64x4x128xbf16, #q4>) -> tensor<2x4x64x128xbf16, #qh>
  return %2, %1 : tensor<2x4x64x128xbf16, #qh>, tensor<2x64x4x128xbf16, #q4>
}
