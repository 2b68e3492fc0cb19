//===- Reduction.h - The states that matter -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_REDUCTION_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_REDUCTION_H

#include "tessera/Optimizer/Selection/SelectionProblem.h"

namespace tessera {

/// A problem with fewer nodes, states and edges, whose best selection is a best one of the original:
///   1. a state that has no allowed partner at some neighbour is left out (arc consistency);
///   2. so is one that another of its node is never worse than, in cost, usage and towards each neighbour (dominance);
///   3. parallel edges are added up, and what depends on one of an edge's two states only is added to its node's costs;
///   4. nodes each of whose states allows one state of the other become one node, with the holdings of both. Two thirds of
///      the contest's edges are of this kind, and no forbidden pair is left.
struct ReducedProblem {
  SelectionProblem problem;
  std::vector<SelectionNode> nodeOf;                 ///< by node of the original: which node decides it
  std::vector<std::vector<SelectionState>> statesOf; ///< by node of the original: its state, by that one's

  /// What a selection of the reduced problem is of the original, at the same cost.
  Selection original(llvm::ArrayRef<SelectionState> selection) const;
};

/// Nullopt if no selection is allowed, as far as pairs of neighbours tell.
std::optional<ReducedProblem> reduce(const SelectionProblem &problem);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_REDUCTION_H
