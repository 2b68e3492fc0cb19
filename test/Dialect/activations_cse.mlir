// Activations belong to operands: swapped operands are another value, in CSE and in canonical forms.
// RUN: tessera-opt %s --cse --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @swapped
func.func @swapped(%x: tensor<32x32xbf16>, %y: tensor<32x32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
  // CHECK-NEXT: %[[F:.*]] = "ttnn.multiply"(%arg0, %arg1) <{input_tensor_a_activations = [#ttnn.unary_with_param<op_type = silu>]}>
  %0 = "ttnn.multiply"(%x, %y) <{input_tensor_a_activations = [#ttnn.unary_with_param<op_type = silu>]}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK-NEXT: %[[G:.*]] = "ttnn.multiply"(%arg1, %arg0) <{input_tensor_a_activations = [#ttnn.unary_with_param<op_type = silu>]}>
  %1 = "ttnn.multiply"(%y, %x) <{input_tensor_a_activations = [#ttnn.unary_with_param<op_type = silu>]}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // The same again is one.
  // CHECK-NEXT: return %[[F]], %[[G]], %[[F]]
  %2 = "ttnn.multiply"(%x, %y) <{input_tensor_a_activations = [#ttnn.unary_with_param<op_type = silu>]}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0, %1, %2 : tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
}

// CHECK-LABEL: func.func @other_lists
func.func @other_lists(%x: tensor<32x32xbf16>, %y: tensor<32x32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>) {
  // CHECK-NEXT: "ttnn.add"
  %0 = "ttnn.add"(%x, %y) <{activations = [#ttnn.unary_with_param<op_type = relu>]}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK-NEXT: "ttnn.add"
  %1 = "ttnn.add"(%x, %y) <{activations = [#ttnn.unary_with_param<op_type = gelu>]}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0, %1 : tensor<32x32xbf16>, tensor<32x32xbf16>
}
