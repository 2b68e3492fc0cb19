// Keys and values before queries: the columns of the weights and of the bias are put in order, once, by const-eval.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+split-heads,+const-eval %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_64x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128x768 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x768 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x2x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x768 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x512 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func private @heads_const_eval(
// CHECK-DAG: %[[Q:.*]] = "ttnn.slice_static"(%arg0) <{begins = [0 : i32, 256 : i32], ends = [128 : i32, 768 : i32]
// CHECK-DAG: %[[K:.*]] = "ttnn.slice_static"(%arg0) <{begins = [0 : i32, 0 : i32], ends = [128 : i32, 128 : i32]
// CHECK: "ttnn.concat"(%[[Q]], %[[K]], %{{.*}}) <{dim = 1 : si32}>
// CHECK-LABEL: func.func @heads
// CHECK: %[[M:.*]] = "ttnn.linear"(%arg0, %{{.*}}, %{{.*}}) {{.*}} -> tensor<64x768xbf16
// CHECK: "ttnn.split_query_key_value_and_split_heads"(%{{.*}}) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32
func.func @heads(%x: tensor<64x128xbf16, #bf16_64x128> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<128x768xbf16, #bf16_128x768> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x768xbf16, #bf16_1x768> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x8x32x64xbf16, #bf16_2x8x32x64>) {
  %0 = "ttnn.linear"(%x, %w, %b) <{transpose_a = false, transpose_b = false}> {ttcore.weight_dtype = "bfp_bf8"} : (tensor<64x128xbf16, #bf16_64x128>, tensor<128x768xbf16, #bf16_128x768>, tensor<1x768xbf16, #bf16_1x768>) -> tensor<64x768xbf16, #bf16_64x768>
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 128 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x768xbf16, #bf16_64x768>) -> tensor<64x128xbf16, #bf16_64x128>
  %2 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 128 : i32], ends = [64 : i32, 256 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x768xbf16, #bf16_64x768>) -> tensor<64x128xbf16, #bf16_64x128>
  %3 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 256 : i32], ends = [64 : i32, 768 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x768xbf16, #bf16_64x768>) -> tensor<64x512xbf16, #bf16_64x512>
  %4 = "ttnn.reshape"(%1) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %5 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  %6 = "ttnn.reshape"(%2) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %7 = "ttnn.permute"(%6) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  %8 = "ttnn.reshape"(%3) <{shape = [2 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<64x512xbf16, #bf16_64x512>) -> tensor<2x32x8x64xbf16, #bf16_2x32x8x64>
  %9 = "ttnn.permute"(%8) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<2x8x32x64xbf16, #bf16_2x8x32x64>
  return %5, %7, %9 : tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x8x32x64xbf16, #bf16_2x8x32x64>
}

// Weights that come with the call would have to be put in order in each.
// CHECK-LABEL: func.func @inputs_are_left
// CHECK-NOT: ttnn.split_query_key_value_and_split_heads
// CHECK: return
func.func @inputs_are_left(%x: tensor<64x128xbf16, #bf16_64x128> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<128x768xbf16, #bf16_128x768> {ttcore.argument_type = #ttcore.argument_type<input>}) -> (tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x8x32x64xbf16, #bf16_2x8x32x64>) {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x128xbf16, #bf16_64x128>, tensor<128x768xbf16, #bf16_128x768>) -> tensor<64x768xbf16, #bf16_64x768>
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 128 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x768xbf16, #bf16_64x768>) -> tensor<64x128xbf16, #bf16_64x128>
  %2 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 128 : i32], ends = [64 : i32, 256 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x768xbf16, #bf16_64x768>) -> tensor<64x128xbf16, #bf16_64x128>
  %3 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 256 : i32], ends = [64 : i32, 768 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x768xbf16, #bf16_64x768>) -> tensor<64x512xbf16, #bf16_64x512>
  %4 = "ttnn.reshape"(%1) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %5 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  %6 = "ttnn.reshape"(%2) <{shape = [2 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #bf16_64x128>) -> tensor<2x32x2x64xbf16, #bf16_2x32x2x64>
  %7 = "ttnn.permute"(%6) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x2x64xbf16, #bf16_2x32x2x64>) -> tensor<2x2x32x64xbf16, #bf16_2x2x32x64>
  %8 = "ttnn.reshape"(%3) <{shape = [2 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<64x512xbf16, #bf16_64x512>) -> tensor<2x32x8x64xbf16, #bf16_2x32x8x64>
  %9 = "ttnn.permute"(%8) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x8x64xbf16, #bf16_2x32x8x64>) -> tensor<2x8x32x64xbf16, #bf16_2x8x32x64>
  return %5, %7, %9 : tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x2x32x64xbf16, #bf16_2x2x32x64>, tensor<2x8x32x64xbf16, #bf16_2x8x32x64>
}
