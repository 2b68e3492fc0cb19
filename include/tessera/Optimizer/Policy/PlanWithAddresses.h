//===- PlanWithAddresses.h - What to do about holes in L1 -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A plan may fit into L1 by its sums and still not fit onto addresses: what is
// free lies in pieces. What clashes is moved out of the way; or room is left
// everywhere, by planning for less L1.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_PLANWITHADDRESSES_H
#define TESSERA_OPTIMIZER_POLICY_PLANWITHADDRESSES_H

#include "tessera/Optimizer/Plan/Plan.h"

#include <optional>

namespace tessera {

/// For a plan that has no addresses (hasAddresses) the fastest legal one that has, of: `given` with what clashes moved
/// (spillPlan, strategy Cost); what `planFor` plans for tighter budgets (forTighterBudgets); the base layouts with the best
/// configurations; the base plan. Nullopt if none has. `kept` is called after each run of `planFor` whose plan
/// is the fastest so far; a later one may take its place.
std::optional<Plan> planWithAddresses(const Problem &problem, const OpModel &model, const Plan &given,
                                      llvm::function_ref<Plan(const Problem &tighter)> planFor,
                                      llvm::function_ref<void()> kept);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_PLANWITHADDRESSES_H
