//===- Sinks.h - Scores that take weight and give no value ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_ATTENTION_SINKS_H
#define TESSERA_LIB_REWRITE_ATTENTION_SINKS_H

#include "../Match.h"
#include "../Proposal.h"

namespace tessera::rewrite {

/// A softmax along rows, of which the last column may be left out.
struct RowWeights {
  ttnn::SoftmaxOp softmax = {};
  bool isLastLeftOut = false;

  explicit operator bool() const { return softmax; }
};
/// What the value is of a softmax; none if it is no such thing.
RowWeights rowWeightsOf(mlir::Value value);

/// Scores, and behind them a column of a number for each head, the sink.
struct SunkScores {
  Traced scores;
  std::optional<Traced> sink; ///< ... x H x S x 1, the same for all positions; maybe the same for all batches
};
/// What a softmax reads that leaves its last column out, if that is a sink; what all of a row is lessened by, as the row's maximum, is looked
/// through, since weights stay the same.
std::optional<SunkScores> scoresOf(const RowWeights &weights);

/// Whether the column stands beside rows that a product made with that shape: of 1 x B x H x T, which were B x H x 1 x T, heads are elsewhere.
bool standsBeside(mlir::Value column, llvm::ArrayRef<int64_t> product);

/// The sinks as attention takes them that scales them like scores, 1 x H x 1 x 1. Null if there are not so many.
mlir::Value sinksIn(const Traced &sink, int64_t heads, double scale, Proposal &proposal);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_ATTENTION_SINKS_H
