// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @conv1d_0(%a0: tensor<2x64x32xbf16>, %a1: tensor<16x32x3xbf16>, %a2: tensor<1x1x1x16xbf16>, %a3: !ttnn.device) {
  // expected-error@+1 {{attribute 'padding' must have two values, before and after, not 1}}
  %0 = "ttnn.conv1d"(%a0, %a1, %a2, %a3) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = 1 : i32, groups = 1 : i32, in_channels = 32 : i32, input_length = 64 : i32, kernel_size = 3 : i32, out_channels = 16 : i32, padding = array<i32: 1>, stride = 1 : i32}> : (tensor<2x64x32xbf16>, tensor<16x32x3xbf16>, tensor<1x1x1x16xbf16>, !ttnn.device) -> tensor<1x1x128x16xbf16>
  return
}
