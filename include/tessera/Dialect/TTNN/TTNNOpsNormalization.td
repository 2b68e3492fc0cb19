//===- TTNNOpsNormalization.td - Normalizations ----------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSNORMALIZATION_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSNORMALIZATION_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

class TTNN_NormOp<string mnemonic, list<Trait> traits = []>
    : TTNN_ArithmeticOp<mnemonic, [AttrSizedOperandSegments, TTNN_ComputeKernelConfigOpInterface]#traits>;

/// Normalizes the last dimension; `weight` and `bias` have its extent.
class TTNN_LastDimNormOp<string mnemonic, string what> : TTNN_NormOp<mnemonic> {
  let summary = what#" over the last dimension, scaled and shifted";
  let ownArguments = (ins TTNN_Tensor:$input, Optional<TTNN_Tensor>:$weight, Optional<TTNN_Tensor>:$bias,
      DefaultValuedAttr<F32Attr, "1e-12">:$epsilon, OptionalAttr<TTNN_LayerNormShardedMultiCoreProgramConfigAttr>:$program_config,
      OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return verifyLastDimNorm(*this, getInput().getType(), getWeight(), getBias(), getType());
    }
  }];
}
def TTNN_RMSNormOp : TTNN_LastDimNormOp<"rms_norm", "Division by the root of the mean square">;
def TTNN_LayerNormOp : TTNN_LastDimNormOp<"layer_norm", "Zero mean and unit variance">;

// Not in tt-mlir's public source as of August 2026; as the compiler of October 2026 writes it (facts/dialect 10).
def TTNN_RMSNormResidualOp : TTNN_ComputeOp<"rms_norm_residual"> {
  let summary = "Sum of input and residual, and rms_norm of that sum over the last dimension, scaled";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$residual, TTNN_Tensor:$weight,
      DefaultValuedAttr<F32Attr, "1e-6">:$epsilon);
  let results = (outs TTNN_Tensor:$output, TTNN_Tensor:$sum);
  let hasVerifier = 1;
}

def TTNN_GroupNormOp : TTNN_NormOp<"group_norm"> {
  let summary = "Zero mean and unit variance over groups of channels";
  let ownArguments = (ins TTNN_Tensor:$input, Optional<TTNN_Tensor>:$input_mask, Optional<TTNN_Tensor>:$weight,
      Optional<TTNN_Tensor>:$bias, TTNN_IntAttr:$num_groups, DefaultValuedAttr<F32Attr, "1e-12">:$epsilon,
      OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
  let hasVerifier = 1;
}

def TTNN_BatchNormInferenceOp : TTNN_NormOp<"batch_norm_inference"> {
  let summary = "Zero mean and unit variance per channel of NCHW, by known means and variances";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$running_mean, TTNN_Tensor:$running_var,
      Optional<TTNN_Tensor>:$weight, Optional<TTNN_Tensor>:$bias, DefaultValuedAttr<F32Attr, "1e-5">:$epsilon,
      OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
  let hasVerifier = 1;
}

def TTNN_DistributedRMSNormOp : TTNN_NormOp<"distributed_rms_norm"> {
  let summary = "rms_norm of a last dimension that is spread over the devices of one mesh axis";
  let description = [{
    The devices exchange partial sums through `stats`, 1x1x32x32 and width sharded on one core of L1, and wait for
    each other by `semaphore`. Both are scratch that a pass of tt-mlir binds.
  }];
  let ownArguments = (ins TTNN_Tensor:$input, Optional<TTNN_Tensor>:$weight, Optional<TTNN_Tensor>:$residual,
      Optional<TTNN_Tensor>:$stats, Optional<TTNN_GlobalSemaphoreType>:$semaphore, TTNN_DeviceType:$device,
      TTNN_IntAttr:$cluster_axis, DefaultValuedAttr<F32Attr, "1e-12">:$epsilon,
      OptionalAttr<TTNN_IntAttr>:$sub_device_id, OptionalAttr<TTNN_IntAttr>:$num_links,
      OptionalAttr<AnyAttr>:$topology,
      OptionalAttr<TTNN_LayerNormShardedMultiCoreProgramConfigAttr>:$program_config,
      OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSNORMALIZATION_TD
