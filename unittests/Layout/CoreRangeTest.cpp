//===- CoreRangeTest.cpp - Rectangles of cores -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/CoreRange.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

// facts/ir 1.1 "Canonical core placement".
TEST(CoreRange, RowMajorPlacement) {
  EXPECT_EQ(rowMajorCores(CoreCount(13), {8, 8}), (CoreRangeSet{{{{0, 0}, {7, 0}}, {{0, 1}, {4, 1}}}}));
  EXPECT_EQ(rowMajorCores(CoreCount(64), {8, 8}), (CoreRangeSet{{{{0, 0}, {7, 7}}}}));
  EXPECT_EQ(rowMajorCores(CoreCount(3), {8, 8}), (CoreRangeSet{{{{0, 0}, {2, 0}}}}));
  EXPECT_EQ(rowMajorCores(CoreCount(27), {10, 13}), (CoreRangeSet{{{{0, 0}, {12, 1}}, {{0, 2}, {0, 2}}}}));
}

TEST(CoreRange, RowMajorPlacementHoldsExactlyTheCores) {
  for (int64_t count = 1; count <= 130; ++count) {
    CoreRangeSet set = rowMajorCores(CoreCount(count), {10, 13});
    EXPECT_EQ(set.size(), CoreCount(count));
    EXPECT_LE(set.ranges.size(), 2u);
    EXPECT_LT(set.boundingBox().end.y, 10);
  }
}

TEST(CoreRange, RectanglesAreRowsByColumns) {
  EXPECT_EQ(rectangleOfCores({2, 5}), (CoreRangeSet{{{{0, 0}, {4, 1}}}}));
}

TEST(CoreRange, BoundingBox) {
  CoreRangeSet set{{{{2, 3}, {4, 3}}, {{1, 5}, {1, 7}}}};
  EXPECT_EQ(set.boundingBox(), (CoreRange{{1, 3}, {4, 7}}));
  EXPECT_EQ(set.size(), CoreCount(6));
  EXPECT_EQ(CoreRangeSet().boundingBox(), CoreRange());
  EXPECT_EQ(CoreRangeSet().size(), CoreCount(0));
}

TEST(CoreRange, IntersectsAndContains) {
  CoreRange a{{0, 0}, {3, 3}};
  EXPECT_TRUE(a.intersects({{3, 3}, {5, 5}}));
  EXPECT_FALSE(a.intersects({{4, 0}, {5, 3}}));
  EXPECT_TRUE(a.contains({3, 0}));
  EXPECT_FALSE(a.contains({0, 4}));
}

} // namespace
