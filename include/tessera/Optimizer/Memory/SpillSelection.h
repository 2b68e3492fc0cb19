//===- SpillSelection.h - Who has to leave L1 -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_MEMORY_SPILLSELECTION_H
#define TESSERA_OPTIMIZER_MEMORY_SPILLSELECTION_H

#include "tessera/Support/Id.h"
#include "tessera/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace tessera {

/// A value in L1 that could be spilled at the point under pressure.
struct SpillCandidate {
  ValueId value;
  Bytes bytes;     ///< L1 per core that it frees
  OpId lastReader; ///< the last op that reads it; later than every op if the function returns it from L1
};

/// The candidate with the longest remaining lifetime: the farthest last reader (spec
/// optimizer-refactoring-proposal.md, Pass 2; facts/ir-and-algorithms.md 4.8 "Victim"). Ties, which the
/// published pass leaves open: the larger one first, since fewer spills are then needed; then the earlier
/// value. Returns its index, nullopt if there is none.
std::optional<size_t> farthestLastUse(llvm::ArrayRef<SpillCandidate> candidates);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_MEMORY_SPILLSELECTION_H
