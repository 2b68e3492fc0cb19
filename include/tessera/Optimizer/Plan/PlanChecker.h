//===- PlanChecker.h - Proof that a plan is legal -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_PLANCHECKER_H
#define TESSERA_OPTIMIZER_PLAN_PLANCHECKER_H

#include "tessera/Optimizer/Plan/Plan.h"

#include <optional>

namespace tessera {

/// The rule that a plan breaks which needs more L1 than there is.
inline constexpr llvm::StringLiteral kL1Capacity = "plan.l1_capacity";

/// One broken rule.
struct PlanViolation {
  std::string rule;              ///< "plan.reads_before_write", "plan.l1_capacity", "plan.op_illegal", ...
  std::string message;           ///< what, where, and the earlier decision that caused it
  std::optional<StepIndex> step; ///< nullopt: the plan as a whole
};

/// L1 over the course of the plan.
struct L1Usage {
  Bytes peak;                 ///< the largest sum of circular buffers, live L1 tensors and margin, per core
  StepIndex peakStep;         ///< where
  std::vector<Bytes> tensors; ///< by step: live L1 tensors, the step's own inputs and outputs included
  std::vector<Bytes> buffers; ///< by step: circular buffers
  std::vector<Bytes> margins; ///< by step: what must stay free beside them (OpConstraints::safetyMargin)
  /// The steps that exceed the budget by themselves, with no tensor in L1 but their own (fitsAlone), ascending.
  std::vector<StepIndex> alone;
  /// The steps of ops that the model refuses as declared, or does not know (hasNoTime): nobody can say what buffers they need, nor
  /// how long they take. Ascending; without what runs on the host or ran earlier.
  std::vector<StepIndex> unknown;

  /// What is held against the budget.
  Bytes total(StepIndex step) const {
    return tensors[step.index()] + buffers[step.index()] + margins[step.index()];
  }
};

/// Where a plan does not fit, each of its steps may say so: from this many violations on, only the figures of L1 go on.
inline constexpr size_t kMaxPlanViolations = 100;

/// The verdict on a plan, with the figures that it rests on. Of a plan that is no program (PlanStructure) there are no figures.
struct PlanCheck {
  std::vector<PlanViolation> violations; ///< empty: the plan is legal
  L1Usage l1;
  bool ok() const { return violations.empty(); }
};

/// Trusts no policy. Checks that
///  1. the plan is well-formed: every op runs exactly once, reads come after writes, operand and value match,
///     the order of memory effects is kept, results are returned in their declared layouts;
///  2. every step validates in the op model with exactly its input layouts, its configuration and the L1 that
///     other live tensors hold at that point, and yields exactly the planned layouts;
///  3. circular buffers, live tensors and the safety margin together never exceed the budget, but at steps that run while no
///     tensor lies in L1 but their own: those have all that the runtime leaves (OpModelContext::l1Alone).
PlanCheck checkPlan(const Problem &problem, const Plan &plan, const OpModel &model);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_PLANCHECKER_H
