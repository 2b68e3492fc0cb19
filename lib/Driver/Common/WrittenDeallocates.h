//===- WrittenDeallocates.h - What a function frees, and when -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_WRITTENDEALLOCATES_H
#define TESSERA_LIB_DRIVER_COMMON_WRITTENDEALLOCATES_H

#include "tessera/Bridge/ProblemBuilder.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"

namespace tessera {

/// The function's `ttnn.deallocate` ops, where they stand between the steps of its declaredPlan. What it does not free
/// lives to its end.
Deallocations writtenDeallocates(const BuiltProblem &built);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_WRITTENDEALLOCATES_H
