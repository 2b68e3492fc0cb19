//===- StatedKernels.h - Kernels that do not depend on free L1 ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_STATEDKERNELS_H
#define TESSERA_OPTIMIZER_PLAN_STATEDKERNELS_H

#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

/// A matmul that is left to the backend runs with another kernel, or with smaller blocks, than it was planned with if other tensors lie in L1
/// by then. The plan with the planned kernel as the program config of each such matmul: it needs the same L1, takes the same time and computes the
/// same; what lies in DRAM only, and what no config says, stays as it is.
Plan withStatedKernels(const Problem &problem, Plan plan, const OpModel &model);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_STATEDKERNELS_H
