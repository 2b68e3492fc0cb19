//===- Graph.h - A selection problem, as searches look at it --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_GRAPH_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_GRAPH_H

#include "tessera/Optimizer/Selection/SelectionProblem.h"

namespace tessera {

/// Neighbours and holdings by node, and lifetimes in times at which something can be fullest.
/// Searches ask for the edges of a node and for what is held at a moment all the time: both are ranges of one array
/// each, which are made once. Of the moments only those stay at which something can be fullest.
struct SelectionGraph {
  /// Half-open.
  struct Span {
    uint32_t begin = 0, end = 0;
  };

  /// The problem must outlive it.
  explicit SelectionGraph(const SelectionProblem &problem);

  /// One end of an edge. Matrices have rows for the one end and columns for the other, so that each end knows which
  /// it is.
  struct Incident {
    SelectionNode other;
    uint32_t edge;
    bool isFrom; ///< this node has the rows
  };
  llvm::ArrayRef<Incident> incident(SelectionNode node) const {
    return llvm::ArrayRef(incidents).slice(firstIncident[node],
                                           firstIncident[node + 1] - firstIncident[node]);
  }
  /// Indices into SelectionProblem::holdings: half-open.
  Span holdingsOf(SelectionNode node) const { return {firstHolding[node], firstHolding[node + 1]}; }
  /// The cost of a pair, by the incident's own side first.
  SelectionCost pairCost(const Incident &incident, SelectionState mine, SelectionState others) const {
    const SelectionMatrix &matrix = problem.matrices[problem.edges[incident.edge].matrix];
    return incident.isFrom ? matrix.at(mine, others) : matrix.at(others, mine);
  }

  const SelectionProblem &problem;
  std::vector<Span> spans;    ///< by holding, in the times that count
  std::vector<int64_t> times; ///< those whose live nodes are no subset of another's
  uint32_t numTimes = 0;

private:
  /// Fills `times` and `spans`: O(n log n) in the holdings.
  void findTimes();

  /// By node, and one more: where its range begins, and so where that of the node before ends.
  std::vector<uint32_t> firstIncident, firstHolding;
  std::vector<Incident> incidents;
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_GRAPH_H
