//===- UnitsTest.cpp - Quantities with a unit ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Support/Units.h"
#include "tessera/Support/Id.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

TEST(Units, DifferencesStaySigned) {
  EXPECT_EQ(Bytes(16) - Bytes(48), Bytes(-32));
  EXPECT_LT(Bytes(16) - Bytes(48), Bytes(0));
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
