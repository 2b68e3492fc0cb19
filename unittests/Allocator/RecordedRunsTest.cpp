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
    std::string folder = sharedFolder() / "facts/allocator";
    if (!std::filesystem::exists(folder))
      GTEST_SKIP() << "NOT RUN: no recorded runs at " << folder << "; set TESSERA_SHARED";
    llvm::Expected<RecordedRuns> read = readRecordedRuns(folder);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    runs = std::move(*read);
  }
  RecordedRuns runs;
};

TEST_F(RecordedRunsTest, EveryEventAgrees) {
  size_t events = 0;
  for (const AllocatorTrace &trace : runs.traces) {
    TraceAgreement agreement = replay(trace);
    EXPECT_FALSE(agreement.first) << agreement.first->where << ": " << agreement.first->what << ": recorded "
                                  << agreement.first->recorded << ", replayed " << agreement.first->replayed;
    events += agreement.events;
  }
  EXPECT_GE(events, 100000u) << "the recorded runs have lost events";
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
