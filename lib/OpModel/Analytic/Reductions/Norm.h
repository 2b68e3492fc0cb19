//===- Norm.h - How norms and softmax take a row --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_REDUCTIONS_NORM_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_REDUCTIONS_NORM_H

#include "../OpCall.h"

namespace tessera::analytic {

/// The two ops of the family "norm", as OpRow::variant.
enum NormVariant : unsigned { Rms, Layer };

/// Bytes of the tile of scalers that reductions of rows multiply with, of bf16 whatever the operand is.
inline constexpr int64_t kScalerTile = 2048;

/// A rule of norms and of their parts.
inline bool operandTiled(const OpCall &call) { return call.in[0].tiled() && call.out[0].tiled(); }

/// A row of tiles goes through a core `block` tiles at a time; `pieces`: it does not fit, so that every pass reads it anew.
struct RowPlan {
  int64_t block;
  bool pieces;
};
/// Of interleaved operands.
RowPlan normRowPlan(const OpCall &call);
/// Along the last dimension.
RowPlan softmaxRowPlan(const OpCall &call);
/// Along the last dimension, and along the one before it: each has kernels of its own.
bool softmaxOverWidth(const OpCall &call);
bool softmaxOverHeight(const OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_REDUCTIONS_NORM_H
