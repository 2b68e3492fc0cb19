// Borders that a convolution or a pool makes on its way: the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#rows_bf16_1x1x512x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 512 + d2, d3), <1x1>, memref<512x64xbf16, #dram>, <interleaved>>
#rows_bf16_1x1x128x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<128x64xbf16, #dram>, <interleaved>>
#rows_bf16_2x16x16x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 16 + d2, d3), <1x1>, memref<512x64xbf16, #dram>, <interleaved>>
#rows_bf16_2x64x16x16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 16 + d2, d3), <1x1>, memref<2048x16xbf16, #dram>, <interleaved>>
#rows_bf16_2x64x18x18 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1152 + d1 * 18 + d2, d3), <1x1>, memref<2304x18xbf16, #dram>, <interleaved>>
#rows_bf16_2x18x18x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 324 + d1 * 18 + d2, d3), <1x1>, memref<648x64xbf16, #dram>, <interleaved>>
#rows_bf16_1x1x648x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 648 + d1 * 648 + d2, d3), <1x1>, memref<648x64xbf16, #dram>, <interleaved>>
#rows_bf16_2x8x8x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 8 + d2, d3), <1x1>, memref<128x32xbf16, #dram>, <interleaved>>
#host_bf16_64x32x2x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 2 + d2, d3), <1x1>, memref<4096x2xbf16, #host>>
#bf16_1x1x128x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows_bf16_2x9x9x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 81 + d1 * 9 + d2, d3), <1x1>, memref<162x32xbf16, #dram>, <interleaved>>
#rows_bf16_1x1x162x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 162 + d1 * 162 + d2, d3), <1x1>, memref<162x32xbf16, #dram>, <interleaved>>
#rows_bf16_2x16x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 8 + d2, d3), <1x1>, memref<256x64xbf16, #dram>, <interleaved>>
#rows_bf16_2x17x9x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 153 + d1 * 9 + d2, d3), <1x1>, memref<306x64xbf16, #dram>, <interleaved>>
#rows_bf16_1x1x306x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 306 + d1 * 306 + d2, d3), <1x1>, memref<306x64xbf16, #dram>, <interleaved>>
#rows_bf16_1x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<64x64xbf16, #dram>, <interleaved>>

