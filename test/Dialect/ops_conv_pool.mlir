// Convolutions, their prepare ops, pools and upsampling.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @conv2d
func.func @conv2d(%x: tensor<1x1x50176x3xbf16>, %w: tensor<64x3x7x7xbf16>, %b: tensor<1x1x1x64xbf16>, %d: !ttnn.device) {
  // (224 + 3 + 3 - 6 - 1) / 2 + 1 = 112; 112 * 112 = 12544
  // CHECK: "ttnn.conv2d"(%arg0, %arg1, %arg2, %arg3) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 3 : i32, input_height = 224 : i32, input_width = 224 : i32, kernel_size = array<i32: 7, 7>, out_channels = 64 : i32, padding = array<i32: 3, 3>, stride = array<i32: 2, 2>}>
  %0 = "ttnn.conv2d"(%x, %w, %b, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 3 : i32, input_height = 224 : i32, input_width = 224 : i32, kernel_size = array<i32: 7, 7>, out_channels = 64 : i32, padding = array<i32: 3, 3>, stride = array<i32: 2, 2>}> : (tensor<1x1x50176x3xbf16>, tensor<64x3x7x7xbf16>, tensor<1x1x1x64xbf16>, !ttnn.device) -> tensor<1x1x12544x64xbf16>
  return
}

// Padding (top, bottom, left, right): height (5 + 1 + 0 - 2 - 1) / 1 + 1 = 4, width (6 + 2 + 1 - 2 * 2 - 1) / 2 + 1 = 3.
// CHECK-LABEL: func.func @conv2d_asymmetric
func.func @conv2d_asymmetric(%x: tensor<1x1x60x4xbf16>, %w: tensor<8x2x3x3xbf16>, %d: !ttnn.device) {
  // CHECK: "ttnn.conv2d"(%arg0, %arg1, %arg2) <{{.*}}-> tensor<1x1x24x8xbf16>
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, dilation = array<i32: 1, 2>, groups = 2 : i32, in_channels = 4 : i32, input_height = 5 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, padding = array<i32: 1, 0, 2, 1>, stride = array<i32: 1, 2>}> : (tensor<1x1x60x4xbf16>, tensor<8x2x3x3xbf16>, !ttnn.device) -> tensor<1x1x24x8xbf16>
  return
}

// CHECK-LABEL: func.func @prepared
func.func @prepared(%x: tensor<1x1x16x3xbf16>, %w: tensor<64x3x3x3xbf16>, %b: tensor<1x1x1x64xbf16>, %d: !ttnn.device) {
  // CHECK: "ttnn.prepare_conv2d_weights"(%arg1, %arg3) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = true, in_channels = 3 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 4 : i32, input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 4 : i32,
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = true, in_channels = 3 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 4 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 4 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<64x3x3x3xbf16>, !ttnn.device) -> tensor<1x1x288x64xbf16>
  // CHECK-NEXT: "ttnn.prepare_conv2d_bias"(%arg2, %arg3) <{{.*}}output_dtype = #ttcore.supportedDataTypes<f32>
  %1 = "ttnn.prepare_conv2d_bias"(%b, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 3 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 4 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 4 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, output_dtype = #ttcore.supportedDataTypes<f32>, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x1x64xbf16>, !ttnn.device) -> tensor<1x1x1x64xf32>
  // CHECK-NEXT: "ttnn.conv2d"(%arg0, %0, %1, %arg3)
  %2 = "ttnn.conv2d"(%x, %0, %1, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 3 : i32, input_height = 4 : i32, input_width = 4 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x16x3xbf16>, tensor<1x1x288x64xbf16>, tensor<1x1x1x64xf32>, !ttnn.device) -> tensor<1x1x16x64xbf16>
  return
}

