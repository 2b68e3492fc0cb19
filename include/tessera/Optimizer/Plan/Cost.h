//===- Cost.h - The one price of a plan -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_COST_H
#define TESSERA_OPTIMIZER_PLAN_COST_H

#include "tessera/OpModel/OpCostTable.h"
#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

/// Times add up, as one queue runs the steps one after the other.
struct PlanCost {
  Nanoseconds ops;         ///< sum of op runtimes
  Nanoseconds conversions; ///< sum of inserted conversions
  Nanoseconds total() const { return ops + conversions; }
  std::vector<OpRuntime> steps; ///< by step
};

/// The part of a time that is longest, what to improve: "compute", "L1", "NoC", "DRAM", "dispatch"; "nothing" of what takes no time.
llvm::StringRef boundBy(const OpRuntime &time);

/// The sum over all steps: the one cost that every policy and report uses.
PlanCost planCost(const Problem &problem, const Plan &plan, const OpCostTable &model);

/// What the plan may take instead of `cost`, by how far times of its ops were off where they were measured (OpModel/TimeSpread.h). Ops of
/// unknown time are no part of it.
std::pair<Nanoseconds, Nanoseconds> timeRange(const Problem &problem, const Plan &plan, const PlanCost &cost);

/// What a step asks the op model: about the op as configured, or about the conversion op that turns the layout it reads
/// into the layout it makes. That goes for the program's own conversion ops too: the plan decides their layouts, and the
/// layouts decide which op it takes.
class StepQuestion {
public:
  /// All three must outlive it.
  StepQuestion(const Problem &problem, const Plan &plan, const PlanStep &step);
  StepQuestion(const StepQuestion &) = delete;

  /// Of the op that runs: of conversions one that is made of their layouts, and not the program's.
  const OpSignature &signature() const { return conversion ? conversion->first : *op; }
  const OpConfig &config() const { return conversion ? conversion->second : *configured; }
  llvm::ArrayRef<LayoutId> inputs() const { return layouts; }
  /// In an otherwise empty L1.
  OpQuery query() const { return {signature(), layouts, config()}; }

private:
  OperandLayouts layouts;
  const OpSignature *op = nullptr;
  const OpConfig *configured = nullptr;
  std::optional<std::pair<OpSignature, OpConfig>> conversion;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_COST_H
