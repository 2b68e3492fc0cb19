//===- Occupancy.h - How full each time is --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_OCCUPANCY_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_OCCUPANCY_H

#include "Graph.h"

namespace tessera {

/// What a selection uses at each time that counts, kept up to date as states change. What a node holds in any of its states is
/// used from the outset; only what depends on its state is added and taken off.
class Occupancy {
public:
  /// The graph must outlive it. Nothing is selected yet.
  explicit Occupancy(const SelectionGraph &graph);

  /// From scratch.
  void set(llvm::ArrayRef<SelectionState> selection);
  /// O(times of the node's life), where the two differ.
  void change(SelectionNode node, SelectionState from, SelectionState to);
  /// The sum over all times of what is beyond the capacity.
  SelectionSum excess() const { return excessSum; }
  /// By index into the times of the graph.
  SelectionUsage used(uint32_t time) const { return usedAt[time]; }
  SelectionUsage capacity() const { return graph.problem.capacity; }

  /// By state of the problem: the sum of `prices` (by time) times what depends on the state.
  void addPrices(llvm::ArrayRef<double> prices, std::vector<double> &byState) const;
  /// The sum of prices times what is left of the capacity for what depends on states.
  double roomWorth(llvm::ArrayRef<double> prices) const;
  /// Nodes that could use less at a time.
  std::vector<SelectionNode> nodesAt(uint32_t time) const;

private:
  /// Over a part of a node's life: what each state uses beyond its most modest one.
  struct Piece {
    SelectionGraph::Span span;
    size_t firstUsage;
  };
  void cut(SelectionNode node);
  void add(SelectionGraph::Span span, SelectionUsage usage);

  const SelectionGraph &graph;
  std::vector<uint32_t> firstPiece; ///< by node, and one more
  std::vector<Piece> pieces;
  std::vector<SelectionUsage> usages;
  std::vector<SelectionUsage> least, usedAt; ///< by time
  SelectionSum excessSum = 0;                ///< exact, as it is compared with 0
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_OCCUPANCY_H
