//===- L1ReservationsTest.cpp - Who holds L1 while others run --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The timeline of facts/optimizer-design 4.1.3; the other boxes of 4.1 are in DFShardingTest.cpp.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/L1Reservations.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

ScheduleInterval positions(size_t begin, size_t end) { return {SchedulePos(begin), SchedulePos(end)}; }

TEST(L1Reservations, SumUpWhereTheyOverlap) {
  L1ReservationTimeline timeline(SchedulePos(6), Bytes(10));
  timeline.add({positions(1, 4), Bytes(100), true});
  timeline.add({positions(3, 9), Bytes(1000), false});
  std::vector<int64_t> active;
  for (SchedulePos position; position < timeline.end(); ++position) {
    active.push_back(timeline.activeAt(position).value());
  }
  EXPECT_EQ(active, (std::vector<int64_t>{10, 110, 110, 1110, 1010, 1010}));
  timeline.remove({positions(1, 4), Bytes(100), true});
  EXPECT_EQ(timeline.activeAt(SchedulePos(3)), Bytes(1010));
}

TEST(L1Reservations, ConflictWithWhatPositionsNeed) {
  L1ReservationTimeline timeline(SchedulePos(6), Bytes(10));
  timeline.add({positions(1, 4), Bytes(100), true});
  EXPECT_EQ(timeline.firstConflict(positions(0, 6), Bytes(0)), SchedulePos(6)); // nobody needs anything
  timeline.setNeed(SchedulePos(3), {Bytes(50), false});
  EXPECT_EQ(timeline.firstConflict(positions(0, 6), Bytes(160)), SchedulePos(6));
  EXPECT_EQ(timeline.firstConflict(positions(0, 6), Bytes(159)), SchedulePos(3));
  EXPECT_EQ(timeline.firstConflict(positions(4, 6), Bytes(159)), SchedulePos(6));
  EXPECT_EQ(timeline.activeAt(SchedulePos(3)), Bytes(110));
  timeline.setNeed(SchedulePos(3), {});
  EXPECT_EQ(timeline.firstConflict(positions(0, 6), Bytes(0)), SchedulePos(6));
}

TEST(L1Reservations, PositionsThatMustBeAloneMindOnlyNewNeighbours) {
  L1ReservationTimeline timeline(SchedulePos(6), Bytes(10));
  timeline.setNeed(SchedulePos(2), {std::nullopt, true});
  timeline.add({positions(1, 4), Bytes(100), true});
  EXPECT_EQ(timeline.firstConflict(positions(0, 6), Bytes(0)), SchedulePos(6));
  timeline.add({positions(0, 3), Bytes(1), false});
  EXPECT_EQ(timeline.firstConflict(positions(0, 6), Bytes(1000)), SchedulePos(2));
}

TEST(L1Reservations, ExcessIsWhatIsMissing) {
  L1ReservationTimeline timeline(SchedulePos(3), Bytes(10));
  timeline.add({positions(0, 3), Bytes(100), false});
  timeline.setNeed(SchedulePos(0), {Bytes(50), false});
  timeline.setNeed(SchedulePos(1), {Bytes(50), true});
  // Not all that the input does not have there, as beside what must be alone.
  EXPECT_EQ(timeline.excessAt(SchedulePos(0), Bytes(155)), Bytes(5));
  EXPECT_EQ(timeline.excessAt(SchedulePos(1), Bytes(155)), Bytes(100));
  EXPECT_EQ(timeline.excessAt(SchedulePos(0), Bytes(160)), Bytes(0));
  EXPECT_EQ(timeline.excessAt(SchedulePos(2), Bytes(0)), Bytes(0)); // it needs nothing
}

} // namespace
