//===- VectorUnitTest.cpp - Functions as the vector unit computes them ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "VectorUnit.h"

#include "gtest/gtest.h"

#include <limits>

using namespace tessera;
namespace unit = tessera::simulator::vector_unit;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Arch kArchs[] = {Arch::WormholeB0, Arch::Blackhole};

TEST(VectorUnit, DenormalsAreZero) {
  EXPECT_EQ(unit::multiply(0x1p-100f, 0x1p-30f), 0);
  EXPECT_EQ(unit::add(0x1p-140f, 0x1p-130f), 0);
}

TEST(VectorUnit, AProductKeeps26BitsBehindItsLeadingOnes) {
  float x = 1 + 0x1p-23f;
  EXPECT_EQ(unit::multiply(x, x),
            1 + 0x1p-22f); // 1 + 2^-22 + 2^-46, of which one bit says that there is more:
  EXPECT_EQ(unit::multiplyAdd(x, x, -(1 + 0x1p-22f)), 0x1p-26f); // 2^-46 in a fused operation
}

TEST(VectorUnit, RoundsToBFloat16AwayFromZero) {
  EXPECT_EQ(unit::nearestBFloat16(1 + 0x1p-8f), 1 + 0x1p-7f);
  EXPECT_EQ(unit::nearestBFloat16(-1 - 0x1p-8f), -1 - 0x1p-7f);
  EXPECT_EQ(unit::nearestBFloat16(1 + 0x1p-9f), 1);
  EXPECT_EQ(unit::cutToBFloat16(1 + 0x1.8p-8f), 1);
}

TEST(VectorUnit, ExponentialsStayWithinTheRangeOfFloats) {
  for (auto *function : {unit::coarseExponential, unit::fineExponential})
    for (float x : {-1000.0f, -80.0f, -1.0f, 0.0f, 1.0f, 80.0f})
      EXPECT_NEAR(function(x) / std::exp(std::max(x, -87.0f)), x < -87 ? 0 : 1, 0.01) << x;
  EXPECT_EQ(unit::fineExponential(1000), kInfinity);
  EXPECT_NEAR(unit::roughExponential(-3) / std::exp(-3.0f), 1, 0.04);
  EXPECT_TRUE(std::isnan(unit::roughExponential(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_NEAR(unit::roughInverseRoot(3) * std::sqrt(3.0f), 1, 0x1p-10);
}

TEST(VectorUnit, FunctionsOf32BitsAreWithinTwoUnitsInTheLastPlace) {
  constexpr float kUlp = 0x1p-23f;
  for (Arch arch : kArchs)
    for (float x = 0.125f; x < 20; x *= 1.25f) {
      auto relative = [&](llvm::StringRef name, double exact) {
        return std::fabs(unit::findFunction(name, arch, true)(x) / exact - 1);
      };
      double sigmoid = 1 / (1 + std::exp(-double(x)));
      EXPECT_LE(relative("sigmoid", sigmoid), 2 * kUlp) << x;
      EXPECT_LE(relative("silu", x * sigmoid), 2 * kUlp) << x;
      EXPECT_LE(relative("sqrt", std::sqrt(double(x))), 2 * kUlp) << x;
      EXPECT_LE(relative("rsqrt", 1 / std::sqrt(double(x))), 2 * kUlp) << x;
      EXPECT_LE(relative("reciprocal", 1 / double(x)), 2 * kUlp) << x;
      EXPECT_LE(relative("log", std::log(double(x))), 4 * kUlp) << x;
    }
}

TEST(VectorUnit, FunctionsTakeWhatHasNoOrdinaryResult) {
  for (Arch arch : kArchs)
    for (bool fp32Dest : {false, true}) {
      auto function = [&](llvm::StringRef name) { return unit::findFunction(name, arch, fp32Dest); };
      EXPECT_EQ(function("exp")(100), kInfinity);
      EXPECT_EQ(function("exp")(-100), 0);
      EXPECT_EQ(function("exp")(-kInfinity), 0);
      EXPECT_EQ(function("sigmoid")(-200), 0);
      EXPECT_EQ(function("sigmoid")(200), 1);
      EXPECT_EQ(function("reciprocal")(0), kInfinity);
      EXPECT_EQ(function("reciprocal")(-kInfinity), 0);
      EXPECT_EQ(function("log")(0), -kInfinity);
      EXPECT_TRUE(std::isnan(function("log")(-1)));
      EXPECT_TRUE(std::isnan(function("sqrt")(-1)));
      EXPECT_EQ(function("sqrt")(0), 0);
      EXPECT_EQ(function("rsqrt")(0), kInfinity);
      EXPECT_EQ(function("reciprocal")(kInfinity), 0);
      EXPECT_EQ(unit::divide(1, 0, arch, fp32Dest), kInfinity);
      EXPECT_TRUE(std::isnan(unit::divide(0, 0, arch, fp32Dest)));
      for (const char *name : {"exp", "log", "silu", "sqrt"})
        EXPECT_TRUE(std::isnan(function(name)(std::numeric_limits<float>::quiet_NaN()))) << name;
    }
}

TEST(VectorUnit, UnknownFunctionsAreNull) {
  EXPECT_EQ(unit::findFunction("atan", Arch::Blackhole, false), nullptr);
  EXPECT_EQ(unit::findFunction("gelu", Arch::Blackhole, true), nullptr); // of f32 it is not modelled
}

} // namespace
