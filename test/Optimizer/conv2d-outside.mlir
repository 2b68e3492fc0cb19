// A conv2d that frees an input that the optimizer knows nothing of keeps its configuration, and the rest is optimized.
// RUN: tessera optimize %s -o - 2>/dev/null | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#big = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
!big = tensor<512x1024xbf16, #big>

// CHECK: #[[L1:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}, #l1>
// CHECK: "ttnn.conv2d"({{.*}}conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true>
// CHECK: "ttnn.relu"(%{{.*}} -> tensor<512x1024xbf16, #[[L1]]>
func.func @main(%image: tensor<1x1x64x32xbf16>, %weight: tensor<32x32x1x1xbf16>, %x: !big) -> (tensor<1x1x64x32xbf16>, !big) {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%image, %weight, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 1, 1>, out_channels = 32 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x64x32xbf16>, tensor<32x32x1x1xbf16>, !ttnn.device) -> tensor<1x1x64x32xbf16>
  %1 = "ttnn.relu"(%x) : (!big) -> !big
  %2 = "ttnn.relu"(%1) : (!big) -> !big
  return %0, %2 : tensor<1x1x64x32xbf16>, !big
}
