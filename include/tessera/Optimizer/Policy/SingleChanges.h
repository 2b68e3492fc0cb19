//===- SingleChanges.h - Changes of single ops of a plan ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_SINGLECHANGES_H
#define TESSERA_OPTIMIZER_POLICY_SINGLECHANGES_H

#include "tessera/OpModel/OpCostTable.h"
#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

/// One op that runs otherwise, whatever is around it.
struct SingleChange {
  OpId op;
  OpConfig config;
  llvm::SmallVector<LayoutId, 4> inputs; ///< by operand
};

/// `plan` with those of the changes that make it faster, one after the other, each on top of those before: readers of a result in
/// another layout take it as it is, or go on reading the old one. Under the plan's policy. It may be slower than `plan`, illegal or without addresses
/// where decisions on a draft cannot express it: the caller checks. With `mayCost` each change may make the plan slower by less than that.
Plan withChanges(const Problem &problem, const OpCostTable &model, const Plan &plan,
                 llvm::ArrayRef<SingleChange> changes, Nanoseconds mayCost = Nanoseconds(0));

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_SINGLECHANGES_H
