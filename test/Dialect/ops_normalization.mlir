// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @last_dim
func.func @last_dim(%x: tensor<8x32xbf16>, %w: tensor<32xbf16>, %s: tensor<bf16>) {
  // CHECK: "ttnn.rms_norm"(%arg0, %arg1) <{epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}>
  %0 = "ttnn.rms_norm"(%x, %w) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x32xbf16>, tensor<32xbf16>) -> tensor<8x32xbf16>
  // CHECK-NEXT: "ttnn.rms_norm"(%arg0) <{{.*}} program_config = #ttnn.layernorm_sharded_multicore_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 1>, subblock_w = 1, block_h = 1, block_w = 1, inplace = false>}>
  %1 = "ttnn.rms_norm"(%x) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 0, 0>, program_config = #ttnn.layernorm_sharded_multicore_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 1>, subblock_w = 1, block_h = 1, block_w = 1, inplace = false>}> : (tensor<8x32xbf16>) -> tensor<8x32xbf16>
  // CHECK-NEXT: "ttnn.layer_norm"(%arg0, %arg1, %arg1)
  %2 = "ttnn.layer_norm"(%x, %w, %w) <{epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x32xbf16>, tensor<32xbf16>, tensor<32xbf16>) -> tensor<8x32xbf16>
  // A scalar has no last dimension; epsilon has a default.
  // CHECK-NEXT: "ttnn.rms_norm"(%arg2, %arg2) <{epsilon = 9.99999996E-13 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}>
  %3 = "ttnn.rms_norm"(%s, %s) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
  // CHECK-NEXT: "ttnn.rms_norm_residual"(%arg0, %arg0, %arg1) <{epsilon = 9.99999974E-6 : f32}>
  %norm, %sum = "ttnn.rms_norm_residual"(%x, %x, %w) <{epsilon = 1.0e-05 : f32}> : (tensor<8x32xbf16>, tensor<8x32xbf16>, tensor<32xbf16>) -> (tensor<8x32xbf16>, tensor<8x32xbf16>)
  return
}

// Input, weight, residual, stats, semaphore, device.
// CHECK-LABEL: func.func @distributed
func.func @distributed(%x: tensor<8x32xbf16>, %w: tensor<1x32xbf16>, %stats: tensor<1x1x32x32xf32>, %semaphore: !ttnn.global_semaphore, %d: !ttnn.device) {
  // CHECK-NEXT: "ttnn.distributed_rms_norm"(%arg0, %arg1, %arg0, %arg2, %arg3, %arg4) <{cluster_axis = 1 : ui32, epsilon = 9.99999974E-6 : f32, num_links = 2 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>, topology = #ttcore.topology<ring>}>
  %0 = "ttnn.distributed_rms_norm"(%x, %w, %x, %stats, %semaphore, %d) <{cluster_axis = 1 : ui32, epsilon = 1.0e-05 : f32, num_links = 2 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>, topology = #ttcore.topology<ring>}> : (tensor<8x32xbf16>, tensor<1x32xbf16>, tensor<8x32xbf16>, tensor<1x1x32x32xf32>, !ttnn.global_semaphore, !ttnn.device) -> tensor<8x32xbf16>
  // CHECK-NEXT: "ttnn.distributed_rms_norm"(%arg0, %arg4) <{cluster_axis = 0 : ui32, epsilon = 9.99999996E-13 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 1>}>
  %1 = "ttnn.distributed_rms_norm"(%x, %d) <{cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 1>}> : (tensor<8x32xbf16>, !ttnn.device) -> tensor<8x32xbf16>
  return
}

// CHECK-LABEL: func.func @channels
func.func @channels(%nchw: tensor<2x8x4x4xbf16>, %c: tensor<1x8x1x1xbf16>, %nhwc: tensor<1x1x64x8xbf16>) {
  // CHECK: "ttnn.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 9.99999974E-6 : f32
  %0 = "ttnn.batch_norm_inference"(%nchw, %c, %c, %c, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<2x8x4x4xbf16>, tensor<1x8x1x1xbf16>, tensor<1x8x1x1xbf16>, tensor<1x8x1x1xbf16>, tensor<1x8x1x1xbf16>) -> tensor<2x8x4x4xbf16>
  // CHECK-NEXT: "ttnn.group_norm"(%arg2) <{epsilon = 9.99999996E-13 : f32, num_groups = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}>
  %1 = "ttnn.group_norm"(%nhwc) <{num_groups = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x1x64x8xbf16>) -> tensor<1x1x64x8xbf16>
  return
}
