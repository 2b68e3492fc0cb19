//===- Greedy.h - Op by op, then spill ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_GREEDY_GREEDY_H
#define TESSERA_LIB_OPTIMIZER_POLICY_GREEDY_GREEDY_H

#include "tessera/Optimizer/Policy/Policy.h"

namespace tessera {

/// Policy `greedy`: docs/policies.md.
std::optional<Plan> solveGreedy(const Problem &problem, const OpCostTable &model,
                                const PolicyOptions &options);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_GREEDY_GREEDY_H
