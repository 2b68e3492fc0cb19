// What a program computes without rounding lies on the host, where an op needs no L1, however much of it the same op needs on the device.
// RUN: tessera verify %s %s --device n150 --against exact | FileCheck %s
// CHECK: as exact as the input

#dram = #ttnn.buffer_type<dram>
#image = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 1024 + d2, d3), <1x1>, memref<32x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#weights = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4608 + d1 * 4608 + d2, d3), <1x1>, memref<144x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#result = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 1024 + d2, d3), <1x1>, memref<32x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @main(%x: tensor<1x1x1024x512xbf16, #image>, %w: tensor<1x1x4608x256xbf16, #weights>) -> tensor<1x1x1024x256xbf16, #result> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = false, act_block_h_override = 0, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 36, 36>, groups = 1 : i32, in_channels = 512 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_size = array<i32: 3, 3>, out_channels = 256 : i32, padding = array<i32: 36, 36, 36, 36>, stride = array<i32: 1, 1>}> : (tensor<1x1x1024x512xbf16, #image>, tensor<1x1x4608x256xbf16, #weights>, !ttnn.device) -> tensor<1x1x1024x256xbf16, #result>
  return %0 : tensor<1x1x1024x256xbf16, #result>
}
