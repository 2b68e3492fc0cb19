//===- Exhaustive.cpp - All selections of a small problem -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Depth first, by node, over states in their order; a branch ends where it costs what is known. Nothing is estimated of
// what is still to be chosen: this is asked only where there are few selections (isSmall).
//
//===----------------------------------------------------------------------===//
#include "Exhaustive.h"

#include "Occupancy.h"

using namespace tessera;

bool tessera::isSmall(const SelectionProblem &problem) {
  constexpr double kSelections = 2'000'000;
  // In floating point, which no product of a few nodes' states overflows.
  double count = 1;
  for (SelectionNode node = 0; node < problem.numNodes() && count <= kSelections; ++node)
    count *= problem.numStates(node);
  return count <= kSelections;
}

namespace {
class DepthFirst {
public:
  DepthFirst(const SelectionGraph &graph, std::optional<Selection> known)
      : graph(graph), occupancy(graph), best(std::move(known)) {
    if (best)
      bestCost = selectionCost(graph.problem, *best).value_or(kForbiddenCost);
    // Nodes of one state have that from the outset, with all that they cost among themselves.
    current.assign(graph.problem.numNodes(), 0);
    // Of each node with a choice, in their order: all others are decided.
    for (SelectionNode node = 0; node < current.size(); ++node)
      if (graph.problem.numStates(node) > 1)
        order.push_back(node);
      else
        costSoFar += costOf(node);
  }

  std::optional<Selection> run() {
    choose(0);
    return std::move(best);
  }

private:
  /// Of the node and its edges to those that are decided before it: all with fewer states than two, then by number.
  SelectionCost costOf(SelectionNode node) const {
    bool isFree = graph.problem.numStates(node) > 1;
    SelectionCost sum = graph.problem.cost(node, current[node]);
    for (const SelectionGraph::Incident &incident : graph.incident(node)) {
      bool isOtherFree = graph.problem.numStates(incident.other) > 1;
      if (sum < kForbiddenCost && (isOtherFree == isFree ? incident.other < node : isFree))
        sum += graph.pairCost(incident, current[node], current[incident.other]);
    }
    return sum;
  }

  void choose(size_t at) {
    // No cost is negative, so nothing that is chosen later makes it cheaper.
    if (costSoFar >= bestCost)
      return;
    if (at == order.size()) {
      // Whether it fits is asked last, of what is cheaper than all before, since it takes a pass over all times.
      occupancy.set(current);
      if (occupancy.excess() > 0)
        return;
      best = current;
      bestCost = costSoFar;
      return;
    }
    SelectionCost before = costSoFar;
    for (SelectionState state = 0; state < graph.problem.numStates(order[at]); ++state) {
      current[order[at]] = state;
      costSoFar = before + costOf(order[at]);
      choose(at + 1);
    }
    costSoFar = before;
  }

  const SelectionGraph &graph;
  Occupancy occupancy;
  std::vector<SelectionNode> order;
  Selection current;
  SelectionCost costSoFar = 0;
  std::optional<Selection> best;
  SelectionCost bestCost = kForbiddenCost;
};
} // namespace

std::optional<Selection> tessera::solveExhaustively(const SelectionGraph &graph,
                                                    std::optional<Selection> known) {
  return DepthFirst(graph, std::move(known)).run();
}
