//===- SpillStrategy.cpp - Who leaves L1 ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/SpillStrategy.h"

#include "tessera/Support/NearestNames.h"

using namespace tessera;

static constexpr llvm::StringRef kStrategies[] = {"policy", "farthest-last-use", "cost", "dp", "none"};

llvm::ArrayRef<llvm::StringRef> tessera::spillStrategies() { return kStrategies; }

llvm::Expected<SpillStrategy> tessera::parseSpillStrategy(llvm::StringRef name) {
  return parseName<SpillStrategy>("spill strategy", name, kStrategies);
}
