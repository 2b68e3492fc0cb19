// Between the op that prepares weights for a form of the input and the convolution there may be arithmetic: a scale for each channel, by the program or by a
// rewrite. What prepares is told of the form that the plan chooses all the same. On real kernels a stem of ResNet was 69 % off whose weights were
// prepared for tiles, and read by a convolution of rows.

// RUN: tessera optimize %s --override-output-layout ttnn.relu#0=l1:block_sharded,ttnn.relu#1=l1:block_sharded -o %t.mlir --quiet && FileCheck %s < %t.mlir
// RUN: tessera verify %s %t.mlir --against exact

// CHECK-LABEL: @prepared_before
// CHECK: ttnn.prepare_conv2d_weights{{.*}}has_bias = false{{.*}}input_memory_config = #ttnn.memory_config<#l1, <block_sharded>
// CHECK-LABEL: @before(
// What a rewrite scales and gives a bias is scaled before it is prepared.
// CHECK-LABEL: @behind_const_eval_0(
// CHECK: "ttnn.multiply"
// CHECK-NOT: "ttnn.multiply"
// CHECK: ttnn.prepare_conv2d_weights{{.*}}has_bias = true{{.*}}input_memory_config = #ttnn.memory_config<#l1, <block_sharded>
// CHECK-LABEL: @behind(
// CHECK: "ttnn.conv2d"(
// CHECK-NOT: "ttnn.multiply"

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#x = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 224 + d1 * 224 + d2, d3), <1x1>, memref<7x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 3 + d2, d3), <1x1>, memref<12288x3xbf16, #host>>
#p = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 576 + d1 * 576 + d2, d3), <1x1>, memref<18x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func private @prepared_before(%w: tensor<64x64x3x3xbf16, #w>) -> tensor<1x1x576x64xbf16, #p> attributes {tt.function_type = "const_eval"} {
    %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
    %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 0, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 64 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 14 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 14 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, output_dtype = #ttcore.supportedDataTypes<bf16>, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<64x64x3x3xbf16, #w>, !ttnn.device) -> tensor<1x1x576x64xbf16, #p>
    return %0 : tensor<1x1x576x64xbf16, #p>
  }
  func.func private @before_const_eval(%p: tensor<1x1x576x64xbf16, #p>, %s: tensor<1x1x1x64xbf16, #s>) -> tensor<1x1x576x64xbf16, #p> attributes {tt.function_type = "const_eval"} {
    %0 = "ttnn.multiply"(%p, %s) : (tensor<1x1x576x64xbf16, #p>, tensor<1x1x1x64xbf16, #s>) -> tensor<1x1x576x64xbf16, #p>
    return %0 : tensor<1x1x576x64xbf16, #p>
  }
  func.func private @behind_const_eval(%w: tensor<64x64x3x3xbf16, #w>) -> tensor<1x1x576x64xbf16, #p> attributes {tt.function_type = "const_eval"} {
    %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
    %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 0, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 64 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 14 : i32, input_memory_config = #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 14 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, output_dtype = #ttcore.supportedDataTypes<bf16>, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<64x64x3x3xbf16, #w>, !ttnn.device) -> tensor<1x1x576x64xbf16, #p>
    return %0 : tensor<1x1x576x64xbf16, #p>
  }
  func.func @before(%x: tensor<1x1x196x64xbf16, #x>, %w: tensor<64x64x3x3xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x64xbf16, #s> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x196x64xbf16, #x> {
    %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
    %c = ttcore.load_cached(@prepared_before, [%w]) : (tensor<64x64x3x3xbf16, #w>) -> tensor<1x1x576x64xbf16, #p>
    %m = ttcore.load_cached(@before_const_eval, [%c, %s]) : (tensor<1x1x576x64xbf16, #p>, tensor<1x1x1x64xbf16, #s>) -> tensor<1x1x576x64xbf16, #p>
    %0 = "ttnn.relu"(%x) : (tensor<1x1x196x64xbf16, #x>) -> tensor<1x1x196x64xbf16, #x>
    %1 = "ttnn.conv2d"(%0, %m, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 0, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 14 : i32, input_width = 14 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x196x64xbf16, #x>, tensor<1x1x576x64xbf16, #p>, !ttnn.device) -> tensor<1x1x196x64xbf16, #x>
    return %1 : tensor<1x1x196x64xbf16, #x>
  }
  func.func @behind(%x: tensor<1x1x196x64xbf16, #x>, %w: tensor<64x64x3x3xbf16, #w> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x64xbf16, #s> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x196x64xbf16, #x> {
    %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
    %c = ttcore.load_cached(@behind_const_eval, [%w]) : (tensor<64x64x3x3xbf16, #w>) -> tensor<1x1x576x64xbf16, #p>
    %0 = "ttnn.relu"(%x) : (tensor<1x1x196x64xbf16, #x>) -> tensor<1x1x196x64xbf16, #x>
    %1 = "ttnn.conv2d"(%0, %c, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 0, enable_kernel_stride_folding = false, config_tensors_in_dram = true>, conv2d_slice_config = #ttnn.conv2d_slice_config<l1_full, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 14 : i32, input_width = 14 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x196x64xbf16, #x>, tensor<1x1x576x64xbf16, #p>, !ttnn.device) -> tensor<1x1x196x64xbf16, #x>
    %2 = "ttnn.multiply"(%1, %s) : (tensor<1x1x196x64xbf16, #x>, tensor<1x1x1x64xbf16, #s>) -> tensor<1x1x196x64xbf16, #x>
    %3 = "ttnn.add"(%2, %s) : (tensor<1x1x196x64xbf16, #x>, tensor<1x1x1x64xbf16, #s>) -> tensor<1x1x196x64xbf16, #x>
    return %3 : tensor<1x1x196x64xbf16, #x>
  }
}
