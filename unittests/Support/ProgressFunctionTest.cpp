//===- ProgressFunctionTest.cpp - One share of work in parts --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Support/ProgressFunction.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace tessera;

namespace {

TEST(ProgressFunction, PartsOfPartsAreSharesOfTheWhole) {
  std::vector<double> shares;
  ProgressFunction whole([&](llvm::StringRef, size_t, size_t, double share) { shares.push_back(share); });
  whole("planning", 1, 4);
  ProgressFunction second = whole.part(partOf(1, 2)); // 0.5 to 1
  second("planning", 0, 4);
  second("planning", 4, 4);
  second.part({0.5, 0.75})("polishing", 1, 2); // 0.75 to 0.875
  whole("nothing to do", 0, 0);
  EXPECT_EQ(shares, (std::vector<double>{0.25, 0.5, 1, 0.8125, 0}));
}

TEST(ProgressFunction, NobodyNeedsToListen) {
  ProgressFunction none;
  EXPECT_FALSE(none.part(partOf(0, 2)));
  reportProgress(none.part(partOf(0, 2)), "planning", 1, 2);
}

} // namespace
