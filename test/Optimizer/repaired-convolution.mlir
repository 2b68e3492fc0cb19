// A convolution of a channel per group as the compiler prepares it for EfficientNet: no number of cores in its grid shares 21 tiles of columns, and
// where width shards do its blocks are too high. It is legal with lower ones, or in slices of the image, and its weights are prepared for that.
// RUN: tessera optimize %s --device p150 -o %t.mlir 2>%t.err | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s --check-prefix=REMARKS < %t.err
// RUN: FileCheck %s < %t.mlir

// REMARKS: remark: 'ttnn.conv2d' gets other layouts: {{.*}}cores must share the tiles of prepared weights without rest
// SUMMARY: repaired {{ *}}1 conv2d: refused as declared, legal in the plan
// CHECK: "ttnn.prepare_conv2d_weights"({{.*}}shard_layout = width_sharded
// CHECK: "ttnn.conv2d"({{.*}}shard_layout = width_sharded

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#image = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1472 + d1 * 1472 + d2, d3), <1x1>, memref<46x21x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#weights = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 5 + d1 * 5 + d2, d3), <1x1>, memref<3360x5xbf16, #host>>
#prepared = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 16800 + d1 * 16800 + d2, d3), <1x1>, memref<525x21x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#result = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 416 + d1 * 416 + d2, d3), <1x1>, memref<13x21x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%x: tensor<1x1x1444x672xbf16, #image>, %w: tensor<672x1x5x5xbf16, #weights>) -> tensor<1x1x400x672xbf16, #result> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 4 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 0, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 672 : i32, has_bias = false, in_channels = 672 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 19 : i32, input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 19 : i32, kernel_size = array<i32: 5, 5>, out_channels = 672 : i32, output_dtype = #ttcore.supportedDataTypes<bf16>, padding = array<i32: 2, 2, 2, 2>, stride = array<i32: 2, 2>, weights_format = "OIHW"}> : (tensor<672x1x5x5xbf16, #weights>, !ttnn.device) -> tensor<1x1x16800x672xbf16, #prepared>
  %1 = "ttnn.relu"(%x) : (tensor<1x1x1444x672xbf16, #image>) -> tensor<1x1x1444x672xbf16, #image>
  %2 = "ttnn.conv2d"(%1, %0, %d) <{batch_size = 4 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 0, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 672 : i32, in_channels = 672 : i32, input_height = 19 : i32, input_width = 19 : i32, kernel_size = array<i32: 5, 5>, out_channels = 672 : i32, padding = array<i32: 2, 2, 2, 2>, stride = array<i32: 2, 2>}> : (tensor<1x1x1444x672xbf16, #image>, tensor<1x1x16800x672xbf16, #prepared>, !ttnn.device) -> tensor<1x1x400x672xbf16, #result>
  return %2 : tensor<1x1x400x672xbf16, #result>
}
