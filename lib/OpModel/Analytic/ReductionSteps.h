//===- ReductionSteps.h - A reduction as the programs it runs since 2026 --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_REDUCTIONSTEPS_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_REDUCTIONSTEPS_H

#include "Family.h"

namespace tessera::analytic {

/// What sum, mean, max and min do with one operand.
struct ReductionSteps {
  bool padsShards = true; ///< padding of shards, if any, is filled in a single matrix
  bool fitsShards = true; ///< every intermediate tensor fits the shards that it is asked to lie in
  /// Tiles that the busiest core reads, step after step, swaps among them.
  int64_t tilesOfCore = 0;
  /// The result where none is asked for, or where it does not come to lie as asked; nullopt: as asked, or interleaved as the operand.
  std::optional<TensorLayout> result;
};

/// `dims`: the dimensions to reduce, within the operand's rank. Buffers and tensors go to `use`.
ReductionSteps reductionSteps(const OpCall &call, llvm::ArrayRef<int64_t> dims, bool negates, MemoryUse &use);

/// Shards of `shard` tiles on a `grid` of cores hold `tiles` rows and columns of tiles: height shards whole rows, width shards whole
/// columns.
bool shardsHold(std::optional<MemoryLayout> memory, GridShape grid, GridShape shard, GridShape tiles);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_REDUCTIONSTEPS_H
