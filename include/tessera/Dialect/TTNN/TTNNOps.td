//===- TTNNOps.td - All TTNN ops -------------------------------*- tablegen -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNOPS_TD
#define TESSERA_DIALECT_TTNN_TTNNOPS_TD

include "tessera/Dialect/TTNN/TTNNOpsAttention.td"
include "tessera/Dialect/TTNN/TTNNOpsConvPool.td"
include "tessera/Dialect/TTNN/TTNNOpsConvRest.td"
include "tessera/Dialect/TTNN/TTNNOpsDataMovement.td"
include "tessera/Dialect/TTNN/TTNNOpsDistributed.td"
include "tessera/Dialect/TTNN/TTNNOpsEltwise.td"
include "tessera/Dialect/TTNN/TTNNOpsKernel.td"
include "tessera/Dialect/TTNN/TTNNOpsMatmul.td"
include "tessera/Dialect/TTNN/TTNNOpsMemory.td"
include "tessera/Dialect/TTNN/TTNNOpsMesh.td"
include "tessera/Dialect/TTNN/TTNNOpsMoE.td"
include "tessera/Dialect/TTNN/TTNNOpsNormalization.td"
include "tessera/Dialect/TTNN/TTNNOpsQuantization.td"
include "tessera/Dialect/TTNN/TTNNOpsRandom.td"
include "tessera/Dialect/TTNN/TTNNOpsReduction.td"
include "tessera/Dialect/TTNN/TTNNOpsStorage.td"
include "tessera/Dialect/TTNN/TTNNOpsTrace.td"
include "tessera/Dialect/TTNN/TTNNOpsTraining.td"
include "tessera/Dialect/TTNN/TTNNOpsTransformer.td"

#endif // TESSERA_DIALECT_TTNN_TTNNOPS_TD
