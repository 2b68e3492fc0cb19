//===- Reduction.cpp - The states that matter -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Three steps in turn until nothing is merged any more: filter the states of each node, write the problem of those that
// are left, and merge nodes that decide each other. What each step does is kept as a map from its states to those of
// the original (compose), so that a selection of the last problem is one of the first at the same cost.
//
//===----------------------------------------------------------------------===//
#include "Reduction.h"

#include "Graph.h"

#include <algorithm>
#include <numeric>

using namespace tessera;

namespace {
/// The sum of two costs. What is forbidden stays so, and sums of it do not overflow.
SelectionCost sumOf(SelectionCost a, SelectionCost b) {
  return std::min(std::min(a, kForbiddenCost) + std::min(b, kForbiddenCost), kForbiddenCost);
}

/// The states that are left, and what leaves them.
class StateFilter {
public:
  explicit StateFilter(const SelectionProblem &problem) : problem(problem), graph(problem) {
    statesOf.resize(problem.numNodes());
    for (SelectionNode node = 0; node < problem.numNodes(); ++node)
      for (SelectionState state = 0; state < problem.numStates(node); ++state)
        // What is forbidden by itself is in no selection, whatever the neighbours do.
        if (problem.cost(node, state) < kForbiddenCost)
          statesOf[node].push_back(state);
  }

  /// False if a node has no state left.
  bool run() {
    // Dominance leaves pairs out, and so makes more of them inconsistent and more states alike.
    for (bool changed = true; changed;) {
      if (!makeConsistent())
        return false;
      changed = removeDominated();
    }
    return true;
  }

  std::vector<std::vector<SelectionState>> statesOf;

private:
  bool makeConsistent();
  bool hasPartner(const SelectionGraph::Incident &incident, SelectionState state) const;
  bool removeDominated();
  bool isNoWorse(SelectionNode node, SelectionState state, SelectionState than) const;

  const SelectionProblem &problem;
  SelectionGraph graph;
};

bool StateFilter::hasPartner(const SelectionGraph::Incident &incident, SelectionState state) const {
  for (SelectionState other : statesOf[incident.other])
    if (graph.pairCost(incident, state, other) < kForbiddenCost)
      return true;
  return false;
}

/// Arc consistency (AC-3: Mackworth 1977): a state that no state of some neighbour goes with is in no selection. Who lost a state has its
/// neighbours looked at again, as these may have lost their last partner. False if a node has no state left.
bool StateFilter::makeConsistent() {
  std::vector<SelectionNode> queue(problem.numNodes());
  std::iota(queue.begin(), queue.end(), 0);
  std::vector<bool> isQueued(problem.numNodes(), true);
  for (size_t at = 0; at < queue.size(); ++at) {
    SelectionNode node = queue[at];
    isQueued[node] = false;
    size_t before = statesOf[node].size();
    for (const SelectionGraph::Incident &incident : graph.incident(node))
      std::erase_if(statesOf[node], [&](SelectionState state) { return !hasPartner(incident, state); });
    if (statesOf[node].empty())
      return false;
    if (statesOf[node].size() == before)
      continue;
    for (const SelectionGraph::Incident &incident : graph.incident(node))
      if (!isQueued[incident.other]) {
        isQueued[incident.other] = true;
        queue.push_back(incident.other);
      }
  }
  return true;
}

/// Whether exchanging `than` for `state` makes no selection dearer and none too large, whatever the neighbours do.
/// O(states of both x neighbours) for each pair of states: most are told apart by their own cost or the first
/// neighbour.
bool StateFilter::isNoWorse(SelectionNode node, SelectionState state, SelectionState than) const {
  if (problem.cost(node, state) > problem.cost(node, than))
    return false;
  auto [begin, end] = graph.holdingsOf(node);
  // Holding by holding, and not their sums at each time: that asks for more than is needed, and is asked of every pair
  // of states.
  for (const SelectionHolding &holding : llvm::ArrayRef(problem.holdings).slice(begin, end - begin))
    if (problem.usage(holding, state) > problem.usage(holding, than))
      return false;
  for (const SelectionGraph::Incident &incident : graph.incident(node))
    for (SelectionState other : statesOf[incident.other])
      if (graph.pairCost(incident, state, other) > graph.pairCost(incident, than, other))
        return false;
  return true;
}

/// Against those that are kept so far, as what is dominated by one that was left out is dominated by who left that
/// out.
bool StateFilter::removeDominated() {
  bool changed = false;
  std::vector<SelectionState> kept;
  for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
    kept.clear();
    for (SelectionState state : statesOf[node]) {
      if (std::any_of(kept.begin(), kept.end(),
                      [&](SelectionState other) { return isNoWorse(node, other, state); }))
        continue;
      // Of states that are alike the first one stays: it is no worse than this one, which was left out above.
      std::erase_if(kept, [&](SelectionState other) { return isNoWorse(node, state, other); });
      kept.push_back(state);
    }
    changed |= kept.size() != statesOf[node].size();
    statesOf[node] = kept;
  }
  return changed;
}

