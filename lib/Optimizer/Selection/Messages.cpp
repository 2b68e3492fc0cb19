//===- Messages.cpp - Costs moved along edges until each node can choose --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// In the words of Kolmogorov's paper: what edges are given is a reparametrization, a belief is the node's min-marginal
// as far as it is known, and of it a share of 1 / max(edges behind, edges ahead) goes to each edge ahead, by which the
// bound never falls. Passes go forth and back in the order of the nodes, which for a program is that of its ops: so
// messages travel through a whole chain in one pass.
//
//===----------------------------------------------------------------------===//
#include "Messages.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <limits>

using namespace tessera;

/// Of a matrix of which at most one in so many pairs is allowed only these are gone through: the form that a way reads, say.
static constexpr size_t kSparse = 3;

double tessera::moreThanAnySelection(const SelectionProblem &problem) {
  // One more than the dearest allowed state of each node and pair of each edge come to.
  double sum = 1;
  auto largest = [](llvm::ArrayRef<SelectionCost> costs) {
    SelectionCost most = 0;
    for (SelectionCost cost : costs)
      most = std::max(most, cost < kForbiddenCost ? cost : 0);
    return double(most);
  };
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    sum += largest(llvm::ArrayRef(problem.costs).slice(problem.firstState[node], problem.numStates(node)));
  std::vector<double> ofMatrix; // which many edges may share
  for (const SelectionMatrix &matrix : problem.matrices)
    ofMatrix.push_back(largest(matrix.values));
  for (const SelectionEdge &edge : problem.edges)
    sum += ofMatrix[edge.matrix];
  // Never more than what is forbidden counts as anyway.
  return std::min(sum, double(kForbiddenCost));
}

Messages::Messages(const SelectionGraph &graph, double forbidden) : graph(graph), forbidden(forbidden) {
  const SelectionProblem &problem = graph.problem;
  for (const SelectionMatrix &matrix : problem.matrices) {
    Entries &entries = matrices.emplace_back();
    auto isAllowed = [](SelectionCost cost) { return cost < kForbiddenCost; };
    size_t allowed = size_t(std::count_if(matrix.values.begin(), matrix.values.end(), isAllowed));
    // Many matrices only say which form a way reads: of these few pairs are allowed.
    entries.isDense = allowed * kSparse > matrix.values.size();
    if (!entries.isDense) {
      entries.allowed.reserve(allowed);
      for (SelectionState row = 0; row < matrix.rows; ++row)
        for (SelectionState column = 0; column < matrix.columns; ++column)
          if (SelectionCost cost = matrix.at(row, column); isAllowed(cost))
            entries.allowed.push_back({row, column, std::min(double(cost), forbidden)});
      continue;
    }
    entries.rows.reserve(matrix.values.size());
    for (SelectionCost cost : matrix.values)
      entries.rows.push_back(std::min(double(cost), forbidden));
  }
  // Two slots of each edge, for its `from` and its `to`, one behind the other in the same lists.
  first.push_back(0);
  for (const SelectionEdge &edge : problem.edges) {
    first.push_back(first.back() + problem.numStates(edge.from));
    first.push_back(first.back() + problem.numStates(edge.to));
  }
  givenOf.assign(first.back(), 0);
  received.assign(first.back(), 0);
  beliefOf.assign(problem.costs.size(), 0);
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    for (const SelectionGraph::Incident &incident : graph.incident(node))
      receive(incident);
}

/// The least sum of entries side by side. In four parts, which have no order among them, so that a processor adds several at once.
static double leastSum(const double *a, const double *b, size_t count) {
  constexpr size_t kParts = 4;
  std::array<double, kParts> least;
  least.fill(std::numeric_limits<double>::infinity());
  size_t at = 0;
  for (; at + kParts <= count; at += kParts)
    for (size_t part = 0; part < kParts; ++part)
      least[part] = std::min(least[part], a[at + part] + b[at + part]);
  for (; at < count; ++at)
    least[0] = std::min(least[0], a[at] + b[at]);
  return *std::min_element(least.begin(), least.end());
}

