//===- PricedSelections.h - Best selections where usage has a price -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_SELECTION_PRICEDSELECTIONS_H
#define TESSERA_OPTIMIZER_SELECTION_PRICEDSELECTIONS_H

#include "tessera/Optimizer/Selection/SelectionProblem.h"

#include <memory>

namespace tessera {

/// Selections of least cost with the capacity left out, but for what callers add to the costs of states for it. For callers who know
/// better than holdings what uses how much. The same calls give the same selections.
class PricedSelections {
public:
  /// The problem must outlive it.
  explicit PricedSelections(const SelectionProblem &problem);
  ~PricedSelections();

  /// A selection of the whole graph at these costs of all states (as SelectionProblem::costs): messages in so many passes at most, from
  /// where the last call left them (Messages.h), then all nodes by one bucket elimination (Window.h) over the states that messages
  /// do not rule out. It is a best one, and `bound` is its cost, if no table of that elimination exceeds its limit.
  Selection solve(llvm::ArrayRef<double> costs, int passes);
  /// No selection costs less, at the costs of the last `solve`.
  double bound() const;
  /// Costs of all states, and what messages know of selections at these.
  struct Prices {
    std::vector<double> costs;
    double bound = 0;           ///< no selection costs less
    std::vector<double> excess; ///< by state: at least so much more do selections with it cost
  };
  /// With the messages as the last `solve` left them.
  Prices pricesAt(std::vector<double> costs) const;
  /// Sets the best states of `nodes` while all others stay: never a worse selection.
  void solveWindow(llvm::ArrayRef<SelectionNode> nodes, const Prices &prices, Selection &selection);
  /// Nodes about the seed, itself the first: neighbours of neighbours as chance has it, at most so many.
  std::vector<SelectionNode> around(SelectionNode seed, size_t most);

private:
  double costOf(llvm::ArrayRef<double> costs, const Selection &selection) const;

  struct Parts;
  std::unique_ptr<Parts> parts;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_SELECTION_PRICEDSELECTIONS_H
