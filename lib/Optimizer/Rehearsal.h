//===- Rehearsal.h - What planning will ask, by planning once more --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_REHEARSAL_H
#define TESSERA_LIB_OPTIMIZER_REHEARSAL_H

#include "tessera/Optimizer/Optimizer.h"

namespace tessera {

/// Plans a copy of the module with the built-in formulas, which takes little beside a library that is asked tens of thousands
/// of questions, and lists what they were asked and accepted: with other answers a plan takes other turns here and there, but
/// nine of ten of its questions are these. `module`, `policy` and `options` must live until it is called for the last time.
std::function<std::vector<ForeseenQuestion>()> rehearsal(mlir::ModuleOp module, const PolicyInfo &policy,
                                                         const OpModelContext &context,
                                                         const OptimizerOptions &options);

/// The options for a plan that only is compared with: nobody looks on, and nothing is told or proven of it but OptimizedFunction::input, where
/// decisions were asked for.
OptimizerOptions unnoticed(OptimizerOptions options);

/// Optimizes every forward device function of the module in place, each with `model`'s answers. Fails after a diagnostic.
mlir::LogicalResult optimizeFunctions(mlir::ModuleOp module, const PolicyInfo &policy,
                                      const OpCostTable &model, const OptimizerOptions &options,
                                      OptimizationResult &result);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_REHEARSAL_H
