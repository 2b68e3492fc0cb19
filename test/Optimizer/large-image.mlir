// A convolution of a large image that fits in one piece, in blocks of both rows and columns, and as the program says with low ones. Slices of it from
// DRAM to DRAM are in shards of rows, in blocks as high as they are, and take a quarter of the time.
// RUN: tessera optimize %s --device p150 -o %t.mlir 2>%t.err | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s < %t.mlir
// A small one would leave cores idle.
// RUN: sed 's/256 : i32, input_width = 256/32 : i32, input_width = 32/; s/65536/1024/g; s/2048x8/32x8/g; s/input_height = 256 : i32, input_memory/input_height = 32 : i32, input_memory/; s/input_width = 256/input_width = 32/' %s > %t.small.mlir
// RUN: tessera optimize %t.small.mlir --device p150 -o %t.small.out.mlir 2>/dev/null
// RUN: FileCheck %s --check-prefix=SMALL < %t.small.out.mlir
// Weights are prepared for the blocks and slices that the convolution has: as the program says where it stays.
// RUN: tessera optimize %s --device p150 --policy declared -o - -q 2>/dev/null | FileCheck %s --check-prefix=KEPT
// An override has the last word, in slices, too.
// RUN: tessera optimize %s --device p150 --override-conv2d-config conv2d_0=act_block_h_override#32 -o - -q 2>/dev/null | FileCheck %s --check-prefix=BLOCKS
// RUN: tessera optimize %s --device p150 --override-conv2d-config conv2d_0=act_block_h_override#32 --override-output-layout conv2d_0=dram -o - -q 2>/dev/null | FileCheck %s --check-prefix=BLOCKS
// Weights are prepared for what an override says, and for no slices where the convolution has none.
// RUN: sed '/ttnn.conv2d"/s/conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, //' %s > %t.unsliced.mlir
// RUN: tessera optimize %t.unsliced.mlir --device p150 --policy declared --override-conv2d-config conv2d_0=act_block_h_override#32 -o %t.unsliced.out.mlir -q
// RUN: FileCheck %s --check-prefix=BLOCKS < %t.unsliced.out.mlir
// RUN: not grep '"ttnn.prepare_conv2d_weights".*conv2d_slice_config' %t.unsliced.out.mlir

// SUMMARY: estimated time
// CHECK: "ttnn.conv2d"({{.*}}shard_layout = height_sharded{{.*}}conv2d_slice_config = #ttnn.conv2d_slice_config<dram_{{height|width}}, {{2|4|8}}>
// SMALL: "ttnn.conv2d"(
// SMALL-NOT: slice_config<dram_
// KEPT: "ttnn.prepare_conv2d_weights"({{.*}}act_block_h_override = 64{{.*}}conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>
// KEPT: "ttnn.conv2d"({{.*}}act_block_h_override = 64{{.*}}conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>
// BLOCKS: "ttnn.prepare_conv2d_weights"({{.*}}act_block_h_override = 32
// BLOCKS: "ttnn.conv2d"({{.*}}act_block_h_override = 32

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#image = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 65536 + d1 * 65536 + d2, d3), <1x1>, memref<2048x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#weights = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 768 + d1 * 3 + d2, d3), <1x1>, memref<196608x3xbf16, #host>>
#prepared = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2304 + d1 * 2304 + d2, d3), <1x1>, memref<72x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%x: tensor<1x1x65536x256xbf16, #image>, %w: tensor<256x256x3x3xbf16, #weights>) -> tensor<1x1x65536x256xbf16, #image> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 64, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 256 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 256 : i32, input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 256 : i32, kernel_size = array<i32: 3, 3>, out_channels = 256 : i32, output_dtype = #ttcore.supportedDataTypes<bf16>, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<256x256x3x3xbf16, #weights>, !ttnn.device) -> tensor<1x1x2304x256xbf16, #prepared>
  %1 = "ttnn.relu"(%x) : (tensor<1x1x65536x256xbf16, #image>) -> tensor<1x1x65536x256xbf16, #image>
  %2 = "ttnn.conv2d"(%1, %0, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 64, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 256 : i32, input_height = 256 : i32, input_width = 256 : i32, kernel_size = array<i32: 3, 3>, out_channels = 256 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x65536x256xbf16, #image>, tensor<1x1x2304x256xbf16, #prepared>, !ttnn.device) -> tensor<1x1x65536x256xbf16, #image>
  return %2 : tensor<1x1x65536x256xbf16, #image>
}
