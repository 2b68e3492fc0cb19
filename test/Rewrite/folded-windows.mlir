// Windows that share out the image are folded into rows of one product, and the weights are prepared for that.
// RUN: tessera-opt --ttnn-rewrite="rewrites=none,+folded-windows" %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#x = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 4 + d2, d3), <1x1>, memref<8192x4xbf16, #host>>
#p = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 512 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y18 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @patches(
// CHECK: %[[P:.*]] = "ttnn.prepare_conv2d_weights"(%arg1, %{{.*}}) <{{.*}}enable_kernel_stride_folding = true
// CHECK: %[[Y:.*]] = "ttnn.conv2d"(%arg0, %[[P]], %{{.*}}) <{{.*}}enable_kernel_stride_folding = true
// CHECK-NEXT: return %[[Y]]
func.func @patches(%x: tensor<1x1x128x32xbf16, #x>, %w: tensor<64x32x4x4xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x8x64xbf16, #y8> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %p = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, enable_kernel_stride_folding = false>, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 32 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 8 : i32, input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 8 : i32, kernel_size = array<i32: 4, 4>, out_channels = 64 : i32, output_dtype = #ttcore.supportedDataTypes<bf16>, padding = array<i32: 0, 0>, stride = array<i32: 4, 4>, weights_format = "OIHW"}> : (tensor<64x32x4x4xbf16, #w>, !ttnn.device) -> tensor<1x1x512x64xbf16, #p>
  %y = "ttnn.conv2d"(%x, %p, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, enable_kernel_stride_folding = false>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 4, 4>, out_channels = 64 : i32, padding = array<i32: 0, 0>, stride = array<i32: 4, 4>}> : (tensor<1x1x128x32xbf16, #x>, tensor<1x1x512x64xbf16, #p>, !ttnn.device) -> tensor<1x1x8x64xbf16, #y8>
  return %y : tensor<1x1x8x64xbf16, #y8>
}

// Weights that the convolution prepares itself.
// CHECK-LABEL: func.func @raw(
// CHECK: "ttnn.conv2d"(%arg0, %arg1, %{{.*}}) <{{.*}}enable_kernel_stride_folding = true
func.func @raw(%x: tensor<1x1x128x32xbf16, #x>, %w: tensor<64x32x4x4xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x8x64xbf16, #y8> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %y = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, enable_kernel_stride_folding = false>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 4, 4>, out_channels = 64 : i32, padding = array<i32: 0, 0>, stride = array<i32: 4, 4>}> : (tensor<1x1x128x32xbf16, #x>, tensor<64x32x4x4xbf16, #w>, !ttnn.device) -> tensor<1x1x8x64xbf16, #y8>
  return %y : tensor<1x1x8x64xbf16, #y8>
}

// How these were prepared nobody knows.
// CHECK-LABEL: func.func @prepared_elsewhere(
// CHECK: "ttnn.conv2d"({{.*}}enable_kernel_stride_folding = false
func.func @prepared_elsewhere(%x: tensor<1x1x128x32xbf16, #x>, %w: tensor<1x1x512x64xbf16, #p> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x8x64xbf16, #y8> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %y = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, enable_kernel_stride_folding = false>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 4, 4>, out_channels = 64 : i32, padding = array<i32: 0, 0>, stride = array<i32: 4, 4>}> : (tensor<1x1x128x32xbf16, #x>, tensor<1x1x512x64xbf16, #p>, !ttnn.device) -> tensor<1x1x8x64xbf16, #y8>
  return %y : tensor<1x1x8x64xbf16, #y8>
}

// Windows that overlap, and a border, are fetched window by window.
// CHECK-LABEL: func.func @overlapping(
// CHECK: "ttnn.conv2d"({{.*}}enable_kernel_stride_folding = false
func.func @overlapping(%x: tensor<1x1x128x32xbf16, #x>, %w: tensor<64x32x4x4xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x18x64xbf16, #y18> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %y = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, enable_kernel_stride_folding = false>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 4, 4>, out_channels = 64 : i32, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x128x32xbf16, #x>, tensor<64x32x4x4xbf16, #w>, !ttnn.device) -> tensor<1x1x18x64xbf16, #y18>
  return %y : tensor<1x1x18x64xbf16, #y18>
}

// CHECK-LABEL: func.func @bordered(
// CHECK: "ttnn.conv2d"({{.*}}enable_kernel_stride_folding = false
func.func @bordered(%x: tensor<1x1x128x32xbf16, #x>, %w: tensor<64x32x4x4xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x18x64xbf16, #y18> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %y = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, enable_kernel_stride_folding = false>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 4, 4>, out_channels = 64 : i32, padding = array<i32: 2, 2>, stride = array<i32: 4, 4>}> : (tensor<1x1x128x32xbf16, #x>, tensor<64x32x4x4xbf16, #w>, !ttnn.device) -> tensor<1x1x18x64xbf16, #y18>
  return %y : tensor<1x1x18x64xbf16, #y18>
}

// Nothing else was said: the library folds by itself.
// CHECK-LABEL: func.func @by_default(
// CHECK-NOT: enable_kernel_stride_folding
func.func @by_default(%x: tensor<1x1x128x32xbf16, #x>, %w: tensor<64x32x4x4xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x8x64xbf16, #y8> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %y = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 4, 4>, out_channels = 64 : i32, padding = array<i32: 0, 0>, stride = array<i32: 4, 4>}> : (tensor<1x1x128x32xbf16, #x>, tensor<64x32x4x4xbf16, #w>, !ttnn.device) -> tensor<1x1x8x64xbf16, #y8>
  return %y : tensor<1x1x8x64xbf16, #y8>
}
