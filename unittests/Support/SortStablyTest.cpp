//===- SortStablyTest.cpp -------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Support/SortStably.h"

#include <gtest/gtest.h>

#include <memory>

using namespace tessera;

namespace {

TEST(SortStably, EqualsStayInOrder) {
  std::vector<std::pair<int, char>> list = {{2, 'a'}, {1, 'b'}, {2, 'c'}, {1, 'd'}, {0, 'e'}};
  sortStably(list, [](const auto &a, const auto &b) { return a.first < b.first; });
  EXPECT_EQ(list, (std::vector<std::pair<int, char>>{{0, 'e'}, {1, 'b'}, {1, 'd'}, {2, 'a'}, {2, 'c'}}));
}

TEST(SortStably, MovesWhatCannotBeCopied) {
  std::vector<std::unique_ptr<int>> list;
  for (int number : {3, 1, 2})
    list.push_back(std::make_unique<int>(number));
  sortStably(list, [](const auto &a, const auto &b) { return *a < *b; });
  EXPECT_EQ(*list[0] * 100 + *list[1] * 10 + *list[2], 123);
  list.clear();
  sortStably(list, [](const auto &a, const auto &b) { return *a < *b; });
  EXPECT_TRUE(list.empty());
}

} // namespace
