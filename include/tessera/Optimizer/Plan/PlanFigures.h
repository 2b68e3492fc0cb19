//===- PlanFigures.h - A plan in numbers ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_PLANFIGURES_H
#define TESSERA_OPTIMIZER_PLAN_PLANFIGURES_H

#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

/// How many values end up in one kind of memory, and their bytes over all cores.
struct ResidencyCount {
  size_t count = 0;
  Bytes bytes;
};

struct PlanFigures {
  ResidencyCount l1Sharded, l1Interleaved, dram, host; ///< activations, by where their producer puts them
  double meanCores = 0; ///< cores that hold a part, over activations in L1 sharded
  /// Conversions by what they do, those of the input among them: for the function's return alone; out of L1; back into it, of what
  /// was there before; all others.
  size_t reshards = 0, spills = 0, returns = 0, reloads = 0;
};

PlanFigures figuresOf(const Problem &problem, const Plan &plan);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_PLANFIGURES_H
