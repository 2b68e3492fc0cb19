//===- Messages.h - Costs moved along edges until each node can choose ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_MESSAGES_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_MESSAGES_H

#include "Graph.h"

#include <algorithm>

namespace tessera {

/// What a forbidden cost may count as in messages. Forbidden costs are so large that what messages tell of the others would be lost in
/// rounding.
double moreThanAnySelection(const SelectionProblem &problem);

/// What messages left of the costs of all states and pairs: no selection costs another sum by it.
struct Remainders {
  double bound = 0;           ///< what is cheapest at each node and edge, added up: no selection costs less
  std::vector<double> excess; ///< by state: at least so much more do all selections with it cost
  std::vector<double> states; ///< by state: above its node's cheapest
  std::vector<double> edgeLeast; ///< by edge: its cheapest pair
  std::vector<double> given;     ///< what edges were given, as in Messages
};

/// Costs are moved between nodes and their edges without a change to the cost of any selection. The sum of what is cheapest at
/// each node and edge is then a lower bound, and each pass over the nodes makes it no lower (sequential tree-reweighted message
/// passing: Kolmogorov 2006). What each state of a node costs with the best of all others, as far as messages tell, is its
/// belief.
///
///   a 0 4    edge 5 3    b 0 0    the least of each: 0 + 0 + 0
///                 0 5
///   a 0 0    edge 5 3    b 0 0    a gave 0 and 4 to the edge: 0 + 3 + 0, which is what the best selection costs
///                 4 9
class Messages {
public:
  /// A cost above `forbidden` counts as that: numbers of such different size as kForbiddenCost do not add up.
  explicit Messages(const SelectionGraph &graph, double forbidden = double(kForbiddenCost));

  /// One pass over the nodes in their order, and one back. `costs` are those of all states.
  void pass(llvm::ArrayRef<double> costs);
  /// Node after node what is cheapest, by what is chosen before it and the messages of those behind it.
  Selection decode(llvm::ArrayRef<double> costs) const;
  /// No selection costs less: what is cheapest at each node and edge, after all that was moved.
  double bound(llvm::ArrayRef<double> costs) const { return remainders(costs).bound; }
  /// A walk over all matrices, as much as a pass.
  Remainders remainders(llvm::ArrayRef<double> costs) const;
  /// By how much at most a selection is cheaper than this one in which only these nodes are other; and no state of theirs whose excess is more is
  /// part of one.
  double slack(const Remainders &left, llvm::ArrayRef<SelectionNode> nodes, const Selection &selection) const;
  /// What is left of the cost of a pair above the edge's cheapest one, by the incident's own side first.
  double pairLeft(const Remainders &left, const SelectionGraph::Incident &incident, SelectionState mine,
                  SelectionState others) const {
    double cost = std::min(double(graph.pairCost(incident, mine, others)), forbidden);
    return cost + left.given[slotOf(incident) + mine] +
           left.given[first[incident.edge * 2 + incident.isFrom] + others] - left.edgeLeast[incident.edge];
  }
  /// By state.
  llvm::ArrayRef<double> beliefs() const { return beliefOf; }
  /// What an edge was given by one of its nodes, by that node's states.
  llvm::ArrayRef<double> given(uint32_t edge, bool byFrom) const {
    return llvm::ArrayRef(givenOf).slice(first[edge * 2 + !byFrom],
                                         first[edge * 2 + !byFrom + 1] - first[edge * 2 + !byFrom]);
  }

private:
  /// The node takes all that edges to nodes behind it offer, and gives each edge ahead the same share of what it then
  /// believes.
  void visit(SelectionNode node, bool isForward, llvm::ArrayRef<double> costs);
  double leastOf(uint32_t edge, std::vector<double> &rows, std::vector<double> &columns) const;
  /// Brings up to date what the edge offers for the states of the node at this end.
  void receive(const SelectionGraph::Incident &incident);
  void offer(uint32_t edge, bool toFrom, llvm::MutableArrayRef<double> best) const;
  size_t slotOf(const SelectionGraph::Incident &incident) const {
    return first[incident.edge * 2 + !incident.isFrom];
  }

  /// Of a matrix: all, row by row, or those that are allowed.
  struct Entries {
    bool isDense = false;
    std::vector<double> rows;
    struct Allowed {
      SelectionState row, column;
      double cost;
    };
    std::vector<Allowed> allowed;
  };

  const SelectionGraph &graph;
  double forbidden;
  std::vector<Entries> matrices;
  std::vector<size_t> first; ///< by edge and end: where it begins in the next two
  std::vector<double> givenOf;
  std::vector<double> received; ///< what the edge offers for each state of the node at this end
  std::vector<double> beliefOf; ///< by state
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_MESSAGES_H
