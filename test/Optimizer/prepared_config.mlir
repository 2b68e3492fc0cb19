// What prepares a convolution's bias says a type of weights that the convolution does not. A plan that configures the convolution leaves it there: it was lost,
// and no plan was written.
// RUN: tessera optimize -q %s -o - | FileCheck %s
// CHECK: "ttnn.prepare_conv2d_bias"{{.*}}conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#pixels = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 256 + d2, d3), <1x1>, memref<8x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#taps = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 384 + d1 * 3 + d2, d3), <1x1>, memref<49152x3xbf16, #host>>
#weights = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1152 + d1 * 1152 + d2, d3), <1x1>, memref<36x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#row = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 + d1 + d2, d3), <1x1>, memref<1x128xbf16, #host>>
#bias = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @main(%x: tensor<1x1x256x128xbf16, #pixels>, %w: tensor<128x128x3x3xbf16, #taps>, %b: tensor<1x1x1x128xbf16, #row>) -> tensor<1x1x256x128xbf16, #pixels> {
  %device = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.relu"(%x) : (tensor<1x1x256x128xbf16, #pixels>) -> tensor<1x1x256x128xbf16, #pixels>
  %1 = "ttnn.prepare_conv2d_weights"(%w, %device) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = true, in_channels = 128 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 16 : i32, input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 16 : i32, kernel_size = array<i32: 3, 3>, out_channels = 128 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<128x128x3x3xbf16, #taps>, !ttnn.device) -> tensor<1x1x1152x128xbf16, #weights>
  %2 = "ttnn.prepare_conv2d_bias"(%b, %device) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 128 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 16 : i32, input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 16 : i32, kernel_size = array<i32: 3, 3>, out_channels = 128 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x1x128xbf16, #row>, !ttnn.device) -> tensor<1x1x1x128xbf16, #bias>
  %3 = "ttnn.conv2d"(%0, %1, %2, %device) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 128 : i32, input_height = 16 : i32, input_width = 16 : i32, kernel_size = array<i32: 3, 3>, out_channels = 128 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x256x128xbf16, #pixels>, tensor<1x1x1152x128xbf16, #weights>, tensor<1x1x1x128xbf16, #bias>, !ttnn.device) -> tensor<1x1x256x128xbf16, #pixels>
  return %3 : tensor<1x1x256x128xbf16, #pixels>
}
