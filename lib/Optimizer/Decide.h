//===- Decide.h - From what policies plan to the plan that stands ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_DECIDE_H
#define TESSERA_LIB_OPTIMIZER_DECIDE_H

#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Policy/SolvingNotes.h"

namespace tessera {

/// A part of the way, for --timing; the times of all functions add up.
mlir::TimingScope timed(const OptimizerOptions &options, llvm::StringRef part);

CheckedPlan checked(const Problem &problem, Plan plan, const OpCostTable &model,
                    const OptimizerOptions &options);

/// The plan, and what its policy noted in the run that found it.
struct StandingPlan {
  CheckedPlan plan;
  DecisionLog log; ///< empty unless OptimizerOptions::decisions
  SolvingNotes notes;
};

/// The policy's plan, or a faster one of those that it is compared with (PolicyInfo::incumbent). `base` is legal, and so is the
/// result, unless nothing may leave L1 (SpillStrategy::None): then it may exceed that. Warns where a policy's plan is not, and where the device's allocator finds no room for the result.
StandingPlan decide(const BuiltProblem &built, const PolicyInfo &policy, const OpCostTable &model,
                    const OptimizerOptions &options, const CheckedPlan &base);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_DECIDE_H
