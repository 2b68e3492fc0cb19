// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @last_dim
func.func @last_dim(%x: tensor<8x32xbf16>, %w: tensor<32xbf16>) {
  // CHECK: "ttnn.rms_norm"(%arg0, %arg1) <{epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}>
  %0 = "ttnn.rms_norm"(%x, %w) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x32xbf16>, tensor<32xbf16>) -> tensor<8x32xbf16>
  // CHECK-NEXT: "ttnn.rms_norm"(%arg0) <{{.*}} program_config = #ttnn.layernorm_sharded_multicore_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 1>, subblock_w = 1, block_h = 1, block_w = 1, inplace = false>}>
  %1 = "ttnn.rms_norm"(%x) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 0, 0>, program_config = #ttnn.layernorm_sharded_multicore_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 1>, subblock_w = 1, block_h = 1, block_w = 1, inplace = false>}> : (tensor<8x32xbf16>) -> tensor<8x32xbf16>
  // CHECK-NEXT: "ttnn.layer_norm"(%arg0, %arg1, %arg1)
  %2 = "ttnn.layer_norm"(%x, %w, %w) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x32xbf16>, tensor<32xbf16>, tensor<32xbf16>) -> tensor<8x32xbf16>
  // CHECK-NEXT: "ttnn.distributed_rms_norm"(%arg0, %arg1, %arg0) <{cluster_axis = 1 : ui32, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0>}>
  %3 = "ttnn.distributed_rms_norm"(%x, %w, %x) <{cluster_axis = 1 : ui32, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<8x32xbf16>, tensor<32xbf16>, tensor<8x32xbf16>) -> tensor<8x32xbf16>
  return
}

// CHECK-LABEL: func.func @channels
func.func @channels(%nchw: tensor<2x8x4x4xbf16>, %c: tensor<1x8x1x1xbf16>, %nhwc: tensor<1x1x64x8xbf16>) {
  // CHECK: "ttnn.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1)
  %0 = "ttnn.batch_norm_inference"(%nchw, %c, %c, %c, %c) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<2x8x4x4xbf16>, tensor<1x8x1x1xbf16>, tensor<1x8x1x1xbf16>, tensor<1x8x1x1xbf16>, tensor<1x8x1x1xbf16>) -> tensor<2x8x4x4xbf16>
  // CHECK-NEXT: "ttnn.group_norm"(%arg2) <{epsilon = 9.99999974E-6 : f32, num_groups = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}>
  %1 = "ttnn.group_norm"(%nhwc) <{epsilon = 1.0e-05 : f32, num_groups = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x1x64x8xbf16>) -> tensor<1x1x64x8xbf16>
  return
}