// resnet's first pool as its compiler leaves it: padded with channels first.
// CHECK-LABEL: func.func @pool(
// CHECK-NEXT: %[[Y:.*]] = "ttnn.max_pool2d"(%arg0) <{{.*}}input_height = 16 : si32, input_width = 16 : si32, kernel_size = array<i32: 3, 3>, padding = array<i32: 1, 1>
// CHECK-NEXT: return %[[Y]]
func.func @pool(%x: tensor<1x1x512x64xbf16, #rows_bf16_1x1x512x64>) -> tensor<1x1x128x64xbf16, #rows_bf16_1x1x128x64> {
  %0 = "ttnn.reshape"(%x) <{shape = [2 : i32, 16 : i32, 16 : i32, 64 : i32]}> : (tensor<1x1x512x64xbf16, #rows_bf16_1x1x512x64>) -> tensor<2x16x16x64xbf16, #rows_bf16_2x16x16x64>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x16x16x64xbf16, #rows_bf16_2x16x16x64>) -> tensor<2x64x16x16xbf16, #rows_bf16_2x64x16x16>
  %2 = "ttnn.pad"(%1) <{padding = array<i32: 0, 0, 0, 0, 1, 1, 1, 1>, use_multicore = true, value = 0xFF800000 : f32}> : (tensor<2x64x16x16xbf16, #rows_bf16_2x64x16x16>) -> tensor<2x64x18x18xbf16, #rows_bf16_2x64x18x18>
  %3 = "ttnn.permute"(%2) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x64x18x18xbf16, #rows_bf16_2x64x18x18>) -> tensor<2x18x18x64xbf16, #rows_bf16_2x18x18x64>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 1 : i32, 648 : i32, 64 : i32]}> : (tensor<2x18x18x64xbf16, #rows_bf16_2x18x18x64>) -> tensor<1x1x648x64xbf16, #rows_bf16_1x1x648x64>
  %5 = "ttnn.max_pool2d"(%4) <{batch_size = 2 : si32, ceil_mode = false, channels = 64 : si32, dilation = array<i32: 1, 1>, input_height = 18 : si32, input_width = 18 : si32, kernel_size = array<i32: 3, 3>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x648x64xbf16, #rows_bf16_1x1x648x64>) -> tensor<1x1x128x64xbf16, #rows_bf16_1x1x128x64>
  return %5 : tensor<1x1x128x64xbf16, #rows_bf16_1x1x128x64>
}

// A convolution's border is of zeros; its sides need not be alike.
// CHECK-LABEL: func.func @convolution(
// CHECK: "ttnn.conv2d"(%{{.*}}, %arg1, %{{.*}}) <{{.*}}input_height = 8 : i32, input_width = 8 : i32, {{.*}}padding = array<i32: 0, 1, 1, 0>
func.func @convolution(%x: tensor<2x8x8x32xbf16, #rows_bf16_2x8x8x32>, %w: tensor<64x32x2x2xbf16, #host_bf16_64x32x2x2>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.pad"(%x) <{padding = array<i32: 0, 0, 0, 1, 1, 0, 0, 0>, use_multicore = true, value = 0.000000e+00 : f32}> : (tensor<2x8x8x32xbf16, #rows_bf16_2x8x8x32>) -> tensor<2x9x9x32xbf16, #rows_bf16_2x9x9x32>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 1 : i32, 162 : i32, 32 : i32]}> : (tensor<2x9x9x32xbf16, #rows_bf16_2x9x9x32>) -> tensor<1x1x162x32xbf16, #rows_bf16_1x1x162x32>
  %2 = "ttnn.conv2d"(%1, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 9 : i32, input_width = 9 : i32, kernel_size = array<i32: 2, 2>, out_channels = 64 : i32, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x162x32xbf16, #rows_bf16_1x1x162x32>, tensor<64x32x2x2xbf16, #host_bf16_64x32x2x2>, !ttnn.device) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  return %2 : tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
}

// A pool says what is above and to the left first: a row below and a column to the right, as frameworks pad to "same".
// CHECK-LABEL: func.func @pool_of_sides(
// CHECK: "ttnn.max_pool2d"(%{{.*}}) <{{.*}}input_height = 16 : si32, input_width = 8 : si32, {{.*}}padding = array<i32: 0, 0, 1, 1>
func.func @pool_of_sides(%x: tensor<2x16x8x64xbf16, #rows_bf16_2x16x8x64>) -> tensor<1x1x64x64xbf16, #rows_bf16_1x1x64x64> {
  %0 = "ttnn.pad"(%x) <{padding = array<i32: 0, 0, 0, 1, 0, 1, 0, 0>, use_multicore = true, value = 0xFF800000 : f32}> : (tensor<2x16x8x64xbf16, #rows_bf16_2x16x8x64>) -> tensor<2x17x9x64xbf16, #rows_bf16_2x17x9x64>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 1 : i32, 306 : i32, 64 : i32]}> : (tensor<2x17x9x64xbf16, #rows_bf16_2x17x9x64>) -> tensor<1x1x306x64xbf16, #rows_bf16_1x1x306x64>
  %2 = "ttnn.max_pool2d"(%1) <{batch_size = 2 : si32, ceil_mode = false, channels = 64 : si32, dilation = array<i32: 1, 1>, input_height = 17 : si32, input_width = 9 : si32, kernel_size = array<i32: 3, 3>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x306x64xbf16, #rows_bf16_1x1x306x64>) -> tensor<1x1x64x64xbf16, #rows_bf16_1x1x64x64>
  return %2 : tensor<1x1x64x64xbf16, #rows_bf16_1x1x64x64>
}

// A pool's border of zeros is larger than what is negative.
// CHECK-LABEL: func.func @of_zeros(
// CHECK: "ttnn.pad"
func.func @of_zeros(%x: tensor<2x16x16x64xbf16, #rows_bf16_2x16x16x64>) -> tensor<1x1x128x64xbf16, #rows_bf16_1x1x128x64> {
  %0 = "ttnn.pad"(%x) <{padding = array<i32: 0, 0, 1, 1, 1, 1, 0, 0>, use_multicore = true, value = 0.000000e+00 : f32}> : (tensor<2x16x16x64xbf16, #rows_bf16_2x16x16x64>) -> tensor<2x18x18x64xbf16, #rows_bf16_2x18x18x64>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 1 : i32, 648 : i32, 64 : i32]}> : (tensor<2x18x18x64xbf16, #rows_bf16_2x18x18x64>) -> tensor<1x1x648x64xbf16, #rows_bf16_1x1x648x64>
  %2 = "ttnn.max_pool2d"(%1) <{batch_size = 2 : si32, ceil_mode = false, channels = 64 : si32, dilation = array<i32: 1, 1>, input_height = 18 : si32, input_width = 18 : si32, kernel_size = array<i32: 3, 3>, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x648x64xbf16, #rows_bf16_1x1x648x64>) -> tensor<1x1x128x64xbf16, #rows_bf16_1x1x128x64>
  return %2 : tensor<1x1x128x64xbf16, #rows_bf16_1x1x128x64>
}
