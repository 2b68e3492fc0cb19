//===- Solve.h - What a policy plans, and what stands of it ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   solve              a problem as it is posed: the policy's plan, its incumbent's, or the base plan
//   solveWithSpilling  likewise, with the spill strategy that is asked for
//   solveScheduled     likewise, on each order of the ops that is asked for
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_CONTEST_SOLVE_H
#define TESSERA_OPTIMIZER_CONTEST_SOLVE_H

#include "tessera/Optimizer/Contest/Entry.h"
#include "tessera/Optimizer/Policy/Policy.h"

namespace tessera {

/// The policy's plan, if it is legal and no slower than the base plan; the plan of its incumbent (incumbentOf), if that is faster
/// still and has addresses; else the base plan. Legal if that is. Ids are the schedule. Plan::policy says whose it is; of the base
/// plan nobody's.
Plan solve(const PolicyInfo &policy, const Problem &problem, const OpCostTable &model,
           const PolicyOptions &options);

/// What the policy decides with the spilling that the options ask for. With SpillStrategy::Policy that is `solve`, with
/// SpillStrategy::None its layouts as if L1 were endless, which need not fit. Else the fastest of that plan and of what spillPlan
/// makes of the layouts that the policy chooses as if L1 were endless. Legal if basePlan is.
Plan solveWithSpilling(const PolicyInfo &policy, const Problem &problem, const OpCostTable &model,
                       const PolicyOptions &options);

/// The policy's plan, on the schedule that the options ask for, or else the policy. With ScheduleKind::Best each distinct
/// order is planned, and the plan of least time is returned, of several the first; one with addresses before all without. An order
/// that has no legal plan is replaced by the program's.
Plan solveScheduled(const PolicyInfo &policy, const Problem &problem, const OpCostTable &model,
                    const PolicyOptions &options);

/// The orders of ops that the policy plans for: the one that the options ask for, or else the policy; with ScheduleKind::Best
/// each distinct one, the program's first.
std::vector<Schedule> schedulesFor(const PolicyInfo &policy, const Problem &problem,
                                   const PolicyOptions &options);

/// Where a plan comes from that stands for `policy` (Plan::origin).
std::string originOf(const PolicyInfo &policy, const Problem &problem, const Entry &entry);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_CONTEST_SOLVE_H
