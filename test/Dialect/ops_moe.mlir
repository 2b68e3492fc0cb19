// Mixture of experts.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

func.func @all_to_all_dispatch_0(%a0: tensor<2x8x1x256xbf16>, %a1: tensor<2x8x1x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // CHECK: "ttnn.all_to_all_dispatch"(%arg0, %arg1, %arg2) <{cluster_axis = 0 : i64, num_devices = 4 : i64}> : (
  %0:2 = "ttnn.all_to_all_dispatch"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64}> : (tensor<2x8x1x256xbf16>, tensor<2x8x1x4xui16>, tensor<1x1x16x8xui16>) -> (tensor<1x8x8x256xbf16>, tensor<1x8x8x4xui16>)
  return
}

func.func @all_to_all_dispatch_metadata_1(%a0: tensor<1x1x32x256xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<4x16xui16>) {
  // CHECK: "ttnn.all_to_all_dispatch_metadata"(%arg0, %arg1, %arg2, %arg3) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<1x1x32x256xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<4x16xui16>) -> (tensor<1x64x256xbf16>, tensor<1x64x4xui16>, tensor<1x64x4xbf16>)
  return
}

func.func @all_to_all_dispatch_metadata_2(%a0: tensor<1x1x32x256xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<4x16xui16>, %a4: tensor<1x64x256xbf16>, %a5: tensor<1x64x4xui16>, %a6: tensor<1x64x4xbf16>, %a7: !ttnn.global_semaphore) {
  // Into given buffers, ordered by a semaphore.
  // CHECK: "ttnn.all_to_all_dispatch_metadata"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1>}> : (
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1>}> : (tensor<1x1x32x256xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<4x16xui16>, tensor<1x64x256xbf16>, tensor<1x64x4xui16>, tensor<1x64x4xbf16>, !ttnn.global_semaphore) -> (tensor<1x64x256xbf16>, tensor<1x64x4xui16>, tensor<1x64x4xbf16>)
  return
}

func.func @all_to_all_combine_3(%a0: tensor<2x4x16x256xbf16>, %a1: tensor<1x4x16x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // CHECK: "ttnn.all_to_all_combine"(%arg0, %arg1, %arg2) <{cluster_axis = 0 : i64, num_devices = 4 : i64, num_experts_per_tok = 4 : i64, output_shard_dim = 2 : i64}> : (
  %0 = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64, num_experts_per_tok = 4 : i64}> : (tensor<2x4x16x256xbf16>, tensor<1x4x16x4xui16>, tensor<1x1x16x8xui16>) -> tensor<4x1x16x256xbf16>
  return
}

func.func @moe_expert_token_remap_4(%a0: tensor<1x4x16x32xbf16>, %a1: tensor<1x1x32x8xui16>, %a2: tensor<1x4x16x4xui16>) {
  // CHECK: "ttnn.moe_expert_token_remap"(%arg0, %arg1, %arg2) <{reduction_size = 32 : i64}> : (
  %0:2 = "ttnn.moe_expert_token_remap"(%a0, %a1, %a2) <{reduction_size = 32 : i64}> : (tensor<1x4x16x32xbf16>, tensor<1x1x32x8xui16>, tensor<1x4x16x4xui16>) -> (tensor<1x4x16x4xbf16>, tensor<1x1x2x4xbf16>)
  return
}

func.func @sparse_matmul_5(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<2x4x1x8xbf16>) {
  // CHECK: "ttnn.sparse_matmul"(%arg0, %arg1, %arg2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x1x8x32x96xbf16>
  return
}

func.func @sparse_matmul_6(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<2x4x1x8xbf16>) {
  // Which input is sparse has a default.
  // CHECK: "ttnn.sparse_matmul"(%arg0, %arg1, %arg2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x1x8x32x96xbf16>
  return
}

func.func @sparse_matmul_7(%a0: tensor<1x8x32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<1x1x1x8xbf16>) {
  // A sparse a has a matrix for each of b.
  // CHECK: "ttnn.sparse_matmul"(%arg0, %arg1, %arg2) <{is_input_a_sparse = true, is_input_b_sparse = true}> : (
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = true, is_input_b_sparse = true}> : (tensor<1x8x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<1x1x1x8xbf16>) -> tensor<1x8x32x96xbf16>
  return
}

func.func @topk_router_gpt_8(%a0: tensor<32x256xbf16>, %a1: tensor<256x128xbf16>, %a2: tensor<32x128xbf16>) {
  // CHECK: "ttnn.topk_router_gpt"(%arg0, %arg1, %arg2) <{k = 4 : i32, num_experts = 128 : i32}> : (
  %0:2 = "ttnn.topk_router_gpt"(%a0, %a1, %a2) <{k = 4 : i32, num_experts = 128 : i32}> : (tensor<32x256xbf16>, tensor<256x128xbf16>, tensor<32x128xbf16>) -> (tensor<32x4xui16>, tensor<32x4xbf16>)
  return
}

