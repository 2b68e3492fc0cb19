//===- PricedSelections.cpp - Best selections where usage has a price -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Messages bound, windows solve: each makes the other one cheaper. A bound says which states are in nothing that is
// cheaper than the best selection so far; with fewer states tables are small enough for an exact solution of the whole
// graph; and that is a lower cost, by which the bound rules out more.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Selection/PricedSelections.h"

#include "Messages.h"
#include "Window.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <numeric>

using namespace tessera;

/// Largest tables, in entries: for a proof, and of what comes first, is only a guess or a part of the graph.
static constexpr size_t kWholeTable = 4'000'000, kWindowTable = 100'000;
/// About an edge whose states are at odds.
static constexpr size_t kMendedNodes = 40;
/// After so many passes it is looked at what they brought; and they go on if of what is open less than that share is left.
static constexpr int kPassesPerLook = 2;
static constexpr double kLeastProgress = 0.95;
/// Of what messages prove: a state with which that much more is proven is none to begin with; and by how much that grows if the best
/// selection of the states that are left does not rule out the others.
static constexpr double kFirstShare = 1e-4, kMoreShare = 6;
/// Costs are whole numbers, and sums of them in floating point off by less.
static constexpr double kRounding = 0.5;

struct PricedSelections::Parts {
  explicit Parts(const SelectionProblem &problem)
      : graph(problem), forbidden(moreThanAnySelection(problem)), messages(graph, forbidden),
        whole(graph, kWholeTable), window(graph, kWindowTable) {}

  /// `cost`: of what is known, above the least.
  void countAbove(Window &its, const Remainders &left, double cost) const {
    // What is not allowed costs that much: if that is all that is known, anything is better.
    bool isAllowed = cost < forbidden;
    its.countAbove(messages, left, isAllowed ? cost + kRounding : std::numeric_limits<double>::infinity());
  }

