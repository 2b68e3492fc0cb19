//===- GoldensTest.cpp - The analytic model against a real backend -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SharedFiles.h"
#include "tessera/Evaluation/Evaluation.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

// Floors are what was measured when they were last raised.

/// Revisions other than the pinned one are asked with the behaviour of their time (BackendVersion).
TEST(GoldensTest, Floors) {
  auto evaluation = evaluateGoldens((evidenceFolder() / "goldens.csv").string());
  ASSERT_TRUE(bool(evaluation)) << llvm::toString(evaluation.takeError());
  for (const RowRemark &row : evaluation->wrong)
    llvm::outs() << "  " << row.where << " " << row.what << "\n";
  llvm::outs().flush();
  const GoldenAccuracy &primary = evaluation->primary, &all = evaluation->all;
  EXPECT_GT(primary.legality.all, 500u);
  EXPECT_GT(all.legality.all, 900u); // ops that the model does not know count as wrong
  for (const GoldenAccuracy *accuracy : {&primary, &all})
    for (const Share &share : {accuracy->legality, accuracy->circularBuffers, accuracy->tensorPeak,
                               accuracy->peak, accuracy->outputBytes, accuracy->notBelow, accuracy->bounds})
      EXPECT_EQ(share.value(), 1.0);
}

/// What rules refuse on purpose counts apart (docs/op-model.md).
TEST(GoldensTest, LibraryFloors) {
  auto evaluation = evaluateGoldens((evidenceFolder() / "library.csv").string());
  ASSERT_TRUE(bool(evaluation)) << llvm::toString(evaluation.takeError());
  const GoldenAccuracy &all = evaluation->all;
  EXPECT_GT(all.legality.all, 2750u);
  EXPECT_GT(all.circularBuffers.all, 2200u);
  EXPECT_GT(all.legality.value(), 0.99);
  EXPECT_GT(all.circularBuffers.value(), 0.99);
  EXPECT_GT(all.tensorPeak.value(), 0.98);
}

/// The same of the library ahead of tt-mlir.
TEST(GoldensTest, NextLibraryFloors) {
  auto evaluation = evaluateGoldens((evidenceFolder() / "library-0.81.csv").string());
  ASSERT_TRUE(bool(evaluation)) << llvm::toString(evaluation.takeError());
  const GoldenAccuracy &all = evaluation->all;
  EXPECT_GT(all.legality.all, 1100u);
  EXPECT_GT(all.legality.value(), 0.975);
  EXPECT_GT(all.circularBuffers.value(), 0.96);
  EXPECT_GT(all.tensorPeak.value(), 0.97);
}

} // namespace
