//===- SelectionSearch.h - A good selection, and better ones with time ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_SELECTION_SELECTIONSEARCH_H
#define TESSERA_OPTIMIZER_SELECTION_SELECTIONSEARCH_H

#include "tessera/Optimizer/Selection/SelectionProblem.h"

#include <functional>

namespace tessera {

/// How long a search goes on, and who hears of what it finds.
struct SearchOptions {
  /// The search ends then at the latest; nullopt: when `windows` have been tried. What is found by the limit depends on the
  /// machine; without it the same problem gives the same selection.
  std::optional<double> secondsLeft;
  /// Neighbourhoods that are solved, at most.
  uint64_t windows = 20'000;
  /// Called with each better cost. May be empty.
  std::function<void(SelectionCost)> onBetter;
};

/// What a unit of usage costs at a time.
struct TimePrice {
  int64_t time;
  double price;
};

/// A selection of the problem that was asked about, states counted as there.
struct FoundSelection {
  Selection states;
  /// Those of all prices that were tried that prove most (SelectionCertificate.h). Empty if the capacity binds nowhere.
  std::vector<TimePrice> prices;
};

/// A selection that is allowed and fits; nullopt if none is found, which proves nothing. Of a problem that has few enough
/// selections after step 1 it is a best one, as all are looked at (Exhaustive.h). Steps:
///   1. what cannot matter is left out, and nodes that decide each other become one (Reduction.h);
///   2. the capacity gets a price at each time: the whole graph is solved again and again by messages (Messages.h), and each
///      time's price follows how full it is. What comes out is repaired and improved from time to time, as in step 3;
///   3. windows of neighbours, and of nodes that are live together, are solved exactly at the prices that prove most (Window.h).
///      What fits and is worth it stays, if it is hardly dearer than the best. Where something does not fit windows are about what
///      is live there, and prices rise until it does.
std::optional<FoundSelection> searchSelection(const SelectionProblem &problem,
                                              const SearchOptions &options = {});

} // namespace tessera

#endif // TESSERA_OPTIMIZER_SELECTION_SELECTIONSEARCH_H
