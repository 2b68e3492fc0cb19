//===- BankAllocatorTest.cpp ----------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/BankAllocator.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

using enum Direction;

/// Addresses 1000 to 2000, in steps of 10.
class BankAllocatorTest : public ::testing::Test {
protected:
  BankAllocator bank{{Bytes(1000), Bytes(2000)}, Bytes(10)};

  int64_t allocate(int64_t size, Direction direction) {
    std::optional<Bytes> address = bank.allocate(Bytes(size), direction);
    return address ? address->value() : -1;
  }
  bool place(int64_t address, int64_t size) { return bank.place(Bytes(address), Bytes(size)); }
  bool free(int64_t address) { return bank.free(Bytes(address)); }
  int64_t lowest() const { return bank.lowestBlock().value_or(Bytes(-1)).value(); }
};

TEST_F(BankAllocatorTest, GrowsFromEitherEnd) {
  EXPECT_EQ(lowest(), -1);
  EXPECT_EQ(allocate(100, Down), 1900);
  EXPECT_EQ(allocate(50, Down), 1850);
  EXPECT_EQ(lowest(), 1850);
  EXPECT_EQ(allocate(30, Up), 1000);
  EXPECT_EQ(allocate(30, Up), 1030);
  EXPECT_EQ(lowest(), 1000);
  EXPECT_EQ(bank.freeBytes(), Bytes(1000 - 150 - 60));
}

TEST_F(BankAllocatorTest, SizesAreRoundedUp) {
  EXPECT_EQ(allocate(0, Up), 1000); // takes the least size
  EXPECT_EQ(allocate(1, Up), 1010);
  EXPECT_EQ(allocate(11, Up), 1020);
  EXPECT_EQ(allocate(10, Up), 1040);
}

TEST_F(BankAllocatorTest, TakesTheFirstHoleAndNotTheBest) {
  // 1000 |..100..| a | ..50.. | b | ..100.. | 2000
  ASSERT_TRUE(place(1100, 400));
  ASSERT_TRUE(place(1550, 350));
  EXPECT_EQ(allocate(50, Down), 1950); // the hole of exactly 50 lies lower
  EXPECT_EQ(allocate(60, Down), 1040); // nor does the highest one fit any more
  EXPECT_EQ(allocate(50, Up), 1500);   // 40 are left below it
  EXPECT_EQ(allocate(50, Up), 1900);
}

TEST_F(BankAllocatorTest, DownTakesTheUpperEndOfTheHighestHole) {
  ASSERT_TRUE(place(1400, 100));
  EXPECT_EQ(allocate(20, Down), 1980);
  EXPECT_EQ(allocate(490, Down), -1);
  EXPECT_EQ(allocate(400, Down), 1580);
}

TEST_F(BankAllocatorTest, FreeingMergesWithBothNeighbours) {
  for (int i = 0; i < 10; ++i)
    allocate(100, Up);
  EXPECT_TRUE(bank.holes().empty());
  EXPECT_TRUE(free(1200));
  EXPECT_TRUE(free(1400));
  EXPECT_EQ(bank.holes().size(), 2u);
  EXPECT_TRUE(free(1300));
  ASSERT_EQ(bank.holes().size(), 1u);
  EXPECT_EQ(bank.holes()[0], (AddressRange{Bytes(1200), Bytes(1500)}));
  EXPECT_TRUE(free(1100)); // below the hole
  EXPECT_TRUE(free(1500)); // above it
  EXPECT_EQ(bank.holes()[0], (AddressRange{Bytes(1100), Bytes(1600)}));
  EXPECT_EQ(allocate(500, Up), 1100);
}

TEST_F(BankAllocatorTest, FragmentsAreNoUseToALargeBlock) {
  for (int i = 0; i < 10; ++i)
    allocate(100, Up);
  for (int64_t address = 1000; address < 2000; address += 200)
    free(address);
  EXPECT_EQ(bank.freeBytes(), Bytes(500));
  EXPECT_EQ(bank.largestHole(), Bytes(100));
  EXPECT_EQ(allocate(110, Down), -1);
  EXPECT_EQ(bank.freeBytes(), Bytes(500)); // a failure changes nothing
  EXPECT_EQ(allocate(100, Down), 1800);
}

