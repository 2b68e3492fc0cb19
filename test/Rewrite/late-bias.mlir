// A bias that the call computes is added on the device: the host would fetch it, and prepare it, while the device waits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// Sums are rounded before the bias and behind it.
// RUN: tessera verify %s %t.mlir --against exact --max-error-growth 45

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#bf16_1x1x128x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#host_bf16_32x32x3x3 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 96 + d1 * 3 + d2, d3), <1x1>, memref<3072x3xbf16, #host>>
#bf16_1x1x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows_bf16_1x1x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 + d1 + d2, d3), <1x1>, memref<1x32xbf16, #dram>, <interleaved>>
#host_bf16_1x1x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 + d1 + d2, d3), <1x1>, memref<1x32xbf16, #host>>

// CHECK-LABEL: func.func @computed(
// CHECK: %[[Y:.*]] = "ttnn.conv2d"(%arg0, %arg1, %{{[0-9]+}})
// CHECK-NEXT: %[[S:.*]] = "ttnn.add"(%[[Y]], %arg2)
// CHECK-NEXT: return %[[S]]
func.func @computed(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x32xbf16, #bf16_1x1x1x32>) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %r = "ttnn.to_layout"(%b) : (tensor<1x1x1x32xbf16, #bf16_1x1x1x32>) -> tensor<1x1x1x32xbf16, #rows_bf16_1x1x1x32>
  %h = "ttnn.from_device"(%r) : (tensor<1x1x1x32xbf16, #rows_bf16_1x1x1x32>) -> tensor<1x1x1x32xbf16, #host_bf16_1x1x1x32>
  %y = "ttnn.conv2d"(%x, %w, %h, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 32 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3>, tensor<1x1x1x32xbf16, #host_bf16_1x1x1x32>, !ttnn.device) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  return %y : tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
}

// What is the same in every call is fetched once.
// CHECK-LABEL: func.func @constant_is_left(
// CHECK-NOT: "ttnn.add"
// CHECK: return
func.func @constant_is_left(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x32xbf16, #bf16_1x1x1x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %r = "ttnn.to_layout"(%b) : (tensor<1x1x1x32xbf16, #bf16_1x1x1x32>) -> tensor<1x1x1x32xbf16, #rows_bf16_1x1x1x32>
  %h = "ttnn.from_device"(%r) : (tensor<1x1x1x32xbf16, #rows_bf16_1x1x1x32>) -> tensor<1x1x1x32xbf16, #host_bf16_1x1x1x32>
  %y = "ttnn.conv2d"(%x, %w, %h, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 32 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3>, tensor<1x1x1x32xbf16, #host_bf16_1x1x1x32>, !ttnn.device) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  return %y : tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
}

// The function is of the sum.
// CHECK-LABEL: func.func @activated_is_left(
// CHECK: "ttnn.from_device"
// CHECK-NOT: "ttnn.add"
// CHECK: return
func.func @activated_is_left(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x32xbf16, #bf16_1x1x1x32>) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %r = "ttnn.to_layout"(%b) : (tensor<1x1x1x32xbf16, #bf16_1x1x1x32>) -> tensor<1x1x1x32xbf16, #rows_bf16_1x1x1x32>
  %h = "ttnn.from_device"(%r) : (tensor<1x1x1x32xbf16, #rows_bf16_1x1x1x32>) -> tensor<1x1x1x32xbf16, #host_bf16_1x1x1x32>
  %y = "ttnn.conv2d"(%x, %w, %h, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, activation = <op_type = relu>>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 32 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3>, tensor<1x1x1x32xbf16, #host_bf16_1x1x1x32>, !ttnn.device) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  return %y : tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
}