/// For each state of one end: the edge's cheapest entry, with what the other end gave.
void Messages::offer(uint32_t index, bool toFrom, llvm::MutableArrayRef<double> best) const {
  const Entries &entries = matrices[graph.problem.edges[index].matrix];
  llvm::ArrayRef<double> offers = given(index, !toFrom);
  if (!entries.isDense) {
    // No entry counts more than `forbidden`, so it does no harm that this counts all as that once.
    std::fill(best.begin(), best.end(), forbidden + *std::min_element(offers.begin(), offers.end()));
    for (auto [row, column, cost] : entries.allowed) {
      auto [mine, others] = toFrom ? std::pair(row, column) : std::pair(column, row);
      best[mine] = std::min(best[mine], cost + offers[others]);
    }
    return;
  }
  // Either way the inner loop runs over neighbouring entries.
  const double *entry = entries.rows.data();
  if (toFrom) {
    for (double &its : best) {
      its = leastSum(entry, offers.data(), offers.size());
      entry += offers.size();
    }
    return;
  }
  std::fill(best.begin(), best.end(), std::numeric_limits<double>::infinity());
  for (double given : offers)
    for (double &its : best)
      its = std::min(its, *entry++ + given);
}

void Messages::receive(const SelectionGraph::Incident &incident) {
  size_t slot = incident.edge * 2 + !incident.isFrom;
  offer(incident.edge, incident.isFrom,
        llvm::MutableArrayRef(received).slice(first[slot], first[slot + 1] - first[slot]));
}

void Messages::visit(SelectionNode node, bool isForward, llvm::ArrayRef<double> costs) {
  const SelectionProblem &problem = graph.problem;
  size_t firstState = problem.firstState[node], states = problem.numStates(node);
  size_t before = 0, after = 0;
  double *belief = &beliefOf[firstState];
  std::copy(costs.begin() + ptrdiff_t(firstState), costs.begin() + ptrdiff_t(firstState + states), belief);
  for (const SelectionGraph::Incident &incident : graph.incident(node)) {
    // Ahead is whoever is visited after this node in this direction.
    bool isAfter = (incident.other > node) == isForward;
    ++(isAfter ? after : before);
    // What comes from nodes that are visited later has not changed since the last pass.
    if (!isAfter)
      receive(incident);
    const double *offer = &received[slotOf(incident)];
    for (size_t state = 0; state < states; ++state)
      belief[state] += offer[state];
  }
  // The largest share by which the bound never falls (Kolmogorov 2006), whichever side has more edges.
  double share = 1.0 / double(std::max<size_t>({before, after, 1}));
  for (const SelectionGraph::Incident &incident : graph.incident(node)) {
    // Edges behind are given nothing back: what they offer goes on to those ahead.
    double part = (incident.other > node) == isForward ? share : 0;
    const double *offer = &received[slotOf(incident)];
    double *gift = &givenOf[slotOf(incident)];
    for (size_t state = 0; state < states; ++state)
      // The offer is taken in full: the edge's entries have it less, the node's states have it more.
      gift[state] = part * belief[state] - offer[state];
  }
}

/// What is read and written depends on the order of nodes alone, so a pass gives the same numbers each time.
void Messages::pass(llvm::ArrayRef<double> costs) {
  SelectionNode nodes = SelectionNode(graph.problem.numNodes());
  for (SelectionNode node = 0; node < nodes; ++node)
    visit(node, /*isForward=*/true, costs);
  for (SelectionNode node = nodes; node-- > 0;)
    visit(node, /*isForward=*/false, costs);
}

