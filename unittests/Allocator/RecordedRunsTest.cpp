//===- RecordedRunsTest.cpp - The real allocator's answers ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SharedFiles.h"

#include "tessera/Allocator/Replay.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

class RecordedRunsTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::filesystem::path folder = sharedFolder() / "facts/allocator";
    whole = std::filesystem::exists(folder);
    if (!whole)
      folder = evidenceFolder() / "allocator";
    llvm::Expected<RecordedRuns> read = readRecordedRuns(folder.string());
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    runs = std::move(*read);
  }
  RecordedRuns runs;
  bool whole = false; ///< not only the sample that the repository holds
};

TEST_F(RecordedRunsTest, EveryEventAgrees) {
  size_t events = 0;
  for (const AllocatorTrace &trace : runs.traces) {
    TraceAgreement agreement = replay(trace);
    EXPECT_FALSE(agreement.first) << agreement.first->where << ": " << agreement.first->what << ": recorded "
                                  << agreement.first->recorded << ", replayed " << agreement.first->replayed;
    events += agreement.events;
  }
  EXPECT_GE(events, whole ? 100000u : 12000u) << "the recorded runs have lost events";
}

TEST_F(RecordedRunsTest, EveryProgramAgrees) {
  EXPECT_GE(runs.programs.size(), 600u) << "the recorded runs have lost programs";
  for (const ProgramTrace &program : runs.programs) {
    std::optional<Disagreement> first = replay(program);
    EXPECT_FALSE(first) << first->where << ": " << first->what << ": recorded " << first->recorded
                        << ", replayed " << first->replayed;
  }
}

} // namespace
