// Tensors without elements have shards without any, which nothing is divided by.
// RUN: tessera optimize %s --policy greedy -q -o - | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<0x32xbf16, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<0x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#shards = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<0x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
#line = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 128 + d1, d2), <1x1>, memref<0x64xbf16, #dram>, <interleaved>>
#weight = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4096x3xbf16, #host>>
#made = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1040 + d1 * 1040 + d2, d3), <1x1>, memref<1040x64xbf16, #dram>, <interleaved>>

// CHECK-LABEL: func.func @tiles
// CHECK: "ttnn.relu"
func.func @tiles(%x: tensor<0x32xbf16, #rows>) -> tensor<0x32xbf16, #tiles> {
  %0 = "ttnn.to_layout"(%x) : (tensor<0x32xbf16, #rows>) -> tensor<0x32xbf16, #shards>
  %1 = "ttnn.relu"(%0) : (tensor<0x32xbf16, #shards>) -> tensor<0x32xbf16, #tiles>
  return %1 : tensor<0x32xbf16, #tiles>
}

// CHECK-LABEL: func.func @line
// CHECK: "ttnn.conv1d"
func.func @line(%x: tensor<0x128x64xbf16, #line>, %weight: tensor<64x64x3xbf16, #weight>) -> tensor<1x1x1040x64xbf16, #made> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.conv1d"(%x, %weight, %d) <{batch_size = 8 : i32, dilation = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_length = 128 : i32, kernel_size = 3 : i32, out_channels = 64 : i32, padding = array<i32: 2, 2>, stride = 1 : i32}> : (tensor<0x128x64xbf16, #line>, tensor<64x64x3xbf16, #weight>, !ttnn.device) -> tensor<1x1x1040x64xbf16, #made>
  return %0 : tensor<1x1x1040x64xbf16, #made>
}
