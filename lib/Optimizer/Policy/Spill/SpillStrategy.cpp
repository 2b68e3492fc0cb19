//===- SpillStrategy.cpp - Who leaves L1 ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/SpillStrategy.h"

#include "tessera/Support/NearestNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

static constexpr llvm::StringRef kStrategies[] = {"policy", "farthest-last-use", "cost", "dp", "none"};

llvm::ArrayRef<llvm::StringRef> tessera::spillStrategies() { return kStrategies; }

llvm::Expected<SpillStrategy> tessera::parseSpillStrategy(llvm::StringRef name) {
  auto found = llvm::find(kStrategies, name);
  if (found == std::end(kStrategies))
    return llvm::createStringError("unknown spill strategy '" + name.str() + "'" +
                                   didYouMean(name, kStrategies) +
                                   "; known: " + llvm::join(spillStrategies(), ", "));
  return SpillStrategy(found - std::begin(kStrategies));
}
