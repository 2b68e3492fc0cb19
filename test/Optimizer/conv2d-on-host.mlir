// A convolution whose operand is on the host prepares nothing anew.
// RUN: tessera optimize %s --policy df-sharding-1 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK: "ttnn.conv2d"
#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#ttnn_layout7 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 8 + d2, d3), <1x1>, memref<128x32xbf16, #dram>, <interleaved>>
#ttnn_layout8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 2 + d2, d3), <1x1>, memref<4096x2xbf16, #system_memory>>
#ttnn_layout9 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 81 + d1 * 9 + d2, d3), <1x1>, memref<162x32xbf16, #dram>, <interleaved>>
#ttnn_layout10 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 192 + d2, d3), <1x1>, memref<6x1x!ttcore.tile<32x32, bf16>, #system_memory>>
#ttnn_layout11 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @convolution(%arg2: tensor<2x8x8x32xbf16, #ttnn_layout7>, %arg3: tensor<64x32x2x2xbf16, #ttnn_layout8>) -> tensor<1x1x128x64xbf16, #ttnn_layout11> {
  %6 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %7 = "ttnn.pad"(%arg2) <{padding = array<i32: 0, 0, 0, 1, 1, 0, 0, 0>, use_multicore = true, value = 0.000000e+00 : f32}> : (tensor<2x8x8x32xbf16, #ttnn_layout7>) -> tensor<2x9x9x32xbf16, #ttnn_layout9>
  %8 = "ttnn.reshape"(%7) <{shape = [1 : i32, 1 : i32, 162 : i32, 32 : i32]}> : (tensor<2x9x9x32xbf16, #ttnn_layout9>) -> tensor<1x1x162x32xbf16, #ttnn_layout10>
  %9 = "ttnn.conv2d"(%8, %arg3, %6) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 9 : i32, input_width = 9 : i32, kernel_size = array<i32: 2, 2>, out_channels = 64 : i32, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x162x32xbf16, #ttnn_layout10>, tensor<64x32x2x2xbf16, #ttnn_layout8>, !ttnn.device) -> tensor<1x1x128x64xbf16, #ttnn_layout11>
  return %9 : tensor<1x1x128x64xbf16, #ttnn_layout11>
}
