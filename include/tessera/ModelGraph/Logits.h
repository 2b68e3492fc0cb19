//===- Logits.h - How near the logits of two runs are ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Equal tokens say little: a token stays the same as long as nothing overtakes it.
// Logits say how far two runs have parted:
//
//   correlation   Pearson's, of all logits of a row; 1: the same but for scale
//   top 5         which share of the 5 likeliest tokens both runs have
//   divergence    Kullback and Leibler's of the softmaxes, in nats; 0: the same
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELGRAPH_LOGITS_H
#define TESSERA_MODELGRAPH_LOGITS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace tessera::runner {

struct LogitsComparison {
  int64_t rows = 0;                                      ///< that were compared
  double leastCorrelation = 1, top5 = 1, divergence = 0; ///< the least of a row; means over rows
  int64_t sameToken = 0;                                 ///< rows whose likeliest token is the same
};

/// Requires two rows of the same length.
LogitsComparison compareRow(llvm::ArrayRef<float> a, llvm::ArrayRef<float> b);

/// Logits of users x steps x vocabulary, user after user. Of a user rows count up to the first at which the two runs
/// choose different tokens, that one included: what comes after has another past.
LogitsComparison compareLogits(llvm::ArrayRef<float> a, llvm::ArrayRef<float> b, int64_t users, int64_t steps,
                               int64_t vocabulary);

} // namespace tessera::runner

#endif // TESSERA_MODELGRAPH_LOGITS_H
