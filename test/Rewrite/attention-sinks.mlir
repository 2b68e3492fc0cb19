// Attention that may go to a sink: a score for each head behind those of the keys, of which no value is read.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+attention,+attention-decode %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_1x4x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x65 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x1x65 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x8x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The kernel scales sinks as it does scores. That the maximum was taken away before changes no weight.
// CHECK-LABEL: func.func @many(
// CHECK-NOT: "ttnn.softmax"
// CHECK: %[[S:.*]] = "ttnn.multiply"({{.*}} -> tensor<1x4x1x1xbf16
// CHECK: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %[[S]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>, program_config = {{.*}}exp_approx_mode = false>, scale = 1.250000e-01 : f32}>
// CHECK-NEXT: return
func.func @many(%q: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, %k: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, %v: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, %s: tensor<1x4x1x1xbf16, #bf16_1x4x1x1>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64> {
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = true}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %f = "ttnn.full"(%d) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %1 = "ttnn.multiply"(%0, %f) : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %c = "ttnn.repeat"(%s) <{repeat_dims = #ttnn.shape<1x1x64x1>}> : (tensor<1x4x1x1xbf16, #bf16_1x4x1x1>) -> tensor<1x4x64x1xbf16, #bf16_1x4x64x1>
  %2 = "ttnn.concat"(%1, %c) <{dim = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x1xbf16, #bf16_1x4x64x1>) -> tensor<1x4x64x65xbf16, #bf16_1x4x64x65>
  %m = "ttnn.max"(%2) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<1x4x64x65xbf16, #bf16_1x4x64x65>) -> tensor<1x4x64x1xbf16, #bf16_1x4x64x1>
  %3 = "ttnn.subtract"(%2, %m) : (tensor<1x4x64x65xbf16, #bf16_1x4x64x65>, tensor<1x4x64x1xbf16, #bf16_1x4x64x1>) -> tensor<1x4x64x65xbf16, #bf16_1x4x64x65>
  %4 = "ttnn.softmax"(%3) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x4x64x65xbf16, #bf16_1x4x64x65>) -> tensor<1x4x64x65xbf16, #bf16_1x4x64x65>
  %5 = "ttnn.slice_static"(%4) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x65xbf16, #bf16_1x4x64x65>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %6 = "ttnn.matmul"(%5, %v) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  return %6 : tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
}

// Of one position they are rows of a tile.
// CHECK-LABEL: func.func @one_position(
// CHECK-NOT: "ttnn.softmax"
// CHECK: %[[S:.*]] = "ttnn.reshape"({{.*}} -> tensor<8x1xbf16
// CHECK: "ttnn.scaled_dot_product_attention_decode"(%{{.*}}, %arg1, %arg2, %[[S]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>
// CHECK: return
func.func @one_position(%q: tensor<2x8x1x64xbf16, #bf16_2x8x1x64>, %k: tensor<2x8x64x64xbf16, #bf16_2x8x64x64>, %v: tensor<2x8x64x64xbf16, #bf16_2x8x64x64>, %s: tensor<1x8x1x1xbf16, #bf16_1x8x1x1>) -> tensor<2x8x1x64xbf16, #bf16_2x8x1x64> {
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = true}> : (tensor<2x8x1x64xbf16, #bf16_2x8x1x64>, tensor<2x8x64x64xbf16, #bf16_2x8x64x64>) -> tensor<2x8x1x64xbf16, #bf16_2x8x1x64>
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %f = "ttnn.full"(%d) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %1 = "ttnn.multiply"(%0, %f) : (tensor<2x8x1x64xbf16, #bf16_2x8x1x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x8x1x64xbf16, #bf16_2x8x1x64>
  %c = "ttnn.repeat"(%s) <{repeat_dims = #ttnn.shape<2x1x1x1>}> : (tensor<1x8x1x1xbf16, #bf16_1x8x1x1>) -> tensor<2x8x1x1xbf16, #bf16_2x8x1x1>
  %2 = "ttnn.concat"(%1, %c) <{dim = 3 : si32}> : (tensor<2x8x1x64xbf16, #bf16_2x8x1x64>, tensor<2x8x1x1xbf16, #bf16_2x8x1x1>) -> tensor<2x8x1x65xbf16, #bf16_2x8x1x65>
  %4 = "ttnn.softmax"(%2) <{dimension = 3 : si32, numericStable = true}> : (tensor<2x8x1x65xbf16, #bf16_2x8x1x65>) -> tensor<2x8x1x65xbf16, #bf16_2x8x1x65>
  %5 = "ttnn.slice_static"(%4) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 8 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x8x1x65xbf16, #bf16_2x8x1x65>) -> tensor<2x8x1x64xbf16, #bf16_2x8x1x64>
  %6 = "ttnn.matmul"(%5, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x8x1x64xbf16, #bf16_2x8x1x64>, tensor<2x8x64x64xbf16, #bf16_2x8x64x64>) -> tensor<2x8x1x64xbf16, #bf16_2x8x1x64>
  return %6 : tensor<2x8x1x64xbf16, #bf16_2x8x1x64>
}

// A score for each position is no sink.
// CHECK-LABEL: func.func @for_each_position(
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @for_each_position(%q: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, %k: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, %v: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, %s: tensor<1x4x64x1xbf16, #bf16_1x4x64x1>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64> {
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = true}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %f = "ttnn.full"(%d) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %1 = "ttnn.multiply"(%0, %f) : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %2 = "ttnn.concat"(%1, %s) <{dim = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x1xbf16, #bf16_1x4x64x1>) -> tensor<1x4x64x65xbf16, #bf16_1x4x64x65>
  %4 = "ttnn.softmax"(%2) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x4x64x65xbf16, #bf16_1x4x64x65>) -> tensor<1x4x64x65xbf16, #bf16_1x4x64x65>
  %5 = "ttnn.slice_static"(%4) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x65xbf16, #bf16_1x4x64x65>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %6 = "ttnn.matmul"(%5, %v) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  return %6 : tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
}

// Weights from the second column on are others.
// CHECK-LABEL: func.func @first_left_out(
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @first_left_out(%q: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, %k: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, %v: tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, %s: tensor<1x4x1x1xbf16, #bf16_1x4x1x1>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64> {
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = true}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %f = "ttnn.full"(%d) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %1 = "ttnn.multiply"(%0, %f) : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %c = "ttnn.repeat"(%s) <{repeat_dims = #ttnn.shape<1x1x64x1>}> : (tensor<1x4x1x1xbf16, #bf16_1x4x1x1>) -> tensor<1x4x64x1xbf16, #bf16_1x4x64x1>
  %2 = "ttnn.concat"(%1, %c) <{dim = 3 : si32}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x1xbf16, #bf16_1x4x64x1>) -> tensor<1x4x64x65xbf16, #bf16_1x4x64x65>
  %4 = "ttnn.softmax"(%2) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x4x64x65xbf16, #bf16_1x4x64x65>) -> tensor<1x4x64x65xbf16, #bf16_1x4x64x65>
  %5 = "ttnn.slice_static"(%4) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 4 : i32, 64 : i32, 65 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x64x65xbf16, #bf16_1x4x64x65>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %6 = "ttnn.matmul"(%5, %v) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  return %6 : tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
}
