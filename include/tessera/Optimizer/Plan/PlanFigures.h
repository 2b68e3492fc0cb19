//===- PlanFigures.h - A plan in numbers ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_PLANFIGURES_H
#define TESSERA_OPTIMIZER_PLAN_PLANFIGURES_H

#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

/// How many values end up in one kind of memory, and their bytes over all cores.
struct ResidencyCount {
  int64_t count = 0;
  Bytes bytes;

  /// With their keys in files.
  static void fields(auto &self, auto &&visit) {
    visit("count", self.count);
    visit("bytes", self.bytes);
  }
};

/// What plans are compared by beside their times.
struct PlanFigures {
  ResidencyCount l1Sharded, l1Interleaved, dram, host; ///< activations, by where their producer puts them
  double meanCores = 0; ///< cores that hold a part, over activations in L1 sharded
  /// conversionEffects, counted, with the conversions that the input has as ops.
  int64_t reshards = 0, spills = 0, returns = 0, reloads = 0;
  int64_t ofInput = 0;    ///< of these, those that the input has
  int64_t keptPlaces = 0; ///< Plan::kept
};

/// Linear in steps and tensors. The plan need not fit.
PlanFigures figuresOf(const Problem &problem, const Plan &plan);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_PLANFIGURES_H
