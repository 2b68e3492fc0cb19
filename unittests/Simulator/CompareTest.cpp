//===- CompareTest.cpp - How far tensors are apart ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SimulatorTest.h"

#include "tessera/Simulator/Compare.h"

#include <cmath>

using namespace tessera;
using namespace tessera::simulator;

namespace {

TEST(Compare, EqualTensors) {
  DenseTensor a = tensorOf({3}, {1, std::nan(""), -0.0});
  Comparison same = compare(a, a);
  EXPECT_TRUE(same.exact());
  EXPECT_EQ(same.pcc, 1);
}

TEST(Compare, CountsAndMeasures) {
  Comparison c = compare(tensorOf({4}, {1, 2, 3, 4}), tensorOf({4}, {1, 2, 3.5, 4}));
  EXPECT_FALSE(c.exact());
  EXPECT_EQ(c.different, 1);
  EXPECT_EQ(c.first, 2);
  EXPECT_EQ(c.maxAbsolute, 0.5);
  EXPECT_NEAR(c.pcc, 0.98449, 1e-5);
}

TEST(Compare, UnitsAreThoseOfTheFormat) {
  // The bf16 behind 1 is 1 + 2^-7.
  Comparison c =
      compare(tensorOf({1}, {1}, DataType::BFloat16), tensorOf({1}, {1.0078125}, DataType::BFloat16));
  EXPECT_EQ(c.maxUlp, 1);
  EXPECT_EQ(compare(tensorOf({1}, {1}), tensorOf({1}, {1.0078125})).maxUlp, 1 << 16);
  EXPECT_EQ(compare(tensorOf({1}, {0}), tensorOf({1}, {-0.0})).maxUlp, 0);
}

TEST(Compare, PoisonIsCounted) {
  Comparison c = compare(tensorOf({2}, {1, 2}), tensorOf({2}, {1, std::nan("")}));
  EXPECT_EQ(c.notFinite, 1);
  EXPECT_FALSE(c.exact());
}

TEST(Fingerprint, TellsShapesAndValuesApart) {
  EXPECT_EQ(fingerprint(counting({2, 3})), fingerprint(counting({2, 3})));
  EXPECT_NE(fingerprint(counting({2, 3})), fingerprint(counting({3, 2})));
  EXPECT_NE(fingerprint(counting({2})), fingerprint(tensorOf({2}, {0, 2})));
}

} // namespace
