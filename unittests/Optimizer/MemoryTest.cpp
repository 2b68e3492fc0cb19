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

TEST(LifetimeEvents, SortsByBirthAndDeath) {
  //            step 0 1 2 3
  // t0 [0,3)        = = =
  // t1 [1,2)          =
  // t2 [1,4)          = = =
  // t3 never
  LifetimeEvents events({{0, 3}, {1, 2}, {1, 4}, {2, 2}}, 4);
  EXPECT_EQ(numbers(events.bornAt(0)), Numbers({0}));
  EXPECT_EQ(numbers(events.bornAt(1)), Numbers({1, 2}));
  EXPECT_EQ(numbers(events.bornAt(2)), Numbers({}));
  EXPECT_EQ(numbers(events.deadAfter(1)), Numbers({1}));
  EXPECT_EQ(numbers(events.deadAfter(2)), Numbers({0}));
  EXPECT_EQ(numbers(events.deadAfter(3)), Numbers({2}));
  EXPECT_EQ(numbers(events.liveDuring(1)), Numbers({0, 1, 2}));
  EXPECT_EQ(numbers(events.liveDuring(3)), Numbers({2}));
}

TEST(LifetimeEvents, CutsOffAtTheEnd) {
  LifetimeEvents events({{0, 9}, {5, 9}}, 2);
  EXPECT_EQ(numbers(events.deadAfter(1)), Numbers({0}));
  EXPECT_EQ(numbers(events.bornAt(0)), Numbers({0}));
}

TEST(UsageTimeline, AddsUpAndFindsThePeak) {
  UsageTimeline timeline;
  for (int64_t bytes : {300, 400, 0, 100})
    timeline.append(Bytes(bytes));
  EXPECT_EQ(timeline.peak({0, 4}), Bytes(400));
  EXPECT_EQ(timeline.peak({2, 4}), Bytes(100));
  EXPECT_EQ(timeline.peak({2, 2}), Bytes(0));
  timeline.reserve({1, 3}, Bytes(300)); // steps 1 and 2
  EXPECT_EQ(timeline.at(0), Bytes(300));
  EXPECT_EQ(timeline.at(1), Bytes(700));
  EXPECT_EQ(timeline.at(2), Bytes(300));
  EXPECT_EQ(timeline.at(3), Bytes(100));
  timeline.reserve({3, 100}, Bytes(1)); // beyond the end: cut off
  EXPECT_EQ(timeline.peak({3, 100}), Bytes(101));
}

TEST(UsageTimeline, FindsTheFirstPositionAboveALimit) {
  UsageTimeline timeline;
  for (int64_t bytes : {300, 700, 0, 700})
    timeline.append(Bytes(bytes));
  EXPECT_EQ(timeline.firstAbove({0, 4}, Bytes(299)), 0u);
  EXPECT_EQ(timeline.firstAbove({0, 4}, Bytes(300)), 1u);
  EXPECT_EQ(timeline.firstAbove({2, 4}, Bytes(300)), 3u);
  EXPECT_EQ(timeline.firstAbove({2, 3}, Bytes(300)), 4u); // nothing in the interval: size()
  EXPECT_EQ(timeline.firstAbove({0, 4}, Bytes(700)), 4u);
}

TEST(UsageTimeline, ForgetsWhatIsCutOff) {
  UsageTimeline timeline;
  for (int64_t bytes : {300, 400, 500})
    timeline.append(Bytes(bytes));
  timeline.reserve({0, 3}, Bytes(1000));
  timeline.truncate(1);
  timeline.append(Bytes(20));
  EXPECT_EQ(timeline.size(), 2u);
  EXPECT_EQ(timeline.at(0), Bytes(1300));
  EXPECT_EQ(timeline.at(1), Bytes(20));
  EXPECT_EQ(timeline.peak({1, 9}), Bytes(20));
}

/// One number per position, changed one by one.
TEST(UsageTimeline, AgreesWithTheObviousOne) {
  std::mt19937 random(1);
  auto below = [&](size_t end) { return size_t(random() % end); };
  UsageTimeline timeline;
  std::vector<int64_t> obvious;
  for (int round = 0; round < 20000; ++round) {
    Interval interval{below(obvious.size() + 2), below(obvious.size() + 2)};
    size_t end = std::min(interval.end, obvious.size());
    int64_t bytes = int64_t(below(1000)) - 300, peak = 0;
    if (size_t dice = below(32); dice == 0) {
      timeline.truncate(interval.begin);
      obvious.resize(std::min(interval.begin, obvious.size()));
    } else if (dice < 13) {
      timeline.append(Bytes(bytes));
      obvious.push_back(bytes);
    } else {
      timeline.reserve(interval, Bytes(bytes));
      for (size_t i = interval.begin; i < end; ++i)
        obvious[i] += bytes;
    }
    ASSERT_EQ(timeline.size(), obvious.size());
    end = std::min(interval.end, obvious.size());
    for (size_t i = interval.begin; i < end; ++i)
      peak = std::max(peak, obvious[i]);
    ASSERT_EQ(timeline.peak(interval), Bytes(peak)) << round;
    size_t first = interval.begin;
    while (first < end && obvious[first] <= 2 * bytes)
      ++first;
    ASSERT_EQ(timeline.firstAbove(interval, Bytes(2 * bytes)), first < end ? first : obvious.size()) << round;
    if (size_t position = interval.begin; position < obvious.size())
      ASSERT_EQ(timeline.at(position), Bytes(obvious[position])) << round;
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
  SpillCandidate a{ValueId(0), Bytes(500), OpId(4)}, b{ValueId(1), Bytes(900), OpId(3)};
  EXPECT_EQ(victims({a, b}), Numbers({0, 1}));
  EXPECT_EQ(victims({b, a}), Numbers({0, 1}));
}

TEST(SpillSelection, BreaksTiesBySizeThenByValue) {
  SpillCandidate small{ValueId(0), Bytes(500), OpId(4)}, large{ValueId(1), Bytes(900), OpId(4)},
      later{ValueId(2), Bytes(900), OpId(4)};
  EXPECT_EQ(victims({small, later, large}), Numbers({1, 2, 0}));
}

/// A value may hold L1 twice, as it was made and as it is returned.
TEST(SpillSelection, KeepsEqualCandidates) {
  SpillCandidate a{ValueId(0), Bytes(500), OpId(4)};
  EXPECT_EQ(victims({a, a}), Numbers({0, 0}));
}

} // namespace
