// A convolution that makes few pixels of many: on its result's cores the image does not fit, in shards of its own it does. The height of
// blocks was meant for slices, which shards do not need.
// RUN: tessera candidates %s --op patches --device p150@2026-10 | FileCheck %s
// CHECK: l1/block_sharded/10x1 157x1 tiles bf16, {{.*}} l1/block_sharded/7x12 1x1 tiles bf16 {{.*}}block_sharded
// CHECK: dram/interleaved, {{.*}}act_block_h 1024 dram_height

#dram = #ttnn.buffer_type<dram>
#image = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 50176 + d1 * 50176 + d2, d3), <1x1>, memref<1568x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#weights = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 768 + d1 * 768 + d2, d3), <1x1>, memref<24x12x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#patches = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 224 + d1 * 224 + d2, d3), <1x1>, memref<7x12x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @main(%x: tensor<1x1x50176x3xbf16, #image>, %w: tensor<1x1x768x384xbf16, #weights> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x196x384xbf16, #patches> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, act_block_h_override = 1024, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<dram_height, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 3 : i32, input_height = 224 : i32, input_width = 224 : i32, kernel_size = array<i32: 16, 16>, out_channels = 384 : i32, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 16, 16>}> : (tensor<1x1x50176x3xbf16, #image>, tensor<1x1x768x384xbf16, #weights>, !ttnn.device) -> tensor<1x1x196x384xbf16, #patches> loc("patches")
  return %0 : tensor<1x1x196x384xbf16, #patches>
}
