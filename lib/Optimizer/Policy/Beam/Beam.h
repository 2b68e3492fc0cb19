//===- Beam.h - The best few ways to make each value ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_BEAM_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_BEAM_H

#include "tessera/Optimizer/Policy/Policy.h"

namespace tessera {

/// Policy `beam`: docs/policies.md. Returns a plan that checkPlan accepts and, under the objective Time, is not slower
/// than basePlan by planCost.
std::optional<Plan> solveBeam(const Problem &problem, const OpCostTable &model, const PolicyOptions &options);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_BEAM_H
