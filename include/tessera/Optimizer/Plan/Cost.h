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

/// The sum over all steps: the one cost that every policy and report uses.
PlanCost planCost(const Problem &problem, const Plan &plan, const OpModel &model);

/// The signature of the conversion of `tensor` from one layout to another (to_memory_config if only the
/// placement changes, to_layout if the page layout does).
OpSignature conversionSignature(const TensorDesc &tensor, const TensorLayout &from, const TensorLayout &to);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_COST_H
