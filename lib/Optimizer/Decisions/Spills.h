//===- Spills.h - Why ops read from DRAM ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_DECISIONS_SPILLS_H
#define TESSERA_LIB_OPTIMIZER_DECISIONS_SPILLS_H

#include "tessera/Optimizer/Decisions/Collect.h"

#include <functional>

namespace tessera::decisions {

/// Times that differ by less are equal, in nanoseconds: sums of the same parts in another order.
inline constexpr double kEqualTimes = 0.5;

/// Variations::alternatives of an op, the best first, or as many of them as have for each result the best in L1.
using Alternatives = std::function<std::vector<Variation>(OpId)>;

std::vector<SpillFacts> findSpills(const DecidedPlan &decided, Variations &variations,
                                   const Alternatives &alternatives);

} // namespace tessera::decisions

#endif // TESSERA_LIB_OPTIMIZER_DECISIONS_SPILLS_H
