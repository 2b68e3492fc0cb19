// Norms in which x less its mean is computed twice, as PyTorch's come: the variance of one is what the other is divided by.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_32x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_32x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_32x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_32x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x256 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_4x8x256 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x8x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_4x8x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The variance is about a mean of fp32, and x less that mean in bf16. Where there is no number to divide by, there is none.
// CHECK-LABEL: func.func @layer(
// CHECK: %[[Y:.*]] = "ttnn.layer_norm"(%arg0)
// CHECK-NEXT: return %[[Y]]
func.func @layer(%x: tensor<32x256xbf16, #bf16_32x256>) -> tensor<32x256xbf16, #bf16_32x256> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d) <{fill_value = 1.000000e-05 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %n = "ttnn.full"(%d) <{fill_value = 2.560000e+02 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %none = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %nan = "ttnn.full"(%d) <{fill_value = 0x7FC00000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %c = "ttnn.gt"(%n, %none) : (tensor<1x1xf32, #f32_1x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<1x1xbf16, #bf16_1x1>
  %0 = "ttnn.typecast"(%x) : (tensor<32x256xbf16, #bf16_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %2 = "ttnn.typecast"(%1) : (tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xbf16, #bf16_32x1>
  %3 = "ttnn.subtract"(%0, %1) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %4 = "ttnn.multiply"(%3, %3) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %5 = "ttnn.mean"(%4) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %6 = "ttnn.typecast"(%5) : (tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xbf16, #bf16_32x1>
  %7 = "ttnn.where"(%c, %6, %nan) : (tensor<1x1xbf16, #bf16_1x1>, tensor<32x1xbf16, #bf16_32x1>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<32x1xbf16, #bf16_32x1>
  %8 = "ttnn.add"(%7, %eps) : (tensor<32x1xbf16, #bf16_32x1>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<32x1xbf16, #bf16_32x1>
  %9 = "ttnn.subtract"(%x, %2) : (tensor<32x256xbf16, #bf16_32x256>, tensor<32x1xbf16, #bf16_32x1>) -> tensor<32x256xbf16, #bf16_32x256>
  %10 = "ttnn.multiply"(%9, %8) <{input_tensor_b_activations = [#ttnn.unary_with_param<op_type = rsqrt>]}> : (tensor<32x256xbf16, #bf16_32x256>, tensor<32x1xbf16, #bf16_32x1>) -> tensor<32x256xbf16, #bf16_32x256>
  return %10 : tensor<32x256xbf16, #bf16_32x256>
}

// Another mean makes no norm.
// CHECK-LABEL: func.func @other_mean_is_left(
// CHECK-NOT: ttnn.layer_norm
// CHECK: return
func.func @other_mean_is_left(%x: tensor<32x256xbf16, #bf16_32x256>, %y: tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xbf16, #bf16_32x256> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d) <{fill_value = 1.000000e-05 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %n = "ttnn.full"(%d) <{fill_value = 2.560000e+02 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %none = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %nan = "ttnn.full"(%d) <{fill_value = 0x7FC00000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %c = "ttnn.gt"(%n, %none) : (tensor<1x1xf32, #f32_1x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<1x1xbf16, #bf16_1x1>
  %0 = "ttnn.typecast"(%x) : (tensor<32x256xbf16, #bf16_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %2 = "ttnn.typecast"(%y) : (tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xbf16, #bf16_32x1>
  %3 = "ttnn.subtract"(%0, %1) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %4 = "ttnn.multiply"(%3, %3) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %5 = "ttnn.mean"(%4) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %6 = "ttnn.typecast"(%5) : (tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xbf16, #bf16_32x1>
  %7 = "ttnn.where"(%c, %6, %nan) : (tensor<1x1xbf16, #bf16_1x1>, tensor<32x1xbf16, #bf16_32x1>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<32x1xbf16, #bf16_32x1>
  %8 = "ttnn.add"(%7, %eps) : (tensor<32x1xbf16, #bf16_32x1>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<32x1xbf16, #bf16_32x1>
  %9 = "ttnn.subtract"(%x, %2) : (tensor<32x256xbf16, #bf16_32x256>, tensor<32x1xbf16, #bf16_32x1>) -> tensor<32x256xbf16, #bf16_32x256>
  %10 = "ttnn.multiply"(%9, %8) <{input_tensor_b_activations = [#ttnn.unary_with_param<op_type = rsqrt>]}> : (tensor<32x256xbf16, #bf16_32x256>, tensor<32x1xbf16, #bf16_32x1>) -> tensor<32x256xbf16, #bf16_32x256>
  return %10 : tensor<32x256xbf16, #bf16_32x256>
}

// Rows are the same, however they are counted: the cast is before the reshape of one by now.
// CHECK-LABEL: func.func @rows_apart(
// CHECK: "ttnn.layer_norm"(%arg0)
// CHECK-NOT: ttnn.mean
// CHECK: return
func.func @rows_apart(%x0: tensor<32x256xbf16, #bf16_32x256>) -> tensor<4x8x256xbf16, #bf16_4x8x256> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d) <{fill_value = 1.000000e-05 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xbf16, #bf16_1x1x1>
  %x = "ttnn.reshape"(%x0) <{shape = [4 : i32, 8 : i32, 256 : i32]}> : (tensor<32x256xbf16, #bf16_32x256>) -> tensor<4x8x256xbf16, #bf16_4x8x256>
  %0 = "ttnn.typecast"(%x) : (tensor<4x8x256xbf16, #bf16_4x8x256>) -> tensor<4x8x256xf32, #f32_4x8x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<4x8x256xf32, #f32_4x8x256>) -> tensor<4x8x1xf32, #f32_4x8x1>
  %2 = "ttnn.typecast"(%1) : (tensor<4x8x1xf32, #f32_4x8x1>) -> tensor<4x8x1xbf16, #bf16_4x8x1>
  %3 = "ttnn.subtract"(%0, %1) : (tensor<4x8x256xf32, #f32_4x8x256>, tensor<4x8x1xf32, #f32_4x8x1>) -> tensor<4x8x256xf32, #f32_4x8x256>
  %4 = "ttnn.multiply"(%3, %3) : (tensor<4x8x256xf32, #f32_4x8x256>, tensor<4x8x256xf32, #f32_4x8x256>) -> tensor<4x8x256xf32, #f32_4x8x256>
  %5 = "ttnn.mean"(%4) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<4x8x256xf32, #f32_4x8x256>) -> tensor<4x8x1xf32, #f32_4x8x1>
  %6 = "ttnn.typecast"(%5) : (tensor<4x8x1xf32, #f32_4x8x1>) -> tensor<4x8x1xbf16, #bf16_4x8x1>
  %8 = "ttnn.add"(%6, %eps) : (tensor<4x8x1xbf16, #bf16_4x8x1>, tensor<1x1x1xbf16, #bf16_1x1x1>) -> tensor<4x8x1xbf16, #bf16_4x8x1>
  %9 = "ttnn.subtract"(%x, %2) : (tensor<4x8x256xbf16, #bf16_4x8x256>, tensor<4x8x1xbf16, #bf16_4x8x1>) -> tensor<4x8x256xbf16, #bf16_4x8x256>
  %10 = "ttnn.multiply"(%9, %8) <{input_tensor_b_activations = [#ttnn.unary_with_param<op_type = rsqrt>]}> : (tensor<4x8x256xbf16, #bf16_4x8x256>, tensor<4x8x1xbf16, #bf16_4x8x1>) -> tensor<4x8x256xbf16, #bf16_4x8x256>
  return %10 : tensor<4x8x256xbf16, #bf16_4x8x256>
}
