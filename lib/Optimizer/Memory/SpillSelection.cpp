//===- SpillSelection.cpp - Who has to leave L1 ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Memory/SpillSelection.h"

#include <tuple>

using namespace tessera;

/// True if `a` is the better victim.
static bool isBetterVictim(const SpillCandidate &a, const SpillCandidate &b) {
  return std::tuple(b.lastReader, b.bytes, a.value) < std::tuple(a.lastReader, a.bytes, b.value);
}

std::optional<size_t> tessera::farthestLastUse(llvm::ArrayRef<SpillCandidate> candidates) {
  std::optional<size_t> best;
  for (size_t i = 0; i < candidates.size(); ++i)
    if (!best || isBetterVictim(candidates[i], candidates[*best]))
      best = i;
  return best;
}