/// Of equal states the first one, so that the same messages give the same selection.
Selection Messages::decode(llvm::ArrayRef<double> costs) const {
  const SelectionProblem &problem = graph.problem;
  Selection selection(problem.numNodes(), 0);
  std::vector<double> sums;
  for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
    auto begin = costs.begin() + ptrdiff_t(problem.firstState[node]);
    sums.assign(begin, begin + problem.numStates(node));
    for (const SelectionGraph::Incident &incident : graph.incident(node))
      for (SelectionState state = 0; state < sums.size(); ++state)
        // Edges to nodes behind, which are decided, at what they really cost.
        sums[state] += incident.other < node
                           ? double(graph.pairCost(incident, state, selection[incident.other]))
                           : received[slotOf(incident) + state];
    selection[node] = SelectionState(std::min_element(sums.begin(), sums.end()) - sums.begin());
  }
  return selection;
}

/// What is left at nodes, then what edges add to it: each edge tells each state of its nodes its cheapest entry there.
Remainders Messages::remainders(llvm::ArrayRef<double> costs) const {
  const SelectionProblem &problem = graph.problem;
  Remainders left;
  // A copy, since windows ask for the slack at these prices after messages have gone on at others.
  left.given = givenOf;
  left.states.assign(costs.begin(), costs.end());
  for (uint32_t index = 0; index < problem.edges.size(); ++index)
    for (bool byFrom : {true, false}) {
      const SelectionEdge &edge = problem.edges[index];
      double *its = &left.states[problem.firstState[byFrom ? edge.from : edge.to]];
      for (double gift : given(index, byFrom))
        *its++ -= gift;
    }
  for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
    auto begin = left.states.begin() + ptrdiff_t(problem.firstState[node]),
         end = begin + problem.numStates(node);
    double least = *std::min_element(begin, end);
    std::for_each(begin, end, [&](double &its) { its -= least; });
    left.bound += least;
  }
  // Kept apart from it: what a change saves is counted node by node and edge by edge (slack), and what a state costs at least is both together.
  left.excess = left.states;
  std::vector<double> rows, columns;
  for (uint32_t index = 0; index < problem.edges.size(); ++index) {
    const SelectionEdge &edge = problem.edges[index];
    double least = leastOf(index, rows, columns);
    left.edgeLeast.push_back(least);
    left.bound += least;
    for (auto [node, its] : {std::pair(edge.from, &rows), std::pair(edge.to, &columns)})
      for (auto [state, entry] : llvm::enumerate(*its))
        left.excess[problem.firstState[node] + state] += entry - least;
  }
  return left;
}

/// All that a change of these nodes can save is above the least where they are: at them, and at their edges.
double Messages::slack(const Remainders &left, llvm::ArrayRef<SelectionNode> nodes,
                       const Selection &selection) const {
  const SelectionProblem &problem = graph.problem;
  double sum = 0;
  for (SelectionNode node : nodes) {
    sum += left.states[problem.firstState[node] + selection[node]];
    for (const SelectionGraph::Incident &incident : graph.incident(node)) {
      if (incident.other < node && llvm::is_contained(nodes, incident.other))
        continue; // counted there
      sum += pairLeft(left, incident, selection[node], selection[incident.other]);
    }
  }
  return sum;
}

/// The cheapest entry of an edge with all that it was given: of each row, of each column, and of all.
double Messages::leastOf(uint32_t index, std::vector<double> &rows, std::vector<double> &columns) const {
  const SelectionEdge &edge = graph.problem.edges[index];
  for (auto [byFrom, least] : {std::pair(true, &rows), std::pair(false, &columns)}) {
    llvm::ArrayRef<double> own = given(index, byFrom);
    // A pass ends with the lower node, which has received what the other one gave last.
    auto known = received.begin() + ptrdiff_t(first[index * 2 + !byFrom]);
    least->assign(known, known + ptrdiff_t(own.size()));
    if (byFrom != (edge.from < edge.to))
      offer(index, byFrom, *least);
    for (auto [its, gift] : llvm::zip_equal(*least, own))
      its += gift;
  }
  return *std::min_element(rows.begin(), rows.end());
}
