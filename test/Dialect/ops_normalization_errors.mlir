// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @weight(%a0: tensor<8x32xbf16>, %a1: tensor<16xbf16>) {
  // expected-error@+1 {{weight has shape 16, but the input's last dimension gives 32}}
  %0 = "ttnn.rms_norm"(%a0, %a1) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x32xbf16>, tensor<16xbf16>) -> tensor<8x32xbf16>
  return
}
// -----
func.func @weight_rank(%a0: tensor<8x32xbf16>, %a1: tensor<1x32xbf16>) {
  // expected-error@+1 {{weight has shape 1x32, but the input's last dimension gives 32}}
  %0 = "ttnn.rms_norm"(%a0, %a1) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x32xbf16>, tensor<1x32xbf16>) -> tensor<8x32xbf16>
  return
}
// -----
func.func @bias(%a0: tensor<8x32xbf16>, %a1: tensor<32xbf16>, %a2: tensor<2x32xbf16>) {
  // expected-error@+1 {{bias has shape 2x32, but the input's last dimension gives 32}}
  %0 = "ttnn.layer_norm"(%a0, %a1, %a2) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x32xbf16>, tensor<32xbf16>, tensor<2x32xbf16>) -> tensor<8x32xbf16>
  return
}
// -----
func.func @result(%a0: tensor<8x32xbf16>) {
  // expected-error@+1 {{result has shape 8x16, but the input's shape gives 8x32}}
  %0 = "ttnn.layer_norm"(%a0) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<8x32xbf16>) -> tensor<8x16xbf16>
  return
}
// -----
func.func @scalar(%a0: tensor<bf16>, %a1: tensor<1xbf16>) {
  // expected-error@+1 {{weight has shape 1, but the input's last dimension gives scalar}}
  %0 = "ttnn.rms_norm"(%a0, %a1) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<bf16>, tensor<1xbf16>) -> tensor<bf16>
  return
}
// -----
func.func @segments(%a0: tensor<8x32xbf16>, %a1: tensor<32xbf16>) {
  // expected-error@+1 {{operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  %0 = "ttnn.rms_norm"(%a0, %a1) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x32xbf16>, tensor<32xbf16>) -> tensor<8x32xbf16>
  return
}
// -----
func.func @distributed(%a0: tensor<8x32xbf16>, %a1: tensor<16xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{weight must have one element per element of the input's last dimension (32), not shape 16}}
  %0 = "ttnn.distributed_rms_norm"(%a0, %a1, %d) <{cluster_axis = 1 : ui32, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1>}> : (tensor<8x32xbf16>, tensor<16xbf16>, !ttnn.device) -> tensor<8x32xbf16>
  return
}
// -----
func.func @distributed_result(%a0: tensor<8x32xbf16>, %a1: tensor<32xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{result has shape 8x16, but the input's shape gives 8x32}}
  %0 = "ttnn.distributed_rms_norm"(%a0, %a1, %d) <{cluster_axis = 1 : ui32, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1>}> : (tensor<8x32xbf16>, tensor<32xbf16>, !ttnn.device) -> tensor<8x16xbf16>
  return
}
// -----
func.func @distributed_residual(%a0: tensor<8x32xbf16>, %a1: tensor<32xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{residual has shape 32, but the input's shape gives 8x32}}
  %0 = "ttnn.distributed_rms_norm"(%a0, %a1, %a1, %d) <{cluster_axis = 1 : ui32, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>}> : (tensor<8x32xbf16>, tensor<32xbf16>, tensor<32xbf16>, !ttnn.device) -> tensor<8x32xbf16>
  return
}
// -----
func.func @distributed_axis(%a0: tensor<8x32xbf16>, %a1: tensor<32xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'cluster_axis' must be 0 or 1, not 2 : ui32}}
  %0 = "ttnn.distributed_rms_norm"(%a0, %a1, %d) <{cluster_axis = 2 : ui32, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1>}> : (tensor<8x32xbf16>, tensor<32xbf16>, !ttnn.device) -> tensor<8x32xbf16>
  return
}
// -----
func.func @distributed_epsilon(%a0: tensor<8x32xbf16>, %a1: tensor<32xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{attribute 'epsilon' must be positive}}
  %0 = "ttnn.distributed_rms_norm"(%a0, %a1, %d) <{cluster_axis = 1 : ui32, epsilon = 0.0 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1>}> : (tensor<8x32xbf16>, tensor<32xbf16>, !ttnn.device) -> tensor<8x32xbf16>
  return
}
// -----
func.func @distributed_device(%a0: tensor<8x32xbf16>, %a1: tensor<32xbf16>, %d: !ttnn.device) {
  // expected-error@+1 {{operand #1 must be A handle to a device or mesh of devices}}
  %0 = "ttnn.distributed_rms_norm"(%a0, %a1) <{cluster_axis = 1 : ui32, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 1>}> : (tensor<8x32xbf16>, tensor<32xbf16>) -> tensor<8x32xbf16>
  return
}
// -----
func.func @residual_weight(%x: tensor<8x32xbf16>, %w: tensor<8xbf16>) {
  // expected-error@+1 {{weight}}
  %0:2 = "ttnn.rms_norm_residual"(%x, %x, %w) : (tensor<8x32xbf16>, tensor<8x32xbf16>, tensor<8xbf16>) -> (tensor<8x32xbf16>, tensor<8x32xbf16>)
  return
}
// -----
func.func @residual_sum(%x: tensor<8x32xbf16>, %w: tensor<32xbf16>) {
  // expected-error@+1 {{sum}}
  %0:2 = "ttnn.rms_norm_residual"(%x, %x, %w) : (tensor<8x32xbf16>, tensor<8x32xbf16>, tensor<32xbf16>) -> (tensor<8x32xbf16>, tensor<4x32xbf16>)
  return
}
// -----
func.func @batch_norm(%a0: tensor<2x8x4x4xbf16>, %a1: tensor<1x8x1x1xbf16>, %a2: tensor<1x4x1x1xbf16>) {
  // expected-error@+1 {{parameters must have one element for each of the 8 channels, not shape 1x4x1x1}}
  %0 = "ttnn.batch_norm_inference"(%a0, %a1, %a2, %a1, %a1) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<2x8x4x4xbf16>, tensor<1x8x1x1xbf16>, tensor<1x4x1x1xbf16>, tensor<1x8x1x1xbf16>, tensor<1x8x1x1xbf16>) -> tensor<2x8x4x4xbf16>
  return
}
// -----
func.func @batch_norm_without_bias(%a0: tensor<2x8x4x4xbf16>, %a1: tensor<1x8x1x1xbf16>, %a2: tensor<1x8x1x1xbf16>) {
  // expected-error@+1 {{needs weight and bias}}
  %0 = "ttnn.batch_norm_inference"(%a0, %a1, %a2, %a1) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<2x8x4x4xbf16>, tensor<1x8x1x1xbf16>, tensor<1x8x1x1xbf16>, tensor<1x8x1x1xbf16>) -> tensor<2x8x4x4xbf16>
  return
}
// -----
func.func @batch_norm_rank(%a0: tensor<2x8xbf16>, %a1: tensor<8xbf16>, %a2: tensor<8xbf16>) {
  // expected-error@+1 {{input must have 4 dimensions, not 2}}
  %0 = "ttnn.batch_norm_inference"(%a0, %a1, %a2, %a1, %a1) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<2x8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<2x8xbf16>
  return
}
// -----
func.func @batch_norm_result(%a0: tensor<2x8x4x4xbf16>, %a1: tensor<8xbf16>, %a2: tensor<8xbf16>) {
  // expected-error@+1 {{result has shape 2x8x4x1, but the input's shape gives 2x8x4x4}}
  %0 = "ttnn.batch_norm_inference"(%a0, %a1, %a2, %a1, %a1) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<2x8x4x4xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<2x8x4x1xbf16>
  return
}
// -----
func.func @group_norm(%a0: tensor<1x1x64x8xbf16>) {
  // expected-error@+1 {{attribute 'num_groups' must divide the 8 channels}}
  %0 = "ttnn.group_norm"(%a0) <{epsilon = 1.0e-05 : f32, num_groups = 3 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x1x64x8xbf16>) -> tensor<1x1x64x8xbf16>
  return
}
// -----
func.func @group_norm_zero(%a0: tensor<1x1x64x8xbf16>) {
  // expected-error@+1 {{attribute 'num_groups' must divide the 8 channels}}
  %0 = "ttnn.group_norm"(%a0) <{epsilon = 1.0e-05 : f32, num_groups = 0 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x1x64x8xbf16>) -> tensor<1x1x64x8xbf16>
  return
}