// CHECK-LABEL: func.func @conv_transpose2d
func.func @conv_transpose2d(%x: tensor<1x1x9x3xbf16>, %nhwc: tensor<2x3x3x3xbf16>, %w: tensor<3x8x3x3xbf16>, %prepared: tensor<1x1x5x8xbf16>, %d: !ttnn.device) {
  // (3 - 1) * 2 - 0 - 0 + 2 + 1 + 1 = 8
  // CHECK: "ttnn.conv_transpose2d"{{.*}} output_padding = array<i32: 1, 1>, {{.*}} -> tensor<1x1x64x8xbf16>
  %0 = "ttnn.conv_transpose2d"(%x, %w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 3 : i32, input_height = 3 : i32, input_width = 3 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, output_padding = array<i32: 1, 1>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x9x3xbf16>, tensor<3x8x3x3xbf16>, !ttnn.device) -> tensor<1x1x64x8xbf16>
  // The input NHWC; the output's extents but for the channels are the backend's affair; a weight that was prepared
  // somewhere has any.
  // CHECK: "ttnn.conv_transpose2d"{{.*}} -> tensor<1x1x7x8xbf16>
  %1 = "ttnn.conv_transpose2d"(%nhwc, %prepared, %d) <{batch_size = 2 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 3 : i32, input_height = 3 : i32, input_width = 3 : i32, kernel_size = array<i32: 3, 3>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<2x3x3x3xbf16>, tensor<1x1x5x8xbf16>, !ttnn.device) -> tensor<1x1x7x8xbf16>
  // CHECK: "ttnn.prepare_conv_transpose2d_weights"{{.*}} mirror_kernel = true, {{.*}} output_padding = array<i32: 1, 1>
  %2 = "ttnn.prepare_conv_transpose2d_weights"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 3 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 3 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 3 : i32, kernel_size = array<i32: 3, 3>, mirror_kernel = true, out_channels = 8 : i32, output_padding = array<i32: 1, 1>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>, weights_format = "IOHW"}> : (tensor<3x8x3x3xbf16>, !ttnn.device) -> tensor<1x1x27x8xbf16>
  return
}

