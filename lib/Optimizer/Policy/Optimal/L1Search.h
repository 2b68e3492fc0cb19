//===- L1Search.h - Best selections where L1 is full ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_L1SEARCH_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_L1SEARCH_H

#include "tessera/Optimizer/Policy/PlanBound.h"
#include "tessera/Optimizer/Selection/PricedSelections.h"

#include <optional>
#include <vector>

namespace tessera::optimal {

/// The problem with an edge between the nodes of each conflict: it forbids the states that exceed the capacity together. Nothing that
/// fits is forbidden, so what is proven of this problem is proven of the other.
/// `taken`: what is not there, by time; none if empty.
SelectionProblem withConflicts(const SelectionProblem &problem, llvm::ArrayRef<SelectionConflict> conflicts,
                               llvm::ArrayRef<Bytes> taken = {});

/// Solves a problem without its capacity, sees where that is exceeded, and makes it dearer there, again and again:
///
///   1. Two nodes that exceed the capacity by themselves get an edge that forbids it: the next selection knows better, and so does the bound.
///   2. Where there are none, three or more do, or the price is in question: prices follow what a best selection uses beyond the
///      capacity or leaves (Polyak's steps, 1969), as long as what they prove grows.
///
/// Both are valid in a proof wherever they lead; so this decides how good a bound is, and not whether it holds.
class L1Search {
public:
  /// The problem must outlive it. `known`: what a selection that fits costs; more need not be proven.
  L1Search(const SelectionProblem &problem, SelectionCost known);

  /// A best selection at the prices and beside the conflicts so far. Nullopt once nothing can be gained by another one.
  std::optional<Selection> next();
  /// The cheapest of all that came and fit; empty if none did.
  const Selection &cheapest() const { return cheapestThatFits; }
  /// From now on so much less is there at these times: what is proven is proven of that, and all begins anew but for what is known of prices.
  void take(llvm::ArrayRef<Bytes> bytes);
  /// No selection that fits costs less.
  double proven() const { return most; }
  /// What proves it.
  const L1Limits &limits() const { return best; }

private:
  void restart();
  void leaveOut(double pricesOfAll);
  /// By state of `posed`, what it holds at the prices included.
  std::vector<double> costs() const;
  std::vector<double> excess(const Selection &selection) const;
  bool forbid(const Selection &selection, llvm::ArrayRef<double> excess);
  bool move(llvm::ArrayRef<double> excess, double gain);
  void keep(double proven);
  /// The capacity, less what was taken.
  double roomAt(size_t time) const;

  const SelectionProblem &problem;
  SelectionCost given;      ///< as `known` when it began
  double known;             ///< what a selection that fits costs, at most
  std::vector<Bytes> taken; ///< by time; empty: nothing
  std::vector<bool>
      isLeft;         ///< by state of the problem: whether a selection with it may cost less than `given`
  size_t leftOut = 0; ///< states, since the last restart
  std::vector<std::vector<SelectionState>>
      kept;                                   ///< by node: which states of the problem those of `posed` are
  SelectionProblem posed;                     ///< the problem without states that are left out
  SelectionProblem extended;                  ///< the same with conflicts
  std::optional<PricedSelections> selections; ///< of `extended`
  std::vector<SelectionConflict> conflicts;
  std::vector<double> prices, bestPrices; ///< by time
  L1Limits best;
  double most = 0;
  double step;
  int passes = 0;
  int idle = 0;        ///< steps in a row that proved no more
  bool isOver = false; ///< there is nowhere to go
  Selection cheapestThatFits;
};

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_L1SEARCH_H
