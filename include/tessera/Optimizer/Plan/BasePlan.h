//===- BasePlan.h - The plan that every policy falls back to --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   declaredPlan   the input program: may be illegal
//   basePlan       the same with each op in its base (Problem/Base.h) and each
//                  value at home; equal to declaredPlan if nothing is amiss
//   fitBase        moves values home to DRAM until basePlan fits into L1
//
// The input program is not a promise: it may have been planned for more L1, or by
// hand. After fitBase the base plan is legal, or nothing that is tried is.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_BASEPLAN_H
#define TESSERA_OPTIMIZER_PLAN_BASEPLAN_H

#include "tessera/Optimizer/Plan/PlanChecker.h"

namespace tessera {

/// The input program as a plan: every op as declared, no conversions. Need not be legal, and does not follow overrides.
Plan declaredPlan(const Problem &problem);

/// What policies return where they find nothing better: every op in its base configuration, reading its base inputs,
/// every value at home right behind its producer. Conversions are narrow (PlanConversions.h).
Plan basePlan(const Problem &problem, const OpCostTable &model);

/// A plan and what the plan checker says of it.
struct CheckedPlan {
  Plan plan;
  PlanCheck check;
};

/// Moves values that lie in L1 where the base plan needs more than there is home to DRAM (Value::home), and settles the
/// ops around them again, until nothing is left to move. What stays in L1: arguments, constants, values that are
/// written in place, results that the function returns there at its end, what overrides and unknown ops demand. Returns
/// the base plan that results; if its check fails, its violations name who holds L1.
CheckedPlan fitBase(Problem &problem, const OpCostTable &model);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_BASEPLAN_H
