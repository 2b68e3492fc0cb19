// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @unary_shape(%x: tensor<2x32xbf16>) {
  // expected-error@+1 {{result has shape 2x64, but broadcasting the operand shapes gives 2x32}}
  %0 = "ttnn.exp"(%x) : (tensor<2x32xbf16>) -> tensor<2x64xbf16>
  return
}
// -----
func.func @no_broadcast(%x: tensor<2x32xbf16>, %y: tensor<3x32xbf16>) {
  // expected-error@+1 {{operand shapes do not broadcast: 2x32 and 3x32}}
  %0 = "ttnn.add"(%x, %y) : (tensor<2x32xbf16>, tensor<3x32xbf16>) -> tensor<2x32xbf16>
  return
}
// -----
func.func @broadcast_result(%x: tensor<2x32xbf16>, %y: tensor<1x32xbf16>) {
  // expected-error@+1 {{result has shape 1x32, but broadcasting the operand shapes gives 2x32}}
  %0 = "ttnn.subtract"(%x, %y) : (tensor<2x32xbf16>, tensor<1x32xbf16>) -> tensor<1x32xbf16>
  return
}
// -----
func.func @ternary(%x: tensor<2x32xbf16>, %y: tensor<1x32xbf16>, %z: tensor<5xbf16>) {
  // expected-error@+1 {{operand shapes do not broadcast: 2x32 and 1x32 and 5}}
  %0 = "ttnn.where"(%x, %y, %z) : (tensor<2x32xbf16>, tensor<1x32xbf16>, tensor<5xbf16>) -> tensor<2x32xbf16>
  return
}
// -----
func.func @dynamic(%x: tensor<?x32xbf16>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of static shape, but got 'tensor<?x32xbf16>'}}
  %0 = "ttnn.exp"(%x) : (tensor<?x32xbf16>) -> tensor<2x32xbf16>
  return
}
// -----
func.func @unranked(%x: tensor<*xbf16>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of static shape}}
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
