//===- DeviceBanksTest.cpp ------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/DeviceBanks.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

class DeviceBanksTest : public testing::Test {
protected:
  BufferId make(int64_t bytes) { return *banks.allocate(BufferType::L1, Bytes(bytes), refused, 0); }
  /// Bytes below the top of L1.
  int64_t depth(BufferId id) { return (device.l1Size - device.l1SmallSize - banks.range(id).begin).value(); }

  /// Of a convolution that frees `operand`: how deep its result of 2,048 bytes lies.
  int64_t resultOf(BufferId operand, int64_t temporaries, bool noHalo) {
    OpMemoryNeeds needs;
    needs.results.push_back({BufferType::L1, Bytes(2048)});
    needs.temporaries = Bytes(temporaries);
    needs.haloFrees = operand;
    needs.noHalo = noHalo;
    return depth(*banks.run(needs).results[0]);
  }

  DeviceSpec device = *findDevice("n150");
  DeviceBanks banks{device};
  std::vector<RefusedRequest> refused;
};

TEST_F(DeviceBanksTest, AHaloMovesUpIntoWhatItFreed) {
  EXPECT_EQ(resultOf(make(8192), 4096, /*noHalo=*/false), 4096 + 2048);
}

TEST_F(DeviceBanksTest, AMatmulReadsItsOperandUntilItsResultIsMade) {
  EXPECT_EQ(resultOf(make(8192), 0, /*noHalo=*/true), 8192 + 2048);
  EXPECT_EQ(depth(make(8192)), 8192); // which is free by then
}

TEST_F(DeviceBanksTest, ResultsThatAreMovedMayTakeTheOperandsPlace) {
  // Made below the operand, of the same size, and moved to where that was.
  EXPECT_EQ(resultOf(make(8192), 4096, /*noHalo=*/true), 2048);
}

} // namespace
