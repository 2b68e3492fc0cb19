//===- Collect.h - From a plan to its decisions ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_DECISIONS_COLLECT_H
#define TESSERA_OPTIMIZER_DECISIONS_COLLECT_H

#include "tessera/Optimizer/Decisions/Decisions.h"
#include "tessera/Optimizer/Decisions/Variations.h"
#include "tessera/Optimizer/Plan/DecisionLog.h"

#include <functional>

namespace tessera {

/// Whether the runners-up of an op are wanted. Asked once for each op of the module, in program order.
using PricedOps = std::function<bool(const decisions::OpFacts &)>;

/// A legal plan with what is known of it. All must outlive the use.
struct DecidedPlan {
  const Problem &problem;
  const Plan &plan;
  const PlanCost &cost;
  const L1Usage &l1;
  OpCostTable model;
  Nanoseconds before;                 ///< time of the input program
  const DecisionLog &log;             ///< empty if the policy kept none
  llvm::ArrayRef<std::string> labels; ///< by OpId: opLabels
  PricedOps priced;                   ///< empty: those of all ops
  bool traced = false;                ///< whether FunctionDecisions::trace is wanted
};

namespace decisions {

/// Everything that docs/decisions-format.md lists. What the policy did not note is asked of the op model now: some hundred
/// questions per op.
FunctionDecisions collect(const DecidedPlan &decided);

/// FunctionDecisions::before alone; `time` is that of the input program.
Totals totalsOfInput(const Problem &problem, const OpCostTable &model, Nanoseconds time);

/// FunctionDecisions::spills alone. Numbers are those of the problem and the plan.
std::vector<SpillFacts> collectSpills(const DecidedPlan &decided);

} // namespace decisions
} // namespace tessera

#endif // TESSERA_OPTIMIZER_DECISIONS_COLLECT_H
