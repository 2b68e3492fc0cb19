//===- TableSum.h - Terms added up in one table ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_TABLESUM_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_TABLESUM_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tessera {

/// What a node costs by the states of its neighbours: a table over digits, the states of the neighbours, of which each entry has a sum for every
/// own state. `add` adds a term that depends on the own state and on some of the digits. Only the least sum of an entry is wanted, so entries
/// are added up one by one, and the table itself is nowhere.
/// Example: a node of 3 states with neighbours of 2 and 4 states has 8 entries of 3 sums. An edge to the first
/// neighbour adds the same 3 numbers to all 4 entries in which that neighbour has one state.
template <class Number>
class TableSum {
public:
  /// `sizes`: of the digits, the last of which varies fastest. Sums never exceed `most`.
  TableSum(std::vector<size_t> sizes, size_t states, Number most)
      : sizes(std::move(sizes)), states(states), most(most), steps(this->sizes.size(), 0) {}

  /// How far the index into the next term moves with a digit; 0: the term does not depend on it.
  size_t &step(size_t digit) { return steps[digit]; }

  /// `term` is indexed by the steps of the digits, which are 0 again behind it, and `ownStep` times the own state. It must be there until
  /// `forEachLeast` has run.
  void add(const Number *term, size_t ownStep) {
    terms.push_back({term, ownStep, steps});
    std::fill(steps.begin(), steps.end(), 0);
  }

  /// Combinations of the digits.
  size_t numEntries() const {
    size_t entries = 1;
    for (size_t size : sizes)
      entries *= size;
    return entries;
  }

  /// Calls `visit(state, sum)` for each entry in turn, with the least of its sums and the first own state that has it.
  template <class Visit>
  void forEachLeast(Visit visit) {
    std::vector<size_t> counter(sizes.size(), 0);
    std::vector<Number> sums(states);
    for (size_t left = numEntries(); left > 0; --left) {
      std::fill(sums.begin(), sums.end(), Number(0));
      for (const Term &term : terms)
        addTo(sums, term);
      auto least = std::min_element(sums.begin(), sums.end());
      visit(size_t(least - sums.begin()), *least);
      advance(counter);
    }
  }

private:
  struct Term {
    const Number
        *at; ///< moves along with the digits, so that an entry costs an addition and no product of all sizes
    size_t ownStep;
    std::vector<size_t> steps;
  };

  void addTo(std::vector<Number> &sums, const Term &term) const {
    const Number *from = term.at;
    Number *sum = sums.data();
    if (term.ownStep == 1)
      for (size_t state = 0; state < states; ++state)
        sum[state] = std::min(most, sum[state] + from[state]);
    else
      for (size_t state = 0; state < states; ++state)
        sum[state] = std::min(most, sum[state] + from[state * term.ownStep]);
  }

  void advance(std::vector<size_t> &counter) {
    for (size_t digit = sizes.size(); digit-- > 0;) {
      bool isNext = ++counter[digit] < sizes[digit];
      for (Term &term : terms)
        term.at += isNext ? ptrdiff_t(term.steps[digit]) : -ptrdiff_t(term.steps[digit] * (sizes[digit] - 1));
      if (isNext)
        return;
      counter[digit] = 0;
    }
  }

  std::vector<size_t> sizes;
  size_t states;
  Number most;
  std::vector<size_t> steps;
  std::vector<Term> terms;
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_TABLESUM_H