  SelectionGraph graph;
  double forbidden;
  Messages messages;
  Window whole, window;
  double bound = 0;          ///< of the last solve
  std::vector<double> least; ///< by state: likewise
  bool isBest = false;       ///< what that found
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

/// What messages decode may be at odds with itself where edges form a circle. The neighbourhood of such an edge is solved exactly, as what is known
/// to be allowed says how much of a table needs to be looked at.
void PricedSelections::mend(llvm::ArrayRef<double> costs, Selection &selection) {
  const SelectionProblem &problem = parts->graph.problem;
  for (const SelectionEdge &edge : problem.edges) {
    if (problem.matrices[edge.matrix].at(selection[edge.from], selection[edge.to]) < kForbiddenCost)
      continue;
    std::vector<SelectionNode> nodes = {edge.from, edge.to};
    for (size_t at = 0; at < nodes.size() && nodes.size() < kMendedNodes; ++at)
      for (const SelectionGraph::Incident &incident : parts->graph.incident(nodes[at]))
        if (!llvm::is_contained(nodes, incident.other))
          nodes.push_back(incident.other);
    parts->window.leaveOut({}, 0);
    parts->window.countAsTheyAre();
    parts->window.solve(nodes, costs, selection, parts->random);
  }
}

/// Passes until they hardly move what is open: an elimination settles that in less time.
void PricedSelections::pass(llvm::ArrayRef<double> costs, int passes, double enough, Open &open) {
  for (int count = 0; count < passes; ++count) {
    parts->messages.pass(costs);
    // To decode and to bound takes time, too, so that is not done after each pass.
    if ((count + 1) % kPassesPerLook != 0 && count + 1 < passes)
      continue;
    Selection decoded = parts->messages.decode(costs);
    if (open.best.empty() || open.cost >= parts->forbidden)
      mend(costs, decoded);
    if (double cost = costOf(costs, decoded); open.best.empty() || cost < open.cost) {
      open.best = std::move(decoded);
      open.cost = cost;
    }
    double before = open.gap();
    open.left = std::make_shared<Remainders>(parts->messages.remainders(costs));
    open.bound = std::max(open.bound, open.left->bound);
    parts->least = open.left->excess;
    // By state: what a selection with it costs at least.
    for (double &its : parts->least)
      its += open.left->bound;
    if (open.gap() < kRounding || open.gap() > kLeastProgress * before || open.bound >= enough)
      return;
  }
}

/// Most states are ruled out by a good selection, and most good ones consist of states that messages like. So few states come first: the best
/// selection of these says what else can be left out, and what passes behind it prove leaves out most of the rest.
Selection PricedSelections::solve(llvm::ArrayRef<double> costs, int passes, Aim aim, double enough) {
  Open open;
  pass(costs, std::max(1, passes / 2), enough, open);
  auto answer = [&](bool isBest) {
    parts->isBest = isBest;
    parts->bound = isBest ? std::max(open.bound, open.cost) : open.bound;
    return std::move(open.best);
  };
  // Messages alone have solved it; or whatever would be found is of no use to the caller, as the bound says already.
  if (open.gap() < kRounding || open.bound >= enough)
    return answer(open.gap() < kRounding);
  std::vector<SelectionNode> nodes(parts->graph.problem.numNodes());
  std::iota(nodes.begin(), nodes.end(), SelectionNode(0));
  double share = std::max(1.0, kFirstShare * std::abs(open.bound));
  for (bool isFirst = true;; isFirst = false) {
    // Costs of what is forbidden are so large that they are no whole numbers: what is found may then seem dearer than what there was.
    bool isAll = share >= open.gap();
    double most = std::min(share, open.gap()) + kRounding;
    parts->whole.leaveOut(open.left->excess, most);
    // Proven is only what no node was kept back for, which takes large tables; a guess is as good without, and so is what comes first.
    parts->whole.limit(aim == Aim::Guess || isFirst ? kWindowTable : kWholeTable);
    parts->countAbove(parts->whole, *open.left, open.cost - open.left->bound);
    bool isWhole = parts->whole.solve(nodes, open.left->states, open.best, parts->random);
    open.cost = costOf(costs, open.best);
    // No selection with a state that was left out costs less than that one.
    bool isRuledOut = isAll || open.gap() <= most;
    if (aim == Aim::Guess || (isRuledOut && (isWhole || !isFirst)))
      return answer(isWhole && isRuledOut);
    pass(costs, passes - passes / 2, enough, open);
    // Where large tables were too small they do with no more states: all of them, once.
    share = isWhole || isFirst ? share * kMoreShare : std::numeric_limits<double>::infinity();
  }
}

double PricedSelections::bound() const { return parts->bound; }
std::vector<double> PricedSelections::least() const { return parts->least; }
bool PricedSelections::isBest() const { return parts->isBest; }

/// Messages go on from wherever they are: they are about the same edges at any prices, so few passes bring them there.
PricedSelections::Prices PricedSelections::pricesAt(std::vector<double> costs, int passes) {
  for (int count = 0; count < passes; ++count)
    parts->messages.pass(costs);
  auto left = std::make_shared<Remainders>(parts->messages.remainders(costs));
  return {std::move(costs), std::move(left)};
}

bool PricedSelections::solveWindow(llvm::ArrayRef<SelectionNode> nodes, const Prices &prices,
                                   Selection &selection) {
  // What is no part of any better selection is none of a better window.
  double slack = parts->messages.slack(*prices.left, nodes, selection);
  if (slack < kRounding)
    return false;
  parts->window.leaveOut(prices.left->excess, slack + kRounding);
  parts->countAbove(parts->window, *prices.left, slack);
  parts->window.solve(nodes, prices.left->states, selection, parts->random);
  return true;
}

std::vector<SelectionNode> PricedSelections::around(SelectionNode seed, size_t most) {
  std::vector<SelectionNode> chosen{seed};
  // Every node is asked once, so that a component that is smaller ends it.
  std::vector<SelectionNode> open{seed};
  while (chosen.size() < most && !open.empty()) {
    // By chance, so that two windows around one seed are not the same.
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
