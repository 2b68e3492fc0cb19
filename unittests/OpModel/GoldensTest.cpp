//===- GoldensTest.cpp - The analytic model against a real backend -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/Evaluation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace tessera;

namespace {

std::string shared(llvm::StringRef file) {
  const char *folder = std::getenv("TESSERA_SHARED");
  return std::string(folder ? folder : TESSERA_SHARED_DEFAULT) + "/facts/" + file.str();
}

// Floors are what was measured when they were last raised.

/// The model has no switches for other revisions: `all` is how far they are from the pinned one.
TEST(GoldensTest, Floors) {
  std::string path = shared("opmodel-goldens.csv");
  if (!llvm::sys::fs::exists(path))
    GTEST_SKIP() << "no goldens at " << path << "; set TESSERA_SHARED";
  auto evaluation = evaluateGoldens(path);
  ASSERT_TRUE(bool(evaluation)) << llvm::toString(evaluation.takeError());
  for (const RowRemark &row : evaluation->wrong)
    llvm::outs() << "  " << row.where << " " << row.what << "\n";
  llvm::outs().flush();
  const GoldenAccuracy &primary = evaluation->primary, &all = evaluation->all;
  EXPECT_GT(primary.legality.all, 500u);
  for (const Share &share : {primary.legality, primary.circularBuffers, primary.tensorPeak, primary.peak,
                             primary.outputBytes, primary.bounds})
    EXPECT_EQ(share.value(), 1.0);
  EXPECT_GE(all.legality.value(), 0.98);
  EXPECT_GE(all.circularBuffers.value(), 0.98);
}

} // namespace
