//===- PlanUses.h - Who makes and who reads the tensors of a plan ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_PLANUSES_H
#define TESSERA_OPTIMIZER_PLAN_PLANUSES_H

#include "tessera/Optimizer/Plan/Plan.h"

#include <optional>

namespace tessera {

/// By TensorId, of a plan that names no tensor that does not exist.
struct PlanUses {
  /// Linear in the plan. It does not follow changes of the plan.
  explicit PlanUses(const Plan &plan);

  std::vector<std::optional<StepIndex>> makers; ///< nullopt: it is there from the start
  std::vector<std::vector<StepIndex>>
      readers;               ///< ascending, each once: an op that reads a tensor twice is one reader
  std::vector<size_t> reads; ///< operands that read it
  std::vector<bool> returned;

  /// Whether one operand of one step reads it, and nobody else.
  bool isReadOnce(TensorId id) const { return reads[id.index()] == 1 && !returned[id.index()]; }
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_PLANUSES_H
