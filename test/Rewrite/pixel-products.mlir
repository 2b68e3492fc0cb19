// A convolution of single pixels is a product.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+pixel-products,+const-eval %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#bf16_1x1x16x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_96x64x1x1_host = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 1 + d2, d3), <1x1>, memref<6144x1xbf16, #host>>
#bf16_1x1x1x96_host = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1 + d1 * 1 + d2, d3), <1x1>, memref<1x96xbf16, #host>>
#bf16_1x1x16x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_96x64x3x3_host = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 3 + d2, d3), <1x1>, memref<18432x3xbf16, #host>>
#bf16_1x1x4x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The weights are turned once.
// CHECK-LABEL: func.func @pixels(
// CHECK-DAG: %[[W:.*]] = ttcore.load_cached(@{{.*}}, [%arg1]) {{.*}} -> tensor<64x96xbf16
// CHECK-DAG: %[[B:.*]] = ttcore.load_cached(@{{.*}}, [%arg2]) {{.*}} -> tensor<1x96xbf16
// CHECK: %[[Y:.*]] = "ttnn.linear"(%arg0, %[[W]], %[[B]])
// CHECK-NEXT: return %[[Y]]
func.func @pixels(%x: tensor<1x1x16x64xbf16, #bf16_1x1x16x64>, %w: tensor<96x64x1x1xbf16, #bf16_96x64x1x1_host> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x96xbf16, #bf16_1x1x1x96_host> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x16x96xbf16, #bf16_1x1x16x96> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %b, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 4 : i32, input_width = 4 : i32, kernel_size = array<i32: 1, 1>, out_channels = 96 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x16x64xbf16, #bf16_1x1x16x64>, tensor<96x64x1x1xbf16, #bf16_96x64x1x1_host>, tensor<1x1x1x96xbf16, #bf16_1x1x1x96_host>, !ttnn.device) -> tensor<1x1x16x96xbf16, #bf16_1x1x16x96>
  return %0 : tensor<1x1x16x96xbf16, #bf16_1x1x16x96>
}

// What it applies the product applies.
// CHECK-LABEL: func.func @activated(
// CHECK: "ttnn.matmul"{{.*}}activation = "relu"
// CHECK-NEXT: return
func.func @activated(%x: tensor<1x1x16x64xbf16, #bf16_1x1x16x64>, %w: tensor<96x64x1x1xbf16, #bf16_96x64x1x1_host> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x16x96xbf16, #bf16_1x1x16x96> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, activation = <op_type = relu>>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 4 : i32, input_width = 4 : i32, kernel_size = array<i32: 1, 1>, out_channels = 96 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x16x64xbf16, #bf16_1x1x16x64>, tensor<96x64x1x1xbf16, #bf16_96x64x1x1_host>, !ttnn.device) -> tensor<1x1x16x96xbf16, #bf16_1x1x16x96>
  return %0 : tensor<1x1x16x96xbf16, #bf16_1x1x16x96>
}

// Windows.
// CHECK-LABEL: func.func @windows(
// CHECK: "ttnn.conv2d"
func.func @windows(%x: tensor<1x1x16x64xbf16, #bf16_1x1x16x64>, %w: tensor<96x64x3x3xbf16, #bf16_96x64x3x3_host> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x96xbf16, #bf16_1x1x1x96_host> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x16x96xbf16, #bf16_1x1x16x96> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %b, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 4 : i32, input_width = 4 : i32, kernel_size = array<i32: 3, 3>, out_channels = 96 : i32, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x16x64xbf16, #bf16_1x1x16x64>, tensor<96x64x3x3xbf16, #bf16_96x64x3x3_host>, tensor<1x1x1x96xbf16, #bf16_1x1x1x96_host>, !ttnn.device) -> tensor<1x1x16x96xbf16, #bf16_1x1x16x96>
  return %0 : tensor<1x1x16x96xbf16, #bf16_1x1x16x96>
}

// Every second pixel.
// CHECK-LABEL: func.func @strides(
// CHECK: "ttnn.conv2d"
func.func @strides(%x: tensor<1x1x16x64xbf16, #bf16_1x1x16x64>, %w: tensor<96x64x1x1xbf16, #bf16_96x64x1x1_host> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x96xbf16, #bf16_1x1x1x96_host> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x4x96xbf16, #bf16_1x1x4x96> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %b, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 4 : i32, input_width = 4 : i32, kernel_size = array<i32: 1, 1>, out_channels = 96 : i32, padding = array<i32: 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x1x16x64xbf16, #bf16_1x1x16x64>, tensor<96x64x1x1xbf16, #bf16_96x64x1x1_host>, tensor<1x1x1x96xbf16, #bf16_1x1x1x96_host>, !ttnn.device) -> tensor<1x1x4x96xbf16, #bf16_1x1x4x96>
  return %0 : tensor<1x1x4x96xbf16, #bf16_1x1x4x96>
}

// Weights that come with the call would be turned in each.
// CHECK-LABEL: func.func @of_the_call(
// CHECK: "ttnn.conv2d"
func.func @of_the_call(%x: tensor<1x1x16x64xbf16, #bf16_1x1x16x64>, %w: tensor<96x64x1x1xbf16, #bf16_96x64x1x1_host>) -> tensor<1x1x16x96xbf16, #bf16_1x1x16x96> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 4 : i32, input_width = 4 : i32, kernel_size = array<i32: 1, 1>, out_channels = 96 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x16x64xbf16, #bf16_1x1x16x64>, tensor<96x64x1x1xbf16, #bf16_96x64x1x1_host>, !ttnn.device) -> tensor<1x1x16x96xbf16, #bf16_1x1x16x96>
  return %0 : tensor<1x1x16x96xbf16, #bf16_1x1x16x96>
}

// Many pixels are shared out among the cores, which is as fast.
// CHECK-LABEL: func.func @many_pixels(
// CHECK: "ttnn.conv2d"
func.func @many_pixels(%x: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %w: tensor<96x64x1x1xbf16, #bf16_96x64x1x1_host> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x96xbf16, #bf16_1x1x1x96_host> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x64x96xbf16, #bf16_1x1x64x96> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %b, %d) <{batch_size = 1 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 1, 1>, out_channels = 96 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<96x64x1x1xbf16, #bf16_96x64x1x1_host>, tensor<1x1x1x96xbf16, #bf16_1x1x1x96_host>, !ttnn.device) -> tensor<1x1x64x96xbf16, #bf16_1x1x64x96>
  return %0 : tensor<1x1x64x96xbf16, #bf16_1x1x64x96>
}
