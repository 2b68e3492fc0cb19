//===- TimingsTest.cpp - The analytic model against measured times -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SharedFiles.h"
#include "tessera/Evaluation/Evaluation.h"
#include "gtest/gtest.h"

#include <set>

using namespace tessera;

namespace {

class TimingsTest : public testing::Test {
protected:
  void SetUp() override {
    path = evidenceFolder() / "timings";
    auto read = evaluateTimings(path);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    evaluation = std::move(*read);
  }
  std::string path;
  TimingEvaluation evaluation;
};

/// The bars of the project: evidence/timings has the rows, docs/op-model.md the figures.
TEST_F(TimingsTest, CrossValidatedErrorsMeetTheBars) {
  crossValidate(evaluation, 5, 1);
  const TimingFigures &held = *evaluation.crossValidated;
  EXPECT_LE(held.families.at("gemm wormhole_b0").mean, 0.05);
  EXPECT_LE(held.families.at("gemm blackhole").mean, 0.05);
  EXPECT_LE(held.groups.at("decode_matmul").mean, 0.08);
  EXPECT_LE(held.groups.at("unary").mean, 0.08);
  EXPECT_LE(held.groups.at("conversion").mean, 0.15);
  EXPECT_LE(held.groups.at("op_trace").median, 0.15);
  EXPECT_LE(held.groups.at("height_sharded_matmul").mean, 0.08);
  EXPECT_LE(held.groups.at("collective").mean, 0.1);
  // Calls of single ops have bars of their own: below.
  std::set<std::string> singleOps;
  for (const Timing &timing : evaluation.timings)
    if (timing.group == "data_movement")
      singleOps.insert(timing.family);
  for (const auto &[name, accuracy] : held.families)
    if (!llvm::StringRef(name).ends_with("doubtful") && !singleOps.count(name))
      EXPECT_LE(accuracy.mean, 0.35) << name;
  for (const std::string &name : singleOps)
    if (auto family = held.families.find(name); family != held.families.end() && family->second.count >= 10)
      EXPECT_LE(family->second.median, 0.25) << name;
  for (const char *name : {"gemm", "decode_matmul", "conversion", "data_movement", "op_trace"})
    EXPECT_GE(held.ranking.at(name).value().value_or(0), 0.9) << name;
  for (const auto &[name, accuracy] : held.families)
    if (llvm::StringRef(name).starts_with("trace ") && !llvm::StringRef(name).ends_with(", doubtful"))
      EXPECT_LE(accuracy.mean, 0.35) << name;
}

/// Rows of data_movement.csv that are missed by more than three times say why.
TEST_F(TimingsTest, WhatIsFarOffHasItsReason) {
  for (const Timing &timing : evaluation.timings)
    if (timing.group == "data_movement" && isFarOff(timing))
      EXPECT_FALSE(timing.reservation.empty())
          << timing.where << " " << timing.what << ": " << timing.predicted / timing.measured;
}

/// Folds run in parallel; the figures must not show it.
TEST_F(TimingsTest, CrossValidationIsRepeatable) {
  std::vector<std::optional<double>> first;
  crossValidate(evaluation, 3, 7);
  for (const Timing &timing : evaluation.timings)
    first.push_back(timing.crossValidated);
  crossValidate(evaluation, 3, 7);
  for (size_t i = 0; i < first.size(); ++i)
    ASSERT_EQ(first[i], evaluation.timings[i].crossValidated) << evaluation.timings[i].what;
}

/// Fitting must be able to recover: from values 25 % off it comes close to the built-in accuracy again.
TEST_F(TimingsTest, CalibrationRecoversFromWrongParameters) {
  Calibration wrong = builtInCalibration();
  for (size_t i = 0; i < kParameterCount; ++i)
    if (parameterTable()[i].fit != ParameterFit::None) {
      wrong.wormhole[Parameter(i)] *= 1.25;
      wrong.blackhole[Parameter(i)] *= 1.25;
    }
  auto before = evaluateTimings(path, wrong);
  ASSERT_TRUE(bool(before)) << llvm::toString(before.takeError());
  auto after = evaluateTimings(path, calibrate(evaluation.timings, wrong));
  ASSERT_TRUE(bool(after)) << llvm::toString(after.takeError());
  EXPECT_GE(before->figures.groups.at("gemm").mean, 0.1);
  EXPECT_LE(after->figures.groups.at("gemm").mean, 0.04);
  EXPECT_LE(after->figures.groups.at("op_trace").median, 0.06);
}

/// Nothing is dropped: what is not counted is listed.
TEST_F(TimingsTest, CountsEnough) {
  EXPECT_GE(evaluation.figures.groups.at("gemm").count, 360u);
  EXPECT_GE(evaluation.figures.groups.at("decode_matmul").count, 130u);
  EXPECT_GE(evaluation.figures.groups.at("op_trace").count, 480u);      // of 504 rows
  EXPECT_GE(evaluation.figures.groups.at("data_movement").count, 458u); // of 464 rows
  EXPECT_LE(evaluation.figures.groups.at("unary_doubtful").count * 7,
            evaluation.figures.groups.at("unary").count);
  for (const RowRemark &row : evaluation.skipped)
    EXPECT_FALSE(row.what.empty()) << row.where;
}

} // namespace
