//===- Forms.h - In which layouts an op may want its operands -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_TABLE_FORMS_H
#define TESSERA_OPTIMIZER_TABLE_FORMS_H

#include "tessera/Optimizer/Table/Oracle.h"

namespace tessera {

/// The value with the placement of one of its reader's results, or in its pages if that is interleaved (Oracle::placedLike,
/// l1InterleavedLike); invalid if it cannot be so.
LayoutId alike(Oracle &oracle, const Problem &problem, LayoutId result, ValueId value);

/// The value with the placement of each of the configuration's results that lies in L1, as far as it can be so.
llvm::SmallVector<LayoutId, 2> placedLikeResults(Oracle &oracle, const Problem &problem, ConfigId config,
                                                 ValueId value);

/// An op that reads a value, and what else it may be near to.
struct Reading {
  OpId op;
  ValueId value;
  llvm::ArrayRef<ConfigId> configs; ///< those that the op may run with
  llvm::ArrayRef<LayoutId> others;  ///< in which its other operands are there
  bool reshards = true;             ///< not only to what keeps the op as it was
  bool anywhere = true;             ///< not only near the op: DRAM and the largest grids, too
};

/// To what the value may be converted before the op reads it: home and the base input, then DRAM (`anywhere`) and interleaved L1, like
/// the op's results, like its other operands that lie in L1, and the largest grids of each kind of shards (`anywhere`). In that order,
/// since callers stop at a cap; a layout may come twice.
llvm::SmallVector<LayoutId, 32> conversionTargets(Oracle &oracle, const Problem &problem,
                                                  const Reading &reading);

/// The layouts in L1, each once, of the configurations' results and then of `layouts`: placements that all operands may share.
llvm::SmallVector<LayoutId, 16> sharedPlacements(const Oracle &oracle, const Problem &problem,
                                                 llvm::ArrayRef<ConfigId> configs,
                                                 llvm::ArrayRef<LayoutId> layouts);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_TABLE_FORMS_H
