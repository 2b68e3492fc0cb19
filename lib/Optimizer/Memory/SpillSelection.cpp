//===- SpillSelection.cpp - Who has to leave L1 ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Memory/SpillSelection.h"

#include <tuple>

using namespace tessera;

bool FarthestLastUseFirst::operator()(const SpillCandidate &a, const SpillCandidate &b) const {
  // Belady's choice (facts/ir 4.8): what is read last leaves room longest. Upstream leaves ties open. Here the
  // larger goes, as fewer have to follow, and then program order, so that equal inputs give equal plans.
  return std::tuple(b.lastReader, b.bytes, a.value) < std::tuple(a.lastReader, a.bytes, b.value);
}
