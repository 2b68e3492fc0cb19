// Elementwise ops have no rule on shapes and data types; these are the exceptions.
// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @clamp_shape(%x: tensor<2x32xbf16>) {
  // expected-error@+1 {{result has shape 2x64, but the input's shape gives 2x32}}
  %0 = "ttnn.clamp_scalar"(%x) <{min = 0.0 : f32, max = 1.0 : f32}> : (tensor<2x32xbf16>) -> tensor<2x64xbf16>
  return
}
// -----
func.func @shift_of_floats(%x: tensor<32xbf16>, %y: tensor<32xsi32>) {
  // expected-error@+1 {{lhs must have integer elements, not 'bf16'}}
  %0 = "ttnn.logical_left_shift"(%x, %y) : (tensor<32xbf16>, tensor<32xsi32>) -> tensor<32xsi32>
  return
}
// -----
func.func @shift_to_floats(%x: tensor<32xsi32>, %y: tensor<32xsi32>) {
  // expected-error@+1 {{result must have integer elements, not 'bf16'}}
  %0 = "ttnn.logical_right_shift"(%x, %y) : (tensor<32xsi32>, tensor<32xsi32>) -> tensor<32xbf16>
  return
}
// -----
func.func @negative_exponent(%x: tensor<32xbf16>) {
  // expected-error@+1 {{attribute 'rhs' is the exponent -2.000000e+00 : f32, which must not be negative}}
  %0 = "ttnn.pow_scalar"(%x) <{rhs = -2.0 : f32}> : (tensor<32xbf16>) -> tensor<32xbf16>
  return
}
// -----
func.func @negative_integer_exponent(%x: tensor<32xbf16>) {
  // expected-error@+1 {{attribute 'rhs' is the exponent -1 : i32, which must not be negative}}
  %0 = "ttnn.pow_scalar"(%x) <{rhs = -1 : i32}> : (tensor<32xbf16>) -> tensor<32xbf16>
  return
}
// -----
func.func @unranked(%x: tensor<*xbf16>) {
  // expected-error@+1 {{operand #0 must be ranked tensor, but got 'tensor<*xbf16>'}}
  %0 = "ttnn.exp"(%x) : (tensor<*xbf16>) -> tensor<2x32xbf16>
  return
}
// -----
func.func @too_few_operands(%x: tensor<32xbf16>) {
  // expected-error@+1 {{expected 2 operands, but found 1}}
  %0 = "ttnn.add"(%x) : (tensor<32xbf16>) -> tensor<32xbf16>
  return
}
// -----
func.func @missing_attribute(%x: tensor<32xbf16>) {
  // expected-error@+1 {{requires attribute 'parameter'}}
  %0 = "ttnn.leaky_relu"(%x) : (tensor<32xbf16>) -> tensor<32xbf16>
  return
}
// -----
func.func @wrong_attribute(%x: tensor<32xbf16>) {
  // expected-error@+1 {{attribute 'rhs' failed to satisfy constraint: integer or float attribute}}
  %0 = "ttnn.pow_scalar"(%x) {rhs = "two"} : (tensor<32xbf16>) -> tensor<32xbf16>
  return
}
// -----
func.func @activation_by_name(%x: tensor<32xbf16>) {
  // expected-error@+1 {{attribute 'input_tensor_a_activations' failed to satisfy constraint: array of activations}}
  %0 = "ttnn.multiply"(%x, %x) <{input_tensor_a_activations = ["silu"]}> : (tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xbf16>
  return
}
