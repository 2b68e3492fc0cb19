//===- PricedSelections.h - Best selections where usage has a price -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_SELECTION_PRICEDSELECTIONS_H
#define TESSERA_OPTIMIZER_SELECTION_PRICEDSELECTIONS_H

#include "tessera/Optimizer/Selection/SelectionProblem.h"

#include <limits>
#include <memory>

namespace tessera {

struct Remainders;

/// Selections of least cost with the capacity left out, but for what callers add to the costs of states for it. For callers who know
/// better than holdings what uses how much. The same calls give the same selections.
class PricedSelections {
public:
  /// The problem must outlive it.
  explicit PricedSelections(const SelectionProblem &problem);
  ~PricedSelections();

  enum class Aim { Proof, Guess };
  /// A selection of the whole graph at these costs of all states (as SelectionProblem::costs): messages in so many passes at most, from
  /// where the last call left them (Messages.h), as long as they get on with what is open. What they leave open is solved by bucket elimination
  /// of all nodes (Window.h) over the states that messages like best; and for a proof, until what is found rules all others out, over more of them
  /// behind as many passes again. It is a best one (`isBest`), and `bound` is its cost, if messages prove that or no table of the last elimination
  /// exceeds its limit. Where messages alone prove `enough`, that is all that is done.
  Selection solve(llvm::ArrayRef<double> costs, int passes, Aim aim = Aim::Proof,
                  double enough = std::numeric_limits<double>::infinity());
  /// No selection costs less, at the costs of the last `solve`.
  double bound() const;
  /// By state: no selection with it costs less than that, at the costs of the last `solve`, as far as messages tell.
  std::vector<double> least() const;
  /// Whether what the last `solve` found is proven to cost least.
  bool isBest() const;
  /// Costs of all states, and what messages know of selections at these.
  struct Prices {
    std::vector<double> costs;
    std::shared_ptr<const Remainders> left;
  };
  /// After so many passes from where the last call left messages.
  Prices pricesAt(std::vector<double> costs, int passes);
  /// Sets the best states of `nodes` while all others stay: never a worse selection. False if messages know that there are no better ones; then
  /// nothing is looked for.
  bool solveWindow(llvm::ArrayRef<SelectionNode> nodes, const Prices &prices, Selection &selection);
  /// Nodes about the seed, itself the first: neighbours of neighbours as chance has it, at most so many.
  std::vector<SelectionNode> around(SelectionNode seed, size_t most);

private:
  /// What is known at some costs.
  struct Open {
    Selection best;                                        ///< empty: none yet
    double cost = std::numeric_limits<double>::infinity(); ///< of it
    double bound = -std::numeric_limits<double>::infinity();
    std::shared_ptr<const Remainders> left; ///< as in Prices
    double gap() const { return cost - bound; }
  };
  void mend(llvm::ArrayRef<double> costs, Selection &selection);
  void pass(llvm::ArrayRef<double> costs, int passes, double enough, Open &open);
  double costOf(llvm::ArrayRef<double> costs, const Selection &selection) const;

  struct Parts;
  std::unique_ptr<Parts> parts;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_SELECTION_PRICEDSELECTIONS_H
