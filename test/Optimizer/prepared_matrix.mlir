// A matmul of block shards needs the matrix alone: for its operand's columns of cores the library would pad it, but not the bias.

// RUN: tessera optimize %s --override-output-layout relu_0=l1:block_sharded -o %t.mlir --quiet && FileCheck %s < %t.mlir
// RUN: tessera verify %s %t.mlir

// CHECK: <block_sharded>
// CHECK: ttnn.prepare_conv2d_weights{{.*}}input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#x = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 224 + d1 * 224 + d2, d3), <1x1>, memref<7x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 + d2, d3), <1x1>, memref<4096x1xbf16, #host>>
#p = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func private @main_const_eval_0(%w: tensor<64x64x1x1xbf16, #w>) -> tensor<1x1x64x64xbf16, #p> attributes {tt.function_type = "const_eval"} {
    %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
    %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 0, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 64 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 14 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 14 : i32, kernel_size = array<i32: 1, 1>, out_channels = 64 : i32, output_dtype = #ttcore.supportedDataTypes<bf16>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<64x64x1x1xbf16, #w>, !ttnn.device) -> tensor<1x1x64x64xbf16, #p>
    return %0 : tensor<1x1x64x64xbf16, #p>
  }
  func.func @main(%x: tensor<1x1x196x64xbf16, #x>, %w: tensor<64x64x1x1xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x196x64xbf16, #x> {
    %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
    %c = ttcore.load_cached(@main_const_eval_0, [%w]) : (tensor<64x64x1x1xbf16, #w>) -> tensor<1x1x64x64xbf16, #p>
    %0 = "ttnn.relu"(%x) : (tensor<1x1x196x64xbf16, #x>) -> tensor<1x1x196x64xbf16, #x>
    %1 = "ttnn.conv2d"(%0, %c, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 0, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 14 : i32, input_width = 14 : i32, kernel_size = array<i32: 1, 1>, out_channels = 64 : i32, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x196x64xbf16, #x>, tensor<1x1x64x64xbf16, #p>, !ttnn.device) -> tensor<1x1x196x64xbf16, #x>
    return %1 : tensor<1x1x196x64xbf16, #x>
  }
}
