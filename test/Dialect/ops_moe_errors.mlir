// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @all_to_all_dispatch_0(%a0: tensor<16x256xbf16>, %a1: tensor<2x8x1x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{input_tensor must have 4 dimensions, not 2}}
  %0:2 = "ttnn.all_to_all_dispatch"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64}> : (tensor<16x256xbf16>, tensor<2x8x1x4xui16>, tensor<1x1x16x8xui16>) -> (tensor<1x8x8x256xbf16>, tensor<1x8x8x4xui16>)
  return
}
// -----
func.func @all_to_all_dispatch_1(%a0: tensor<2x8x1x256xbf16>, %a1: tensor<2x8x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{expert_indices must have 4 dimensions, not 3}}
  %0:2 = "ttnn.all_to_all_dispatch"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64}> : (tensor<2x8x1x256xbf16>, tensor<2x8x4xui16>, tensor<1x1x16x8xui16>) -> (tensor<1x8x8x256xbf16>, tensor<1x8x8x4xui16>)
  return
}
// -----
func.func @all_to_all_dispatch_2(%a0: tensor<2x8x1x256xbf16>, %a1: tensor<2x8x1x4xui16>, %a2: tensor<16x8xui16>) {
  // expected-error@+1 {{expert_mapping must have 4 dimensions, not 2}}
  %0:2 = "ttnn.all_to_all_dispatch"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64}> : (tensor<2x8x1x256xbf16>, tensor<2x8x1x4xui16>, tensor<16x8xui16>) -> (tensor<1x8x8x256xbf16>, tensor<1x8x8x4xui16>)
  return
}
// -----
func.func @all_to_all_dispatch_3(%a0: tensor<2x8x1x256xbf16>, %a1: tensor<2x8x1x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{dispatched must have 4 dimensions, not 3}}
  %0:2 = "ttnn.all_to_all_dispatch"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64}> : (tensor<2x8x1x256xbf16>, tensor<2x8x1x4xui16>, tensor<1x1x16x8xui16>) -> (tensor<8x8x256xbf16>, tensor<1x8x8x4xui16>)
  return
}
// -----
func.func @all_to_all_dispatch_4(%a0: tensor<2x8x1x256xbf16>, %a1: tensor<2x8x1x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{metadata must have 4 dimensions, not 3}}
  %0:2 = "ttnn.all_to_all_dispatch"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64}> : (tensor<2x8x1x256xbf16>, tensor<2x8x1x4xui16>, tensor<1x1x16x8xui16>) -> (tensor<1x8x8x256xbf16>, tensor<8x8x4xui16>)
  return
}
// -----
func.func @all_to_all_dispatch_5(%a0: tensor<2x8x1x256xbf16>, %a1: tensor<2x8x1x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{attribute 'num_devices' must be positive, not 0}}
  %0:2 = "ttnn.all_to_all_dispatch"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 0 : i64}> : (tensor<2x8x1x256xbf16>, tensor<2x8x1x4xui16>, tensor<1x1x16x8xui16>) -> (tensor<1x8x8x256xbf16>, tensor<1x8x8x4xui16>)
  return
}
// -----
func.func @all_to_all_dispatch_6(%a0: tensor<2x8x1x256xbf16>, %a1: tensor<2x8x1x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{attribute 'cluster_axis' must be 0 or 1, not 2}}
  %0:2 = "ttnn.all_to_all_dispatch"(%a0, %a1, %a2) <{cluster_axis = 2 : i64, num_devices = 4 : i64}> : (tensor<2x8x1x256xbf16>, tensor<2x8x1x4xui16>, tensor<1x1x16x8xui16>) -> (tensor<1x8x8x256xbf16>, tensor<1x8x8x4xui16>)
  return
}
// -----
func.func @all_to_all_dispatch_metadata_7(%a0: tensor<32x256xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<4x16xui16>) {
  // expected-error@+1 {{input_tensor must have 4 dimensions, not 2}}
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<32x256xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<4x16xui16>) -> (tensor<1x64x256xbf16>, tensor<1x64x4xui16>, tensor<1x64x4xbf16>)
  return
}
// -----
func.func @all_to_all_dispatch_metadata_8(%a0: tensor<1x1x32x256xbf16>, %a1: tensor<1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<4x16xui16>) {
  // expected-error@+1 {{expert_indices must have 4 dimensions, not 3}}
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<1x1x32x256xbf16>, tensor<1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<4x16xui16>) -> (tensor<1x64x256xbf16>, tensor<1x64x4xui16>, tensor<1x64x4xbf16>)
  return
}
// -----
func.func @all_to_all_dispatch_metadata_9(%a0: tensor<1x1x32x256xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<32x4xbf16>, %a3: tensor<4x16xui16>) {
  // expected-error@+1 {{expert_scores must have 4 dimensions, not 2}}
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<1x1x32x256xbf16>, tensor<1x1x32x4xui16>, tensor<32x4xbf16>, tensor<4x16xui16>) -> (tensor<1x64x256xbf16>, tensor<1x64x4xui16>, tensor<1x64x4xbf16>)
  return
}
// -----
func.func @all_to_all_dispatch_metadata_10(%a0: tensor<1x1x32x256xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<1x1x4x16xui16>) {
  // expected-error@+1 {{expert_mapping must have 2 dimensions, not 4}}
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<1x1x32x256xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<1x1x4x16xui16>) -> (tensor<1x64x256xbf16>, tensor<1x64x4xui16>, tensor<1x64x4xbf16>)
  return
}
// -----
func.func @all_to_all_dispatch_metadata_11(%a0: tensor<1x1x32x256xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<4x16xui16>) {
  // expected-error@+1 {{indices must have 3 dimensions, not 4}}
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<1x1x32x256xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<4x16xui16>) -> (tensor<1x64x256xbf16>, tensor<1x1x64x4xui16>, tensor<1x64x4xbf16>)
  return
}
// -----
func.func @all_to_all_dispatch_metadata_12(%a0: tensor<1x1x32x256xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<4x16xui16>) {
  // expected-error@+1 {{attribute 'num_devices' must be positive, not -1}}
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3) <{cluster_axis = 1 : i64, num_devices = -1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<1x1x32x256xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<4x16xui16>) -> (tensor<1x64x256xbf16>, tensor<1x64x4xui16>, tensor<1x64x4xbf16>)
  return
}
// -----
func.func @all_to_all_dispatch_metadata_13(%a0: tensor<1x1x32x256xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<4x16xui16>) {
  // expected-error@+1 {{attribute 'cluster_axis' must be 0 or 1, not -1}}
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3) <{cluster_axis = -1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (tensor<1x1x32x256xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<4x16xui16>) -> (tensor<1x64x256xbf16>, tensor<1x64x4xui16>, tensor<1x64x4xbf16>)
  return
}
// -----
func.func @all_to_all_dispatch_metadata_14(%a0: tensor<1x1x32x256xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<4x16xui16>, %a4: tensor<1x64x256xbf16>) {
  // expected-error@+1 {{must have all of dispatched_buffer, indices_buffer, scores_buffer or none}}
  %0:3 = "ttnn.all_to_all_dispatch_metadata"(%a0, %a1, %a2, %a3, %a4) <{cluster_axis = 1 : i64, num_devices = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>}> : (tensor<1x1x32x256xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<4x16xui16>, tensor<1x64x256xbf16>) -> (tensor<1x64x256xbf16>, tensor<1x64x4xui16>, tensor<1x64x4xbf16>)
  return
}
// -----
func.func @all_to_all_combine_15(%a0: tensor<16x256xbf16>, %a1: tensor<1x4x16x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{input_tensor must have 4 dimensions, not 2}}
  %0 = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64, num_experts_per_tok = 4 : i64}> : (tensor<16x256xbf16>, tensor<1x4x16x4xui16>, tensor<1x1x16x8xui16>) -> tensor<4x1x16x256xbf16>
  return
}
// -----
func.func @all_to_all_combine_16(%a0: tensor<2x4x16x256xbf16>, %a1: tensor<4x16x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{expert_metadata must have 4 dimensions, not 3}}
  %0 = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64, num_experts_per_tok = 4 : i64}> : (tensor<2x4x16x256xbf16>, tensor<4x16x4xui16>, tensor<1x1x16x8xui16>) -> tensor<4x1x16x256xbf16>
  return
}
// -----
func.func @all_to_all_combine_17(%a0: tensor<2x4x16x256xbf16>, %a1: tensor<1x4x16x4xui16>, %a2: tensor<16x8xui16>) {
  // expected-error@+1 {{expert_mapping must have 4 dimensions, not 2}}
  %0 = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64, num_experts_per_tok = 4 : i64}> : (tensor<2x4x16x256xbf16>, tensor<1x4x16x4xui16>, tensor<16x8xui16>) -> tensor<4x1x16x256xbf16>
  return
}
// -----
func.func @all_to_all_combine_18(%a0: tensor<2x4x16x256xbf16>, %a1: tensor<1x4x16x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{result must have 4 dimensions, not 3}}
  %0 = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64, num_experts_per_tok = 4 : i64}> : (tensor<2x4x16x256xbf16>, tensor<1x4x16x4xui16>, tensor<1x1x16x8xui16>) -> tensor<4x16x256xbf16>
  return
}
// -----
func.func @all_to_all_combine_19(%a0: tensor<2x4x16x256xbf16>, %a1: tensor<1x4x16x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{attribute 'num_devices' must be positive, not 0}}
  %0 = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 0 : i64, num_experts_per_tok = 4 : i64}> : (tensor<2x4x16x256xbf16>, tensor<1x4x16x4xui16>, tensor<1x1x16x8xui16>) -> tensor<4x1x16x256xbf16>
  return
}
// -----
func.func @all_to_all_combine_20(%a0: tensor<2x4x16x256xbf16>, %a1: tensor<1x4x16x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{attribute 'cluster_axis' must be 0 or 1, not 3}}
  %0 = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{cluster_axis = 3 : i64, num_devices = 4 : i64, num_experts_per_tok = 4 : i64}> : (tensor<2x4x16x256xbf16>, tensor<1x4x16x4xui16>, tensor<1x1x16x8xui16>) -> tensor<4x1x16x256xbf16>
  return
}
// -----
func.func @all_to_all_combine_21(%a0: tensor<2x4x16x256xbf16>, %a1: tensor<1x4x16x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{attribute 'num_experts_per_tok' must be positive, not 0}}
  %0 = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64, num_experts_per_tok = 0 : i64}> : (tensor<2x4x16x256xbf16>, tensor<1x4x16x4xui16>, tensor<1x1x16x8xui16>) -> tensor<4x1x16x256xbf16>
  return
}
// -----
func.func @all_to_all_combine_22(%a0: tensor<2x4x16x256xbf16>, %a1: tensor<1x4x16x4xui16>, %a2: tensor<1x1x16x8xui16>) {
  // expected-error@+1 {{attribute 'output_shard_dim' must be 1 or 2, not 3}}
  %0 = "ttnn.all_to_all_combine"(%a0, %a1, %a2) <{cluster_axis = 0 : i64, num_devices = 4 : i64, num_experts_per_tok = 4 : i64, output_shard_dim = 3 : i64}> : (tensor<2x4x16x256xbf16>, tensor<1x4x16x4xui16>, tensor<1x1x16x8xui16>) -> tensor<4x1x16x256xbf16>
  return
}
// -----
func.func @moe_expert_token_remap_23(%a0: tensor<4x16x32xbf16>, %a1: tensor<1x1x32x8xui16>, %a2: tensor<1x4x16x4xui16>) {
  // expected-error@+1 {{topk_tensor must have 4 dimensions, not 3}}
  %0:2 = "ttnn.moe_expert_token_remap"(%a0, %a1, %a2) <{reduction_size = 32 : i64}> : (tensor<4x16x32xbf16>, tensor<1x1x32x8xui16>, tensor<1x4x16x4xui16>) -> (tensor<1x4x16x4xbf16>, tensor<1x1x2x4xbf16>)
  return
}
// -----
func.func @moe_expert_token_remap_24(%a0: tensor<1x4x16x32xbf16>, %a1: tensor<32x8xui16>, %a2: tensor<1x4x16x4xui16>) {
  // expected-error@+1 {{expert_mapping must have 4 dimensions, not 2}}
  %0:2 = "ttnn.moe_expert_token_remap"(%a0, %a1, %a2) <{reduction_size = 32 : i64}> : (tensor<1x4x16x32xbf16>, tensor<32x8xui16>, tensor<1x4x16x4xui16>) -> (tensor<1x4x16x4xbf16>, tensor<1x1x2x4xbf16>)
  return
}
// -----
func.func @moe_expert_token_remap_25(%a0: tensor<1x4x16x32xbf16>, %a1: tensor<1x1x32x8xui16>, %a2: tensor<16x4xui16>) {
  // expected-error@+1 {{expert_metadata must have 4 dimensions, not 2}}
  %0:2 = "ttnn.moe_expert_token_remap"(%a0, %a1, %a2) <{reduction_size = 32 : i64}> : (tensor<1x4x16x32xbf16>, tensor<1x1x32x8xui16>, tensor<16x4xui16>) -> (tensor<1x4x16x4xbf16>, tensor<1x1x2x4xbf16>)
  return
}
// -----
func.func @moe_expert_token_remap_26(%a0: tensor<1x4x16x32xbf16>, %a1: tensor<1x1x32x8xui16>, %a2: tensor<1x4x16x4xui16>) {
  // expected-error@+1 {{reduced must have 4 dimensions, not 2}}
  %0:2 = "ttnn.moe_expert_token_remap"(%a0, %a1, %a2) <{reduction_size = 32 : i64}> : (tensor<1x4x16x32xbf16>, tensor<1x1x32x8xui16>, tensor<1x4x16x4xui16>) -> (tensor<1x4x16x4xbf16>, tensor<2x4xbf16>)
  return
}
// -----
func.func @moe_expert_token_remap_27(%a0: tensor<1x4x16x32xbf16>, %a1: tensor<1x1x32x8xui16>, %a2: tensor<1x4x16x4xui16>) {
  // expected-error@+1 {{attribute 'reduction_size' must be positive, not 0}}
  %0:2 = "ttnn.moe_expert_token_remap"(%a0, %a1, %a2) <{reduction_size = 0 : i64}> : (tensor<1x4x16x32xbf16>, tensor<1x1x32x8xui16>, tensor<1x4x16x4xui16>) -> (tensor<1x4x16x4xbf16>, tensor<1x1x2x4xbf16>)
  return
}
// -----
func.func @sparse_matmul_28(%a0: tensor<32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<2x4x1x8xbf16>) {
  // expected-error@+1 {{a must have at least 4 dimensions, not 2}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (tensor<32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x1x8x32x96xbf16>
  return
}
// -----
func.func @sparse_matmul_29(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<8x64x96xbf16>, %a2: tensor<2x4x1x8xbf16>) {
  // expected-error@+1 {{b must have 4 dimensions, not 3}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<8x64x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x1x8x32x96xbf16>
  return
}
// -----
func.func @sparse_matmul_30(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<4x1x8xbf16>) {
  // expected-error@+1 {{sparsity must have 4 dimensions, not 3}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<4x1x8xbf16>) -> tensor<2x4x1x8x32x96xbf16>
  return
}
// -----
func.func @sparse_matmul_31(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<2x8x64x96xbf16>, %a2: tensor<2x4x1x8xbf16>) {
  // expected-error@+1 {{b has extent 2 in dimension 0, but one set of matrices gives 1}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<2x8x64x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x1x8x32x96xbf16>
  return
}
// -----
func.func @sparse_matmul_32(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<1x8x32x96xbf16>, %a2: tensor<2x4x1x8xbf16>) {
  // expected-error@+1 {{b has extent 32 in dimension 2, but a's last extent gives 64}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<1x8x32x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x1x8x32x96xbf16>
  return
}
// -----
func.func @sparse_matmul_33(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<2x4x1x4xbf16>) {
  // expected-error@+1 {{sparsity has extent 4 in dimension 3, but b's number of matrices gives 8}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<2x4x1x4xbf16>) -> tensor<2x4x1x8x32x96xbf16>
  return
}
// -----
func.func @sparse_matmul_34(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<2x4x1x8xbf16>) {
  // expected-error@+1 {{needs a sparse input: 'is_input_a_sparse' or 'is_input_b_sparse' must be true}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = false, nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x1x8x32x96xbf16>
  return
}
// -----
func.func @sparse_matmul_35(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<2x4x1x8xbf16>) {
  // expected-error@+1 {{attribute 'nnz' must be positive, not 0}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 0 : i64}> : (tensor<2x4x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x1x8x32x96xbf16>
  return
}
// -----
func.func @sparse_matmul_36(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<2x4x1x8xbf16>) {
  // expected-error@+1 {{result of a dense a must have 6 dimensions, not 4}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x32x96xbf16>
  return
}
// -----
func.func @sparse_matmul_37(%a0: tensor<2x4x32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<2x4x1x8xbf16>) {
  // expected-error@+1 {{result has shape 2x4x1x8x32x64, but the product of a and all matrices of b gives 2x4x1x8x32x96}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = false, is_input_b_sparse = true, nnz = 5 : i64}> : (tensor<2x4x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<2x4x1x8xbf16>) -> tensor<2x4x1x8x32x64xbf16>
  return
}
// -----
func.func @sparse_matmul_38(%a0: tensor<1x8x32x64xbf16>, %a1: tensor<1x8x64x96xbf16>, %a2: tensor<1x1x1x8xbf16>) {
  // expected-error@+1 {{result of a sparse a must have 4 dimensions, not 6}}
  %0 = "ttnn.sparse_matmul"(%a0, %a1, %a2) <{is_input_a_sparse = true, is_input_b_sparse = true}> : (tensor<1x8x32x64xbf16>, tensor<1x8x64x96xbf16>, tensor<1x1x1x8xbf16>) -> tensor<1x1x1x8x32x96xbf16>
  return
}
// -----
func.func @topk_router_gpt_39(%a0: tensor<16x256xbf16>, %a1: tensor<256x128xbf16>, %a2: tensor<32x128xbf16>) {
  // expected-error@+1 {{input must have 32 rows, not shape 16x256}}
  %0:2 = "ttnn.topk_router_gpt"(%a0, %a1, %a2) <{k = 4 : i32, num_experts = 128 : i32}> : (tensor<16x256xbf16>, tensor<256x128xbf16>, tensor<32x128xbf16>) -> (tensor<32x4xui16>, tensor<32x4xbf16>)
  return
}
// -----
func.func @topk_router_gpt_40(%a0: tensor<32x256xbf16>, %a1: tensor<256x128xbf16>, %a2: tensor<32x128xbf16>) {
  // expected-error@+1 {{attribute 'num_experts' must be 128, not 64}}
  %0:2 = "ttnn.topk_router_gpt"(%a0, %a1, %a2) <{k = 4 : i32, num_experts = 64 : i32}> : (tensor<32x256xbf16>, tensor<256x128xbf16>, tensor<32x128xbf16>) -> (tensor<32x4xui16>, tensor<32x4xbf16>)
  return
}
// -----
func.func @moe_compute_41(%a0: tensor<1x1x64x256xbf16>, %a1: tensor<1x1x64x4xui16>, %a2: tensor<1x1x64x4xbf16>, %a3: tensor<1x1x16x4xui16>, %a4: tensor<8x1x16x4x256x128xbf16>, %a5: tensor<8x1x16x4x128x256xbf16>, %a6: !ttnn.global_semaphore, %a7: !ttnn.device) {
  // expected-error@+1 {{attribute 'intermediate_size' must be a positive multiple of 32, not 100}}
  %0 = "ttnn.moe_compute"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) <{cluster_axis = 0 : ui32, has_bias = false, intermediate_size = 100 : ui32, layer_id = 3 : ui32, mux_core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (3,3)>]>, num_links = 2 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1, 1>, output_height_shard_dim = 4 : ui32}> : (tensor<1x1x64x256xbf16>, tensor<1x1x64x4xui16>, tensor<1x1x64x4xbf16>, tensor<1x1x16x4xui16>, tensor<8x1x16x4x256x128xbf16>, tensor<8x1x16x4x128x256xbf16>, !ttnn.global_semaphore, !ttnn.device) -> tensor<4x64x256xbf16>
  return
}
// -----
func.func @moe_compute_42(%a0: tensor<1x1x64x256xbf16>, %a1: tensor<1x1x64x4xui16>, %a2: tensor<1x1x64x4xbf16>, %a3: tensor<1x1x16x4xui16>, %a4: tensor<8x1x16x4x256x128xbf16>, %a5: tensor<8x1x16x4x128x256xbf16>, %a6: !ttnn.global_semaphore, %a7: !ttnn.device) {
  // expected-error@+1 {{attribute 'intermediate_size' must be a positive multiple of 32, not 0}}
  %0 = "ttnn.moe_compute"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) <{cluster_axis = 0 : ui32, has_bias = false, intermediate_size = 0 : ui32, layer_id = 3 : ui32, mux_core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (3,3)>]>, num_links = 2 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1, 1>, output_height_shard_dim = 4 : ui32}> : (tensor<1x1x64x256xbf16>, tensor<1x1x64x4xui16>, tensor<1x1x64x4xbf16>, tensor<1x1x16x4xui16>, tensor<8x1x16x4x256x128xbf16>, tensor<8x1x16x4x128x256xbf16>, !ttnn.global_semaphore, !ttnn.device) -> tensor<4x64x256xbf16>
  return
}
// -----
func.func @moe_compute_43(%a0: tensor<1x1x64x200xbf16>, %a1: tensor<1x1x64x4xui16>, %a2: tensor<1x1x64x4xbf16>, %a3: tensor<1x1x16x4xui16>, %a4: tensor<8x1x16x4x256x128xbf16>, %a5: tensor<8x1x16x4x128x256xbf16>, %a6: !ttnn.global_semaphore, %a7: !ttnn.device) {
  // expected-error@+1 {{tilize_input_tensor's last extent must be a positive multiple of 32, not 200}}
  %0 = "ttnn.moe_compute"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) <{cluster_axis = 0 : ui32, has_bias = false, intermediate_size = 128 : ui32, layer_id = 3 : ui32, mux_core_range_set = #ttnn.core_range_set<[#ttnn.core_range<(1,1), (3,3)>]>, num_links = 2 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1, 1>, output_height_shard_dim = 4 : ui32}> : (tensor<1x1x64x200xbf16>, tensor<1x1x64x4xui16>, tensor<1x1x64x4xbf16>, tensor<1x1x16x4xui16>, tensor<8x1x16x4x256x128xbf16>, tensor<8x1x16x4x128x256xbf16>, !ttnn.global_semaphore, !ttnn.device) -> tensor<4x64x256xbf16>
  return
}
// -----
func.func @prepare_moe_compute_w0_w1_weights_44(%a0: tensor<4x1x256x128xbf16>, %a1: tensor<4x1x256x128xbf16>, %a2: tensor<4x1x128xbf16>, %a3: tensor<4x1x128xbf16>, %a4: !ttnn.device) {
  // expected-error@+1 {{attribute 'hidden_size' must be a positive multiple of 32, not 250}}
  %0 = "ttnn.prepare_moe_compute_w0_w1_weights"(%a0, %a1, %a2, %a3, %a4) <{hidden_size = 250 : ui32, intermediate_size = 128 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<4x1x256x128xbf16>, tensor<4x1x256x128xbf16>, tensor<4x1x128xbf16>, tensor<4x1x128xbf16>, !ttnn.device) -> tensor<8x1x16x4x256x128xbf16>
  return
}
// -----
func.func @prepare_moe_compute_w0_w1_weights_45(%a0: tensor<4x1x256x128xbf16>, %a1: tensor<4x1x256x128xbf16>, %a2: tensor<4x1x128xbf16>, %a3: tensor<4x1x128xbf16>, %a4: !ttnn.device) {
  // expected-error@+1 {{attribute 'intermediate_size' must be a positive multiple of 32, not 16}}
  %0 = "ttnn.prepare_moe_compute_w0_w1_weights"(%a0, %a1, %a2, %a3, %a4) <{hidden_size = 256 : ui32, intermediate_size = 16 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<4x1x256x128xbf16>, tensor<4x1x256x128xbf16>, tensor<4x1x128xbf16>, tensor<4x1x128xbf16>, !ttnn.device) -> tensor<8x1x16x4x256x128xbf16>
  return
}
// -----
func.func @prepare_moe_compute_w0_w1_weights_46(%a0: tensor<4x1x256x128xbf16>, %a1: tensor<4x1x256x128xbf16>, %a2: tensor<4x1x128xbf16>, %a3: !ttnn.device) {
  // expected-error@+1 {{must have all of bias_0, bias_1 or none}}
  %0 = "ttnn.prepare_moe_compute_w0_w1_weights"(%a0, %a1, %a2, %a3) <{hidden_size = 256 : ui32, intermediate_size = 128 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (tensor<4x1x256x128xbf16>, tensor<4x1x256x128xbf16>, tensor<4x1x128xbf16>, !ttnn.device) -> tensor<8x1x16x4x256x128xbf16>
  return
}
// -----
func.func @prepare_moe_compute_w2_weights_47(%a0: tensor<4x1x128x256xbf16>, %a1: !ttnn.device) {
  // expected-error@+1 {{attribute 'hidden_size' must be a positive multiple of 32, not 33}}
  %0 = "ttnn.prepare_moe_compute_w2_weights"(%a0, %a1) <{hidden_size = 33 : ui32, intermediate_size = 128 : ui32}> : (tensor<4x1x128x256xbf16>, !ttnn.device) -> tensor<8x1x16x4x128x256xbf16>
  return
}
// -----
func.func @moe_gpt_48(%a0: tensor<1x1x32x2880xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<1x1x16x4xui16>, %a4: tensor<4x2880x128xbf16>, %a5: tensor<8x1x4x4x2880x128xbf16>) {
  // expected-error@+1 {{w0_w1_tensor must have 6 dimensions, not 3}}
  %0:5 = "ttnn.moe_gpt"(%a0, %a1, %a2, %a3, %a4, %a5) <{cluster_axis = 1 : ui32}> : (tensor<1x1x32x2880xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<1x1x16x4xui16>, tensor<4x2880x128xbf16>, tensor<8x1x4x4x2880x128xbf16>) -> (tensor<1x4xui32>, tensor<4x32xui32>, tensor<4x32xui32>, tensor<4x32x2880xbf16>, tensor<4x32x2880xbf16>)
  return
}
// -----
func.func @moe_gpt_49(%a0: tensor<1x1x32x2880xbf16>, %a1: tensor<1x1x32x4xui16>, %a2: tensor<1x1x32x4xbf16>, %a3: tensor<1x1x16x4xui16>, %a4: tensor<8x1x4x4x2880x128xbf16>, %a5: tensor<8x1x4x4x2880x64xbf16>) {
  // expected-error@+1 {{w2_tensor has extent 64 in dimension 5, but the kernel, 4 tiles, gives 128}}
  %0:5 = "ttnn.moe_gpt"(%a0, %a1, %a2, %a3, %a4, %a5) <{cluster_axis = 1 : ui32}> : (tensor<1x1x32x2880xbf16>, tensor<1x1x32x4xui16>, tensor<1x1x32x4xbf16>, tensor<1x1x16x4xui16>, tensor<8x1x4x4x2880x128xbf16>, tensor<8x1x4x4x2880x64xbf16>) -> (tensor<1x4xui32>, tensor<4x32xui32>, tensor<4x32xui32>, tensor<4x32x2880xbf16>, tensor<4x32x2880xbf16>)
  return
}
