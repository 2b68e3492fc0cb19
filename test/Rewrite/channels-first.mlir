// Frameworks whose channels come first put permutes around each convolution; norms and sums between them work in either order.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#bf16_1x1x128x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#host_bf16_32x32x3x3 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 96 + d1 * 3 + d2, d3), <1x1>, memref<3072x3xbf16, #host>>
#bf16_1x32x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x8x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x8x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x128x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows_bf16_1x1x128x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<128x32xbf16, #dram>, <interleaved>>
#f32_1x1x128x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_2x8x8x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_2x32x8x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_2x64x8x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x8x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Scale, shift and function of each channel are the convolution's, and what two read is computed once.
// CHECK-LABEL: func.func @residual(
// CHECK: %[[A:.*]] = "ttnn.conv2d"(%arg0, {{.*}}activation = <op_type = relu6>
// CHECK: %[[B:.*]] = "ttnn.conv2d"(%[[A]],
// CHECK-NEXT: %[[Z:.*]] = "ttnn.add"(%[[B]], %[[A]]) {{.*}} -> tensor<1x1x128x32xbf16
// CHECK: %[[Y:.*]] = "ttnn.conv2d"(%[[Z]],
// CHECK-NEXT: %[[S:.*]] = "ttnn.add"(%[[Y]], %[[Z]]) {{.*}} -> tensor<1x1x128x32xbf16
// CHECK-NEXT: return %[[S]]
func.func @residual(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v: tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x32x1x1xbf16, #bf16_1x32x1x1> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %t: tensor<1x32x1x1xbf16, #bf16_1x32x1x1> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c1 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 32 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3>, !ttnn.device) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  %p1r = "ttnn.reshape"(%c1) <{shape = [2 : i32, 8 : i32, 8 : i32, 32 : i32]}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>) -> tensor<2x8x8x32xbf16, #bf16_2x8x8x32>
  %p1 = "ttnn.permute"(%p1r) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x32xbf16, #bf16_2x8x8x32>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  %m1 = "ttnn.multiply"(%p1, %s) : (tensor<2x32x8x8xbf16, #bf16_2x32x8x8>, tensor<1x32x1x1xbf16, #bf16_1x32x1x1>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  %a1 = "ttnn.add"(%m1, %t) <{activations = [#ttnn.unary_with_param<op_type = relu6>]}> : (tensor<2x32x8x8xbf16, #bf16_2x32x8x8>, tensor<1x32x1x1xbf16, #bf16_1x32x1x1>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  %f1l = "ttnn.permute"(%a1) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x32x8x8xbf16, #bf16_2x32x8x8>) -> tensor<2x8x8x32xbf16, #bf16_2x8x8x32>
  %f1 = "ttnn.reshape"(%f1l) <{shape = [1 : i32, 1 : i32, 128 : i32, 32 : i32]}> : (tensor<2x8x8x32xbf16, #bf16_2x8x8x32>) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  %c2 = "ttnn.conv2d"(%f1, %v, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 32 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3>, !ttnn.device) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  %p2r = "ttnn.reshape"(%c2) <{shape = [2 : i32, 8 : i32, 8 : i32, 32 : i32]}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>) -> tensor<2x8x8x32xbf16, #bf16_2x8x8x32>
  %p2 = "ttnn.permute"(%p2r) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x32xbf16, #bf16_2x8x8x32>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  %z1 = "ttnn.add"(%p2, %a1) : (tensor<2x32x8x8xbf16, #bf16_2x32x8x8>, tensor<2x32x8x8xbf16, #bf16_2x32x8x8>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  %f2l = "ttnn.permute"(%z1) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x32x8x8xbf16, #bf16_2x32x8x8>) -> tensor<2x8x8x32xbf16, #bf16_2x8x8x32>
  %f2 = "ttnn.reshape"(%f2l) <{shape = [1 : i32, 1 : i32, 128 : i32, 32 : i32]}> : (tensor<2x8x8x32xbf16, #bf16_2x8x8x32>) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  %c3 = "ttnn.conv2d"(%f2, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 32 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3>, !ttnn.device) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  %p3r = "ttnn.reshape"(%c3) <{shape = [2 : i32, 8 : i32, 8 : i32, 32 : i32]}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>) -> tensor<2x8x8x32xbf16, #bf16_2x8x8x32>
  %p3 = "ttnn.permute"(%p3r) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x32xbf16, #bf16_2x8x8x32>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  %z2 = "ttnn.add"(%p3, %z1) : (tensor<2x32x8x8xbf16, #bf16_2x32x8x8>, tensor<2x32x8x8xbf16, #bf16_2x32x8x8>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  %f3l = "ttnn.permute"(%z2) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x32x8x8xbf16, #bf16_2x32x8x8>) -> tensor<2x8x8x32xbf16, #bf16_2x8x8x32>
  %f3 = "ttnn.reshape"(%f3l) <{shape = [1 : i32, 1 : i32, 128 : i32, 32 : i32]}> : (tensor<2x8x8x32xbf16, #bf16_2x8x8x32>) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  return %f3 : tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
}

// Branches are joined in rows of pixels, whoever reads them. A pool's pages were made wider on their way, for nothing.
// CHECK-LABEL: func.func @branches(
// CHECK-NOT: "ttnn.permute"
// CHECK-NOT: xf32
// CHECK: %[[J:.*]] = "ttnn.concat"({{.*}} -> tensor<1x1x128x64xbf16
// CHECK-NEXT: %[[E:.*]] = "ttnn.relu"(%[[J]])
// CHECK-NEXT: return %[[J]], %[[E]]
func.func @branches(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x128x64xbf16, #bf16_1x1x128x64>) {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c1 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 32 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3>, !ttnn.device) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  %p1r = "ttnn.reshape"(%c1) <{shape = [2 : i32, 8 : i32, 8 : i32, 32 : i32]}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>) -> tensor<2x8x8x32xbf16, #bf16_2x8x8x32>
  %p1 = "ttnn.permute"(%p1r) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x32xbf16, #bf16_2x8x8x32>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  %q = "ttnn.max_pool2d"(%x) <{batch_size = 2 : si32, ceil_mode = false, channels = 32 : si32, config_tensors_in_dram = true, dilation = array<i32: 1, 1>, input_height = 8 : si32, input_width = 8 : si32, kernel_size = array<i32: 3, 3>, padding = array<i32: 1, 1>, reallocate_halo_output = false, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>) -> tensor<1x1x128x32xbf16, #rows_bf16_1x1x128x32>
  %wide = "ttnn.to_layout"(%q) : (tensor<1x1x128x32xbf16, #rows_bf16_1x1x128x32>) -> tensor<1x1x128x32xf32, #f32_1x1x128x32>
  %wr = "ttnn.reshape"(%wide) <{shape = [2 : i32, 8 : i32, 8 : i32, 32 : i32]}> : (tensor<1x1x128x32xf32, #f32_1x1x128x32>) -> tensor<2x8x8x32xf32, #f32_2x8x8x32>
  %wp = "ttnn.permute"(%wr) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x32xf32, #f32_2x8x8x32>) -> tensor<2x32x8x8xf32, #f32_2x32x8x8>
  %p2 = "ttnn.typecast"(%wp) : (tensor<2x32x8x8xf32, #f32_2x32x8x8>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  %j = "ttnn.concat"(%p1, %p2) <{dim = 1 : si32}> : (tensor<2x32x8x8xbf16, #bf16_2x32x8x8>, tensor<2x32x8x8xbf16, #bf16_2x32x8x8>) -> tensor<2x64x8x8xbf16, #bf16_2x64x8x8>
  %f1l = "ttnn.permute"(%j) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %f1 = "ttnn.reshape"(%f1l) <{shape = [1 : i32, 1 : i32, 128 : i32, 64 : i32]}> : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %e = "ttnn.relu"(%j) : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>) -> tensor<2x64x8x8xbf16, #bf16_2x64x8x8>
  %f2l = "ttnn.permute"(%e) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %f2 = "ttnn.reshape"(%f2l) <{shape = [1 : i32, 1 : i32, 128 : i32, 64 : i32]}> : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  return %f1, %f2 : tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
}

// A number for each pixel is none for a channel, which comes first here.
// CHECK-LABEL: func.func @per_pixel(
// CHECK: "ttnn.conv2d"
// CHECK: "ttnn.multiply"
func.func @per_pixel(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x8x8xbf16, #bf16_1x1x8x8> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c1 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 32 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<32x32x3x3xbf16, #host_bf16_32x32x3x3>, !ttnn.device) -> tensor<1x1x128x32xbf16, #bf16_1x1x128x32>
  %p1r = "ttnn.reshape"(%c1) <{shape = [2 : i32, 8 : i32, 8 : i32, 32 : i32]}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>) -> tensor<2x8x8x32xbf16, #bf16_2x8x8x32>
  %p1 = "ttnn.permute"(%p1r) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x32xbf16, #bf16_2x8x8x32>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  %m1 = "ttnn.multiply"(%p1, %s) : (tensor<2x32x8x8xbf16, #bf16_2x32x8x8>, tensor<1x1x8x8xbf16, #bf16_1x1x8x8>) -> tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
  return %m1 : tensor<2x32x8x8xbf16, #bf16_2x32x8x8>
}
