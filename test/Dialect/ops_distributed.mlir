// Parts of norms on each device, exchanges, host tensors and meshes, semaphores.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

func.func @rms_norm_pre_all_gather_0(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x32x128xbf16>) {
  // CHECK: "ttnn.rms_norm_pre_all_gather"(%arg0, %arg1) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, use_2d_core_grid = true}> : (
  %0 = "ttnn.rms_norm_pre_all_gather"(%a0, %a1) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, use_2d_core_grid = true}> : (tensor<1x1x32x128xbf16>, tensor<1x1x32x128xbf16>) -> tensor<1x1x32x32xbf16>
  return
}

func.func @layer_norm_pre_all_gather_1(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x32x128xbf16>) {
  // CHECK: "ttnn.layer_norm_pre_all_gather"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (
  %0 = "ttnn.layer_norm_pre_all_gather"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<1x1x32x128xbf16>, tensor<1x1x32x128xbf16>) -> tensor<1x1x32x64xbf16>
  return
}

func.func @layer_norm_post_all_gather_2(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x32x64xbf16>, %a2: tensor<128xbf16>, %a3: tensor<128xbf16>) {
  // CHECK: "ttnn.layer_norm_post_all_gather"(%arg0, %arg1, %arg2, %arg3) <{epsilon = 9.99999996E-13 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (
  %0 = "ttnn.layer_norm_post_all_gather"(%a0, %a1, %a2, %a3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<1x1x32x128xbf16>, tensor<1x1x32x64xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<1x1x32x128xbf16>
  return
}

func.func @distributed_layer_norm_3(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<128xbf16>, %a2: !ttnn.device) {
  // CHECK: "ttnn.distributed_layer_norm"(%arg0, %arg1, %arg2) <{cluster_axis = 1 : ui32, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (
  %0 = "ttnn.distributed_layer_norm"(%a0, %a1, %a2) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<1x1x32x128xbf16>, tensor<128xbf16>, !ttnn.device) -> tensor<1x1x32x128xbf16>
  return
}

func.func @dit_rms_norm_unary_fused_4(%a0: tensor<1x1x32x128xbf16>, %a1: tensor<1x1x32x128xbf16>) {
  // CHECK: "ttnn.dit_rms_norm_unary_fused"(%arg0, %arg1) <{epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (
  %0 = "ttnn.dit_rms_norm_unary_fused"(%a0, %a1) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (tensor<1x1x32x128xbf16>, tensor<1x1x32x128xbf16>) -> tensor<1x1x32x128xbf16>
  return
}

func.func @all_reduce_async_5(%a0: tensor<32x64xbf16>) {
  // CHECK: "ttnn.all_reduce_async"(%arg0) <{cluster_axis = 1 : ui32, num_links = 2 : ui32, reduce_type = #ttcore.reduce_type<sum>, topology = #ttcore.topology<ring>}> : (
  %0 = "ttnn.all_reduce_async"(%a0) <{cluster_axis = 1 : ui32, num_links = 2 : ui32, reduce_type = #ttcore.reduce_type<sum>, topology = #ttcore.topology<ring>}> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return
}

func.func @point_to_point_6(%a0: tensor<32x64xbf16>, %a1: tensor<32x64xbf16>) {
  // CHECK: "ttnn.point_to_point"(%arg0, %arg1) <{receiver_coord = array<i64: 0, 1>, sender_coord = array<i64: 0, 0>}> : (
  %0 = "ttnn.point_to_point"(%a0, %a1) <{receiver_coord = array<i64: 0, 1>, sender_coord = array<i64: 0, 0>}> : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return
}

func.func @point_to_point_7(%a0: tensor<32x64xbf16>) {
  // Without a buffer.
  // CHECK: "ttnn.point_to_point"(%arg0) <{receiver_coord = array<i64: 0, 1>, sender_coord = array<i64: 0, 0>}> : (
  %0 = "ttnn.point_to_point"(%a0) <{receiver_coord = array<i64: 0, 1>, sender_coord = array<i64: 0, 0>}> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return
}

func.func @aggregate_tensor_8(%a0: tensor<32x64xbf16>, %a1: !ttnn.device) {
  // CHECK: "ttnn.aggregate_tensor"(%arg0, %arg1) <{composer_config = #ttnn.mesh_composer_config<dims = [0 : i64]>}> : (
  %0 = "ttnn.aggregate_tensor"(%a0, %a1) <{composer_config = #ttnn.mesh_composer_config<dims = [0 : i64]>}> : (tensor<32x64xbf16>, !ttnn.device) -> tensor<64x64xbf16>
  return
}

func.func @distribute_tensor_9(%a0: tensor<64x64xbf16>, %a1: !ttnn.device) {
  // CHECK: "ttnn.distribute_tensor"(%arg0, %arg1) <{cq_id = 1 : ui32, mapper_config = #ttnn.mesh_mapper_config<placements = [<shard, 0 : i64>, <replicate>]>}> : (
  %0 = "ttnn.distribute_tensor"(%a0, %a1) <{cq_id = 1 : ui32, mapper_config = #ttnn.mesh_mapper_config<placements = [<shard, 0 : i64>, <replicate>]>}> : (tensor<64x64xbf16>, !ttnn.device) -> tensor<32x64xbf16>
  return
}

func.func @create_global_semaphore_10(%a0: !ttnn.device) {
  // CHECK: "ttnn.create_global_semaphore"(%arg0) <{core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (3,3)>]>, initial_value = 0 : ui32}> : (
  %0 = "ttnn.create_global_semaphore"(%a0) <{core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (3,3)>]>, initial_value = 0 : ui32}> : (!ttnn.device) -> !ttnn.global_semaphore
  return
}

func.func @allocate_moe_compute_semaphore_11(%a0: !ttnn.device) {
  // CHECK: "ttnn.allocate_moe_compute_semaphore"(%arg0) <{hidden_size = 256 : ui32, mux_core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (3,3)>]>, output_height_shard_dim = 4 : ui32}> : (
  %0 = "ttnn.allocate_moe_compute_semaphore"(%a0) <{hidden_size = 256 : ui32, mux_core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (3,3)>]>, output_height_shard_dim = 4 : ui32}> : (!ttnn.device) -> !ttnn.global_semaphore
  return
}

func.func @reset_global_semaphore_12(%a0: !ttnn.global_semaphore) {
  // CHECK: "ttnn.reset_global_semaphore"(%arg0) <{value = 7 : ui32}> : (
  "ttnn.reset_global_semaphore"(%a0) <{value = 7 : ui32}> : (!ttnn.global_semaphore) -> ()
  return
}
