//===- PlanFigures.h - A plan in numbers ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_PLANFIGURES_H
#define TESSERA_OPTIMIZER_PLAN_PLANFIGURES_H

#include "tessera/Optimizer/Plan/Plan.h"

#include <optional>

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
  int64_t keptPlaces = 0; ///< Plan::kept
};

/// By step, what a conversion does, whoever put it in and why: Return serves the function's return alone, Spill takes a value out of L1,
/// Reload back into it where it was before, Reshard all else. nullopt of what converts nothing.
std::vector<std::optional<ConversionReason>> conversionEffects(const Problem &problem, const Plan &plan);

/// A conversion as people are told of it.
struct ToldConversion {
  ConversionReason reason; ///< what it does
  OpId
      op; ///< the one that a reshard or reload is made for, or whose result a spill or return moves; invalid of an argument
};

/// By step, nullopt of those that run an op. Told by the effect, as in the figures: a chain that ends in L1 "spills" for its policy, but
/// nothing leaves L1 there.
std::vector<std::optional<ToldConversion>> toldConversions(const Problem &problem, const Plan &plan);

/// Linear in steps and tensors. The plan need not fit.
PlanFigures figuresOf(const Problem &problem, const Plan &plan);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_PLANFIGURES_H