/// Writes the problem of the states that are left.
class Writer {
public:
  Writer(const SelectionProblem &problem, const std::vector<std::vector<SelectionState>> &statesOf)
      : problem(problem), statesOf(statesOf) {
    for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
      auto &costs = costsOf.emplace_back();
      for (SelectionState state : statesOf[node])
        costs.push_back(problem.cost(node, state));
    }
  }

  SelectionProblem write() {
    // By nodes in their order, so that one problem always gives the same edges.
    std::map<std::pair<SelectionNode, SelectionNode>, std::vector<SelectionCost>> pairs;
    for (const SelectionEdge &edge : problem.edges)
      addPair(pairs, edge);
    // A matrix that is a sum of rows and columns is no edge at all, and fewer edges make smaller tables.
    for (auto pair = pairs.begin(); pair != pairs.end();)
      pair = moveToNodes(pair->first.first, pair->first.second, pair->second) ? pairs.erase(pair)
                                                                              : std::next(pair);
    SelectionProblemBuilder builder;
    std::vector<SelectionUsage> usages;
    auto holding = problem.holdings.begin();
    for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
      // Costs as the edges that are gone have left them.
      builder.addNode(costsOf[node]);
      for (; holding != problem.holdings.end() && holding->node == node; ++holding) {
        usages.clear();
        for (SelectionState state : statesOf[node])
          usages.push_back(problem.usage(*holding, state));
        builder.addHolding(holding->live, usages);
      }
    }
    for (auto &[nodes, values] : pairs)
      builder.addEdge(nodes.first, nodes.second, std::move(values));
    return std::move(builder).finish(problem.capacity);
  }

private:
  void addPair(std::map<std::pair<SelectionNode, SelectionNode>, std::vector<SelectionCost>> &pairs,
               const SelectionEdge &edge) const {
    auto [first, second] = std::minmax(edge.from, edge.to);
    auto &values = pairs[{first, second}];
    values.resize(statesOf[first].size() * statesOf[second].size());
    const SelectionMatrix &matrix = problem.matrices[edge.matrix];
    size_t at = 0;
    for (SelectionState a : statesOf[first])
      for (SelectionState b : statesOf[second]) {
        SelectionCost cost = edge.from == first ? matrix.at(a, b) : matrix.at(b, a);
        values[at] = sumOf(values[at], cost);
        ++at;
      }
  }

  /// An edge whose costs are a sum of one of each end decides nothing between the two: both take their part.
  /// True if nothing of the edge is left.
  bool moveToNodes(SelectionNode first, SelectionNode second, std::vector<SelectionCost> &values) {
    auto &rows = costsOf[first];
    auto &columns = costsOf[second];
    size_t width = columns.size();
    // Where one end has no choice any costs are such a sum. A forbidden pair is never one: it forbids a pair, no state.
    if (rows.size() > 1 && width > 1)
      // Costs are such a sum if each row is the first one plus a number of its own.
      for (size_t row = 1; row < rows.size(); ++row)
        for (size_t column = 1; column < width; ++column)
          if (values[row * width + column] >= kForbiddenCost || values[row * width] >= kForbiddenCost ||
              values[column] >= kForbiddenCost ||
              values[row * width + column] - values[row * width] != values[column] - values[0])
            return false;
    // The first row's cheapest entry is the rows' share, so that no cost becomes negative.
    SelectionCost least = *std::min_element(values.begin(), values.begin() + ptrdiff_t(width));
    size_t cheapest =
        size_t(std::min_element(values.begin(), values.begin() + ptrdiff_t(width)) - values.begin());
    for (size_t column = 0; column < width; ++column)
      columns[column] = sumOf(columns[column], values[column] - least);
    for (size_t row = 0; row < rows.size(); ++row)
      rows[row] = sumOf(rows[row], values[row * width + cheapest]);
    return true;
  }

  const SelectionProblem &problem;
  const std::vector<std::vector<SelectionState>> &statesOf;
  std::vector<std::vector<SelectionCost>> costsOf;
};

