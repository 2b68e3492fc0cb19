//===- TableSum.h - Terms added up in one table ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_TABLESUM_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_TABLESUM_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

/// What a node costs by the states of its neighbours: a table over digits, the states of the neighbours, of which each entry has a sum for every
/// own state. `add` adds a term that depends on the own state and on some of the digits. Only the least sum of an entry is wanted, so the
/// table itself is nowhere.
/// Example: a node of 3 states with neighbours of 2 and 4 states has 8 entries of 3 sums. An edge to the first
/// neighbour adds the same 3 numbers to all 4 entries in which that neighbour has one state.
///
/// Terms are at least 0 where there is a `most`, and what comes to that counts as it. So digit after digit is given a state, each term is
/// added with the last digit that it depends on, and own states that have come to `most` are gone from there on: where none is left, all
/// entries that begin with these digits are known at once.
template <class Number>
class TableSum {
public:
  /// `sizes`: of the digits, the last of which varies fastest. Sums never exceed `most`.
  TableSum(std::vector<size_t> sizes, size_t states, Number most)
      : sizes(std::move(sizes)), states(states), most(most), steps(this->sizes.size(), 0),
        levels(this->sizes.size() + 1) {}

  /// How far the index into the next term moves with a digit; 0: the term does not depend on it.
  size_t &step(size_t digit) { return steps[digit]; }

  /// `term` is indexed by the steps of the digits, which are 0 again behind it, and `ownStep` times the own state. It must be there until
  /// `forEachLeast` has run.
  void add(const Number *term, size_t ownStep) {
    size_t level = sizes.size();
    while (level > 0 && steps[level - 1] == 0)
      --level;
    levels[level].terms.push_back({term, ownStep, steps});
    std::fill(steps.begin(), steps.end(), 0);
  }

  /// Combinations of the digits.
  size_t numEntries() const { return entriesBehind(0); }

  /// Calls `visit(state, sum, count)` for so many entries in turn, with the least of the sums of each and the first own state that has it; 0
  /// where all have come to `most`.
  template <class Visit>
  void forEachLeast(Visit visit) {
    Open all;
    for (size_t state = 0; state < states; ++state)
      all.states.push_back(uint32_t(state));
    all.sums.assign(states, Number(0));
    all.count = states;
    for (Level &level : levels) {
      level.open = all;
      level.entries = entriesBehind(size_t(&level - levels.data()));
    }
    walk(0, all, visit);
  }

private:
  struct Term {
    const Number
        *at; ///< moves along with the digits, so that an entry costs an addition and no product of all sizes
    size_t ownStep;
    std::vector<size_t> steps;
  };
  /// The own states that have not come to `most`, ascending, and what they cost so far.
  struct Open {
    std::vector<uint32_t> states;
    std::vector<Number> sums;
    size_t count = 0;
  };
  /// So many digits have their states.
  struct Level {
    std::vector<Term> terms; ///< that depend on the last of them, or on none at all
    Open open;
    size_t entries = 1; ///< that begin with these digits
  };

  size_t entriesBehind(size_t digit) const {
    size_t entries = 1;
    for (; digit < sizes.size(); ++digit)
      entries *= sizes[digit];
    return entries;
  }

  template <class Visit>
  void walk(size_t depth, const Open &before, Visit &visit) {
    Level &level = levels[depth];
    const Open *open = &before;
    for (const Term &term : level.terms) {
      addTo(*open, level.open, term);
      open = &level.open;
    }
    if (open->count == 0) {
      visit(size_t(0), most, level.entries);
      return;
    }
    if (depth == sizes.size()) {
      auto least = std::min_element(open->sums.begin(), open->sums.begin() + ptrdiff_t(open->count));
      visit(size_t(open->states[size_t(least - open->sums.begin())]), *least, size_t(1));
      return;
    }
    for (size_t state = 0; state < sizes[depth]; ++state) {
      walk(depth + 1, *open, visit);
      move(depth, 1);
    }
    move(depth, -ptrdiff_t(sizes[depth]));
  }

  /// `into` may be `from`.
  void addTo(const Open &from, Open &into, const Term &term) const {
    // Side by side, so that a processor adds several at once.
    if (from.count == states && term.ownStep == 1) {
      for (size_t state = 0; state < states; ++state)
        into.sums[state] = from.sums[state] + term.at[state];
      keepOpen(into);
      return;
    }
    size_t count = from.count;
    into.count = 0;
    for (size_t at = 0; at < count; ++at) {
      uint32_t state = from.states[at];
      Number sum = from.sums[at] + term.at[state * term.ownStep];
      into.states[into.count] = state;
      into.sums[into.count] = sum;
      into.count += sum < most;
    }
  }

  /// Of all own states.
  void keepOpen(Open &open) const {
    open.count = 0;
    for (size_t state = 0; state < states; ++state) {
      Number sum = open.sums[state];
      open.states[open.count] = uint32_t(state);
      open.sums[open.count] = sum;
      open.count += sum < most;
    }
  }

  /// Terms of lower levels do not depend on the digit.
  void move(size_t digit, ptrdiff_t by) {
    for (size_t depth = digit + 1; depth < levels.size(); ++depth)
      for (Term &term : levels[depth].terms)
        term.at += ptrdiff_t(term.steps[digit]) * by;
  }

  std::vector<size_t> sizes;
  size_t states;
  Number most;
  std::vector<size_t> steps;
  std::vector<Level> levels; ///< by how many digits have their states
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_TABLESUM_H
