//===- TTNNOpsMoE.td - Mixture of experts ----------------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Tokens travel to the devices that hold their experts and back: dispatch,
// matmuls of the experts, combine. Rules: facts/dialect 9.
// Letters in the shapes below: B batch, S sequence, H hidden size, K experts
// per token, E experts.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSMOE_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSMOE_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

// ---- Between devices --------------------------------------------------------------------------------------

def TTNN_AllToAllDispatchOp : TTNN_ComputeOp<"all_to_all_dispatch"> {
  let summary = "Sends each token to the devices along cluster_axis that hold its experts";
  let ownArguments = (ins TTNN_Tensor:$input_tensor, TTNN_Tensor:$expert_indices, TTNN_Tensor:$expert_mapping,
      I64Attr:$num_devices, I64Attr:$cluster_axis);
  let results = (outs TTNN_Tensor:$dispatched, TTNN_Tensor:$metadata);
  let hasVerifier = 1;
}

def TTNN_AllToAllDispatchMetadataOp
    : TTNN_AllocatingOp<"all_to_all_dispatch_metadata", [AttrSizedOperandSegments]> {
  let summary = "all_to_all_dispatch that sends the experts' scores, too, maybe into given buffers";
  let ownArguments =
      (ins TTNN_Read<"tokens">:$input_tensor, TTNN_Read<"K experts of each token">:$expert_indices,
          TTNN_Read<"K scores of each token">:$expert_scores,
          TTNN_Read<"devices of each expert">:$expert_mapping, TTNN_OptionalBuffer<"tokens">:$dispatched_buffer,
          TTNN_OptionalBuffer<"experts">:$indices_buffer, TTNN_OptionalBuffer<"scores">:$scores_buffer,
          TTNN_OptionalSemaphore:$cross_device_semaphore, I64Attr:$num_devices, I64Attr:$cluster_axis);
  let results =
      (outs TTNN_Made<"tokens">:$dispatched, TTNN_Made<"experts">:$indices, TTNN_Made<"scores">:$scores);
  let hasVerifier = 1;
}

def TTNN_AllToAllCombineOp : TTNN_ComputeOp<"all_to_all_combine"> {
  let summary = "Sends the experts' results back to the devices that the tokens came from";
  let ownArguments = (ins TTNN_Tensor:$input_tensor, TTNN_Tensor:$expert_metadata, TTNN_Tensor:$expert_mapping,
      I64Attr:$num_devices, I64Attr:$cluster_axis, I64Attr:$num_experts_per_tok,
      DefaultValuedAttr<I64Attr, "2">:$output_shard_dim);
  let hasVerifier = 1;
}

// ---- On one device ----------------------------------------------------------------------------------------

def TTNN_MoEExpertTokenRemapOp : TTNN_ComputeOp<"moe_expert_token_remap"> {
  let summary = "Which tokens the experts of this device compute, per token and per block of reduction_size";
  let ownArguments = (ins TTNN_Tensor:$topk_tensor, TTNN_Tensor:$expert_mapping, TTNN_Tensor:$expert_metadata,
      I64Attr:$reduction_size);
  let results = (outs TTNN_Tensor:$mapping, TTNN_Tensor:$reduced);
  let hasVerifier = 1;
}

def TTNN_SparseMatmulOp : TTNN_ArithmeticOp<"sparse_matmul", [TTNN_ComputeKernelConfigOpInterface]> {
  let summary = "Products with the E matrices of b, without those that sparsity marks by zero";
  let ownArguments = (ins TTNN_Tensor:$a, TTNN_Tensor:$b, TTNN_Tensor:$sparsity,
      TTNN_DefaultFalse:$is_input_a_sparse, TTNN_DefaultTrue:$is_input_b_sparse, OptionalAttr<I64Attr>:$nnz,
      OptionalAttr<AnyAttr>:$program_config, OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
  let hasVerifier = 1;
}

def TTNN_TopKRouterGptOp : TTNN_ComputeOp<"topk_router_gpt"> {
  let summary = "The k experts of each token, by input x weight + bias, and their weights";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$weight, TTNN_Tensor:$bias, I32Attr:$k,
      I32Attr:$num_experts);
  let results = (outs TTNN_Tensor:$expert_indices, TTNN_Tensor:$expert_weights);
  let hasVerifier = 1;
}