/// Makes one node of nodes whose states are each other's only partners.
class Merger {
public:
  explicit Merger(const SelectionProblem &problem) : problem(problem), graph(problem) {
    rootOf.assign(problem.numNodes(), kNone);
    statesOf.resize(problem.numNodes());
    for (const SelectionEdge &edge : problem.edges)
      isMatching.push_back(isOneToOne(problem.matrices[edge.matrix]));
  }

  /// True if anything was merged.
  bool run() {
    for (SelectionNode node = 0; node < problem.numNodes(); ++node)
      if (rootOf[node] == kNone)
        grow(node);
    return members.size() < problem.numNodes();
  }
  SelectionProblem write() const;

  std::vector<SelectionNode> rootOf; ///< by node: index into `members`
  std::vector<std::vector<SelectionState>> statesOf;

private:
  static constexpr SelectionNode kNone = ~SelectionNode(0);

  static bool isOneToOne(const SelectionMatrix &matrix);
  void grow(SelectionNode root);
  void addInside(std::vector<std::vector<SelectionCost>> &costs, const SelectionEdge &edge) const;

  const SelectionProblem &problem;
  SelectionGraph graph;
  std::vector<bool> isMatching; ///< by edge
  std::vector<std::vector<SelectionNode>> members;
};

bool Merger::isOneToOne(const SelectionMatrix &matrix) {
  if (matrix.rows != matrix.columns)
    return false;
  // With one allowed pair in every row and every column the state of either end tells that of the other.
  std::vector<bool> taken(matrix.columns);
  for (SelectionState row = 0; row < matrix.rows; ++row) {
    std::optional<SelectionState> partner;
    for (SelectionState column = 0; column < matrix.columns; ++column)
      if (matrix.at(row, column) < kForbiddenCost) {
        if (partner)
          return false;
        partner = column;
      }
    if (!partner || taken[*partner])
      return false;
    taken[*partner] = true;
  }
  return true;
}

/// All that is reached by edges of one partner each. What state each of them has follows from the root's, whose states the group's are.
void Merger::grow(SelectionNode root) {
  SelectionNode id = SelectionNode(members.size());
  std::vector<SelectionNode> &group = members.emplace_back();
  group.push_back(root);
  rootOf[root] = id;
  statesOf[root].resize(problem.numStates(root));
  std::iota(statesOf[root].begin(), statesOf[root].end(), 0);
  // Breadth first from the root, so that who is reached has a state for each of the root's before it is gone on from.
  for (size_t at = 0; at < group.size(); ++at) {
    SelectionNode node = group[at];
    for (const SelectionGraph::Incident &incident : graph.incident(node)) {
      if (!isMatching[incident.edge] || rootOf[incident.other] != kNone)
        continue;
      // Each state has the one partner, as the matrix is one-to-one.
      rootOf[incident.other] = id;
      for (SelectionState state : statesOf[node]) {
        // Along another edge of the group it may be another one: then the state is at odds with itself, and addInside forbids it.
        SelectionState partner = 0;
        while (graph.pairCost(incident, state, partner) >= kForbiddenCost)
          ++partner;
        statesOf[incident.other].push_back(partner);
      }
      group.push_back(incident.other);
    }
  }
}

/// An edge between two of one group is a cost of the group's states; where it contradicts the others they are forbidden.
void Merger::addInside(std::vector<std::vector<SelectionCost>> &costs, const SelectionEdge &edge) const {
  std::vector<SelectionCost> &sums = costs[rootOf[edge.from]];
  for (SelectionState state = 0; state < sums.size(); ++state) {
    SelectionCost cost =
        problem.matrices[edge.matrix].at(statesOf[edge.from][state], statesOf[edge.to][state]);
    sums[state] = sumOf(sums[state], cost);
  }
}

