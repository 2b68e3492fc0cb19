//===- Rewriting.h - A module as it came, or with another graph -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_REWRITING_H
#define TESSERA_LIB_OPTIMIZER_REWRITING_H

#include "tessera/Optimizer/Optimizer.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera {

/// For whom a module is planned: its device, and the L1 that it may use. The version is that of the options' op model.
OpModelContext contextOf(mlir::ModuleOp module, const DeviceSpec &device, const OptimizerOptions &options,
                         LayoutPool &layouts);

/// The same with layouts of its own: ids of layouts break ties, so a run must not see what another one interns.
OpModelContext inPool(const OpModelContext &context, LayoutPool &layouts);

/// The functions that are planned, in the module's order.
llvm::SmallVector<mlir::func::FuncOp> deviceFunctions(mlir::ModuleOp module);

/// Makes the rewrites in the module's functions that the optimizer may change, where the built-in op model consents. Every op has a name
/// afterwards, and const-eval functions that nothing loads any more are gone.
std::vector<AppliedRewrite> rewriteModule(mlir::ModuleOp module, const RewriteSelection &selection,
                                          const OpModelContext &context, const KeptOps &kept = {});

/// Plans a module, which is that part of the work, and writes the plan into it.
using Planner = llvm::function_ref<mlir::FailureOr<OptimizationResult>(mlir::ModuleOp, ProgressPart)>;

/// Who plans, and who plans only to compare graphs (PolicyOptions::once).
struct Planners {
  Planner plan;
  Planner trial;    ///< tells OptimizedFunction::input where decisions are asked for
  bool trialIsPlan; ///< both are the same
};

/// Plans `module` with the graph that takes least time in a trial: as it is, with all rewrites of `options` in it, or, if some of these
/// lost time, without those (RewrittenParts.h). Where trials with and without rewrites are close, both are planned, and the faster one
/// stands: a fusion that gains alone may lose the program. Times that nobody knows do not count as short ones. The diagnostics are those
/// of the run that stands. Ops that overrides name stay. `context` says for which device a rewrite must be legal.
mlir::FailureOr<OptimizationResult> planWithRewrites(mlir::ModuleOp module, const OptimizerOptions &options,
                                                     const OpModelContext &context, const Planners &planners);

/// Plans `module` with all rewrites of `options` in it but those that take ops in `kept`, and nothing else: a graph that was planned
/// before. Fails, with a diagnostic, if they make none.
mlir::FailureOr<OptimizationResult> planRewritten(mlir::ModuleOp module, const OptimizerOptions &options,
                                                  const OpModelContext &context, const KeptOps &kept,
                                                  Planner plan);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_REWRITING_H
