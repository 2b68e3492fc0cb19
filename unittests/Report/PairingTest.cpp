//===- PairingTest.cpp - Two lists, entry by entry ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Pairing.h"

#include "gtest/gtest.h"

#include <rapidcheck/gtest.h>

using namespace tessera::report;

namespace {

using List = std::vector<std::string>;

/// "a-a b- -c": what is paired, and what only one has.
std::string text(const List &before, const List &after) {
  std::string all;
  for (auto [a, b] : pairUp(before, after))
    all += (all.empty() ? "" : " ") + (a ? before[*a] : "") + "-" + (b ? after[*b] : "");
  return all;
}

List letters(const std::vector<uint8_t> &numbers, unsigned kinds) {
  List list;
  for (uint8_t number : numbers)
    list.push_back(std::string(1, char('a' + number % kinds)));
  return list;
}

TEST(Pairing, KeepsWhatBothHave) {
  EXPECT_EQ(text({"a", "b", "c"}, {"a", "b", "c"}), "a-a b-b c-c");
  EXPECT_EQ(text({"a", "b", "c"}, {"a", "c"}), "a-a b- c-c");
  EXPECT_EQ(text({"a", "c"}, {"a", "b", "c"}), "a-a -b c-c");
  EXPECT_EQ(text({"a", "x", "c"}, {"a", "y", "c"}), "a-a x- -y c-c");
  EXPECT_EQ(text({}, {}), "");
}

TEST(Pairing, LongListsWithLittleInCommonArePairedByTurn) {
  List before, after;
  for (int i = 0; i < 5000; ++i) {
    before.push_back("before " + std::to_string(i));
    after.push_back(i % 1000 == 500 ? before.back() : "after " + std::to_string(i));
  }
  size_t both = 0;
  for (auto [a, b] : pairUp(before, after))
    both += a && b;
  EXPECT_EQ(both, 5u);
}

TEST(Pairing, ATurnThatIsMissedLosesNoLaterOne) {
  List before = {"y", "x"}, after = {"x", "y", "x"};
  for (int i = 0; i < 5000; ++i) {
    before.push_back("before " + std::to_string(i));
    after.push_back("after " + std::to_string(i));
  }
  size_t both = 0;
  for (auto [a, b] : pairUp(before, after))
    both += a && b;
  EXPECT_EQ(both, 2u);
}

RC_GTEST_PROP(Pairing, EachEntryOnceInOrder, (const std::vector<uint8_t> &a, const std::vector<uint8_t> &b)) {
  List before = letters(a, 3), after = letters(b, 3);
  size_t nextA = 0, nextB = 0;
  for (auto [i, j] : pairUp(before, after)) {
    RC_ASSERT(i || j);
    if (i)
      RC_ASSERT(*i == nextA++);
    if (j)
      RC_ASSERT(*j == nextB++);
    if (i && j)
      RC_ASSERT(before[*i] == after[*j]);
  }
  RC_ASSERT(nextA == before.size() && nextB == after.size());
}

} // namespace
