//===- Spill.h - Residency: which values lie in L1 when -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Layouts first, residency second (facts/optimizer-proposal "Pass 2"). A policy
// decides layouts as if L1 were endless; then what does not fit leaves. The
// spill pass knows nothing of policies: it repairs any plan, that of the input
// program included. Who asks for it: Contest/Solve.h.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_SPILL_H
#define TESSERA_OPTIMIZER_POLICY_SPILL_H

#include "tessera/Optimizer/Policy/Policy.h"

namespace tessera {

/// The plan made to fit into Problem::l1Budget, and onto the addresses that the device's allocator gives where a few
/// repairs lead there. `given` need not fit; its schedule stays. Ops that are not legal as given run in their base.
/// Returns what could be reached, to be checked like any plan.
Plan spillPlan(const Problem &problem, const OpCostTable &model, const Plan &given,
               const PolicyOptions &options);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_SPILL_H
