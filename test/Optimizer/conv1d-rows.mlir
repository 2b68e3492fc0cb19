// A convolution of a line whose result is planned in rows says so: the library makes tiles otherwise.
// RUN: tessera optimize %s --device p150 --policy declared -o - 2>/dev/null | FileCheck %s
// CHECK: "ttnn.conv1d"({{.*}}conv2d_config = #ttnn.conv2d_config<{{.*}}output_layout = row_major

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#line = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 128 + d1, d2), <1x1>, memref<1024x64xbf16, #dram>, <interleaved>>
#weight = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4096x3xbf16, #host>>
#rows = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1040 + d1 * 1040 + d2, d3), <1x1>, memref<1040x64xbf16, #dram>, <interleaved>>
func.func @main(%x: tensor<8x128x64xbf16, #line>, %weight: tensor<64x64x3xbf16, #weight>) -> tensor<1x1x1040x64xbf16, #rows> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.conv1d"(%x, %weight, %d) <{batch_size = 8 : i32, dilation = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_length = 128 : i32, kernel_size = 3 : i32, out_channels = 64 : i32, padding = array<i32: 2, 2>, stride = 1 : i32}> : (tensor<8x128x64xbf16, #line>, tensor<64x64x3xbf16, #weight>, !ttnn.device) -> tensor<1x1x1040x64xbf16, #rows>
  return %0 : tensor<1x1x1040x64xbf16, #rows>
}
