// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @rms_norm_pre_all_gather_0(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x16x128xbf16>) {
  // expected-error@+1 {{residual has shape 1x1x16x128, but the input's shape gives 1x1x32x128}}
  %0 = "ttnn.rms_norm_pre_all_gather"(%a0, %a1) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, use_2d_core_grid = true}> : (tensor<1x1x32x128xbf16>, tensor<1x1x16x128xbf16>) -> tensor<1x1x32x32xbf16>
  return
}
// -----
func.func @layer_norm_pre_all_gather_1(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x16x128xbf16>) {
  // expected-error@+1 {{residual_input has shape 1x1x16x128, but the input's shape gives 1x1x32x128}}
  %0 = "ttnn.layer_norm_pre_all_gather"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<1x1x32x128xbf16>, tensor<1x1x16x128xbf16>) -> tensor<1x1x32x64xbf16>
  return
}
// -----
func.func @layer_norm_pre_all_gather_2(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x32x128xbf16>) {
  // expected-error@+1 {{result's last extent must be 64, two tiles, not shape 1x1x32x32}}
  %0 = "ttnn.layer_norm_pre_all_gather"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<1x1x32x128xbf16>, tensor<1x1x32x128xbf16>) -> tensor<1x1x32x32xbf16>
  return
}
// -----
func.func @layer_norm_pre_all_gather_3(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x32x128xbf16>) {
  // expected-error@+1 {{result's last extent must be 64, two tiles, not shape scalar}}
  %0 = "ttnn.layer_norm_pre_all_gather"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<1x1x32x128xbf16>, tensor<1x1x32x128xbf16>) -> tensor<bf16>
  return
}
// -----
func.func @layer_norm_post_all_gather_4(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x32x64xbf16>, %a2: tensor<1x128xbf16>, %a3: tensor<128xbf16>) {
  // expected-error@+1 {{weight must have 1 dimensions, not 2}}
  %0 = "ttnn.layer_norm_post_all_gather"(%a0, %a1, %a2, %a3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<1x1x32x128xbf16>, tensor<1x1x32x64xbf16>, tensor<1x128xbf16>, tensor<128xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
// -----
func.func @layer_norm_post_all_gather_5(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x32x64xbf16>, %a2: tensor<128xbf16>, %a3: tensor<1x128xbf16>) {
  // expected-error@+1 {{bias must have 1 dimensions, not 2}}
  %0 = "ttnn.layer_norm_post_all_gather"(%a0, %a1, %a2, %a3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<1x1x32x128xbf16>, tensor<1x1x32x64xbf16>, tensor<128xbf16>, tensor<1x128xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
// -----
func.func @layer_norm_post_all_gather_6(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x32x64xbf16>, %a2: tensor<128xbf16>, %a3: tensor<128xbf16>) {
  // expected-error@+1 {{result has shape 1x1x32x64, but the input's shape gives 1x1x32x128}}
  %0 = "ttnn.layer_norm_post_all_gather"(%a0, %a1, %a2, %a3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<1x1x32x128xbf16>, tensor<1x1x32x64xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<1x1x32x64xbf16>
  return
}
// -----
func.func @all_reduce_async_7(%a0: tensor<32x64xbf16>) {
  // expected-error@+1 {{attribute 'reduce_type' must be sum, not max}}
  %0 = "ttnn.all_reduce_async"(%a0) <{cluster_axis = 1 : ui32, num_links = 2 : ui32, reduce_type = #ttcore.reduce_type<max>, topology = #ttcore.topology<ring>}> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return
}
// -----
func.func @point_to_point_8(%a0: tensor<32x64xbf16>, %a1: tensor<32x32xbf16>) {
  // expected-error@+1 {{optional_output_tensor has shape 32x32, but the input's shape gives 32x64}}
  %0 = "ttnn.point_to_point"(%a0, %a1) <{receiver_coord = array<i64: 0, 1>, sender_coord = array<i64: 0, 0>}> : (tensor<32x64xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return
}
// -----
func.func @point_to_point_9(%a0: tensor<32x64xbf16>, %a1: tensor<32x64xf32>) {
  // expected-error@+1 {{optional_output_tensor has elements of 'f32', but must have those of input, 'bf16'}}
  %0 = "ttnn.point_to_point"(%a0, %a1) <{receiver_coord = array<i64: 0, 1>, sender_coord = array<i64: 0, 0>}> : (tensor<32x64xbf16>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// -----
func.func @point_to_point_10(%a0: tensor<32x64xbf16>, %a1: tensor<32x64xbf16>) {
  // expected-error@+1 {{attributes 'sender_coord' and 'receiver_coord' must differ}}
  %0 = "ttnn.point_to_point"(%a0, %a1) <{receiver_coord = array<i64: 0, 0>, sender_coord = array<i64: 0, 0>}> : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return
}
