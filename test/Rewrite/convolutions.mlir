// What scales and shifts channels goes into weights and bias of the convolution, and borders go into its padding; no less exact.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact
// Locations are compared where the file has some: that two cached functions each get the device says nothing.
// RUN: tessera optimize %s --debuginfo -q -o %t.placed.mlir

#dram = #ttnn.buffer_type<dram>
#host = #ttnn.buffer_type<system_memory>
#bf16_1x1x128x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#host_bf16_64x32x3x3 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 96 + d1 * 3 + d2, d3), <1x1>, memref<6144x3xbf16, #host>>
#bf16_1x1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x128x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x8x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#host_bf16_1x1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 + d1 + d2, d3), <1x1>, memref<1x64xbf16, #host>>
#bf16_1x64x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64x8x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x128x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

#bf16_1x1x288x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 288 + d1 * 288 + d2, d3), <1x1>, memref<9x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bfp8_1x1x288x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 288 + d1 * 288 + d2, d3), <1x1>, memref<9x2x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#bf16_1x1x1x48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x288x48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 288 + d1 * 288 + d2, d3), <1x1>, memref<9x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#host_bf16_48x32x3x3 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 96 + d1 * 3 + d2, d3), <1x1>, memref<4608x3xbf16, #host>>
#host_bf16_1x1x1x48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 + d1 + d2, d3), <1x1>, memref<1x48xbf16, #host>>
#bf16_1x1x128x48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 128 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// A bottleneck's norm as compilers write it; const-eval computes both.
// CHECK-LABEL: func.func private @scaled_and_shifted_const_eval
// A row for each output, in f32: windows of few elements would fill tiles of their own.
// CHECK: "ttnn.multiply"({{.*}}(tensor<1x1x64x288xf32, {{.*}}>, tensor<1x1x64x1xf32, {{.*}}>)
// CHECK: "ttnn.from_device"({{.*}} -> tensor<64x32x3x3xbf16
// CHECK-LABEL: func.func @scaled_and_shifted(
// CHECK-DAG: %[[W:.*]] = ttcore.load_cached(@scaled_and_shifted_const_eval, [%arg
// CHECK-DAG: %[[B:.*]] = ttcore.load_cached(@scaled_and_shifted_const_eval_0, [%arg3])
// CHECK: %[[Y:.*]] = "ttnn.conv2d"(%arg0, %[[W]], %[[B]], %{{.*}}) <{{.*}}activation = <op_type = relu>
// CHECK-NEXT: return %[[Y]]
func.func @scaled_and_shifted(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %t: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3>, !ttnn.device) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 8 : i32, 8 : i32, 64 : i32]}> : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %2 = "ttnn.multiply"(%1, %s) : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %3 = "ttnn.add"(%t, %2) : (tensor<1x1x1x64xbf16, #bf16_1x1x1x64>, tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 1 : i32, 128 : i32, 64 : i32]}> : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %5 = "ttnn.relu"(%4) : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  return %5 : tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
}

