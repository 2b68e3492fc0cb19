//===- TTNNOpsDistributed.td - Parts of norms, tensors on meshes *- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Ops that run on each device of a mesh on its part of the data. The norm of a
// dimension that is spread over devices is three ops: statistics of the own
// part, all_gather of them, norm of the own part by the statistics of all.
// Rules: facts/dialect 9.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSDISTRIBUTED_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSDISTRIBUTED_TD

include "tessera/Dialect/TTNN/TTNNOpsMesh.td"

// ---- Norms ------------------------------------------------------------------------------------------------

class TTNN_DistributedNormOp<string mnemonic, string what, list<Trait> traits>
    : TTNN_ArithmeticOp<mnemonic, [TTNN_ComputeKernelConfigOpInterface]#traits> {
  let summary = what;
  dag configs = (ins OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config,
      OptionalAttr<TTNN_LayerNormShardedMultiCoreProgramConfigAttr>:$program_config);
  let hasVerifier = 1;
}
def TTNN_RMSNormPreAllGatherOp
    : TTNN_DistributedNormOp<"rms_norm_pre_all_gather", "Sum of squares of the own part", []> {
  let ownArguments = !con((ins TTNN_Tensor:$input, Optional<TTNN_Tensor>:$residual), configs,
                       (ins OptionalAttr<BoolAttr>:$use_2d_core_grid));
}
def TTNN_LayerNormPreAllGatherOp
    : TTNN_DistributedNormOp<"layer_norm_pre_all_gather", "Sum and sum of squares of the own part",
                             [AttrSizedOperandSegments]> {
  let ownArguments = !con((ins TTNN_Tensor:$input, Optional<TTNN_Tensor>:$residual_input,
                           Optional<TTNN_Tensor>:$recip), configs);
}
def TTNN_LayerNormPostAllGatherOp
    : TTNN_DistributedNormOp<"layer_norm_post_all_gather", "layer_norm of the own part by all statistics",
                             [AttrSizedOperandSegments]> {
  let ownArguments = !con((ins TTNN_Tensor:$input, TTNN_Tensor:$stats, Optional<TTNN_Tensor>:$weight,
                           Optional<TTNN_Tensor>:$bias, DefaultValuedAttr<F32Attr, "1e-12">:$epsilon), configs);
}

def TTNN_DistributedLayerNormOp : TTNN_ArithmeticOp<"distributed_layer_norm", [AttrSizedOperandSegments]> {
  let summary = "layer_norm of a last dimension that is spread over the devices of one mesh axis";
  let ownArguments = (ins TTNN_Tensor:$input, Optional<TTNN_Tensor>:$weight, Optional<TTNN_Tensor>:$bias,
      Optional<TTNN_Tensor>:$residual, TTNN_DeviceType:$device, UI32Attr:$cluster_axis,
      DefaultValuedAttr<F32Attr, "1e-5">:$epsilon);
}

def TTNN_DitRMSNormUnaryFusedOp
    : TTNN_ArithmeticOp<"dit_rms_norm_unary_fused",
                        [AttrSizedOperandSegments, TTNN_ComputeKernelConfigOpInterface]> {
  let summary = "rms_norm of input plus residual, then an activation";
  let ownArguments = (ins TTNN_Tensor:$input, Optional<TTNN_Tensor>:$weight, Optional<TTNN_Tensor>:$bias,
      Optional<TTNN_Tensor>:$residual_input, DefaultValuedAttr<F32Attr, "1e-5">:$epsilon,
      OptionalAttr<AnyAttr>:$activation, OptionalAttr<TTNN_MemoryConfigAttr>:$memory_config,
      OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
}

// ---- Exchange ---------------------------------------------------------------------------------------------

def TTNN_AllReduceAsyncOp : TTNN_ComputeOp<"all_reduce_async"> {
  let summary = "all_reduce that later ops need not wait for";
  let ownArguments = !con((ins TTNN_Tensor:$input, TTCore_ReduceTypeAttr:$reduce_type, UI32Attr:$cluster_axis),
                       TTNN_LinkAttributes);
  let hasVerifier = 1;
}

def TTNN_PointToPointOp : TTNN_AllocatingOp<"point_to_point"> {
  let summary = "One device's tensor, on another device of the mesh";
  let ownArguments = (ins TTNN_Read<"sent">:$input, TTNN_OptionalBuffer<"received">:$optional_output_tensor,
      DenseI64ArrayAttr:$sender_coord, DenseI64ArrayAttr:$receiver_coord);
  let hasVerifier = 1;
}

// ---- Host tensors and meshes ------------------------------------------------------------------------------

class TTNN_HostMeshOp<string mnemonic, string what, dag attributes> : TTNN_ComputeOp<mnemonic> {
  let summary = what;
  let ownArguments = !con((ins TTNN_Tensor:$input, TTNN_DeviceType:$mesh_device), attributes);
}
def TTNN_AggregateTensorOp : TTNN_HostMeshOp<"aggregate_tensor", "All devices' tensors put together",
                                             (ins AnyAttr:$composer_config)>;
def TTNN_DistributeTensorOp
    : TTNN_HostMeshOp<"distribute_tensor", "A tensor cut or copied for the devices of a mesh",
                      (ins AnyAttr:$mapper_config, OptionalAttr<TTNN_IntAttr>:$cq_id)>;

// ---- Semaphores -------------------------------------------------------------------------------------------
// Counters in L1 by which the devices of an exchange wait for each other.

class TTNN_MakeSemaphoreOp<string mnemonic, string what, dag attributes> : TTNN_BareOp<mnemonic> {
  let summary = what;
  let ownArguments = !con((ins TTNN_DeviceType:$device), attributes);
  let results = (outs Res<TTNN_GlobalSemaphoreType, "allocated", [MemAlloc]>:$semaphore);
}
def TTNN_CreateGlobalSemaphoreOp
    : TTNN_MakeSemaphoreOp<"create_global_semaphore", "A semaphore on the given cores of each device",
                           (ins OptionalAttr<TTNN_IntAttr>:$initial_value, TTNN_CoreRangeSetAttr:$core_range_set)>;
def TTNN_AllocateMoEComputeSemaphoreOp
    : TTNN_MakeSemaphoreOp<"allocate_moe_compute_semaphore", "The semaphore that a moe_compute needs",
                           (ins UI32Attr:$output_height_shard_dim, UI32Attr:$hidden_size,
                               OptionalAttr<TTNN_IntAttr>:$initial_value,
                               TTNN_CoreRangeSetAttr:$mux_core_range_set)>;

def TTNN_ResetGlobalSemaphoreOp : TTNN_BareOp<"reset_global_semaphore"> {
  let summary = "Sets a semaphore";
  let ownArguments = (ins Arg<TTNN_GlobalSemaphoreType, "set", [MemWrite]>:$semaphore, UI32Attr:$value);
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSDISTRIBUTED_TD
