//===- SpillSelection.cpp - Who has to leave L1 ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Memory/SpillSelection.h"

#include <tuple>

using namespace tessera;

bool FarthestLastUseFirst::operator()(const SpillCandidate &a, const SpillCandidate &b) const {
  return std::tuple(b.lastReader, b.bytes, a.value) < std::tuple(a.lastReader, a.bytes, b.value);
}