// As an op, of channels that come first.
// CHECK-LABEL: func.func @normed(
// CHECK: %[[Y:.*]] = "ttnn.conv2d"(%arg0, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NEXT: return %[[Y]]
func.func @normed(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x64xbf16, #host_bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %m: tensor<1x64x1x1xbf16, #bf16_1x64x1x1> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v: tensor<1x64x1x1xbf16, #bf16_1x64x1x1> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %g: tensor<1x64x1x1xbf16, #bf16_1x64x1x1> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %t: tensor<1x64x1x1xbf16, #bf16_1x64x1x1> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %b, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3>, tensor<1x1x1x64xbf16, #host_bf16_1x1x1x64>, !ttnn.device) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 8 : i32, 8 : i32, 64 : i32]}> : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<2x64x8x8xbf16, #bf16_2x64x8x8>
  %3 = "ttnn.abs"(%v) : (tensor<1x64x1x1xbf16, #bf16_1x64x1x1>) -> tensor<1x64x1x1xbf16, #bf16_1x64x1x1>
  %4 = "ttnn.batch_norm_inference"(%2, %m, %3, %g, %t) <{epsilon = 1.000000e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>, tensor<1x64x1x1xbf16, #bf16_1x64x1x1>, tensor<1x64x1x1xbf16, #bf16_1x64x1x1>, tensor<1x64x1x1xbf16, #bf16_1x64x1x1>, tensor<1x64x1x1xbf16, #bf16_1x64x1x1>) -> tensor<2x64x8x8xbf16, #bf16_2x64x8x8>
  %5 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %6 = "ttnn.reshape"(%5) <{shape = [1 : i32, 1 : i32, 128 : i32, 64 : i32]}> : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  return %6 : tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
}

// Who comes with the call is no constant, and a number per pixel is none per channel.
// CHECK-LABEL: func.func @scaled_by_input(
// CHECK: "ttnn.conv2d"
// CHECK: "ttnn.multiply"
// CHECK: "ttnn.multiply"
func.func @scaled_by_input(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x64xbf16, #bf16_1x1x1x64>, %t: tensor<1x1x128x1xbf16, #bf16_1x1x128x1> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3>, !ttnn.device) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %1 = "ttnn.multiply"(%0, %s) : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %2 = "ttnn.multiply"(%1, %t) : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x128x1xbf16, #bf16_1x1x128x1>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  return %2 : tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
}

// Sums that somebody else reads stay as they are.
// CHECK-LABEL: func.func @read_twice(
// CHECK: "ttnn.conv2d"
// CHECK: "ttnn.multiply"
func.func @read_twice(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x128x64xbf16, #bf16_1x1x128x64>) {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3>, !ttnn.device) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %1 = "ttnn.multiply"(%0, %s) : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  return %0, %1 : tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
}

// Prepared weights are a matrix with a column for each output.
// CHECK-LABEL: func.func private @prepared_const_eval
// CHECK: %[[S:.*]] = "ttnn.multiply"({{.*}}) {{.*}}(tensor<1x1x288x64xf32, {{.*}}>, tensor<1x1x1x64xf32, {{.*}}>) -> tensor<1x1x288x64xf32
// CHECK: %[[W:.*]] = "ttnn.typecast"(%[[S]])
// CHECK: return %[[W]]
// CHECK-LABEL: func.func @prepared(
// CHECK: %[[W:.*]] = ttcore.load_cached(@prepared_const_eval, [
// CHECK: %[[Y:.*]] = "ttnn.conv2d"(%arg0, %[[W]], %arg3, %{{.*}})
// CHECK-NEXT: return %[[Y]]
func.func @prepared(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<1x1x288x64xbf16, #bf16_1x1x288x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %t: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<1x1x288x64xbf16, #bf16_1x1x288x64>, !ttnn.device) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %1 = "ttnn.multiply"(%0, %s) : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %2 = "ttnn.add"(%1, %t) : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  return %2 : tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
}

// More columns than outputs: where each stands depends on the cores.
// CHECK-LABEL: func.func @prepared_wider(
// CHECK: "ttnn.conv2d"
// CHECK-NEXT: "ttnn.multiply"
func.func @prepared_wider(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<1x1x288x64xbf16, #bf16_1x1x288x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x48xbf16, #bf16_1x1x1x48> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %t: tensor<1x1x1x48xbf16, #bf16_1x1x1x48> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 48 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<1x1x288x64xbf16, #bf16_1x1x288x64>, !ttnn.device) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
  %1 = "ttnn.multiply"(%0, %s) : (tensor<1x1x128x48xbf16, #bf16_1x1x128x48>, tensor<1x1x1x48xbf16, #bf16_1x1x1x48>) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
  %2 = "ttnn.add"(%1, %t) : (tensor<1x1x128x48xbf16, #bf16_1x1x128x48>, tensor<1x1x1x48xbf16, #bf16_1x1x1x48>) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
  return %2 : tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
}

// Where outputs do not fill tiles, weights are others before they are prepared; const-eval does both. What is one number for a channel is
// rounded once.
// CHECK-LABEL: func.func private @narrow_const_eval(
// CHECK-COUNT-3: "ttnn.typecast"({{.*}} -> tensor<1x1x1x48xf32
// CHECK: "ttnn.typecast"({{.*}} -> tensor<1x1x1x48xbf16
// CHECK-NOT: "ttnn.typecast"
// CHECK-LABEL: func.func private @narrow_const_eval_0(
// CHECK: "ttnn.multiply"({{.*}} -> tensor<1x1x48x288xf32
// CHECK: %[[P:.*]] = "ttnn.prepare_conv2d_weights"(
// CHECK: return %[[P]]
// CHECK-LABEL: func.func @narrow(
// CHECK: %[[Y:.*]] = "ttnn.conv2d"(%arg0, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NEXT: return %[[Y]]
func.func private @narrow_weights(%w: tensor<48x32x3x3xbf16, #host_bf16_48x32x3x3>) -> tensor<1x1x288x48xbf16, #bf16_1x1x288x48> attributes {tt.function_type = "const_eval"} {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.prepare_conv2d_weights"(%w, %d) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, has_bias = false, in_channels = 32 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 8 : i32, input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 48 : i32, output_dtype = #ttcore.supportedDataTypes<bf16>, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, weights_format = "OIHW"}> : (tensor<48x32x3x3xbf16, #host_bf16_48x32x3x3>, !ttnn.device) -> tensor<1x1x288x48xbf16, #bf16_1x1x288x48>
  return %0 : tensor<1x1x288x48xbf16, #bf16_1x1x288x48>
}
func.func @narrow(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<48x32x3x3xbf16, #host_bf16_48x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %m: tensor<1x1x1x48xbf16, #bf16_1x1x1x48> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x48xbf16, #bf16_1x1x1x48> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %t: tensor<1x1x1x48xbf16, #bf16_1x1x1x48> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48> {
  %c = ttcore.load_cached(@narrow_weights, [%w]) : (tensor<48x32x3x3xbf16, #host_bf16_48x32x3x3>) -> tensor<1x1x288x48xbf16, #bf16_1x1x288x48>
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %c, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 48 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<1x1x288x48xbf16, #bf16_1x1x288x48>, !ttnn.device) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
  %1 = "ttnn.subtract"(%0, %m) : (tensor<1x1x128x48xbf16, #bf16_1x1x128x48>, tensor<1x1x1x48xbf16, #bf16_1x1x1x48>) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
  %2 = "ttnn.multiply"(%1, %s) : (tensor<1x1x128x48xbf16, #bf16_1x1x128x48>, tensor<1x1x1x48xbf16, #bf16_1x1x1x48>) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
  %3 = "ttnn.add"(%2, %t) : (tensor<1x1x128x48xbf16, #bf16_1x1x128x48>, tensor<1x1x1x48xbf16, #bf16_1x1x1x48>) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
  return %3 : tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
}

// A bias that was prepared, too, has outputs at places that nobody knows.
// CHECK-LABEL: func.func @narrow_biased(
// CHECK: "ttnn.conv2d"
// CHECK-NEXT: "ttnn.multiply"
func.func private @narrow_bias(%b: tensor<1x1x1x48xbf16, #host_bf16_1x1x1x48>) -> tensor<1x1x1x48xbf16, #bf16_1x1x1x48> attributes {tt.function_type = "const_eval"} {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.prepare_conv2d_bias"(%b, %d) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_height = 8 : i32, input_memory_config = #ttnn.memory_config<#dram, <interleaved>>, input_tensor_layout = #ttnn.layout<tile>, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 48 : i32, output_dtype = #ttcore.supportedDataTypes<bf16>, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x1x48xbf16, #host_bf16_1x1x1x48>, !ttnn.device) -> tensor<1x1x1x48xbf16, #bf16_1x1x1x48>
  return %0 : tensor<1x1x1x48xbf16, #bf16_1x1x1x48>
}
func.func @narrow_biased(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<48x32x3x3xbf16, #host_bf16_48x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x48xbf16, #host_bf16_1x1x1x48> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x48xbf16, #bf16_1x1x1x48> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48> {
  %c = ttcore.load_cached(@narrow_weights, [%w]) : (tensor<48x32x3x3xbf16, #host_bf16_48x32x3x3>) -> tensor<1x1x288x48xbf16, #bf16_1x1x288x48>
  %e = ttcore.load_cached(@narrow_bias, [%b]) : (tensor<1x1x1x48xbf16, #host_bf16_1x1x1x48>) -> tensor<1x1x1x48xbf16, #bf16_1x1x1x48>
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %c, %e, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 48 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<1x1x288x48xbf16, #bf16_1x1x288x48>, tensor<1x1x1x48xbf16, #bf16_1x1x1x48>, !ttnn.device) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
  %1 = "ttnn.multiply"(%0, %s) : (tensor<1x1x128x48xbf16, #bf16_1x1x128x48>, tensor<1x1x1x48xbf16, #bf16_1x1x1x48>) -> tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
  return %1 : tensor<1x1x128x48xbf16, #bf16_1x1x128x48>
}

// Blocks of floats were rounded together already.
// CHECK-LABEL: func.func @prepared_in_blocks(
// CHECK: "ttnn.conv2d"
// CHECK-NEXT: "ttnn.multiply"
func.func @prepared_in_blocks(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<1x1x288x64x!ttcore.tile<32x32, bfp_bf8>, #bfp8_1x1x288x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %t: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bfp_bf8>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<1x1x288x64x!ttcore.tile<32x32, bfp_bf8>, #bfp8_1x1x288x64>, !ttnn.device) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %1 = "ttnn.multiply"(%0, %s) : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %2 = "ttnn.add"(%1, %t) : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  return %2 : tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
}

// Less a mean, as frameworks have batch norms.
// CHECK-LABEL: func.func @less_a_mean(
// CHECK: %[[Y:.*]] = "ttnn.conv2d"(%arg0, %{{.*}}, %{{.*}}, %{{.*}}) <{{.*}}activation = <op_type = relu>
// CHECK-NEXT: return %[[Y]]
func.func @less_a_mean(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %t: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3>, !ttnn.device) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 8 : i32, 8 : i32, 64 : i32]}> : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %2 = "ttnn.multiply"(%1, %s) : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %3 = "ttnn.subtract"(%2, %t) : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 1 : i32, 128 : i32, 64 : i32]}> : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %5 = "ttnn.relu"(%4) : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  return %5 : tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
}

// The other way round it is none.
// CHECK-LABEL: func.func @from_a_mean(
// CHECK: "ttnn.conv2d"
// CHECK: "ttnn.subtract"
func.func @from_a_mean(%x: tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, %w: tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %s: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %t: tensor<1x1x1x64xbf16, #bf16_1x1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %d) <{batch_size = 2 : i32, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 32 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x128x32xbf16, #bf16_1x1x128x32>, tensor<64x32x3x3xbf16, #host_bf16_64x32x3x3>, !ttnn.device) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 8 : i32, 8 : i32, 64 : i32]}> : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %2 = "ttnn.multiply"(%1, %s) : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %3 = "ttnn.subtract"(%t, %2) : (tensor<1x1x1x64xbf16, #bf16_1x1x1x64>, tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 1 : i32, 128 : i32, 64 : i32]}> : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  %5 = "ttnn.relu"(%4) : (tensor<1x1x128x64xbf16, #bf16_1x1x128x64>) -> tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
  return %5 : tensor<1x1x128x64xbf16, #bf16_1x1x128x64>
}
