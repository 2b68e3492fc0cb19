//===- UnitsTest.cpp - Quantities with a unit ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/Units.h"
#include "tessera/Support/Id.h"

#include <gtest/gtest.h>

#include <limits>

using namespace tessera;

namespace {

TEST(Units, DifferencesStaySigned) {
  EXPECT_EQ(Bytes(16) - Bytes(48), Bytes(-32));
  EXPECT_LT(Bytes(16) - Bytes(48), Bytes(0));
}

TEST(Units, WholeNumbersSaturate) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(Bytes(kMost) + Bytes(1), Bytes(kMost));
  EXPECT_EQ(Bytes(kLeast) - Bytes(1), Bytes(kLeast));
  EXPECT_EQ(Bytes(int64_t(1) << 62) * 4, Bytes(kMost));
  EXPECT_EQ(Bytes(int64_t(1) << 62) * -4, Bytes(kLeast));
  EXPECT_EQ(Bytes(kMost) - Bytes(-1), Bytes(kMost));
  EXPECT_EQ(alignUp(Bytes(kMost - 1), Bytes(1024)), Bytes(kMost));
  EXPECT_EQ(ceilDiv(kMost, 2), (int64_t(1) << 62));
}

TEST(Units, RatiosHaveNoUnit) { EXPECT_DOUBLE_EQ(Bytes(1) / Bytes(4), 0.25); }

TEST(Units, Rounding) {
  EXPECT_EQ(ceilDiv(0, 32), 0);
  EXPECT_EQ(ceilDiv(33, 32), 2);
  EXPECT_EQ(alignUp(Bytes(200), Bytes(64)), Bytes(256));
  EXPECT_EQ(alignUp(Bytes(256), Bytes(64)), Bytes(256));
}

TEST(Id, DefaultIsInvalid) {
  EXPECT_FALSE(LayoutId().valid());
  EXPECT_TRUE(LayoutId(0).valid());
  EXPECT_LT(LayoutId(1), LayoutId(2));
}

} // namespace
