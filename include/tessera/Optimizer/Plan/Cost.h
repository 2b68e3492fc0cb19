//===- Cost.h - The one price of a plan -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_COST_H
#define TESSERA_OPTIMIZER_PLAN_COST_H

#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

struct PlanCost {
  Nanoseconds ops;         ///< sum of op runtimes
  Nanoseconds conversions; ///< sum of inserted conversions
  Nanoseconds total() const { return ops + conversions; }
  std::vector<OpRuntime> steps; ///< by step
};

/// The part of a time that is longest, what to improve: "compute", "L1", "NoC", "DRAM", "dispatch".
llvm::StringRef boundBy(const OpRuntime &time);

/// The sum over all steps: the one cost that every policy and report uses.
PlanCost planCost(const Problem &problem, const Plan &plan, const OpModel &model);

/// What `step` asks the op model: the op's signature, or that of the conversion op that turns the layout it reads
/// into the layout it makes. That goes for the program's own conversion ops too: the plan decides their layouts,
/// and the layouts decide which op it takes.
OpSignature stepSignature(const Problem &problem, const Plan &plan, const PlanStep &step);

/// The configuration of the step's op; for a conversion the layout that it makes.
OpConfig stepConfig(const Problem &problem, const Plan &plan, const PlanStep &step);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_COST_H