def TTNN_SelectiveReduceCombineOp : TTNN_ComputeOp<"selective_reduce_combine"> {
  let summary = "all_to_all_combine of results that lie densely, with their sum";
  let ownArguments = (ins TTNN_Tensor:$dense_input_tensor, TTNN_Tensor:$dense_activations_tensor,
      TTNN_Tensor:$dense_token_maps_tensor, TTNN_Tensor:$dense_token_counts_tensor, UI32Attr:$hidden_size,
      UI32Attr:$batch_size, UI32Attr:$seq_size, UI32Attr:$select_experts_k, UI32Attr:$experts);
}

// ---- Fused kernels ----------------------------------------------------------------------------------------

def TTNN_MoEComputeOp : TTNN_AllocatingOp<"moe_compute", [AttrSizedOperandSegments]> {
  let summary = "The experts' two matmuls with activation between them, and the combine";
  let ownArguments =
      (ins TTNN_Read<"tokens">:$tilize_input_tensor, TTNN_Read<"experts">:$tilize_expert_indices_tensor,
          TTNN_Read<"scores">:$tilize_expert_scores_tensor, TTNN_Read<"devices">:$tilize_expert_mapping_tensor,
          TTNN_Read<"first weights">:$matmul_w0_w1_tensor, TTNN_Read<"second weights">:$matmul_w2_tensor,
          TTNN_OptionalBuffer<"result">:$optional_output_tensor, TTNN_OptionalSemaphore:$cross_device_semaphore,
          TTNN_DeviceType:$device, UI32Attr:$layer_id, UI32Attr:$output_height_shard_dim,
          UI32Attr:$intermediate_size, BoolAttr:$has_bias, OptionalAttr<AnyAttr>:$activation_function,
          UI32Attr:$cluster_axis, OptionalAttr<TTNN_IntAttr>:$num_links, OptionalAttr<AnyAttr>:$topology,
          TTNN_CoreRangeSetAttr:$mux_core_range_set);
  let results = (outs TTNN_Made<"result">:$combine_output);
  let hasVerifier = 1;
}

class TTNN_PrepareMoEWeightsOp<string mnemonic, string which, dag operands, list<Trait> traits = []>
    : TTNN_ComputeOp<mnemonic, traits> {
  let summary = "Rearranges the "#which#" weights of a moe_compute";
  let ownArguments = !con(operands, (ins TTNN_DeviceType:$device, UI32Attr:$hidden_size,
                                     UI32Attr:$intermediate_size));
  let hasVerifier = 1;
}
def TTNN_PrepareMoEComputeW0W1WeightsOp
    : TTNN_PrepareMoEWeightsOp<"prepare_moe_compute_w0_w1_weights", "first",
                               (ins TTNN_Tensor:$w0, TTNN_Tensor:$w1, Optional<TTNN_Tensor>:$bias_0,
                                   Optional<TTNN_Tensor>:$bias_1), [AttrSizedOperandSegments]>;
def TTNN_PrepareMoEComputeW2WeightsOp
    : TTNN_PrepareMoEWeightsOp<"prepare_moe_compute_w2_weights", "second",
                               (ins TTNN_Tensor:$w2, Optional<TTNN_Tensor>:$bias_2)>;

def TTNN_MoEGptOp : TTNN_ComputeOp<"moe_gpt"> {
  let summary = "moe_compute for the extents of one model family";
  let ownArguments = (ins TTNN_Tensor:$input_tensor, TTNN_Tensor:$expert_indices, TTNN_Tensor:$expert_scores,
      TTNN_Tensor:$expert_mapping, TTNN_Tensor:$w0_w1_tensor, TTNN_Tensor:$w2_tensor,
      DefaultValuedAttr<UI32Attr, "4">:$output_height_shard_dim,
      DefaultValuedAttr<UI32Attr, "3">:$output_width_shard_dim, DefaultValuedAttr<UI32Attr, "2880">:$hidden_size,
      OptionalAttr<TTNN_IntAttr>:$cluster_axis);
  let results = (outs TTNN_Tensor:$token_counts, TTNN_Tensor:$activation_records, TTNN_Tensor:$token_indices,
      TTNN_Tensor:$tilize_out, TTNN_Tensor:$tilize_out_rm);
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSMOE_TD
