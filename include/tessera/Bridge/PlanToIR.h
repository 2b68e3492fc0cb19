//===- PlanToIR.h - Writing a plan back into its function -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BRIDGE_PLANTOIR_H
#define TESSERA_BRIDGE_PLANTOIR_H

#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

/// Rewrites the function that `built` came from so that it does what `plan` says
/// (facts/optimizer-design 3.5.1): result types and configurations, conversions as
/// `ttnn.to_memory_config`, `ttnn.to_layout` or `ttnn.typecast` (ConversionKind) with their location names, the
/// order of ops, the function type, and a `ttnn.deallocate` after each tensor's last use. A place that is kept is held by
/// a `ttnn.empty`, freed right before the op that makes what lies there.
/// The plan must have passed checkPlan.
void applyPlan(const BuiltProblem &built, const Plan &plan);

/// Removes each `ttnn.empty` that nothing but a `ttnn.deallocate` reads: places are kept anew where a plan wants them.
void dropHolders(mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_BRIDGE_PLANTOIR_H