TEST_F(BankAllocatorTest, WhatIsNoBlockIsNotFreed) {
  allocate(100, Up);
  EXPECT_FALSE(free(1010)); // in the middle of one
  EXPECT_FALSE(free(1500));
  EXPECT_FALSE(free(0));
  EXPECT_TRUE(free(1000));
  EXPECT_FALSE(free(1000));
  EXPECT_EQ(bank.freeBytes(), Bytes(1000));
}

TEST_F(BankAllocatorTest, PlacesWhereEverythingIsFree) {
  EXPECT_TRUE(place(1000, 10));
  EXPECT_TRUE(place(1990, 10));
  EXPECT_TRUE(place(1500, 95)); // rounded up to 100
  EXPECT_FALSE(place(1590, 10));
  EXPECT_FALSE(place(1450, 60)); // ends within a block
  EXPECT_FALSE(place(990, 10));
  EXPECT_FALSE(place(2000, 10));
  EXPECT_FALSE(place(1600, 400));
  EXPECT_TRUE(place(1600, 390)); // a whole hole
  EXPECT_EQ(bank.holes().size(), 1u);
}

TEST_F(BankAllocatorTest, LowestBlockFollowsTheBlocks) {
  allocate(100, Down);
  allocate(100, Down);
  allocate(100, Down);
  EXPECT_EQ(lowest(), 1700);
  free(1700);
  EXPECT_EQ(lowest(), 1800);
  free(1900);
  EXPECT_EQ(lowest(), 1800);
  free(1800);
  EXPECT_EQ(lowest(), -1);
  bank.allocate(Bytes(1000), Up);
  EXPECT_EQ(lowest(), 1000);
  bank.freeAll();
  EXPECT_EQ(lowest(), -1);
  EXPECT_EQ(allocate(1000, Down), 1000);
}

TEST_F(BankAllocatorTest, ShrinksFromBelowAndBack) {
  EXPECT_EQ(allocate(500, Down), 1500);
  EXPECT_TRUE(bank.shrink(Bytes(200)));
  EXPECT_EQ(allocate(10, Up), 1200);
  EXPECT_FALSE(bank.shrink(Bytes(10))); // something lies there now
  EXPECT_TRUE(free(1200));
  EXPECT_FALSE(bank.shrink(Bytes(310)));
  EXPECT_TRUE(bank.shrink(Bytes(300))); // all that is free
  EXPECT_EQ(allocate(10, Up), -1);
  EXPECT_EQ(lowest(), 1500);
  bank.freeAll(); // what shrink() took stays taken
  EXPECT_EQ(allocate(10, Up), 1500);
  bank.undoShrink();
  EXPECT_EQ(bank.freeBytes(), Bytes(990));
  EXPECT_EQ(allocate(500, Down), 1000); // 490 bytes are free above the block
}

TEST_F(BankAllocatorTest, UndoneShrinkMergesWithTheHoleAboveIt) {
  EXPECT_TRUE(bank.shrink(Bytes(100)));
  EXPECT_TRUE(bank.shrink(Bytes(100)));
  bank.undoShrink();
  EXPECT_EQ(allocate(1000, Up), 1000);
  bank.undoShrink(); // nothing to undo
  EXPECT_EQ(bank.freeBytes(), Bytes(0));
}

TEST_F(BankAllocatorTest, CopiesGoTheirOwnWay) {
  allocate(100, Down);
  BankAllocator attempt = bank;
  EXPECT_EQ(attempt.allocate(Bytes(100), Down), Bytes(1800));
  EXPECT_EQ(lowest(), 1900);
}

TEST(BankAllocator, ARegionWithoutBytesTakesNothing) {
  BankAllocator none({Bytes(1024), Bytes(1024)}, Bytes(32));
  EXPECT_EQ(none.allocate(Bytes(1), Up), std::nullopt);
  EXPECT_EQ(none.lowestBlock(), std::nullopt);
  none.freeAll();
  EXPECT_TRUE(none.holes().empty());
}

TEST(BankAllocator, HugeRequestsFail) {
  BankAllocator bank({Bytes(0), Bytes(1 << 20)}, Bytes(32));
  Bytes most(std::numeric_limits<int64_t>::max());
  EXPECT_EQ(bank.allocate(most, Up), std::nullopt);
  EXPECT_EQ(bank.allocate(most, Down), std::nullopt);
  EXPECT_FALSE(bank.place(Bytes(32), most));
  EXPECT_FALSE(bank.free(most));
  EXPECT_FALSE(bank.shrink(most));
}

} // namespace
