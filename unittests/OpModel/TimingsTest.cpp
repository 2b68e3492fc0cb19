//===- TimingsTest.cpp - The analytic model against measured times -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Evaluation.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace tessera;

namespace {

class TimingsTest : public testing::Test {
protected:
  void SetUp() override {
    const char *folder = std::getenv("TESSERA_SHARED");
    std::string path = std::string(folder ? folder : TESSERA_SHARED_DEFAULT) + "/facts/perf";
    if (!llvm::sys::fs::exists(path))
      GTEST_SKIP() << "no timings at " << path << "; set TESSERA_SHARED";
    auto read = evaluateTimings(path);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    evaluation = std::move(*read);
  }
  const TimingAccuracy &group(const char *name) { return evaluation.groups[name]; }
  TimingEvaluation evaluation;
};

// Bounds are what was measured when they were last set, a little rounded up.

TEST_F(TimingsTest, MeanErrorsByGroup) {
  EXPECT_LE(group("gemm").mean, 0.03);
  EXPECT_LE(group("decode_matmul").mean, 0.04);
  EXPECT_LE(group("unary").mean, 0.045);
  EXPECT_LE(group("conversion").mean, 0.06);
  EXPECT_LE(group("height_sharded_matmul").mean, 0.075);
  EXPECT_LE(group("collective").mean, 0.06);
  EXPECT_LE(group("op_trace").median, 0.05);
}

TEST_F(TimingsTest, RanksConfigurations) {
  for (const char *name : {"gemm", "decode_matmul", "conversion", "op_trace"})
    EXPECT_GE(evaluation.ranking[name].value().value_or(0), 0.95) << name;
}

/// Nothing is dropped: what is not counted is listed.
TEST_F(TimingsTest, CountsEnough) {
  EXPECT_GE(group("gemm").count, 360u);
  EXPECT_GE(group("decode_matmul").count, 130u);
  EXPECT_GE(group("op_trace").count, 320u);
  EXPECT_LE(group("unary_doubtful").count * 8, group("unary").count);
  for (const RowRemark &row : evaluation.skipped)
    EXPECT_FALSE(row.what.empty()) << row.where;
}

} // namespace
