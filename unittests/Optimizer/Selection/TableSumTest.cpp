//===- TableSumTest.cpp - Sums of tables against all of their entries -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "TableSum.h"
#include "gtest/gtest.h"

#include <limits>
#include <random>
#include <utility>
#include <vector>

using namespace tessera;

namespace {
/// A term with its entries, by the digits that it depends on and the own state.
struct Term {
  std::vector<bool> isOn; ///< by digit
  std::vector<int64_t> values;
};

/// Random digits, own states and terms; what each entry's least sum is, worked out from all sums.
class RandomTable {
public:
  explicit RandomTable(uint32_t seed) : random(seed) {
    states = 1 + random() % 6;
    for (size_t digits = random() % 4; digits > 0; --digits)
      sizes.push_back(1 + random() % 4);
    for (size_t count = 1 + random() % 4; count > 0; --count) {
      Term term;
      size_t entries = states;
      for (size_t size : sizes) {
        term.isOn.push_back(random() % 2);
        entries *= term.isOn.back() ? size : 1;
      }
      for (; entries > 0; --entries)
        term.values.push_back(int64_t(random() % 100));
      terms.push_back(std::move(term));
    }
  }

  /// By entry: the first own state of the least sum, and that sum.
  std::vector<std::pair<size_t, int64_t>> expected(int64_t most) const {
    std::vector<std::pair<size_t, int64_t>> all;
    size_t entries = 1;
    for (size_t size : sizes)
      entries *= size;
    for (size_t entry = 0; entry < entries; ++entry) {
      std::pair<size_t, int64_t> least(0, most);
      for (size_t state = 0; state < states; ++state)
        if (int64_t sum = sumOf(entry, state); sum < least.second)
          least = {state, sum};
      all.push_back(least);
    }
    return all;
  }

  std::vector<std::pair<size_t, int64_t>> summed(int64_t most) const {
    TableSum<int64_t> sums(sizes, states, most);
    for (const Term &term : terms) {
      size_t step = states;
      for (size_t digit = sizes.size(); digit-- > 0;)
        if (term.isOn[digit]) {
          sums.step(digit) = step;
          step *= sizes[digit];
        }
      sums.add(term.values.data(), 1);
    }
    std::vector<std::pair<size_t, int64_t>> all;
    sums.forEachLeast(
        [&](size_t state, int64_t sum, size_t count) { all.insert(all.end(), count, {state, sum}); });
    return all;
  }

private:
  int64_t sumOf(size_t entry, size_t state) const {
    int64_t sum = 0;
    for (const Term &term : terms) {
      size_t at = state, step = states, left = entry;
      for (size_t digit = sizes.size(); digit-- > 0;) {
        if (term.isOn[digit]) {
          at += step * (left % sizes[digit]);
          step *= sizes[digit];
        }
        left /= sizes[digit];
      }
      sum += term.values[at];
    }
    return sum;
  }

  std::mt19937 random;
  size_t states;
  std::vector<size_t> sizes;
  std::vector<Term> terms;
};
} // namespace

TEST(TableSum, IsTheLeastOfAllSums) {
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    RandomTable table(seed);
    // Without a limit, one in the middle of the sums, and one that nearly all come to.
    for (int64_t most : {std::numeric_limits<int64_t>::max(), int64_t(90), int64_t(5)})
      ASSERT_EQ(table.summed(most), table.expected(most)) << "seed " << seed << ", most " << most;
  }
}
