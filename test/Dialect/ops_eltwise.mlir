// Elementwise ops: one, two and three operands, broadcasting, attributes, keys of older tt-mlir versions.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @unary
func.func @unary(%x: tensor<2x32x64xbf16>) {
  // CHECK: "ttnn.abs"(%arg0) : (tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  %0 = "ttnn.abs"(%x) : (tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  // CHECK-NEXT: "ttnn.isfinite"
  %1 = "ttnn.isfinite"(%x) : (tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  // CHECK-NEXT: "ttnn.bitwise_not"
  %2 = "ttnn.bitwise_not"(%x) : (tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  // CHECK-NEXT: "ttnn.leaky_relu"(%arg0) <{parameter = 0.00999999977 : f32}>
  %3 = "ttnn.leaky_relu"(%x) <{parameter = 0.01 : f32}> : (tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  // CHECK-NEXT: "ttnn.pow_scalar"(%arg0) <{rhs = 2 : i32}>
  %4 = "ttnn.pow_scalar"(%x) <{rhs = 2 : i32}> : (tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  // CHECK-NEXT: "ttnn.clamp_scalar"(%arg0) <{max = 1.000000e+00 : f32, min = -1.000000e+00 : f32}>
  %5 = "ttnn.clamp_scalar"(%x) <{min = -1.0 : f32, max = 1.0 : f32}> : (tensor<2x32x64xbf16>) -> tensor<2x32x64xbf16>
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%x: tensor<2x32x64xbf16>, %row: tensor<64xbf16>, %column: tensor<2x32x1xbf16>, %i: tensor<32xui32>) {
  // CHECK: "ttnn.add"(%arg0, %arg1) : (tensor<2x32x64xbf16>, tensor<64xbf16>) -> tensor<2x32x64xbf16>
  %0 = "ttnn.add"(%x, %row) : (tensor<2x32x64xbf16>, tensor<64xbf16>) -> tensor<2x32x64xbf16>
  // Both operands stretch.
  // CHECK-NEXT: "ttnn.multiply"(%arg1, %arg2) : (tensor<64xbf16>, tensor<2x32x1xbf16>) -> tensor<2x32x64xbf16>
  %1 = "ttnn.multiply"(%row, %column) : (tensor<64xbf16>, tensor<2x32x1xbf16>) -> tensor<2x32x64xbf16>
  // CHECK-NEXT: "ttnn.bitwise_right_shift"
  %12 = "ttnn.bitwise_right_shift"(%i, %i) : (tensor<32xui32>, tensor<32xui32>) -> tensor<32xui32>
  // CHECK-NEXT: "ttnn.logical_left_shift"
  %2 = "ttnn.logical_left_shift"(%i, %i) : (tensor<32xui32>, tensor<32xui32>) -> tensor<32xui32>
  // The data type may change.
  // CHECK-NEXT: "ttnn.eq"{{.*}} -> tensor<2x32x64xf32>
  %3 = "ttnn.eq"(%x, %x) : (tensor<2x32x64xbf16>, tensor<2x32x64xbf16>) -> tensor<2x32x64xf32>
  // So may the shape, to one that no broadcast gives, or that is not known: verifiers do not ask.
  // CHECK-NEXT: "ttnn.subtract"{{.*}} -> tensor<3x5xbf16>
  %4 = "ttnn.subtract"(%x, %x) : (tensor<2x32x64xbf16>, tensor<2x32x64xbf16>) -> tensor<3x5xbf16>
  // CHECK-NEXT: "ttnn.exp"{{.*}} -> tensor<?x?xbf16>
  %5 = "ttnn.exp"(%x) : (tensor<2x32x64xbf16>) -> tensor<?x?xbf16>
  return
}

// Lists of activations: absent, empty, and with parameters, as they were.
// CHECK-LABEL: func.func @activations
func.func @activations(%x: tensor<32x32xbf16>, %y: tensor<32x32xbf16>) {
  // CHECK-NEXT: "ttnn.divide"(%arg0, %arg1) : (tensor<32x32xbf16>
  %0 = "ttnn.divide"(%x, %y) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK-NEXT: "ttnn.add"(%arg0, %arg1) <{activations = [], input_tensor_a_activations = [], input_tensor_b_activations = []}>
  %1 = "ttnn.add"(%x, %y) <{activations = [], input_tensor_a_activations = [], input_tensor_b_activations = []}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK-NEXT: "ttnn.pow_tensor"(%arg0, %arg1) <{activations = [#ttnn.unary_with_param<op_type = relu>, #ttnn.unary_with_param<op_type = power, params = [2.000000e+00 : f32]>]}>
  %2 = "ttnn.pow_tensor"(%x, %y) <{activations = [#ttnn.unary_with_param<op_type = relu>, #ttnn.unary_with_param<op_type = power, params = [2.0 : f32]>]}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK-NEXT: "ttnn.multiply"(%arg0, %arg1) <{input_tensor_b_activations = [#ttnn.unary_with_param<op_type = silu>]}>
  %3 = "ttnn.multiply"(%x, %y) <{input_tensor_b_activations = [#ttnn.unary_with_param<op_type = silu>]}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return
}

// CHECK-LABEL: func.func @ternary
func.func @ternary(%x: tensor<2x32x64xbf16>, %one: tensor<1x1x1xbf16>) {
  // CHECK: "ttnn.where"(%arg0, %arg1, %arg1)
  %0 = "ttnn.where"(%x, %one, %one) : (tensor<2x32x64xbf16>, tensor<1x1x1xbf16>, tensor<1x1x1xbf16>) -> tensor<2x32x64xbf16>
  // CHECK-NEXT: "ttnn.clamp_tensor"(%arg0, %arg1, %arg1)
  %1 = "ttnn.clamp_tensor"(%x, %one, %one) : (tensor<2x32x64xbf16>, tensor<1x1x1xbf16>, tensor<1x1x1xbf16>) -> tensor<2x32x64xbf16>
  return
}

// Keys that no longer exist are kept, on ops with attributes and on ops without (unread.mlir); the optimizer drops those that
// say what the type says.
// CHECK-LABEL: func.func @stale_keys
func.func @stale_keys(%x: tensor<32x32xbf16>) {
  // CHECK-NEXT: "ttnn.relu"(%arg0) <{dtype = #ttcore.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>}> {pinned} : (tensor<32x32xbf16>)
  %0 = "ttnn.relu"(%x) <{dtype = #ttcore.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>}> {pinned} : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK-NEXT: "ttnn.pow_scalar"(%arg0) <{dtype = #ttcore.supportedDataTypes<bf16>, rhs = 2.000000e+00 : f32}> : (tensor<32x32xbf16>)
  %1 = "ttnn.pow_scalar"(%x) <{rhs = 2.0 : f32, dtype = #ttcore.supportedDataTypes<bf16>}> : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return
}
