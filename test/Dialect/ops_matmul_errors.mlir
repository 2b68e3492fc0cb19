// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @inner(%a: tensor<8x16xbf16>, %b: tensor<8x16xbf16>) {
  // expected-error@+1 {{inner dimensions do not agree: 8x16 times 8x16}}
  %0 = "ttnn.matmul"(%a, %b) : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
  return
}
// -----
func.func @inner_transposed(%a: tensor<8x16xbf16>, %b: tensor<16x8xbf16>) {
  // expected-error@+1 {{inner dimensions do not agree: 16x8 times 16x8}}
  %0 = "ttnn.matmul"(%a, %b) <{transpose_a = true}> : (tensor<8x16xbf16>, tensor<16x8xbf16>) -> tensor<8x8xbf16>
  return
}
// -----
func.func @batch(%a: tensor<2x8x16xbf16>, %b: tensor<3x16x8xbf16>) {
  // expected-error@+1 {{batch dimensions do not broadcast: 2 and 3}}
  %0 = "ttnn.matmul"(%a, %b) : (tensor<2x8x16xbf16>, tensor<3x16x8xbf16>) -> tensor<2x8x8xbf16>
  return
}
// -----
func.func @result(%a: tensor<2x8x16xbf16>, %b: tensor<16x8xbf16>) {
  // expected-error@+1 {{result has shape 8x8, but the product gives 2x8x8}}
  %0 = "ttnn.matmul"(%a, %b) : (tensor<2x8x16xbf16>, tensor<16x8xbf16>) -> tensor<8x8xbf16>
  return
}
// -----
func.func @scalar(%a: tensor<bf16>, %b: tensor<16x8xbf16>) {
  // expected-error@+1 {{needs factors with dimensions}}
  %0 = "ttnn.matmul"(%a, %b) : (tensor<bf16>, tensor<16x8xbf16>) -> tensor<8xbf16>
  return
}
// -----
func.func @scalar_result(%a: tensor<16xbf16>, %b: tensor<16xbf16>) {
  // expected-error@+1 {{result has shape scalar, but the product gives 1}}
  %0 = "ttnn.matmul"(%a, %b) : (tensor<16xbf16>, tensor<16xbf16>) -> tensor<bf16>
  return
}
// -----
func.func @bias(%a: tensor<8x16xbf16>, %b: tensor<16x32xbf16>, %bias: tensor<31xbf16>) {
  // expected-error@+1 {{bias of shape 31 does not broadcast to the product 8x32}}
  %0 = "ttnn.linear"(%a, %b, %bias) : (tensor<8x16xbf16>, tensor<16x32xbf16>, tensor<31xbf16>) -> tensor<8x32xbf16>
  return
}
// -----
func.func @biased_result(%a: tensor<33x16xbf16>, %b: tensor<16x32xbf16>, %bias: tensor<2x33x32xbf16>) {
  // expected-error@+1 {{result has shape 33x32, but the product plus bias gives 2x33x32}}
  %0 = "ttnn.linear"(%a, %b, %bias) : (tensor<33x16xbf16>, tensor<16x32xbf16>, tensor<2x33x32xbf16>) -> tensor<33x32xbf16>
  return
}
// -----
func.func @program_config(%a: tensor<8x8xbf16>) {
  // expected-error@+1 {{attribute 'matmul_program_config' failed to satisfy constraint: #ttnn.matmul_multi_core_reuse_program_config, ..._reuse_multi_cast_program_config}}
  %0 = "ttnn.matmul"(%a, %a) {matmul_program_config = 1 : i32} : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return
}
