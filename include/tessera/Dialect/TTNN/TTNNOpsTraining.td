//===- TTNNOpsTraining.td - Ops of training --------------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Read and written for completeness: the optimizer is about inference.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSTRAINING_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSTRAINING_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

def TTNN_EmbeddingBackwardOp : TTNN_ComputeOp<"embedding_bw"> {
  let summary = "Gradient of an embedding by its weight";
  let ownArguments = (ins TTNN_Tensor:$input, TTNN_Tensor:$weight, TTNN_Tensor:$in_gradient);
}

def TTNN_GeluBackwardOp : TTNN_ComputeOp<"gelu_bw"> {
  let summary = "Gradient of a gelu";
  let ownArguments = (ins TTNN_Tensor:$lhs, TTNN_Tensor:$rhs, DefaultValuedStrAttr<StrAttr, "none">:$approximate);
}

/// `mask_type` is #ttcore.attention_mask_type<none>, <causal> or <arbitrary>; there is a mask exactly if it is arbitrary.
def TTNN_SDPAForwardOp : TTNN_ComputeOp<"sdpa_fw"> {
  let summary = "Attention, with what its gradient needs if asked for";
  let ownArguments = (ins TTNN_Tensor:$query, TTNN_Tensor:$key, TTNN_Tensor:$value, Optional<TTNN_Tensor>:$attention_mask,
      AnyAttr:$mask_type, DefaultValuedAttr<F32Attr, "0.0">:$dropout_probability,
      TTNN_DefaultFalse:$return_intermediates);
  let results = (outs TTNN_Tensor:$output, Optional<TTNN_Tensor>:$intermediates);
  let hasVerifier = 1;
}

def TTNN_SDPABackwardOp : TTNN_ComputeOp<"sdpa_bw"> {
  let summary = "Gradients of an attention by query, key and value";
  let ownArguments = (ins TTNN_Tensor:$grad_output, TTNN_Tensor:$attn_output, TTNN_Tensor:$query, TTNN_Tensor:$key,
      TTNN_Tensor:$value, TTNN_Tensor:$intermediates, Optional<TTNN_Tensor>:$attention_mask, AnyAttr:$mask_type,
      DefaultValuedAttr<F32Attr, "0.0">:$dropout_probability);
  let results = (outs TTNN_Tensor:$grad_query, TTNN_Tensor:$grad_key, TTNN_Tensor:$grad_value);
  let hasVerifier = 1;
}

def TTNN_BatchNormTrainingOp : TTNN_AllocatingOp<"batch_norm_training", [AttrSizedOperandSegments]> {
  let summary = "Zero mean and unit variance per channel; moves the running mean and variance along";
  let ownArguments = (ins TTNN_Read<"input">:$input, TTNN_OptionalWritten<"mean">:$running_mean,
      TTNN_OptionalWritten<"variance">:$running_var, TTNN_OptionalRead<"scale">:$weight,
      TTNN_OptionalRead<"shift">:$bias, DefaultValuedAttr<F32Attr, "1e-5">:$epsilon,
      DefaultValuedAttr<F32Attr, "0.1">:$momentum, OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);
}

def TTNN_AdamWOp : TTNN_InPlaceOp<"adamw"> {
  let summary = "One step of an optimizer of weights";
  let ownArguments = (ins TTNN_Written<"weights">:$param, TTNN_Read<"gradient">:$grad,
      TTNN_Written<"mean">:$exp_avg, TTNN_Written<"variance">:$exp_avg_sq,
      TTNN_OptionalWritten<"largest variance">:$max_exp_avg_sq, F32Attr:$lr, F32Attr:$beta1, F32Attr:$beta2,
      F32Attr:$beta1_pow, F32Attr:$beta2_pow, F32Attr:$epsilon, F32Attr:$weight_decay,
      TTNN_DefaultFalse:$stochastic_rounding);
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSTRAINING_TD
