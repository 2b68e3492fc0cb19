//===- PricedSelections.cpp - Best selections where usage has a price -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Selection/PricedSelections.h"

#include "Messages.h"
#include "Window.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

/// Largest tables, in entries: of the whole graph, and of a part of it.
static constexpr size_t kWholeTable = 4'000'000, kWindowTable = 100'000;

struct PricedSelections::Parts {
  explicit Parts(const SelectionProblem &problem)
      : graph(problem), messages(graph, moreThanAnySelection(problem)), whole(graph, kWholeTable),
        window(graph, kWindowTable) {}

  SelectionGraph graph;
  Messages messages;
  Window whole, window;
  std::vector<double> costs; ///< of the last solve
  // The same calls give the same selections. NOLINTNEXTLINE(bugprone-random-generator-seed)
  std::mt19937_64 random{35};
};

PricedSelections::PricedSelections(const SelectionProblem &problem)
    : parts(std::make_unique<Parts>(problem)) {}
PricedSelections::~PricedSelections() = default;

Selection PricedSelections::solve(llvm::ArrayRef<double> costs, int passes) {
  parts->costs = costs.vec();
  for (int count = 0; count < passes; ++count)
    parts->messages.pass(costs);
  Selection selection = parts->messages.decode(costs);
  std::vector<SelectionNode> nodes;
  for (SelectionNode node = 0; node < selection.size(); ++node)
    nodes.push_back(node);
  parts->whole.solve(nodes, costs, selection, parts->random);
  return selection;
}

double PricedSelections::bound() const { return parts->messages.bound(parts->costs); }

void PricedSelections::solveWindow(llvm::ArrayRef<SelectionNode> nodes, llvm::ArrayRef<double> costs,
                                   Selection &selection) {
  parts->window.solve(nodes, costs, selection, parts->random);
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
