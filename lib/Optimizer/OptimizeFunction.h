//===- OptimizeFunction.h - The whole way through, for one function -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_OPTIMIZEFUNCTION_H
#define TESSERA_LIB_OPTIMIZER_OPTIMIZEFUNCTION_H

#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Optimizer/Problem/OpLabels.h"

namespace tessera {

/// Poses the function's problem, plans, and writes the plan into the function. `capped` answers for the L1 that the user's cap leaves; of
/// `targets` those that the function has are marked as found; `numbers` have passed over the functions before it. Fails, after one diagnostic, if the function has no legal plan.
mlir::FailureOr<OptimizedFunction> optimizeFunction(mlir::func::FuncOp function, const PolicyInfo &policy,
                                                    const OpCostTable &capped, SignaturePool &signatures,
                                                    const OptimizerOptions &options, OverrideTargets &targets,
                                                    const OpNumbers &numbers);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_OPTIMIZEFUNCTION_H
