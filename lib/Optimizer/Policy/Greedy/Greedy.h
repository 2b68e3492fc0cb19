//===- Greedy.h - Op by op, then spill ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each op in the program's order takes what is best for it and, by a lookahead,
// for its readers (Chooser). Where L1 is full what is read last leaves, and the
// walk begins again with producers that know of it (Walk). It keeps an account of
// its own and not a draft, as it forgets all decisions with each walk.
//
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
