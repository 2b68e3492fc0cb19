//===- LinearMapTest.cpp - Index arithmetic --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/LinearMap.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

LinearMap map(unsigned dims, std::initializer_list<LinearMap::Result> results) {
  LinearMap m;
  m.dims = dims;
  m.results.assign(results);
  return m;
}

TEST(LinearMap, Apply) {
  // facts/tensor-layout "Dimension Collapsing".
  LinearMap m = map(4, {{{192, 64, 1, 0}}, {{0, 0, 0, 1}}});
  EXPECT_EQ(m.apply({1, 1, 6, 100}), (Shape{262, 100}));
  EXPECT_EQ(m.extents({2, 3, 64, 128}), (Shape{384, 128}));
}

TEST(LinearMap, ConstantsAndRankZero) {
  LinearMap m = map(0, {{{}}, {{}}});
  EXPECT_EQ(m.apply({}), (Shape{0, 0}));
  EXPECT_EQ(m.extents({}), (Shape{1, 1}));
  EXPECT_EQ(map(1, {{{0}, 3}, {{1}}}).apply({5}), (Shape{3, 5}));
}

TEST(LinearMap, EmptyDimensionEmptiesWhatReadsIt) {
  LinearMap m = map(3, {{{32, 1, 0}}, {{0, 0, 1}}});
  EXPECT_EQ(m.extents({0, 16, 7}), (Shape{0, 7}));
  EXPECT_EQ(m.extents({4, 32, 0}), (Shape{128, 0}));
}

TEST(LinearMap, EqualMapsHashEqually) {
  LinearMap a = map(2, {{{32, 1}}, {{0, 1}}}), b = a;
  EXPECT_EQ(hash_value(a), hash_value(b));
  b.results[1].constant = 1;
  EXPECT_NE(a, b);
  EXPECT_NE(hash_value(a), hash_value(b));
}

} // namespace