func.func @selective_reduce_combine_9(%a0: tensor<4x32x256xbf16>, %a1: tensor<4x32x4xui32>, %a2: tensor<4x32xui32>, %a3: tensor<1x4xui32>) {
  // CHECK: "ttnn.selective_reduce_combine"(%arg0, %arg1, %arg2, %arg3) <{batch_size = 32 : ui32, experts = 4 : ui32, hidden_size = 256 : ui32, select_experts_k = 4 : ui32, seq_size = 1 : ui32}> : (
  %0 = "ttnn.selective_reduce_combine"(%a0, %a1, %a2, %a3) <{batch_size = 32 : ui32, experts = 4 : ui32, hidden_size = 256 : ui32, select_experts_k = 4 : ui32, seq_size = 1 : ui32}> : (tensor<4x32x256xbf16>, tensor<4x32x4xui32>, tensor<4x32xui32>, tensor<1x4xui32>) -> tensor<4x32x256xbf16>
  return
}

func.func @moe_compute_10(%a0: tensor<1x1x64x256xbf16>, %a1: tensor<1x1x64x4xui16>, %a2: tensor<1x1x64x4xbf16>, %a3: tensor<1x1x16x4xui16>, %a4: tensor<8x1x16x4x256x128xbf16>, %a5: tensor<8x1x16x4x128x256xbf16>, %a6: !ttnn.global_semaphore, %a7: !ttnn.device) {
  // CHECK: "ttnn.moe_compute"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) <{cluster_axis = 0 : ui32, has_bias = false, intermediate_size = 128 : ui32, layer_id = 3 : ui32, mux_core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (3,3)>]>, num_links = 2 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1, 1>, output_height_shard_dim = 4 : ui32}> : (
  %0 = "ttnn.moe_compute"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) <{cluster_axis = 0 : ui32, has_bias = false, intermediate_size = 128 : ui32, layer_id = 3 : ui32, mux_core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (3,3)>]>, num_links = 2 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1, 1>, output_height_shard_dim = 4 : ui32}> : (tensor<1x1x64x256xbf16>, tensor<1x1x64x4xui16>, tensor<1x1x64x4xbf16>, tensor<1x1x16x4xui16>, tensor<8x1x16x4x256x128xbf16>, tensor<8x1x16x4x128x256xbf16>, !ttnn.global_semaphore, !ttnn.device) -> tensor<4x64x256xbf16>
  return
}

func.func @prepare_moe_compute_w0_w1_weights_11(%a0: tensor<4x1x256x128xbf16>, %a1: tensor<4x1x256x128xbf16>, %a2: tensor<4x1x128xbf16>, %a3: tensor<4x1x128xbf16>, %a4: !ttnn.device) {
  // CHECK: "ttnn.prepare_moe_compute_w0_w1_weights"(%arg0, %arg1, %arg2, %arg3, %arg4) <{hidden_size = 256 : ui32, intermediate_size = 128 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (
  %0 = "ttnn.prepare_moe_compute_w0_w1_weights"(%a0, %a1, %a2, %a3, %a4) <{hidden_size = 256 : ui32, intermediate_size = 128 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<4x1x256x128xbf16>, tensor<4x1x256x128xbf16>, tensor<4x1x128xbf16>, tensor<4x1x128xbf16>, !ttnn.device) -> tensor<8x1x16x4x256x128xbf16>
  return
}

func.func @prepare_moe_compute_w2_weights_12(%a0: tensor<4x1x128x256xbf16>, %a1: !ttnn.device) {
  // CHECK: "ttnn.prepare_moe_compute_w2_weights"(%arg0, %arg1) <{hidden_size = 256 : ui32, intermediate_size = 128 : ui32}> : (
  %0 = "ttnn.prepare_moe_compute_w2_weights"(%a0, %a1) <{hidden_size = 256 : ui32, intermediate_size = 128 : ui32}> : (tensor<4x1x128x256xbf16>, !ttnn.device) -> tensor<8x1x16x4x128x256xbf16>
  return
}

func.func @moe_gpt_13(%a0: tensor<1x1x32x2880xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<1x1x16x4xui16>, %a4: tensor<8x1x4x4x2880x128xbf16>, %a5: tensor<8x1x4x4x2880x128xbf16>) {
  // CHECK: "ttnn.moe_gpt"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) <{cluster_axis = 1 : ui32, hidden_size = 2880 : ui32, output_height_shard_dim = 4 : ui32, output_width_shard_dim = 3 : ui32}> : (
  %0:5 = "ttnn.moe_gpt"(%a0, %a1, %a2, %a3, %a4, %a5) <{cluster_axis = 1 : ui32}> : (tensor<1x1x32x2880xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<1x1x16x4xui16>, tensor<8x1x4x4x2880x128xbf16>, tensor<8x1x4x4x2880x128xbf16>) -> (tensor<1x4xui32>, tensor<4x32xui32>, tensor<4x32xui32>, tensor<4x32x2880xbf16>, tensor<4x32x2880xbf16>)
  return
}
