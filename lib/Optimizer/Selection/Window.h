//===- Window.h - Some nodes solved exactly, the others as they are -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_WINDOW_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_WINDOW_H

#include "Messages.h"
#include "TableSum.h"

#include <limits>
#include <random>

namespace tessera {

/// The best states of some nodes while all others stay (bucket elimination: Dechter 1999). Where a table would be larger than
/// the budget, the node with most neighbours stays as it is, too (conditioning); so any window can be asked for, the whole
/// graph included, and the answer is never worse than what there was.
/// One call:
/// 1. each node gets its states, at what they cost beside neighbours that stay (collect);
/// 2. an order in which they go is looked for, the smallest table first; who would make one too large is kept back
///    (findOrder);
/// 3. what is kept back gets its state, and becomes a cost of the others (fixKept);
/// 4. node after node goes: of each combination of its neighbours' states its best one is noted (eliminate);
/// 5. backwards, each takes what was noted for what its neighbours have taken.
class Window {
public:
  Window(const SelectionGraph &graph, size_t tableBudget) : graph(graph), tableBudget(tableBudget) {
    placeOf.assign(graph.problem.numNodes(), -1);
  }

  /// Sets the states of `nodes` in `selection`. `costs` has those of all states, what they use included
  /// (as SelectionProblem::costs). Ties between orders are broken by `random`, so that repeated calls keep other nodes back.
  /// True if no node had to stay as it was, so that no other states of them are better.
  bool solve(llvm::ArrayRef<SelectionNode> nodes, llvm::ArrayRef<double> costs, Selection &selection,
             std::mt19937_64 &random);

  /// Of the calls that follow: only states that cost no more than `most` by `excess`, by state of the problem, and those that nodes have.
  /// `excess` must outlive these calls; empty: all states.
  void leaveOut(llvm::ArrayRef<double> excess, double most) {
    leftOutBy = excess;
    mostExcess = most;
  }

  /// Of the calls that follow, whose costs are those of `above.states`: edges cost what is left of them as well, so all is above the least that
  /// it may be. What comes to `mostAbove` is as good as forbidden, so that most of what tables would have is not even looked at; what is given
  /// must cost less. Both must outlive these calls.
  void countAbove(const Messages &its, const Remainders &above, double mostAbove) {
    messages = &its;
    left = &above;
    most = mostAbove;
  }

  void countAsTheyAre() {
    left = nullptr;
    most = std::numeric_limits<double>::infinity();
  }

  /// The largest table of the calls that follow, in entries, and how many states a node may have in them: its own, those of the
  /// lowest ranks (by state of the problem), and some at random. Few states make room for wide windows.
  void limit(size_t entries, size_t states = ~size_t(0), llvm::ArrayRef<double> stateRanks = {}) {
    tableBudget = entries;
    stateLimit = states;
    ranks = stateRanks;
  }

private:
  /// A node that is free.
  struct Place {
    SelectionNode node;
    std::vector<SelectionState> states; ///< those that its fixed neighbours allow
    std::vector<double> costs;          ///< by entry of `states`
    std::vector<uint32_t> neighbors;    ///< places; while the order is looked for, filled in by elimination
    bool kept = false;                  ///< stays as it is
    bool done = false;
    uint32_t version = 0;
    std::vector<uint32_t> tables; ///< that have this place in their scope
  };
  struct Table {
    std::vector<uint32_t> scope; ///< places, the last one varies fastest
    std::vector<double> values;
  };
  /// What is to be decided after the places of its scope.
  struct Decision {
    uint32_t place;
    std::vector<uint32_t> scope;
    std::vector<uint32_t> best; ///< by states of the scope
  };

  /// Step 1. The own state stays, as an answer must not be worse than what there was; unless it is at odds with a
  /// neighbour that stays, and another one is not.
  void collect(llvm::ArrayRef<SelectionNode> nodes, llvm::ArrayRef<double> stateCosts,
               const Selection &selection, std::mt19937_64 &random);
  bool isLeftOut(SelectionNode node, SelectionState state, SelectionState own) const {
    return !leftOutBy.empty() && state != own &&
           leftOutBy[graph.problem.firstState[node] + state] > mostExcess;
  }
  /// By the incident's own side first.
  double pairCost(const SelectionGraph::Incident &incident, SelectionState mine,
                  SelectionState others) const {
    return left ? messages->pairLeft(*left, incident, mine, others)
                : double(graph.pairCost(incident, mine, others));
  }
  void thin(Place &place, SelectionState own, std::mt19937_64 &random);
  /// Step 2. True if no node was kept back.
  bool findOrder(std::mt19937_64 &random);
  double weightOf(const Place &place) const;
  void keepBack(uint32_t index);
  void link(uint32_t eliminated);
  /// Step 3. Behind the order, since only that says who is kept back.
  void fixKept(const Selection &selection);
  /// Step 4.
  void eliminate(uint32_t index);
  /// All that share an edge or a table with the place and are not decided before it, in ascending order.
  std::vector<uint32_t> scopeOf(uint32_t index) const;
  /// The place's edges to its scope. The sums refer to what comes back.
  std::vector<std::vector<double>> addPairs(uint32_t index, llvm::ArrayRef<uint32_t> scope,
                                            TableSum<double> &sums) const;
  /// The tables in which it stands.
  void addTables(uint32_t index, llvm::ArrayRef<uint32_t> scope, TableSum<double> &sums) const;

  const SelectionGraph &graph;
  size_t tableBudget;
  size_t stateLimit = ~size_t(0);
  llvm::ArrayRef<double> ranks, leftOutBy;
  double mostExcess = 0;
  const Messages *messages = nullptr;
  const Remainders *left = nullptr; ///< null: costs count as they are
  double most = std::numeric_limits<double>::infinity();
  std::vector<int32_t> placeOf; ///< by node, -1: not in the window
  std::vector<Place> places;
  std::vector<uint32_t> order;
  std::vector<Table> tables;
  std::vector<Decision> decisions;
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_WINDOW_H
