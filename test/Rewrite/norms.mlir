// Norms that a compiler took apart are one op again, with their weights; no less exact.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_32x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_32x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_256 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x32x256 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x32x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_32x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// The mean also goes over a dimension of extent 1.
// CHECK-LABEL: func.func @layer
// CHECK: "ttnn.layer_norm"(%arg0, %{{.*}}, %{{.*}}) <{compute_config = {{.*}}fp32_dest_acc_en = true{{.*}}, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : {{.*}} -> tensor<32x256xf32
// CHECK-NEXT: return
func.func @layer(%x: tensor<32x256xf32, #f32_32x256>, %w: tensor<1x256xf32, #f32_1x256>, %b: tensor<1x256xf32, #f32_1x256>) -> tensor<32x256xf32, #f32_32x256> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d0) <{fill_value = 1.000000e-05 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xf32, #f32_1x1x1>
  %0 = "ttnn.reshape"(%x) <{shape = [1 : i32, 32 : i32, 256 : i32]}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<1x32x256xf32, #f32_1x32x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [0 : i32, 2 : i32], keep_dim = true}> : (tensor<1x32x256xf32, #f32_1x32x256>) -> tensor<1x32x1xf32, #f32_1x32x1>
  %2 = "ttnn.subtract"(%0, %1) : (tensor<1x32x256xf32, #f32_1x32x256>, tensor<1x32x1xf32, #f32_1x32x1>) -> tensor<1x32x256xf32, #f32_1x32x256>
  %3 = "ttnn.multiply"(%2, %2) : (tensor<1x32x256xf32, #f32_1x32x256>, tensor<1x32x256xf32, #f32_1x32x256>) -> tensor<1x32x256xf32, #f32_1x32x256>
  %4 = "ttnn.mean"(%3) <{dim_arg = [0 : i32, 2 : i32], keep_dim = true}> : (tensor<1x32x256xf32, #f32_1x32x256>) -> tensor<1x32x1xf32, #f32_1x32x1>
  %5 = "ttnn.add"(%4, %eps) : (tensor<1x32x1xf32, #f32_1x32x1>, tensor<1x1x1xf32, #f32_1x1x1>) -> tensor<1x32x1xf32, #f32_1x32x1>
  %6 = "ttnn.rsqrt"(%5) : (tensor<1x32x1xf32, #f32_1x32x1>) -> tensor<1x32x1xf32, #f32_1x32x1>
  %7 = "ttnn.reshape"(%6) <{shape = [32 : i32, 1 : i32]}> : (tensor<1x32x1xf32, #f32_1x32x1>) -> tensor<32x1xf32, #f32_32x1>
  %8 = "ttnn.reshape"(%2) <{shape = [32 : i32, 256 : i32]}> : (tensor<1x32x256xf32, #f32_1x32x256>) -> tensor<32x256xf32, #f32_32x256>
  %9 = "ttnn.multiply"(%8, %7) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %10 = "ttnn.multiply"(%9, %w) : (tensor<32x256xf32, #f32_32x256>, tensor<1x256xf32, #f32_1x256>) -> tensor<32x256xf32, #f32_32x256>
  %11 = "ttnn.add"(%b, %10) : (tensor<1x256xf32, #f32_1x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  return %11 : tensor<32x256xf32, #f32_32x256>
}

// CHECK-LABEL: func.func @rms
// CHECK: "ttnn.rms_norm"(%arg0, %{{.*}}) <{{.*}}epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}>
// CHECK-NEXT: return
func.func @rms(%x: tensor<32x256xf32, #f32_32x256>, %w: tensor<1x256xf32, #f32_1x256>) -> tensor<32x256xf32, #f32_32x256> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d0) <{fill_value = 1.000000e-06 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.pow_scalar"(%x) <{rhs = 2.000000e+00 : f32}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %2 = "ttnn.add"(%eps, %1) : (tensor<1x1xf32, #f32_1x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %3 = "ttnn.rsqrt"(%2) : (tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %4 = "ttnn.multiply"(%3, %x) : (tensor<32x1xf32, #f32_32x1>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %5 = "ttnn.multiply"(%4, %w) : (tensor<32x256xf32, #f32_32x256>, tensor<1x256xf32, #f32_1x256>) -> tensor<32x256xf32, #f32_32x256>
  return %5 : tensor<32x256xf32, #f32_32x256>
}

// What is scaled is not what was squared.
// CHECK-LABEL: func.func @of_another
// CHECK-NOT: norm
// CHECK: return
func.func @of_another(%x: tensor<32x256xf32, #f32_32x256>, %y: tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d0) <{fill_value = 1.000000e-06 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %2 = "ttnn.add"(%1, %eps) : (tensor<32x1xf32, #f32_32x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<32x1xf32, #f32_32x1>
  %3 = "ttnn.rsqrt"(%2) : (tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %4 = "ttnn.multiply"(%y, %3) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  return %4 : tensor<32x256xf32, #f32_32x256>
}

// A mean of columns, a cube, and a sum that no number is added to.
// CHECK-LABEL: func.func @other_sums
// CHECK-NOT: norm
// CHECK: return
func.func @other_sums(%x: tensor<32x256xf32, #f32_32x256>, %y: tensor<32x1xf32, #f32_32x1>) -> (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d0) <{fill_value = 1.000000e-06 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [0 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<1x256xf32, #f32_1x256>
  %2 = "ttnn.add"(%1, %eps) : (tensor<1x256xf32, #f32_1x256>, tensor<1x1xf32, #f32_1x1>) -> tensor<1x256xf32, #f32_1x256>
  %3 = "ttnn.rsqrt"(%2) : (tensor<1x256xf32, #f32_1x256>) -> tensor<1x256xf32, #f32_1x256>
  %4 = "ttnn.multiply"(%x, %3) : (tensor<32x256xf32, #f32_32x256>, tensor<1x256xf32, #f32_1x256>) -> tensor<32x256xf32, #f32_32x256>
  %5 = "ttnn.pow_scalar"(%x) <{rhs = 4.000000e+00 : f32}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %6 = "ttnn.mean"(%5) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %7 = "ttnn.add"(%6, %eps) : (tensor<32x1xf32, #f32_32x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<32x1xf32, #f32_32x1>
  %8 = "ttnn.rsqrt"(%7) : (tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %9 = "ttnn.multiply"(%x, %8) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %10 = "ttnn.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %11 = "ttnn.multiply"(%y, %y) : (tensor<32x1xf32, #f32_32x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %12 = "ttnn.add"(%10, %11) : (tensor<32x1xf32, #f32_32x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %13 = "ttnn.rsqrt"(%12) : (tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %14 = "ttnn.multiply"(%x, %13) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  return %4, %9, %14 : tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>
}

// An rms_norm has no bias here, and what two read keeps its weight apart.
// CHECK-LABEL: func.func @weights_apart
// CHECK: "ttnn.rms_norm"(%arg0) <{{.*}}operandSegmentSizes = array<i32: 1, 0, 0>
// CHECK: "ttnn.add"
// CHECK: "ttnn.rms_norm"(%arg0) <{{.*}}operandSegmentSizes = array<i32: 1, 0, 0>
// CHECK: "ttnn.multiply"
func.func @weights_apart(%x: tensor<32x256xf32, #f32_32x256>, %w: tensor<1x256xf32, #f32_1x256>) -> (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) {
  %0 = "ttnn.rms_norm"(%x) <{epsilon = 1.000000e-06 : f32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.add"(%0, %w) : (tensor<32x256xf32, #f32_32x256>, tensor<1x256xf32, #f32_1x256>) -> tensor<32x256xf32, #f32_32x256>
  %2 = "ttnn.rms_norm"(%x) <{epsilon = 1.000000e-06 : f32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %3 = "ttnn.multiply"(%2, %w) : (tensor<32x256xf32, #f32_32x256>, tensor<1x256xf32, #f32_1x256>) -> tensor<32x256xf32, #f32_32x256>
  return %1, %2, %3 : tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>
}

// As a compiler leaves a layer norm that knows rms_norm alone.
// CHECK-LABEL: func.func @rms_of_centred
// CHECK-NEXT: %[[N:.*]] = "ttnn.layer_norm"(%arg0, %arg1)
// CHECK-NEXT: return %[[N]]
func.func @rms_of_centred(%x: tensor<32x256xf32, #f32_32x256>, %w: tensor<256xf32, #f32_256>) -> tensor<32x256xf32, #f32_32x256> {
  %0 = "ttnn.mean"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %1 = "ttnn.subtract"(%x, %0) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %2 = "ttnn.rms_norm"(%1, %w) <{epsilon = 1.000000e-06 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x256xf32, #f32_32x256>, tensor<256xf32, #f32_256>) -> tensor<32x256xf32, #f32_32x256>
  return %2 : tensor<32x256xf32, #f32_32x256>
}

// What was widened stays so where the norm's result leaves the function as fp32: nothing else in it is rounded to bf16.
// CHECK-LABEL: func.func @rms_of_widened
// CHECK: %[[X:.*]] = "ttnn.typecast"(%arg0)
// CHECK: "ttnn.layer_norm"(%[[X]], %arg1){{.*}} -> tensor<32x256xf32
func.func @rms_of_widened(%a: tensor<32x256xbf16, #bf16_32x256>, %w: tensor<256xf32, #f32_256>) -> tensor<32x256xf32, #f32_32x256> {
  %x = "ttnn.typecast"(%a) : (tensor<32x256xbf16, #bf16_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %0 = "ttnn.mean"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %1 = "ttnn.subtract"(%x, %0) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %2 = "ttnn.rms_norm"(%1, %w) <{epsilon = 1.000000e-06 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x256xf32, #f32_32x256>, tensor<256xf32, #f32_256>) -> tensor<32x256xf32, #f32_32x256>
  %3 = "ttnn.add"(%2, %2) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  return %3 : tensor<32x256xf32, #f32_32x256>
}

// The mean of something else.
// CHECK-LABEL: func.func @rms_of_a_difference
// CHECK-NOT: layer_norm
// CHECK: return
func.func @rms_of_a_difference(%x: tensor<32x256xf32, #f32_32x256>, %y: tensor<32x256xf32, #f32_32x256>, %w: tensor<256xf32, #f32_256>) -> tensor<32x256xf32, #f32_32x256> {
  %0 = "ttnn.mean"(%y) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %1 = "ttnn.subtract"(%x, %0) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %2 = "ttnn.rms_norm"(%1, %w) <{epsilon = 1.000000e-06 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x256xf32, #f32_32x256>, tensor<256xf32, #f32_256>) -> tensor<32x256xf32, #f32_32x256>
  return %2 : tensor<32x256xf32, #f32_32x256>
}

// Softmax from its parts, and one whose parts are of different tensors.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[S:.*]] = "ttnn.softmax"(%arg0)
// CHECK-NOT: ttnn.softmax
// CHECK: "ttnn.divide"
// CHECK-NEXT: return %[[S]]
func.func @softmax(%x: tensor<32x256xf32, #f32_32x256>, %y: tensor<32x256xf32, #f32_32x256>) -> (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) {
  %0 = "ttnn.max"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %1 = "ttnn.subtract"(%x, %0) <{activations = [#ttnn.unary_with_param<op_type = exp>]}> : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %2 = "ttnn.sum"(%1) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %3 = "ttnn.divide"(%1, %2) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %4 = "ttnn.subtract"(%y, %0) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %5 = "ttnn.exp"(%4) : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %6 = "ttnn.sum"(%5) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %7 = "ttnn.divide"(%5, %6) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  return %3, %7 : tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>
}

// The root is a function that the product applies to one side.
// CHECK-LABEL: func.func @applied_root
// CHECK-NEXT: %[[N:.*]] = "ttnn.rms_norm"(%arg0)
// CHECK-NEXT: return %[[N]]
func.func @applied_root(%x: tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d0) <{fill_value = 1.000000e-06 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %2 = "ttnn.add"(%1, %eps) : (tensor<32x1xf32, #f32_32x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<32x1xf32, #f32_32x1>
  %3 = "ttnn.multiply"(%x, %2) <{input_tensor_b_activations = [#ttnn.unary_with_param<op_type = rsqrt>]}> : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  return %3 : tensor<32x256xf32, #f32_32x256>
}

// The variance as mean(x^2) - mean(x)^2, no less than 0, and its root times the weight, as flax writes layer norms.
// CHECK-LABEL: func.func @one_pass(
// CHECK: "ttnn.layer_norm"(%arg0, %{{.*}}, %{{.*}}) <{{.*}}epsilon = 9.99999997E-7 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}>
// CHECK-NEXT: return
func.func @one_pass(%x: tensor<32x256xf32, #f32_32x256>, %w: tensor<1x256xf32, #f32_1x256>, %b: tensor<1x256xf32, #f32_1x256>) -> tensor<32x256xf32, #f32_32x256> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d0) <{fill_value = 1.000000e-06 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %2 = "ttnn.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %3 = "ttnn.multiply"(%1, %1) : (tensor<32x1xf32, #f32_32x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %4 = "ttnn.subtract"(%2, %3) : (tensor<32x1xf32, #f32_32x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %5 = "ttnn.subtract"(%x, %1) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %6 = "ttnn.add"(%4, %eps) <{activations = [#ttnn.unary_with_param<op_type = rsqrt>], input_tensor_a_activations = [#ttnn.unary_with_param<op_type = relu>]}> : (tensor<32x1xf32, #f32_32x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<32x1xf32, #f32_32x1>
  %7 = "ttnn.multiply"(%6, %w) : (tensor<32x1xf32, #f32_32x1>, tensor<1x256xf32, #f32_1x256>) -> tensor<32x256xf32, #f32_32x256>
  %8 = "ttnn.multiply"(%5, %7) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %9 = "ttnn.add"(%8, %b) : (tensor<32x256xf32, #f32_32x256>, tensor<1x256xf32, #f32_1x256>) -> tensor<32x256xf32, #f32_32x256>
  return %9 : tensor<32x256xf32, #f32_32x256>
}

// CHECK-LABEL: func.func @one_pass_alone(
// CHECK: "ttnn.layer_norm"(%arg0)
// CHECK-NEXT: return
func.func @one_pass_alone(%x: tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d0) <{fill_value = 1.000000e-06 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %2 = "ttnn.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %3 = "ttnn.multiply"(%1, %1) : (tensor<32x1xf32, #f32_32x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %4 = "ttnn.subtract"(%2, %3) : (tensor<32x1xf32, #f32_32x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %5 = "ttnn.subtract"(%x, %1) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %z = "ttnn.full"(%d0) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %6 = "ttnn.maximum"(%z, %4) : (tensor<1x1xf32, #f32_1x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %7 = "ttnn.add"(%6, %eps) : (tensor<32x1xf32, #f32_32x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<32x1xf32, #f32_32x1>
  %8 = "ttnn.rsqrt"(%7) : (tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %9 = "ttnn.multiply"(%5, %8) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  return %9 : tensor<32x256xf32, #f32_32x256>
}

// The mean of another tensor is not this one's.
// CHECK-LABEL: func.func @mean_of_another(
// CHECK-NOT: norm
// CHECK: return
func.func @mean_of_another(%x: tensor<32x256xf32, #f32_32x256>, %y: tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d0) <{fill_value = 1.000000e-06 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%y) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %2 = "ttnn.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %3 = "ttnn.multiply"(%1, %1) : (tensor<32x1xf32, #f32_32x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %4 = "ttnn.subtract"(%2, %3) : (tensor<32x1xf32, #f32_32x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %5 = "ttnn.subtract"(%x, %1) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  %z = "ttnn.full"(%d0) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %6 = "ttnn.maximum"(%z, %4) : (tensor<1x1xf32, #f32_1x1>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %7 = "ttnn.add"(%6, %eps) : (tensor<32x1xf32, #f32_32x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<32x1xf32, #f32_32x1>
  %8 = "ttnn.rsqrt"(%7) : (tensor<32x1xf32, #f32_32x1>) -> tensor<32x1xf32, #f32_32x1>
  %9 = "ttnn.multiply"(%5, %8) : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  return %9 : tensor<32x256xf32, #f32_32x256>
}

// Divided by the root, which the quotient takes itself.
// CHECK-LABEL: func.func @quotient(
// CHECK: "ttnn.rms_norm"(%arg0)
// CHECK-NEXT: return
func.func @quotient(%x: tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d0) <{fill_value = 1.000000e-06 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %2 = "ttnn.add"(%1, %eps) : (tensor<32x1xf32, #f32_32x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<32x1xf32, #f32_32x1>
  %3 = "ttnn.divide"(%x, %2) <{input_tensor_b_activations = [#ttnn.unary_with_param<op_type = sqrt>]}> : (tensor<32x256xf32, #f32_32x256>, tensor<32x1xf32, #f32_32x1>) -> tensor<32x256xf32, #f32_32x256>
  return %3 : tensor<32x256xf32, #f32_32x256>
}

// The root of the numerator is none of a norm.
// CHECK-LABEL: func.func @turned_quotient(
// CHECK-NOT: norm
// CHECK: return
func.func @turned_quotient(%x: tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%d0) <{fill_value = 1.000000e-06 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<32x256xf32, #f32_32x256>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<32x256xf32, #f32_32x256>) -> tensor<32x1xf32, #f32_32x1>
  %2 = "ttnn.add"(%1, %eps) : (tensor<32x1xf32, #f32_32x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<32x1xf32, #f32_32x1>
  %3 = "ttnn.divide"(%2, %x) <{input_tensor_a_activations = [#ttnn.unary_with_param<op_type = sqrt>]}> : (tensor<32x1xf32, #f32_32x1>, tensor<32x256xf32, #f32_32x256>) -> tensor<32x256xf32, #f32_32x256>
  return %3 : tensor<32x256xf32, #f32_32x256>
}
