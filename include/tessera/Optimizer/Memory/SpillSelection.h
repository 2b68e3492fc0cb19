//===- SpillSelection.h - Who has to leave L1 -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_MEMORY_SPILLSELECTION_H
#define TESSERA_OPTIMIZER_MEMORY_SPILLSELECTION_H

#include "tessera/Support/Id.h"
#include "tessera/Support/Ordinal.h"
#include "tessera/Support/Units.h"

#include <set>
#include <tuple>

namespace tessera {

/// A value in L1 that could be spilled at the point under pressure.
struct SpillCandidate {
  ValueId value;
  Bytes bytes;            ///< L1 per core that it frees
  SchedulePos lastReader; ///< the last op that reads it there
};

/// The candidate with the longest remaining lifetime first, as it leaves room longest: the farthest last reader
/// (Belady's choice; facts/optimizer-proposal "Pass 2"; facts/ir 4.8 "Victim"). Ties, which the published pass leaves
/// open: the larger one first, since fewer spills are then needed; then program order, so that equal inputs give equal
/// plans.
struct FarthestLastUseFirst {
  bool operator()(const SpillCandidate &a, const SpillCandidate &b) const {
    return std::tuple(b.lastReader, b.bytes, a.value) < std::tuple(a.lastReader, a.bytes, b.value);
  }
};

/// Victims from the beginning; at the end those that leave L1 by themselves soonest.
using SpillCandidates = std::multiset<SpillCandidate, FarthestLastUseFirst>;

} // namespace tessera

#endif // TESSERA_OPTIMIZER_MEMORY_SPILLSELECTION_H
