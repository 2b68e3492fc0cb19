//===- DeviceBanksTest.cpp ------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/DeviceBanks.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

constexpr int64_t kUnit = 1024;

/// What ops take of L1, in units below its upper end.
class DeviceBanksTest : public testing::Test {
protected:
  DeviceSpec device = *findDevice("n150");
  DeviceBanks banks{device};
  std::vector<RefusedRequest> refused;

  int64_t below(Bytes address) { return (device.l1Size - device.l1SmallSize - address).value() / kUnit; }
  int64_t below(std::optional<BufferId> buffer) { return below(banks.range(*buffer).begin); }
  std::vector<int64_t> temporaries(const OpMemory &made) {
    std::vector<int64_t> found;
    for (const AddressRange &range : made.temporaries)
      found.push_back(below(range.begin));
    return found;
  }

  static MadeBlock temporary(int64_t units, uint16_t until = MadeBlock::kToTheEnd) {
    return {Bytes(units * kUnit), until};
  }
  static MadeBlock result(int16_t i) { return {Bytes(0), MadeBlock::kToTheEnd, i}; }

  OpMemory run(std::initializer_list<MadeBlock> blocks, std::initializer_list<int64_t> results) {
    OpMemoryNeeds needs;
    needs.blocks = blocks;
    for (int64_t units : results)
      needs.results.push_back({BufferType::L1, Bytes(units * kUnit)});
    return banks.run(needs);
  }
};
using Units = std::vector<int64_t>;

TEST_F(DeviceBanksTest, WhatAStepMadeIsFreedAfterTheNext) {
  OpMemory made = run({temporary(2, 2), temporary(8, 3)}, {1});
  EXPECT_EQ(temporaries(made), (Units{2, 10}));
  EXPECT_EQ(below(made.results[0]), 1); // where the first was
  EXPECT_EQ(banks.used(BufferType::L1), Bytes(kUnit));
  EXPECT_EQ(below(*made.lowest), 10);
}

TEST_F(DeviceBanksTest, WhatStaysToTheEndLiesAboveTheResult) {
  OpMemory made = run({temporary(2), temporary(8)}, {1});
  EXPECT_EQ(below(made.results[0]), 11);
  EXPECT_EQ(below(run({}, {1}).results[0]), 1);
}

TEST_F(DeviceBanksTest, AResultMayBeMadeBeforeATemporary) {
  OpMemory made = run({temporary(4, 2), result(0), temporary(2)}, {1, 3});
  EXPECT_EQ(below(made.results[0]), 5);
  EXPECT_EQ(temporaries(made), (Units{4, 2}));
  EXPECT_EQ(below(made.results[1]), 8);
}

TEST_F(DeviceBanksTest, WhatFindsNoRoomIsTold) {
  int64_t all = (device.usableL1() - device.l1SmallSize).value() / kUnit;
  OpMemory made = run({temporary(2), temporary(all)}, {1});
  ASSERT_EQ(made.refused.size(), 1u);
  EXPECT_EQ(made.refused[0].result, std::nullopt);
  EXPECT_EQ(below(made.results[0]), 3);
}

TEST_F(DeviceBanksTest, AnOperandMayBeFreedOnceTheFirstBlockIsMade) {
  auto afterOperand = [&](MadeBlocks blocks) {
    OpMemoryNeeds needs;
    needs.blocks = std::move(blocks);
    needs.results.push_back({BufferType::L1, Bytes(kUnit)});
    needs.frees = banks.allocate(BufferType::L1, Bytes(8 * kUnit), refused);
    OpMemory made = banks.run(needs);
    EXPECT_FALSE(banks.isLive(*needs.frees));
    std::vector<int64_t> places = temporaries(made);
    places.push_back(below(made.results[0]));
    banks.release(*made.results[0], /*force=*/true);
    return places;
  };
  EXPECT_EQ(afterOperand({temporary(3, 1), temporary(3)}), (Units{11, 3, 4})); // a halo, made anew
  EXPECT_EQ(afterOperand({temporary(3)}), (Units{11, 1}));
  EXPECT_EQ(afterOperand({result(0)}), Units{9});
  EXPECT_EQ(afterOperand({}), Units{1});
}

TEST_F(DeviceBanksTest, ProgramsAreCheckedAgainstWhatLivesWhenTheyRun) {
  int64_t all = (device.l1Size - device.l1SmallSize - device.l1UnreservedBase).value() / kUnit;
  auto launch = [&](std::optional<Bytes> first) {
    OpMemoryNeeds needs;
    // All but ten units while the first program runs, one beside the result when the last does.
    needs.blocks = {temporary(all - 10, 1), temporary(1)};
    needs.blocks.front().buffers = first;
    needs.results.push_back({BufferType::L1, Bytes(kUnit)});
    needs.buffers = Bytes(50 * kUnit);
    OpMemory made = banks.run(needs);
    banks.release(*made.results[0], /*force=*/true);
    return std::pair(made.launch.verdict, made.buffers->size().value() / kUnit);
  };
  EXPECT_EQ(launch(Bytes(5 * kUnit)), std::pair(LaunchVerdict::Ok, int64_t(50)));
  EXPECT_EQ(launch(Bytes(20 * kUnit)), std::pair(LaunchVerdict::Clash, int64_t(20)));
  EXPECT_EQ(launch(std::nullopt), std::pair(LaunchVerdict::Clash, int64_t(50)));
}

} // namespace
