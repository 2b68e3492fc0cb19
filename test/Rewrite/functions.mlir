// Ops of one tensor and numbers that are together a function which the device has; no less exact.
// RUN: tessera-opt --ttnn-rewrite="rewrites=none,+function" %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#number = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#numberf = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @gelu(
// CHECK: %[[Y:.*]] = "ttnn.gelu"(%arg0)
// CHECK-NEXT: return %[[Y]]
func.func @gelu(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c0 = "ttnn.full"(%d) <{fill_value = 0.707106769 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %1 = "ttnn.multiply"(%x, %c0) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %2 = "ttnn.erf"(%1) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %c3 = "ttnn.full"(%d) <{fill_value = 1.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %4 = "ttnn.add"(%2, %c3) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %c5 = "ttnn.full"(%d) <{fill_value = 5.000000e-01 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %6 = "ttnn.multiply"(%x, %c5) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %7 = "ttnn.multiply"(%6, %4) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %7 : tensor<64x64xbf16, #bf16>
}

// In the wider type, where the parts were.
// CHECK-LABEL: func.func @widened(
// CHECK: %[[WIDE:.*]] = "ttnn.typecast"(%arg0) {{.*}} -> tensor<64x64xf32
// CHECK-NEXT: %[[Y:.*]] = "ttnn.gelu"(%[[WIDE]])
// CHECK-NEXT: "ttnn.typecast"(%[[Y]])
// CHECK-NEXT: return
func.func @widened(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.typecast"(%x) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xf32, #f32>
  %c1 = "ttnn.full"(%d) <{fill_value = 0.707106769 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %2 = "ttnn.multiply"(%0, %c1) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %3 = "ttnn.erf"(%2) : (tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %c4 = "ttnn.full"(%d) <{fill_value = 1.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %5 = "ttnn.add"(%3, %c4) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %c6 = "ttnn.full"(%d) <{fill_value = 5.000000e-01 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %7 = "ttnn.multiply"(%0, %c6) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %8 = "ttnn.multiply"(%7, %5) : (tensor<64x64xf32, #f32>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %9 = "ttnn.typecast"(%8) : (tensor<64x64xf32, #f32>) -> tensor<64x64xbf16, #bf16>
  return %9 : tensor<64x64xbf16, #bf16>
}

// Functions that ops apply count as well: x * sigmoid(x) as 1 / (1 + exp(-x)).
// CHECK-LABEL: func.func @swish(
// CHECK: %[[Y:.*]] = "ttnn.silu"(%arg0)
// CHECK-NEXT: return %[[Y]]
func.func @swish(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c0 = "ttnn.full"(%d) <{fill_value = 1.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %1 = "ttnn.add"(%x, %c0) <{activations = [#ttnn.unary_with_param<op_type = reciprocal>], input_tensor_a_activations = [#ttnn.unary_with_param<op_type = neg>, #ttnn.unary_with_param<op_type = exp>]}> : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %2 = "ttnn.multiply"(%x, %1) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %2 : tensor<64x64xbf16, #bf16>
}

// What it is a function of may be a sum of two tensors.
// CHECK-LABEL: func.func @softsign(
// CHECK: %[[SUM:.*]] = "ttnn.add"(%arg0, %arg1)
// CHECK-NEXT: %[[Y:.*]] = "ttnn.softsign"(%[[SUM]])
// CHECK-NEXT: return %[[Y]]
func.func @softsign(%a: tensor<64x64xbf16, #bf16>, %b: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.add"(%a, %b) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %1 = "ttnn.abs"(%0) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %c2 = "ttnn.full"(%d) <{fill_value = 1.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %3 = "ttnn.add"(%1, %c2) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %4 = "ttnn.divide"(%0, %3) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %4 : tensor<64x64xbf16, #bf16>
}

// A choice by a comparison: hardswish.
// CHECK-LABEL: func.func @chosen(
// CHECK: %[[Y:.*]] = "ttnn.hardswish"(%arg0)
// CHECK-NEXT: return %[[Y]]
func.func @chosen(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c0 = "ttnn.full"(%d) <{fill_value = -3.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %1 = "ttnn.ge"(%x, %c0) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %c2 = "ttnn.full"(%d) <{fill_value = 3.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %3 = "ttnn.add"(%x, %c2) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %c4 = "ttnn.full"(%d) <{fill_value = 6.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %5 = "ttnn.minimum"(%3, %c4) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %6 = "ttnn.divide"(%5, %c4) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %7 = "ttnn.multiply"(%x, %6) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %c8 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %9 = "ttnn.where"(%1, %7, %c8) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  return %9 : tensor<64x64xbf16, #bf16>
}

// x * sigmoid(1.702 x) is no gelu, however near it is called to one.
// CHECK-LABEL: func.func @steeper(
// CHECK: "ttnn.multiply"
// CHECK-NEXT: "ttnn.sigmoid"
// CHECK-NEXT: "ttnn.multiply"
// CHECK-NEXT: return
func.func @steeper(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c0 = "ttnn.full"(%d) <{fill_value = 1.702000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %1 = "ttnn.multiply"(%x, %c0) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %2 = "ttnn.sigmoid"(%1) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %3 = "ttnn.multiply"(%x, %2) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %3 : tensor<64x64xbf16, #bf16>
}

// Nor is the gelu of tanh the one of erf.
// CHECK-LABEL: func.func @of_tanh(
// CHECK-NOT: "ttnn.gelu"
// CHECK: return
func.func @of_tanh(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.pow_scalar"(%x) <{rhs = 3.0e+00 : f32}> : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %c1 = "ttnn.full"(%d) <{fill_value = 0.044715 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %2 = "ttnn.multiply"(%0, %c1) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %3 = "ttnn.add"(%x, %2) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %c4 = "ttnn.full"(%d) <{fill_value = 0.797884583 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %5 = "ttnn.multiply"(%3, %c4) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %6 = "ttnn.tanh"(%5) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %c7 = "ttnn.full"(%d) <{fill_value = 1.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %8 = "ttnn.add"(%6, %c7) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %c9 = "ttnn.full"(%d) <{fill_value = 5.000000e-01 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %10 = "ttnn.multiply"(%x, %c9) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %11 = "ttnn.multiply"(%10, %8) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %11 : tensor<64x64xbf16, #bf16>
}

// Two tensors.
// CHECK-LABEL: func.func @of_two(
// CHECK: "ttnn.sigmoid"
// CHECK-NEXT: "ttnn.multiply"
// CHECK-NEXT: return
func.func @of_two(%a: tensor<64x64xbf16, #bf16>, %b: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.sigmoid"(%a) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %1 = "ttnn.multiply"(%b, %0) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %1 : tensor<64x64xbf16, #bf16>
}

// Parts that others read stay for these.
// CHECK-LABEL: func.func @kept(
// CHECK: %[[S:.*]] = "ttnn.sigmoid"(%arg0)
// CHECK: %[[Y:.*]] = "ttnn.silu"(%arg0)
// CHECK-NEXT: return %[[S]], %[[Y]]
func.func @kept(%x: tensor<64x64xbf16, #bf16>) -> (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.sigmoid"(%x) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %1 = "ttnn.multiply"(%x, %0) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %0, %1 : tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>
}

// A bound far away is one all the same, and so is a guard against 0.
// CHECK-LABEL: func.func @bounded(
// CHECK: "ttnn.clamp_scalar"(%arg0) <{max = 1.000000e+04 : f32, min = 0.000000e+00 : f32}>
func.func @bounded(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.full"(%d) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %most = "ttnn.full"(%d) <{fill_value = 1.0e+04 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %0 = "ttnn.maximum"(%x, %zero) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %1 = "ttnn.minimum"(%0, %most) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  return %1 : tensor<64x64xbf16, #bf16>
}

// What never leaves some ten millionths is no clamp to these because it is near one.
// CHECK-LABEL: func.func @small_all_over(
// CHECK: %[[T:.*]] = "ttnn.tanh"(%arg0)
// CHECK: "ttnn.multiply"(%[[T]]
func.func @small_all_over(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %small = "ttnn.full"(%d) <{fill_value = 1.0e-07 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %0 = "ttnn.tanh"(%x) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %1 = "ttnn.multiply"(%0, %small) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  return %1 : tensor<64x64xbf16, #bf16>
}

// CHECK-LABEL: func.func @guarded(
// CHECK-NOT: "ttnn.abs"
// CHECK: return
func.func @guarded(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %epsilon = "ttnn.full"(%d) <{fill_value = 1.0e-06 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %1 = "ttnn.add"(%0, %epsilon) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %2 = "ttnn.sqrt"(%1) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %2 : tensor<64x64xbf16, #bf16>
}

// Functions with a number, and sums of two that an add applies.
// CHECK-LABEL: func.func @leaky(
// CHECK: %[[Y:.*]] = "ttnn.leaky_relu"(%arg0) <{parameter = 1.250000e-01 : f32}>
// CHECK-NEXT: return %[[Y]]
func.func @leaky(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.full"(%d) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %share = "ttnn.full"(%d) <{fill_value = 0.125 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %0 = "ttnn.ge"(%x, %zero) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %1 = "ttnn.multiply"(%x, %share) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %2 = "ttnn.where"(%0, %x, %1) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %2 : tensor<64x64xbf16, #bf16>
}

// CHECK-LABEL: func.func @elu(
// CHECK: %[[BELOW:.*]] = "ttnn.clamp_scalar"(%arg0) <{max = 0.000000e+00 : f32
// CHECK-NEXT: %[[Y:.*]] = "ttnn.add"(%arg0, %[[BELOW]]) <{activations = [], input_tensor_a_activations = [{{.*}}relu{{.*}}], input_tensor_b_activations = [{{.*}}expm1{{.*}}]}>
// CHECK-NEXT: return %[[Y]]
func.func @elu(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.full"(%d) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %0 = "ttnn.gt"(%x, %zero) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %1 = "ttnn.where"(%0, %zero, %x) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %2 = "ttnn.expm1"(%1) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %3 = "ttnn.where"(%0, %x, %2) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %3 : tensor<64x64xbf16, #bf16>
}

// What changes nothing goes: a guard that keeps what is no number, as JAX has it around softplus, and a sum with 0.
// CHECK-LABEL: func.func @kept_as_it_is(
// CHECK-NEXT: %[[Y:.*]] = "ttnn.tanh"(%arg0)
// CHECK-NEXT: return %[[Y]]
func.func @kept_as_it_is(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.full"(%d) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %0 = "ttnn.subtract"(%x, %zero) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %1 = "ttnn.ne"(%0, %0) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %2 = "ttnn.add"(%x, %zero) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>) -> tensor<64x64xbf16, #bf16>
  %3 = "ttnn.tanh"(%0) : (tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %4 = "ttnn.where"(%1, %2, %3) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %4 : tensor<64x64xbf16, #bf16>
}

// A guard that makes a number of it stays.
// CHECK-LABEL: func.func @made_a_number(
// CHECK: "ttnn.ne"
// CHECK: "ttnn.where"
func.func @made_a_number(%x: tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.full"(%d) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #number>
  %0 = "ttnn.ne"(%x, %x) : (tensor<64x64xbf16, #bf16>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  %1 = "ttnn.where"(%0, %zero, %x) : (tensor<64x64xbf16, #bf16>, tensor<1x1xbf16, #number>, tensor<64x64xbf16, #bf16>) -> tensor<64x64xbf16, #bf16>
  return %1 : tensor<64x64xbf16, #bf16>
}

// Two branches may part close to 1 only: what is compared with 5 here is 5 at 0.9966.
// CHECK-LABEL: func.func @close_to_one(
// CHECK: "ttnn.where"
func.func @close_to_one(%x: tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %five = "ttnn.full"(%d) <{fill_value = 5.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %three = "ttnn.full"(%d) <{fill_value = 3.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<64x64xf32, #f32>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %1 = "ttnn.neg"(%0) : (tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %2 = "ttnn.log1p"(%1) : (tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %3 = "ttnn.neg"(%2) : (tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %4 = "ttnn.gt"(%five, %3) : (tensor<1x1xf32, #numberf>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %5 = "ttnn.sqrt"(%3) : (tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %6 = "ttnn.subtract"(%5, %three) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %7 = "ttnn.where"(%4, %3, %6) : (tensor<64x64xf32, #f32>, tensor<64x64xf32, #f32>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  return %7 : tensor<64x64xf32, #f32>
}

// A guard against infinity, or against what is no number, is more than the function.
// CHECK-LABEL: func.func @guarded_silu(
// CHECK: "ttnn.silu"
// CHECK: "ttnn.where"
func.func @guarded_silu(%x: tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32> {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.full"(%dev) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %inf = "ttnn.full"(%dev) <{fill_value = 0x7F800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %s = "ttnn.sigmoid"(%x) : (tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %m = "ttnn.multiply"(%x, %s) : (tensor<64x64xf32, #f32>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %c = "ttnn.eq"(%m, %inf) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %w = "ttnn.where"(%c, %zero, %m) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  return %w : tensor<64x64xf32, #f32>
}

// CHECK-LABEL: func.func @silu_or_zero(
// CHECK: "ttnn.silu"
// CHECK: "ttnn.where"
func.func @silu_or_zero(%x: tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32> {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.full"(%dev) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %s = "ttnn.sigmoid"(%x) : (tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %m = "ttnn.multiply"(%x, %s) : (tensor<64x64xf32, #f32>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %c = "ttnn.ne"(%m, %m) : (tensor<64x64xf32, #f32>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  %w = "ttnn.where"(%c, %zero, %m) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  return %w : tensor<64x64xf32, #f32>
}

// What is infinite is near nothing else.
// CHECK-LABEL: func.func @lowest_below(
// CHECK: "ttnn.lt"
// CHECK: %[[Y:.*]] = "ttnn.where"
// CHECK-NEXT: return %[[Y]]
func.func @lowest_below(%x: tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32> {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %half = "ttnn.full"(%dev) <{fill_value = 0.5 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %lowest = "ttnn.full"(%dev) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %c = "ttnn.lt"(%x, %half) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %y = "ttnn.where"(%c, %lowest, %x) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  return %y : tensor<64x64xf32, #f32>
}

// One number of all may stand for something else.
// CHECK-LABEL: func.func @what_is_missing(
// CHECK: "ttnn.eq"
// CHECK: %[[Y:.*]] = "ttnn.where"
// CHECK-NEXT: return %[[Y]]
func.func @what_is_missing(%x: tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32> {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %missing = "ttnn.full"(%dev) <{fill_value = -99.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %zero = "ttnn.full"(%dev) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %c = "ttnn.eq"(%x, %missing) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %y = "ttnn.where"(%c, %zero, %x) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  return %y : tensor<64x64xf32, #f32>
}

// CHECK-LABEL: func.func @missing_and_positive(
// CHECK: "ttnn.eq"
// CHECK: "ttnn.where"
func.func @missing_and_positive(%x: tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32> {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %missing = "ttnn.full"(%dev) <{fill_value = 99.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %zero = "ttnn.full"(%dev) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %c = "ttnn.eq"(%x, %missing) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %m = "ttnn.maximum"(%x, %zero) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %y = "ttnn.where"(%c, %zero, %m) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  return %y : tensor<64x64xf32, #f32>
}

// Also where it is found in what was computed before.
// CHECK-LABEL: func.func @missing_when_shifted(
// CHECK: "ttnn.eq"
// CHECK: "ttnn.where"
func.func @missing_when_shifted(%x: tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32> {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %ten = "ttnn.full"(%dev) <{fill_value = 10.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %third = "ttnn.full"(%dev) <{fill_value = 0.3 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %zero = "ttnn.full"(%dev) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #numberf>
  %m = "ttnn.multiply"(%x, %ten) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %c = "ttnn.eq"(%m, %third) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>) -> tensor<64x64xf32, #f32>
  %y = "ttnn.where"(%c, %zero, %x) : (tensor<64x64xf32, #f32>, tensor<1x1xf32, #numberf>, tensor<64x64xf32, #f32>) -> tensor<64x64xf32, #f32>
  return %y : tensor<64x64xf32, #f32>
}
