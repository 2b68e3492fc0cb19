//===- PlanStructure.h - Is the plan a program at all? -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_PLAN_PLANSTRUCTURE_H
#define TESSERA_LIB_OPTIMIZER_PLAN_PLANSTRUCTURE_H

#include "tessera/Optimizer/Plan/PlanChecker.h"

namespace tessera {

/// Everything of checkPlan that needs no op model: ids, order, values, declared layouts. If it finds nothing,
/// all ids of the plan exist and each tensor is made before it is read.
std::vector<PlanViolation> checkPlanStructure(const Problem &problem, const Plan &plan);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_PLAN_PLANSTRUCTURE_H
