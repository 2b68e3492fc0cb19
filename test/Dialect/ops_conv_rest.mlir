// Convolutions but 2-D ones.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

func.func @conv1d_0(%a0: tensor<2x64x32xbf16>, %a1: tensor<16x32x3xbf16>, %a2: tensor<1x1x1x16xbf16>, %a3: !ttnn.device) {
  // CHECK: "ttnn.conv1d"(%arg0, %arg1, %arg2, %arg3) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = 1 : i32, groups = 1 : i32, in_channels = 32 : i32, input_length = 64 : i32, kernel_size = 3 : i32, out_channels = 16 : i32, padding = array<i32: 1, 1>, stride = 1 : i32}> : (
  %0 = "ttnn.conv1d"(%a0, %a1, %a2, %a3) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = 1 : i32, groups = 1 : i32, in_channels = 32 : i32, input_length = 64 : i32, kernel_size = 3 : i32, out_channels = 16 : i32, padding = array<i32: 1, 1>, stride = 1 : i32}> : (tensor<2x64x32xbf16>, tensor<16x32x3xbf16>, tensor<1x1x1x16xbf16>, !ttnn.device) -> tensor<1x1x128x16xbf16>
  return
}

func.func @prepare_conv3d_weights_1(%a0: tensor<32x16x3x3x3xbf16>, %a1: !ttnn.device) {
  // CHECK: "ttnn.prepare_conv3d_weights"(%arg0, %arg1) <{alignment = 32 : i32, c_in_block = 16 : i32, groups = 1 : i32}> : (
  %0 = "ttnn.prepare_conv3d_weights"(%a0, %a1) <{alignment = 32 : i32, c_in_block = 16 : i32, groups = 1 : i32}> : (tensor<32x16x3x3x3xbf16>, !ttnn.device) -> tensor<432x32xbf16>
  return
}
