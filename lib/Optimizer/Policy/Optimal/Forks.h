//===- Forks.h - Conversions that several readers share -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_FORKS_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_FORKS_H

#include "Space.h"

#include <map>

namespace tessera::optimal {

/// The cheapest conversions by which one form of a value becomes several: a tree over all forms, which may fork at any of them
/// (Dreyfus and Wagner 1971: exact, exponential in the number of leaves only).
class CheapestTree {
public:
  /// The arguments must outlive it; at most kMostLeaves.
  CheapestTree(const Distances &distances, llvm::ArrayRef<Form> leaves);
  static constexpr size_t kMostLeaves = 6;

  /// kForbiddenCost if a leaf is not reached.
  SelectionCost cost(Form root) const { return trees.back()[root].cost; }
  /// By form that is converted to: from which one. It must reach all leaves.
  std::map<Form, Form> parents(Form root) const;

private:
  /// To some of the leaves, from one form.
  struct Tree {
    SelectionCost cost = kForbiddenCost;
    Form fork = 0;    ///< up to which all share one path
    size_t split = 0; ///< the leaves of one side of the fork; 0: the fork is the leaf
  };

  void collect(size_t some, Form root, std::map<Form, Form> &parents, Form from) const;

  const Distances &distances;
  llvm::ArrayRef<Form> leaves;
  std::vector<std::vector<Tree>> trees; ///< by set of leaves, and form
};

/// The plan with the conversions of each value as the cheapest tree, where that is faster, legal, and has addresses if the plan had.
Plan withForks(const Space &space, const OpCostTable &model, Plan plan);

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_FORKS_H