// CHECK-LABEL: func.func @conv3d
func.func @conv3d(%x: tensor<1x8x28x28x32xbf16>, %w: tensor<864x64xbf16>, %raw: tensor<64x32x3x3x3xbf16>, %b: tensor<1x64xbf16>, %d: !ttnn.device) {
  // CHECK: "ttnn.conv3d"{{.*}} conv3d_config = #ttnn.conv3d_config<t_out_block = 1>, {{.*}} -> tensor<1x6x28x28x64xbf16>
  %0 = "ttnn.conv3d"(%x, %w, %d) <{batch_size = 1 : i32, conv3d_config = #ttnn.conv3d_config<t_out_block = 1>, groups = 1 : i32, in_channels = 32 : i32, input_depth = 8 : i32, input_height = 28 : i32, input_width = 28 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 64 : i32, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x8x28x28x32xbf16>, tensor<864x64xbf16>, !ttnn.device) -> tensor<1x6x28x28x64xbf16>
  // The padding mode has a default.
  // CHECK: "ttnn.conv3d"(%arg0, %arg2, %arg3, %arg4){{.*}} padding_mode = "zeros", {{.*}} -> tensor<1x6x28x28x64xbf16>
  %1 = "ttnn.conv3d"(%x, %raw, %b, %d) <{batch_size = 1 : i32, groups = 1 : i32, in_channels = 32 : i32, input_depth = 8 : i32, input_height = 28 : i32, input_width = 28 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 64 : i32, padding = array<i32: 0, 1, 1>, stride = array<i32: 1, 1, 1>}> : (tensor<1x8x28x28x32xbf16>, tensor<64x32x3x3x3xbf16>, tensor<1x64xbf16>, !ttnn.device) -> tensor<1x6x28x28x64xbf16>
  return
}

// Of a convolution in groups, prepared weights have the rows of all input channels, or of those of a group alone.
// CHECK-LABEL: func.func @conv3d_groups
func.func @conv3d_groups(%x: tensor<1x4x6x6x64xbf16>, %raw: tensor<64x32x3x3x3xbf16>, %w: tensor<1728x64xbf16>, %group: tensor<864x64xbf16>, %d: !ttnn.device) {
  // CHECK-COUNT-3: "ttnn.conv3d"
  %0 = "ttnn.conv3d"(%x, %raw, %d) <{batch_size = 1 : i32, groups = 2 : i32, in_channels = 64 : i32, input_depth = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x4x6x6x64xbf16>, tensor<64x32x3x3x3xbf16>, !ttnn.device) -> tensor<1x4x6x6x64xbf16>
  %1 = "ttnn.conv3d"(%x, %w, %d) <{batch_size = 1 : i32, groups = 2 : i32, in_channels = 64 : i32, input_depth = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x4x6x6x64xbf16>, tensor<1728x64xbf16>, !ttnn.device) -> tensor<1x4x6x6x64xbf16>
  %2 = "ttnn.conv3d"(%x, %group, %d) <{batch_size = 1 : i32, groups = 2 : i32, in_channels = 64 : i32, input_depth = 4 : i32, input_height = 6 : i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x4x6x6x64xbf16>, tensor<864x64xbf16>, !ttnn.device) -> tensor<1x4x6x6x64xbf16>
  return
}

// CHECK-LABEL: func.func @pools
func.func @pools(%x: tensor<1x1x98x32xbf16>, %y: tensor<2x7x7x32xbf16>) {
  // floor((7 - 2) / 2) + 1 = 3, ceil((7 - 2) / 2) + 1 = 4
  // CHECK: "ttnn.max_pool2d"(%arg0) <{applied_shard_scheme = #ttnn.tensor_memory_layout<height_sharded>, batch_size = 2 : si32, ceil_mode = false, channels = 32 : si32, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x98x32xbf16>) -> tensor<1x1x18x32xbf16>
  %0 = "ttnn.max_pool2d"(%x) <{applied_shard_scheme = #ttnn.tensor_memory_layout<height_sharded>, batch_size = 2 : si32, ceil_mode = false, channels = 32 : si32, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x98x32xbf16>) -> tensor<1x1x18x32xbf16>
  // CHECK-NEXT: "ttnn.avg_pool2d"{{.*}}ceil_mode = true, {{.*}}count_include_pad = false, {{.*}}-> tensor<1x1x32x32xbf16>
  %1 = "ttnn.avg_pool2d"(%x) <{batch_size = 2 : si32, ceil_mode = true, channels = 32 : si32, count_include_pad = false, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x98x32xbf16>) -> tensor<1x1x32x32xbf16>
  // Four entries: above, to the left, below, to the right.
  // CHECK-NEXT: "ttnn.max_pool2d"{{.*}}padding = array<i32: 0, 0, 1, 0>{{.*}}-> tensor<1x1x24x32xbf16>
  %7 = "ttnn.max_pool2d"(%x) <{batch_size = 2 : si32, ceil_mode = false, channels = 32 : si32, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0, 1, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x98x32xbf16>) -> tensor<1x1x24x32xbf16>
  // ceil((7 + 2 - 2) / 3) + 1 = 4, but the fourth window would start at 9, behind the input and its padding.
  // CHECK-NEXT: "ttnn.max_pool2d_with_indices"
  %2, %3 = "ttnn.max_pool2d_with_indices"(%x) <{batch_size = 2 : si32, ceil_mode = true, channels = 32 : si32, dilation = array<i32: 1, 1>, input_height = 7 : si32, input_width = 7 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 1, 1>, stride = array<i32: 3, 3>}> : (tensor<1x1x98x32xbf16>) -> (tensor<1x1x18x32xbf16>, tensor<1x1x18x32xui16>)
  // CHECK-NEXT: "ttnn.global_avg_pool2d"(%arg1) : (tensor<2x7x7x32xbf16>) -> tensor<2x1x1x32xbf16>
  %4 = "ttnn.global_avg_pool2d"(%y) : (tensor<2x7x7x32xbf16>) -> tensor<2x1x1x32xbf16>
  // CHECK-NEXT: "ttnn.upsample"(%arg1) <{mode = "nearest", scale_factor = 2 : si32}>
  %5 = "ttnn.upsample"(%y) <{mode = "nearest", scale_factor = 2 : si32}> : (tensor<2x7x7x32xbf16>) -> tensor<2x14x14x32xbf16>
  // CHECK-NEXT: "ttnn.upsample"(%arg1) <{scale_factor = array<i32: 1, 3>}>
  %6 = "ttnn.upsample"(%y) <{scale_factor = array<i32: 1, 3>}> : (tensor<2x7x7x32xbf16>) -> tensor<2x7x21x32xbf16>
  return
}
