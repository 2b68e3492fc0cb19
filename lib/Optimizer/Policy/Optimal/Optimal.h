//===- Optimal.h - From the best selection to a plan ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_OPTIMAL_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_OPTIMAL_H

#include "tessera/OpModel/OpCostTable.h"
#include "tessera/Optimizer/Policy/Policy.h"

namespace tessera {

/// Least planCost. Steps (docs/certified.md):
///   1. the selection problem behind the bound (Translation.h) is solved over the whole graph: what is best if L1 counts for each op
///      alone;
///   2. what that comes to in L1 is repaired where it does not fit, and prices rise there; again, a few times;
///   3. windows of the graph are solved exactly at these prices, and what fits and takes less time stays.
/// Nullopt if L1 is exceeded somewhere whatever leaves.
std::optional<Plan> solveOptimal(const Problem &problem, const OpCostTable &model,
                                 const PolicyOptions &options);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_OPTIMAL_H
