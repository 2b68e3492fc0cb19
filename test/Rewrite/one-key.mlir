// Softmax over one key is 1: what it weighs is the value, and queries and keys are not computed.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+one-key %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#f32_4x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x8x64x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x2x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x8x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_4x8x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_4x512 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x16x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x8x1x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x8x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// With the guard against rows that are all masked, which no score is that is a number.
// CHECK-LABEL: func.func @guarded
// CHECK-NEXT: %[[V:.*]] = "ttnn.repeat_interleave"(%arg2)
// CHECK-NEXT: return %[[V]]
func.func @guarded(%q: tensor<4x8x1x64xf32, #f32_4x8x1x64>, %k: tensor<4x8x64x1xf32, #f32_4x8x64x1>, %v: tensor<4x2x1x64xf32, #f32_4x2x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %low = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %none = "ttnn.zeros"(%d) <{shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %s = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xf32, #f32_4x8x1x64>, tensor<4x8x64x1xf32, #f32_4x8x64x1>) -> tensor<4x8x1x1xf32, #f32_4x8x1x1>
  %0 = "ttnn.eq"(%s, %low) : (tensor<4x8x1x1xf32, #f32_4x8x1x1>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<4x8x1x1xbf16, #bf16_4x8x1x1>
  %1 = "ttnn.logical_not"(%0) : (tensor<4x8x1x1xbf16, #bf16_4x8x1x1>) -> tensor<4x8x1x1xbf16, #bf16_4x8x1x1>
  %2 = "ttnn.sum"(%1) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<4x8x1x1xbf16, #bf16_4x8x1x1>) -> tensor<4x8x1x1xbf16, #bf16_4x8x1x1>
  %3 = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<4x8x1x1xf32, #f32_4x8x1x1>) -> tensor<4x8x1x1xf32, #f32_4x8x1x1>
  %4 = "ttnn.where"(%2, %3, %none) : (tensor<4x8x1x1xbf16, #bf16_4x8x1x1>, tensor<4x8x1x1xf32, #f32_4x8x1x1>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<4x8x1x1xf32, #f32_4x8x1x1>
  %5 = "ttnn.repeat_interleave"(%v) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<4x2x1x64xf32, #f32_4x2x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %6 = "ttnn.multiply"(%4, %5) : (tensor<4x8x1x1xf32, #f32_4x8x1x1>, tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  return %6 : tensor<4x8x1x64xf32, #f32_4x8x1x64>
}

// As a product, and narrowed on the way.
// CHECK-LABEL: func.func @product
// CHECK-NEXT: return %arg1
func.func @product(%s: tensor<4x8x1x1xf32, #f32_4x8x1x1>, %v: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64> {
  %0 = "ttnn.softmax"(%s) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x1x1xf32, #f32_4x8x1x1>) -> tensor<4x8x1x1xf32, #f32_4x8x1x1>
  %1 = "ttnn.typecast"(%0) : (tensor<4x8x1x1xf32, #f32_4x8x1x1>) -> tensor<4x8x1x1xbf16, #bf16_4x8x1x1>
  %2 = "ttnn.matmul"(%1, %v) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x1xbf16, #bf16_4x8x1x1>, tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  return %2 : tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
}

// Weights that are spread over what they weigh.
// CHECK-LABEL: func.func @spread
// CHECK-NEXT: return %arg1
func.func @spread(%s: tensor<4x8x1x1xf32, #f32_4x8x1x1>, %v: tensor<4x512xf32, #f32_4x512>) -> tensor<4x512xf32, #f32_4x512> {
  %0 = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<4x8x1x1xf32, #f32_4x8x1x1>) -> tensor<4x8x1x1xf32, #f32_4x8x1x1>
  %1 = "ttnn.repeat"(%0) <{repeat_dims = #ttnn.shape<1x1x1x64>}> : (tensor<4x8x1x1xf32, #f32_4x8x1x1>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %2 = "ttnn.reshape"(%1) <{shape = [4 : i32, 512 : i32]}> : (tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x512xf32, #f32_4x512>
  %3 = "ttnn.multiply"(%2, %v) : (tensor<4x512xf32, #f32_4x512>, tensor<4x512xf32, #f32_4x512>) -> tensor<4x512xf32, #f32_4x512>
  return %3 : tensor<4x512xf32, #f32_4x512>
}

// Two keys share the weight.
// CHECK-LABEL: func.func @two_keys_are_left
// CHECK-NEXT: "ttnn.softmax"
// CHECK-NEXT: "ttnn.matmul"
// CHECK-NEXT: return
func.func @two_keys_are_left(%s: tensor<4x8x1x2xf32, #f32_4x8x1x2>, %v: tensor<4x8x2x64xf32, #f32_4x8x2x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64> {
  %0 = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<4x8x1x2xf32, #f32_4x8x1x2>) -> tensor<4x8x1x2xf32, #f32_4x8x1x2>
  %1 = "ttnn.matmul"(%0, %v) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x2xf32, #f32_4x8x1x2>, tensor<4x8x2x64xf32, #f32_4x8x2x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  return %1 : tensor<4x8x1x64xf32, #f32_4x8x1x64>
}

// Over another dimension than that of the one key.
// CHECK-LABEL: func.func @over_heads_is_left
// CHECK-NEXT: "ttnn.softmax"
// CHECK-NEXT: "ttnn.multiply"
// CHECK-NEXT: return
func.func @over_heads_is_left(%s: tensor<4x8x1x1xf32, #f32_4x8x1x1>, %v: tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64> {
  %0 = "ttnn.softmax"(%s) <{dimension = 1 : si32, numericStable = true}> : (tensor<4x8x1x1xf32, #f32_4x8x1x1>) -> tensor<4x8x1x1xf32, #f32_4x8x1x1>
  %1 = "ttnn.multiply"(%0, %v) : (tensor<4x8x1x1xf32, #f32_4x8x1x1>, tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  return %1 : tensor<4x8x1x64xf32, #f32_4x8x1x64>
}

// A mask that comes from elsewhere may forbid the only key.
// CHECK-LABEL: func.func @other_guard_is_left
// CHECK-NEXT: "ttnn.softmax"
// CHECK-NEXT: "ttnn.where"
// CHECK-NEXT: "ttnn.multiply"
// CHECK-NEXT: return
func.func @other_guard_is_left(%s: tensor<4x8x1x1xf32, #f32_4x8x1x1>, %m: tensor<4x8x1x1xbf16, #bf16_4x8x1x1>, %z: tensor<1x1x1x1xf32, #f32_1x1x1x1>, %v: tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64> {
  %0 = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<4x8x1x1xf32, #f32_4x8x1x1>) -> tensor<4x8x1x1xf32, #f32_4x8x1x1>
  %1 = "ttnn.where"(%m, %0, %z) : (tensor<4x8x1x1xbf16, #bf16_4x8x1x1>, tensor<4x8x1x1xf32, #f32_4x8x1x1>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<4x8x1x1xf32, #f32_4x8x1x1>
  %2 = "ttnn.multiply"(%1, %v) : (tensor<4x8x1x1xf32, #f32_4x8x1x1>, tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  return %2 : tensor<4x8x1x64xf32, #f32_4x8x1x64>
}
