//===- NearestNamesTest.cpp - did you mean ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/NearestNames.h"

#include <gtest/gtest.h>

using namespace tessera;
using llvm::StringRef;

namespace {

const StringRef kPolicies[] = {"df-sharding", "greedy", "greedy-l1-interleaved", "beam", "optimal"};
const StringRef kDevices[] = {"n150", "n300", "p150"};

TEST(NearestNames, NearestFirst) {
  EXPECT_EQ(closestNames("greddy", kPolicies), (llvm::SmallVector<StringRef, 3>{"greedy"}));
  EXPECT_EQ(closestNames("n15", kDevices), (llvm::SmallVector<StringRef, 3>{"n150"}));
  EXPECT_EQ(closestNames("OPTIMAL", kPolicies), (llvm::SmallVector<StringRef, 3>{"optimal"}));
}

TEST(NearestNames, TiesKeepTheOrderOfTheTable) {
  EXPECT_EQ(closestNames("m150", kDevices), (llvm::SmallVector<StringRef, 3>{"n150", "p150"}));
  EXPECT_EQ(closestNames("m150", kDevices, 1), (llvm::SmallVector<StringRef, 3>{"n150"}));
}

TEST(NearestNames, TwoLettersThatChangedPlacesAreOneSlip) {
  EXPECT_EQ(closestNames("gredey", kPolicies), (llvm::SmallVector<StringRef, 3>{"greedy"}));
  EXPECT_EQ(closestNames("baem", kPolicies), (llvm::SmallVector<StringRef, 3>{"beam"}));
  EXPECT_EQ(closestNames("modle", {"model", "mode"}), (llvm::SmallVector<StringRef, 3>{"model", "mode"}));
  EXPECT_TRUE(closestNames("maeb", {"beam"}).empty());
}

TEST(NearestNames, NamesThatBeginSoAreNear) {
  EXPECT_EQ(closestNames("act_block_h", {"act_block_w_div", "act_block_h_override"}),
            (llvm::SmallVector<StringRef, 3>{"act_block_h_override", "act_block_w_div"}));
  EXPECT_EQ(closestNames("opt", kPolicies), (llvm::SmallVector<StringRef, 3>{"optimal"}));
  EXPECT_TRUE(closestNames("op", kPolicies).empty());
  EXPECT_EQ(closestNames("greed", kPolicies), (llvm::SmallVector<StringRef, 3>{"greedy"}));
}

TEST(NearestNames, OneErrorForAWordThatIsNoneOfAList) {
  enum class Device { N150, N300, P150 };
  llvm::Expected<Device> known = parseName<Device>("device", "n300", kDevices);
  ASSERT_TRUE(bool(known));
  EXPECT_EQ(*known, Device::N300);
  llvm::Expected<Device> near = parseName<Device>("device", "n15", kDevices);
  EXPECT_EQ(llvm::toString(near.takeError()),
            "unknown device 'n15'; did you mean 'n150'?; known: n150, n300, p150");
  llvm::Expected<Device> far = parseName<Device>("device", "", kDevices);
  EXPECT_EQ(llvm::toString(far.takeError()), "unknown device ''; known: n150, n300, p150");
}

TEST(NearestNames, FarNamesAreNoHelp) {
  EXPECT_TRUE(closestNames("simulated-annealing", kPolicies).empty());
  EXPECT_TRUE(closestNames("", kPolicies).empty());
  EXPECT_TRUE(closestNames("x", {"y"}).empty());
}

TEST(NearestNames, DidYouMean) {
  EXPECT_EQ(didYouMean("greddy", kPolicies), "; did you mean 'greedy'?");
  EXPECT_EQ(didYouMean("m150", kDevices), "; did you mean 'n150' or 'p150'?");
  EXPECT_EQ(didYouMean("zzz", kDevices), "");
}

} // namespace
