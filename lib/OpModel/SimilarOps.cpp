//===- SimilarOps.cpp - What a misspelt op may mean -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/SimilarOps.h"

#include "tessera/OpModel/OpTable.h"
#include "tessera/Support/NearestNames.h"

std::string tessera::similarOps(llvm::StringRef op) {
  llvm::SmallVector<llvm::StringRef> known;
  for (const OpInfo &each : knownOps())
    known.push_back(each.name);
  return didYouMean(op, known);
}
