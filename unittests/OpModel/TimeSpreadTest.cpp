//===- TimeSpreadTest.cpp - What a sum of times may be instead -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/TimeSpread.h"

#include "tessera/OpModel/OpTable.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace tessera;

namespace {

constexpr Arch kChips[] = {Arch::WormholeB0, Arch::Blackhole};

TEST(TimeSpread, EveryOpHasOneOnEveryChip) {
  for (const OpInfo &op : knownOps())
    for (Arch chip : kChips) {
      TimeSpread spread = timeSpread(op.name, chip);
      EXPECT_GT(spread.low, 1 / 3.0) << op.name.str();
      EXPECT_LE(spread.low, 0.95) << op.name.str();
      EXPECT_GE(spread.high, 1.05) << op.name.str();
      EXPECT_LT(spread.high, 3) << op.name.str();
    }
}

TEST(TimeSpread, OpsOfAFamilyAreOffTogether) {
  TimeSpread spread = timeSpread("ttnn.matmul", Arch::WormholeB0);
  EXPECT_EQ(timeSpread("ttnn.linear", Arch::WormholeB0).high, spread.high);
  TimeBand band(Arch::WormholeB0);
  band.add("ttnn.matmul", Nanoseconds(600));
  band.add("ttnn.linear", Nanoseconds(400));
  EXPECT_NEAR(band.range().first.value(), 1000 - 1000 * std::hypot(1 - spread.low, 1 - stepSpread().low),
              1e-6);
  EXPECT_NEAR(band.range().second.value(), 1000 + 1000 * std::hypot(spread.high - 1, stepSpread().high - 1),
              1e-6);
}

TEST(TimeSpread, FamiliesAreOffByThemselves) {
  TimeBand band(Arch::WormholeB0);
  band.add("ttnn.matmul", Nanoseconds(1000));
  band.add("ttnn.softmax", Nanoseconds(500));
  double matmul = 1000 * (timeSpread("ttnn.matmul", Arch::WormholeB0).high - 1);
  double softmax = 500 * (timeSpread("ttnn.softmax", Arch::WormholeB0).high - 1);
  double step = 1500 * (stepSpread().high - 1);
  EXPECT_NEAR(band.range().second.value(), 1500 + std::hypot(matmul, softmax, step), 1e-6);
  EXPECT_LT(band.range().second.value(), 1500 + matmul + softmax + step);
}

/// However many families a step has, something is off in all of them at once, by which measured steps are further off than their ops.
TEST(TimeSpread, AWholeStepIsOffToo) {
  TimeBand band(Arch::WormholeB0);
  for (const OpInfo &op : knownOps())
    band.add(op.name, Nanoseconds(10));
  double total = 10.0 * knownOps().size();
  EXPECT_LE(band.range().first.value(), total * stepSpread().low);
  EXPECT_GE(band.range().second.value(), total * stepSpread().high);
}

TEST(TimeSpread, NothingTakesNothing) { EXPECT_EQ(TimeBand(Arch::Blackhole).range().second.value(), 0); }

} // namespace
