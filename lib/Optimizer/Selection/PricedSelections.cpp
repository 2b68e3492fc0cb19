//===- PricedSelections.cpp - Best selections where usage has a price -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Selection/PricedSelections.h"

#include "Messages.h"
#include "Window.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <numeric>

using namespace tessera;

/// Largest tables, in entries: of the whole graph, and of a part of it.
static constexpr size_t kWholeTable = 4'000'000, kWindowTable = 100'000;
/// After so many passes it is looked at what they brought; and they go on if of what is open less than that share is left.
static constexpr int kPassesPerLook = 2;
static constexpr double kLeastProgress = 0.9;
/// Costs are whole numbers, and sums of them in floating point off by less.
static constexpr double kRounding = 0.5;

struct PricedSelections::Parts {
  explicit Parts(const SelectionProblem &problem)
      : graph(problem), messages(graph, moreThanAnySelection(problem)), whole(graph, kWholeTable),
        window(graph, kWindowTable) {}

  SelectionGraph graph;
  Messages messages;
  Window whole, window;
  double bound = 0; ///< of the last solve
  // The same calls give the same selections. NOLINTNEXTLINE(bugprone-random-generator-seed)
  std::mt19937_64 random{35};
};

PricedSelections::PricedSelections(const SelectionProblem &problem)
    : parts(std::make_unique<Parts>(problem)) {}
PricedSelections::~PricedSelections() = default;

double PricedSelections::costOf(llvm::ArrayRef<double> costs, const Selection &selection) const {
  const SelectionProblem &problem = parts->graph.problem;
  double sum = 0;
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    sum += costs[problem.firstState[node] + selection[node]];
  for (const SelectionEdge &edge : problem.edges)
    sum += double(problem.matrices[edge.matrix].at(selection[edge.from], selection[edge.to]));
  return sum;
}

Selection PricedSelections::solve(llvm::ArrayRef<double> costs, int passes) {
  Selection selection;
  double most = 0, gap = std::numeric_limits<double>::infinity();
  std::vector<double> excess;
  for (int count = 0; count < passes; ++count) {
    parts->messages.pass(costs);
    if ((count + 1) % kPassesPerLook != 0 && count + 1 < passes)
      continue;
    Selection decoded = parts->messages.decode(costs);
    if (double cost = costOf(costs, decoded); selection.empty() || cost < most) {
      selection = std::move(decoded);
      most = cost;
    }
    parts->bound = parts->messages.bound(costs, excess);
    // The elimination settles the rest in less time than passes that hardly move it.
    double before = std::exchange(gap, most - parts->bound);
    if (gap < kRounding || gap > kLeastProgress * before)
      break;
  }
  std::vector<SelectionNode> nodes(selection.size());
  std::iota(nodes.begin(), nodes.end(), SelectionNode(0));
  // No selection with one of the other states costs less than the one that is known.
  parts->whole.leaveOut(excess, gap + kRounding);
  if (parts->whole.solve(nodes, costs, selection, parts->random))
    parts->bound = std::max(parts->bound, costOf(costs, selection));
  return selection;
}

double PricedSelections::bound() const { return parts->bound; }

PricedSelections::Prices PricedSelections::pricesAt(std::vector<double> costs) const {
  Prices prices{std::move(costs), 0, {}};
  prices.bound = parts->messages.bound(prices.costs, prices.excess);
  return prices;
}

void PricedSelections::solveWindow(llvm::ArrayRef<SelectionNode> nodes, const Prices &prices,
                                   Selection &selection) {
  // What is no part of any better selection is none of a better window.
  parts->window.leaveOut(prices.excess, costOf(prices.costs, selection) - prices.bound + kRounding);
  parts->window.solve(nodes, prices.costs, selection, parts->random);
}

std::vector<SelectionNode> PricedSelections::around(SelectionNode seed, size_t most) {
  std::vector<SelectionNode> chosen{seed};
  // Every node is asked once, so that a component that is smaller ends it.
  std::vector<SelectionNode> open{seed};
  while (chosen.size() < most && !open.empty()) {
    size_t at = parts->random() % open.size();
    SelectionNode node = open[at];
    open[at] = open.back();
    open.pop_back();
    for (const SelectionGraph::Incident &incident : parts->graph.incident(node))
      if (chosen.size() < most && !llvm::is_contained(chosen, incident.other)) {
        chosen.push_back(incident.other);
        open.push_back(incident.other);
      }
  }
  return chosen;
}
