//===- TTNNOpsRandom.td - Random numbers -----------------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two of these ops with equal operands and attributes may have other results,
// so they must not be merged: their results are allocations.
// Rules: facts/dialect 9.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPSRANDOM_TD
#define TESSERA_DIALECT_TTNN_TTNNOPSRANDOM_TD

include "tessera/Dialect/TTNN/TTNNOpsCommon.td"

def TTNN_RandOp : TTNN_AllocatingOp<"rand"> {
  let summary = "Numbers between low and high, all as likely";
  let ownArguments = (ins TTNN_DeviceType:$device, TTNN_ShapeAttr:$size, DefaultValuedAttr<F32Attr, "0.0">:$low,
      DefaultValuedAttr<F32Attr, "1.0">:$high, DefaultValuedAttr<UI32Attr, "0">:$seed);
  let hasVerifier = 1;
}

def TTNN_DropoutOp : TTNN_AllocatingOp<"dropout"> {
  let summary = "Elements scaled, or zero with the probability prob";
  let ownArguments = (ins TTNN_Read<"input">:$input, F32Attr:$prob, F32Attr:$scale, UI32Attr:$seed,
      TTNN_DefaultTrue:$use_per_device_seed);
}

def TTNN_SamplingOp : TTNN_AllocatingOp<"sampling"> {
  let summary = "One of the k likeliest indices of each of B rows";
  let description = "Rows `B x C` or `1 x 1 x B x C`; k, p (top-p) and temp (inverse temperature) per row.";
  let ownArguments = (ins TTNN_Read<"likelihoods">:$input_values, TTNN_Read<"what they belong to">:$input_indices,
      TTNN_Read<"candidates">:$k, TTNN_Read<"top-p">:$p, TTNN_Read<"inverse temperature">:$temp,
      OptionalAttr<TTNN_IntAttr>:$seed);
  let hasVerifier = 1;
}

#endif // TESSERA_DIALECT_TTNN_TTNNOPSRANDOM_TD
