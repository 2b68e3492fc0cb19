//===- CircularBuffersTest.cpp --------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/CircularBuffers.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

constexpr CoreRange kLeft{{0, 0}, {3, 7}}, kRight{{4, 0}, {7, 7}}, kAll{{0, 0}, {7, 7}},
    kMiddle{{2, 0}, {5, 7}};

BufferOnCores buffer(int64_t size, llvm::ArrayRef<CoreRange> ranges) {
  return {{llvm::SmallVector<CoreRange, 2>(ranges)}, Bytes(size)};
}
BufferOnCores alias(llvm::ArrayRef<CoreRange> ranges) {
  return {{llvm::SmallVector<CoreRange, 2>(ranges)}, Bytes(1 << 20), true};
}

using Numbers = std::vector<int64_t>;

/// Addresses from base 1000 in steps of 100; -1: aliases a tensor.
Numbers addresses(llvm::ArrayRef<BufferOnCores> buffers) {
  Numbers numbers;
  for (std::optional<Bytes> address : placeCircularBuffers(buffers, Bytes(1000), Bytes(100)).addresses)
    numbers.push_back(address.value_or(Bytes(-1)).value());
  return numbers;
}

TEST(CircularBuffers, FollowOneAnotherAtAlignedAddresses) {
  EXPECT_EQ(addresses({buffer(100, kAll), buffer(110, kAll), buffer(50, kAll)}), Numbers({1000, 1100, 1300}));
}

TEST(CircularBuffers, TheBaseIsAlignedToo) {
  PlacedBuffers placed = placeCircularBuffers({buffer(10, kAll)}, Bytes(1010), Bytes(100));
  EXPECT_EQ(placed.addresses[0], Bytes(1100));
}

TEST(CircularBuffers, SizesAreNotRounded) {
  PlacedBuffers placed = placeCircularBuffers({buffer(110, kAll)}, Bytes(1000), Bytes(100));
  EXPECT_EQ(placed.end(), Bytes(1110));
}

TEST(CircularBuffers, CoresApartDoNotWaitForOneAnother) {
  EXPECT_EQ(addresses({buffer(500, kLeft), buffer(200, kRight), buffer(100, kLeft), buffer(100, kRight)}),
            Numbers({1000, 1000, 1500, 1200}));
}

TEST(CircularBuffers, ABufferOnSeveralRangesLiesAboveAllOfThem) {
  EXPECT_EQ(
      addresses({buffer(500, kLeft), buffer(200, kRight), buffer(100, {kLeft, kRight}), buffer(100, kRight)}),
      Numbers({1000, 1000, 1500, 1600}));
}

TEST(CircularBuffers, RangesThatTouchPushEachOther) {
  EXPECT_EQ(addresses({buffer(300, kAll), buffer(100, kMiddle), buffer(100, kAll)}),
            Numbers({1000, 1300, 1400}));
}

TEST(CircularBuffers, ThoseOnTensorsTakeNothing) {
  EXPECT_EQ(addresses({buffer(100, kAll), alias(kAll), buffer(100, kAll)}), Numbers({1000, -1, 1100}));
}

// The cores of a buffer that aliases a tensor are a rectangle like others: what touches them raises their end.
TEST(CircularBuffers, CoresOfThoseOnTensorsCount) {
  PlacedBuffers placed = placeCircularBuffers({alias(kMiddle), buffer(300, kLeft)}, Bytes(1000), Bytes(100));
  ASSERT_EQ(placed.ranges.size(), 2u);
  EXPECT_EQ(placed.ranges[0].cores, kMiddle);
  EXPECT_EQ(placed.ranges[0].end, Bytes(1300));
}

// As the device's runtime has it: kMiddle's end was raised by the small buffer, is above the address of the large one,
// and so stays below its end.
TEST(CircularBuffers, OverlapWhereTheDeviceLetsThem) {
  EXPECT_EQ(addresses({buffer(100, kLeft), buffer(900, kRight), buffer(100, kMiddle)}),
            Numbers({1000, 1000, 1100}));
}

// ---- The check before a launch ----------------------------------------------------------------------------

LaunchCheck check(llvm::ArrayRef<BufferOnCores> buffers, std::optional<Bytes> lowest, int64_t l1End = 10000) {
  return checkLaunch(placeCircularBuffers(buffers, Bytes(1000), Bytes(100)), Bytes(l1End), lowest);
}

TEST(LaunchCheck, BuffersMayEndWhereTheLowestTensorBegins) {
  EXPECT_EQ(check({buffer(500, kAll)}, Bytes(1500)).verdict, LaunchVerdict::Ok);
  EXPECT_EQ(check({buffer(500, kAll)}, Bytes(1499)).verdict, LaunchVerdict::Clash);
}

TEST(LaunchCheck, NamesTheFirstRangeInTheOrderOfMention) {
  LaunchCheck clash = check({alias(kRight), buffer(800, kLeft), buffer(700, kRight)}, Bytes(1500));
  ASSERT_TRUE(clash.at.has_value());
  EXPECT_EQ(clash.at->cores, kRight);
  EXPECT_EQ(clash.at->end, Bytes(1700));
}

TEST(LaunchCheck, EndOfL1) {
  EXPECT_EQ(check({buffer(9000, kAll)}, std::nullopt).verdict, LaunchVerdict::Ok);
  EXPECT_EQ(check({buffer(9001, kAll)}, std::nullopt).verdict, LaunchVerdict::BeyondL1);
  EXPECT_EQ(check({buffer(9001, kAll)}, Bytes(5000)).verdict, LaunchVerdict::BeyondL1); // before the tensor
}

TEST(LaunchCheck, AProgramWithoutBuffersRunsAnywhere) {
  EXPECT_EQ(check({}, Bytes(1000)).verdict, LaunchVerdict::Ok);
  EXPECT_EQ(check({alias(kAll)}, Bytes(1000)).verdict, LaunchVerdict::Ok);
}

} // namespace
