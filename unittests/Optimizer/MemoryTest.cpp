//===- MemoryTest.cpp -----------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Memory/Lifetime.h"
#include "tessera/Optimizer/Memory/SpillSelection.h"
#include "tessera/Optimizer/Memory/UsageTimeline.h"
#include "gtest/gtest.h"

#include <random>

using namespace tessera;

namespace {

std::vector<size_t> numbers(llvm::ArrayRef<TensorId> ids) {
  std::vector<size_t> result;
  for (TensorId id : ids)
    result.push_back(id.index());
  return result;
}

using Numbers = std::vector<size_t>;
using Timeline = UsageTimeline<StepIndex>;

StepInterval steps(size_t begin, size_t end) { return {StepIndex(begin), StepIndex(end)}; }

TEST(LifetimeEvents, SortsByBirthAndDeath) {
  //            step 0 1 2 3
  // t0 [0,3)        = = =
  // t1 [1,2)          =
  // t2 [1,4)          = = =
  // t3 never
  LifetimeEvents events({steps(0, 3), steps(1, 2), steps(1, 4), steps(2, 2)}, StepIndex(4));
  EXPECT_EQ(numbers(events.bornAt(StepIndex(0))), Numbers({0}));
  EXPECT_EQ(numbers(events.bornAt(StepIndex(1))), Numbers({1, 2}));
  EXPECT_EQ(numbers(events.bornAt(StepIndex(2))), Numbers({}));
  EXPECT_EQ(numbers(events.deadAfter(StepIndex(1))), Numbers({1}));
  EXPECT_EQ(numbers(events.deadAfter(StepIndex(2))), Numbers({0}));
  EXPECT_EQ(numbers(events.deadAfter(StepIndex(3))), Numbers({2}));
  EXPECT_EQ(numbers(events.liveDuring(StepIndex(1))), Numbers({0, 1, 2}));
  EXPECT_EQ(numbers(events.liveDuring(StepIndex(3))), Numbers({2}));
}

TEST(LifetimeEvents, CutsOffAtTheEnd) {
  LifetimeEvents events({steps(0, 9), steps(5, 9)}, StepIndex(2));
  EXPECT_EQ(numbers(events.deadAfter(StepIndex(1))), Numbers({0}));
  EXPECT_EQ(numbers(events.bornAt(StepIndex(0))), Numbers({0}));
}

TEST(UsageTimeline, AddsUpAndFindsThePeak) {
  Timeline timeline;
  for (int64_t bytes : {300, 400, 0, 100})
    timeline.append(Bytes(bytes));
  EXPECT_EQ(timeline.peak(steps(0, 4)), Bytes(400));
  EXPECT_EQ(timeline.peak(steps(2, 4)), Bytes(100));
  EXPECT_EQ(timeline.peak(steps(2, 2)), Bytes(0));
  timeline.reserve(steps(1, 3), Bytes(300)); // steps 1 and 2
  EXPECT_EQ(timeline.at(StepIndex(0)), Bytes(300));
  EXPECT_EQ(timeline.at(StepIndex(1)), Bytes(700));
  EXPECT_EQ(timeline.at(StepIndex(2)), Bytes(300));
  EXPECT_EQ(timeline.at(StepIndex(3)), Bytes(100));
  timeline.reserve(steps(3, 100), Bytes(1)); // beyond the end: cut off
  EXPECT_EQ(timeline.peak(steps(3, 100)), Bytes(101));
}

TEST(UsageTimeline, FindsTheFirstPositionAboveALimit) {
  Timeline timeline;
  for (int64_t bytes : {300, 700, 0, 700})
    timeline.append(Bytes(bytes));
  EXPECT_EQ(timeline.firstAbove(steps(0, 4), Bytes(299)), StepIndex(0));
  EXPECT_EQ(timeline.firstAbove(steps(0, 4), Bytes(300)), StepIndex(1));
  EXPECT_EQ(timeline.firstAbove(steps(2, 4), Bytes(300)), StepIndex(3));
  EXPECT_EQ(timeline.firstAbove(steps(2, 3), Bytes(300)), StepIndex(4)); // nothing in the interval: end()
  EXPECT_EQ(timeline.firstAbove(steps(0, 4), Bytes(700)), StepIndex(4));
}

/// One number per position, changed one by one.
TEST(UsageTimeline, AgreesWithTheObviousOne) {
  std::mt19937 random(1);
  auto below = [&](size_t end) { return size_t(random() % end); };
  Timeline timeline;
  std::vector<int64_t> obvious;
  for (int round = 0; round < 20000; ++round) {
    size_t begin = below(obvious.size() + 2), wanted = below(obvious.size() + 2);
    StepInterval interval = steps(begin, wanted);
    size_t end = std::min(wanted, obvious.size());
    int64_t bytes = int64_t(below(1000)) - 300, peak = 0;
    if (size_t dice = below(32); dice == 0) {
      timeline = {};
      obvious.clear();
    } else if (dice < 13) {
      timeline.append(Bytes(bytes));
      obvious.push_back(bytes);
    } else {
      timeline.reserve(interval, Bytes(bytes));
      for (size_t i = begin; i < end; ++i)
        obvious[i] += bytes;
    }
    ASSERT_EQ(timeline.end(), StepIndex(obvious.size()));
    end = std::min(wanted, obvious.size());
    for (size_t i = begin; i < end; ++i)
      peak = std::max(peak, obvious[i]);
    ASSERT_EQ(timeline.peak(interval), Bytes(peak)) << round;
    size_t first = begin;
    while (first < end && obvious[first] <= 2 * bytes)
      ++first;
    ASSERT_EQ(timeline.firstAbove(interval, Bytes(2 * bytes)),
              StepIndex(first < end ? first : obvious.size()))
        << round;
    if (begin < obvious.size())
      ASSERT_EQ(timeline.at(interval.begin), Bytes(obvious[begin])) << round;
  }
}

/// The values in the order in which they have to leave.
std::vector<size_t> victims(const SpillCandidates &candidates) {
  std::vector<size_t> result;
  for (const SpillCandidate &candidate : candidates)
    result.push_back(candidate.value.index());
  return result;
}

TEST(SpillSelection, TakesTheFarthestLastUse) {
  SpillCandidate a{ValueId(0), Bytes(500), SchedulePos(4)}, b{ValueId(1), Bytes(900), SchedulePos(3)};
  EXPECT_EQ(victims({a, b}), Numbers({0, 1}));
  EXPECT_EQ(victims({b, a}), Numbers({0, 1}));
}

TEST(SpillSelection, BreaksTiesBySizeThenByValue) {
  SpillCandidate small{ValueId(0), Bytes(500), SchedulePos(4)}, large{ValueId(1), Bytes(900), SchedulePos(4)},
      later{ValueId(2), Bytes(900), SchedulePos(4)};
  EXPECT_EQ(victims({small, later, large}), Numbers({1, 2, 0}));
}

/// A value may hold L1 twice, as it was made and as it is returned.
TEST(SpillSelection, KeepsEqualCandidates) {
  SpillCandidate a{ValueId(0), Bytes(500), SchedulePos(4)};
  EXPECT_EQ(victims({a, a}), Numbers({0, 0}));
}

} // namespace
