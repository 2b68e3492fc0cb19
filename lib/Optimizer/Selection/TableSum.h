//===- TableSum.h - Terms added up in one table ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_TABLESUM_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_TABLESUM_H

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <vector>

namespace tessera {

/// What a node costs by the states of its neighbours: a table over digits, the states of the neighbours, in which the node's own state varies
/// fastest. `add` adds a term that depends on the own state and on some of the digits.
/// Example: a node of 3 states with neighbours of 2 and 4 states has 8 entries of 3 sums. An edge to the first
/// neighbour adds the same 3 numbers to all 4 entries in which that neighbour has one state.
template <class Number>
class TableSum {
public:
  /// `sizes`: of the digits. Sums never exceed `most`.
  TableSum(std::vector<size_t> sizes, size_t states, Number most)
      : sizes(std::move(sizes)), states(states), most(most), steps(this->sizes.size(), 0) {
    size_t entries = states;
    for (size_t size : this->sizes)
      entries *= size;
    sums.assign(entries, Number(0));
  }

  /// How far the index into the next term moves with a digit; 0: the term does not depend on it.
  size_t &step(size_t digit) { return steps[digit]; }

  /// `term` is indexed by the steps of the digits, which are 0 again behind it, and `ownStep` times the own state.
  void add(const Number *term, size_t ownStep) {
    std::vector<size_t> counter(sizes.size(), 0);
    // One offset moves along with the digits, so that an entry costs an addition and no product of all sizes.
    size_t offset = 0;
    for (Number *sum = sums.data(), *end = sum + sums.size(); sum != end; sum += states) {
      const Number *from = term + offset;
      if (ownStep == 1) {
        for (size_t state = 0; state < states; ++state)
          sum[state] = std::min(most, sum[state] + from[state]);
      } else {
        for (size_t state = 0; state < states; ++state)
          sum[state] = std::min(most, sum[state] + from[state * ownStep]);
      }
      for (size_t digit = sizes.size(); digit-- > 0;) {
        offset += steps[digit];
        if (++counter[digit] < sizes[digit])
          break;
        offset -= steps[digit] * counter[digit];
        counter[digit] = 0;
      }
    }
    std::fill(steps.begin(), steps.end(), 0);
  }

  /// Combinations of the digits; each has a sum for every own state.
  size_t numEntries() const { return sums.size() / states; }
  /// The sums of one entry, by own state.
  llvm::ArrayRef<Number> at(size_t entry) const { return llvm::ArrayRef(sums).slice(entry * states, states); }

private:
  std::vector<size_t> sizes;
  size_t states;
  Number most;
  std::vector<size_t> steps;
  std::vector<Number> sums;
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_TABLESUM_H
