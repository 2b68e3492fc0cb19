//===- ScheduledPlan.h - A plan for another order of the ops --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_SCHEDULEDPLAN_H
#define TESSERA_OPTIMIZER_PLAN_SCHEDULEDPLAN_H

#include "tessera/Optimizer/Plan/DecisionLog.h"
#include "tessera/Optimizer/Plan/Plan.h"
#include "tessera/Optimizer/Problem/Schedule.h"

namespace tessera {

/// The order in which the plan runs the ops.
Schedule scheduleOf(const Plan &plan);

/// A plan for `scheduled.problem` as a plan for the problem that it was made from: the same steps in the same order,
/// under the ids of that problem.
Plan planInProgramIds(const ScheduledProblem &scheduled, Plan plan);

/// Likewise what a policy noted.
DecisionLog inProgramIds(const ScheduledProblem &scheduled, const DecisionLog &log);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_SCHEDULEDPLAN_H