SelectionProblem Merger::write() const {
  std::vector<std::vector<SelectionCost>> costs(members.size());
  for (SelectionNode id = 0; id < members.size(); ++id) {
    costs[id].assign(problem.numStates(members[id].front()), 0);
    for (SelectionNode node : members[id])
      for (SelectionState state = 0; state < costs[id].size(); ++state)
        costs[id][state] = sumOf(costs[id][state], problem.cost(node, statesOf[node][state]));
  }
  // Both ends are one node now, and each of its states has one pair of them.
  for (const SelectionEdge &edge : problem.edges)
    if (rootOf[edge.from] == rootOf[edge.to])
      addInside(costs, edge);
  SelectionProblemBuilder builder;
  std::vector<SelectionUsage> usages;
  for (SelectionNode id = 0; id < members.size(); ++id) {
    builder.addNode(costs[id]);
    for (SelectionNode node : members[id]) {
      auto [begin, end] = graph.holdingsOf(node);
      for (const SelectionHolding &holding : llvm::ArrayRef(problem.holdings).slice(begin, end - begin)) {
        usages.clear();
        for (SelectionState state : statesOf[node])
          usages.push_back(problem.usage(holding, state));
        builder.addHolding(holding.live, usages);
      }
    }
  }
  for (const SelectionEdge &edge : problem.edges) {
    if (rootOf[edge.from] == rootOf[edge.to])
      continue;
    // Parallel edges between two groups stay apart; the next Writer adds them up.
    std::vector<SelectionCost> values;
    for (SelectionState from : statesOf[edge.from])
      for (SelectionState to : statesOf[edge.to])
        values.push_back(problem.matrices[edge.matrix].at(from, to));
    builder.addEdge(rootOf[edge.from], rootOf[edge.to], std::move(values));
  }
  return std::move(builder).finish(problem.capacity);
}

/// First `inner`, then `outer`: which state of the original a state of the last problem stands for.
/// Both maps go from the original to what is left, and a step only ever leaves out or joins, so they stay functions.
void compose(ReducedProblem &reduced, llvm::ArrayRef<SelectionNode> nodeOf,
             llvm::ArrayRef<std::vector<SelectionState>> statesOf) {
  for (size_t node = 0; node < reduced.nodeOf.size(); ++node) {
    SelectionNode inner = reduced.nodeOf[node];
    // The states in the middle are named by their place in what the step before has left.
    std::vector<SelectionState> states;
    for (SelectionState state : statesOf[inner])
      states.push_back(reduced.statesOf[node][state]);
    reduced.statesOf[node] = std::move(states);
    // Without a list nodes are the same ones, with fewer states.
    reduced.nodeOf[node] = nodeOf.empty() ? inner : nodeOf[inner];
  }
}
} // namespace

Selection ReducedProblem::original(llvm::ArrayRef<SelectionState> selection) const {
  Selection states(nodeOf.size());
  for (size_t node = 0; node < nodeOf.size(); ++node)
    states[node] = statesOf[node][selection[nodeOf[node]]];
  return states;
}

std::optional<ReducedProblem> tessera::reduce(const SelectionProblem &problem) {
  ReducedProblem reduced;
  reduced.problem = problem;
  reduced.nodeOf.resize(problem.numNodes());
  std::iota(reduced.nodeOf.begin(), reduced.nodeOf.end(), 0);
  for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
    reduced.statesOf.emplace_back(problem.numStates(node));
    std::iota(reduced.statesOf[node].begin(), reduced.statesOf[node].end(), 0);
  }
  // Merged nodes have more states that are dominated, and these make more nodes each other's only partners.
  while (true) {
    StateFilter filter(reduced.problem);
    if (!filter.run())
      return std::nullopt;
    // Steps 1 to 3 of Reduction.h, and then the fourth.
    SelectionProblem filtered = Writer(reduced.problem, filter.statesOf).write();
    compose(reduced, {}, filter.statesOf);
    reduced.problem = std::move(filtered);
    Merger merger(reduced.problem);
    if (!merger.run())
      return reduced;
    SelectionProblem merged = merger.write();
    compose(reduced, merger.rootOf, merger.statesOf);
    reduced.problem = std::move(merged);
  }
}
