//===- Pairing.cpp - Two lists, entry by entry ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Pairs equal texts of two lists in order, none crossing another. Common
// beginnings and ends are paired at once; between them a longest common
// subsequence is found by the table of lengths, in time and memory of rows
// times columns. Where that is too much, each text takes its next equal in
// turn.
//
//===----------------------------------------------------------------------===//
#include "Pairing.h"

#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <cstdint>
#include <deque>

using namespace tessera::report;

/// Cells of the table of a longest common subsequence.
static constexpr size_t kMostCells = 16'000'000;

namespace {

/// The part of both lists that is not equal at their ends.
class Middle {
public:
  Middle(const std::vector<std::string> &before, const std::vector<std::string> &after)
      : before(before), after(after), endA(before.size()), endB(after.size()) {
    // Two plans of one program agree at both ends or all over, so the table of pairs is mostly small or empty.
    while (begin < endA && begin < endB && before[begin] == after[begin])
      ++begin;
    while (endA > begin && endB > begin && before[endA - 1] == after[endB - 1]) {
      --endA;
      --endB;
    }
  }

  Pairs pairs() const {
    Pairs out;
    for (size_t i = 0; i < begin; ++i)
      out.emplace_back(i, i);
    addMatches(out, rows() * columns() <= kMostCells ? longest() : byTurn());
    for (size_t a = endA, b = endB; a < before.size(); ++a, ++b)
      out.emplace_back(a, b);
    return out;
  }

private:
  using Matches = std::vector<std::pair<size_t, size_t>>;
  size_t rows() const { return endA - begin; }
  size_t columns() const { return endB - begin; }

  Matches longest() const {
    // length[a][b]: of the longest common subsequence of what is left from a and b on.
    // Two bytes suffice: a table of kMostCells has a side of 4,000 at most, and no subsequence is longer than the
    // shorter side.
    std::vector<uint16_t> length((rows() + 1) * (columns() + 1));
    auto at = [&](size_t a, size_t b) -> uint16_t & {
      return length[(a - begin) * (columns() + 1) + (b - begin)];
    };
    for (size_t a = endA; a-- > begin;)
      for (size_t b = endB; b-- > begin;)
        at(a, b) =
            before[a] == after[b] ? uint16_t(at(a + 1, b + 1) + 1) : std::max(at(a + 1, b), at(a, b + 1));
    Matches found;
    for (size_t a = begin, b = begin; a < endA && b < endB;) {
      if (before[a] == after[b])
        found.emplace_back(a++, b++);
      // Of two that are equally long, the one that drops from the first list: any fixed choice will do, and the same
      // input gives the same pairs.
      else if (at(a + 1, b) >= at(a, b + 1))
        ++a;
      else
        ++b;
    }
    return found;
  }

  Matches byTurn() const {
    // Too large for a table of all pairs: each op takes the next one of its kind, which is right where the
    // order is the same and costs no more than the lists are long.
    llvm::StringMap<std::deque<size_t>> places;
    for (size_t b = begin; b < endB; ++b)
      places[after[b]].push_back(b);
    Matches found;
    size_t next = begin;
    for (size_t a = begin; a < endA; ++a) {
      auto known = places.find(before[a]);
      if (known == places.end())
        continue;
      std::deque<size_t> &left = known->second;
      // What lies in front of what is paired already has lost its turn: to take it would cross pairs.
      while (!left.empty() && left.front() < next)
        left.pop_front();
      if (left.empty())
        continue;
      next = left.front() + 1;
      left.pop_front();
      found.emplace_back(a, next - 1);
    }
    return found;
  }

  void addMatches(Pairs &out, const Matches &found) const {
    size_t a = begin, b = begin;
    auto addUntil = [&](size_t untilA, size_t untilB) {
      for (; a < untilA; ++a)
        out.emplace_back(a, std::nullopt);
      for (; b < untilB; ++b)
        out.emplace_back(std::nullopt, b);
    };
    for (auto [matchA, matchB] : found) {
      addUntil(matchA, matchB);
      out.emplace_back(a++, b++);
    }
    addUntil(endA, endB);
  }

  const std::vector<std::string> &before, &after;
  size_t begin = 0, endA, endB;
};

} // namespace

Pairs tessera::report::pairUp(const std::vector<std::string> &before, const std::vector<std::string> &after) {
  return Middle(before, after).pairs();
}
