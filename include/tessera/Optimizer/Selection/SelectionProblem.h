//===- SelectionProblem.h - One state for each node of a graph ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The room solves one problem that knows nothing of layouts: choose a state for
// each node of a graph, where states and pairs of states have costs, and what
// nodes hold at a time must not exceed a capacity. In goes a problem, from
// Policy/Optimal or a contest's file (ContestFormat.h); out come selections
// (SelectionSearch.h, PricedSelections.h) and bounds with proofs that code of
// their own checks (SelectionCertificate.h). It includes no other room of the
// optimizer, so that a proof can be gone through without believing one.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_SELECTION_SELECTIONPROBLEM_H
#define TESSERA_OPTIMIZER_SELECTION_SELECTIONPROBLEM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tessera {

/// In whatever unit the instance is in; nothing here depends on it.
using SelectionCost = int64_t;
/// For sums of products of the above, which no instance can make overflow.
using SelectionSum = __int128;
/// What a node takes of the capacity while it is live.
using SelectionUsage = int64_t;
using SelectionNode = uint32_t;
/// Counted within its node.
using SelectionState = uint32_t;
/// One state for each node.
using Selection = std::vector<SelectionState>;

/// A cost from which on a state, or a pair of states, may not be chosen. Sums of costs that may be chosen are far below.
inline constexpr SelectionCost kForbiddenCost = 1'000'000'000'000'000'000;

/// The cost of each pair of states of two nodes, row by row.
struct SelectionMatrix {
  uint32_t rows = 0, columns = 0;
  std::vector<SelectionCost> values;
  SelectionCost at(SelectionState row, SelectionState column) const {
    return values[size_t(row) * columns + column];
  }
  auto operator<=>(const SelectionMatrix &) const = default;
};

/// What two nodes cost together. Two nodes may have several edges; none joins a node to itself.
struct SelectionEdge {
  SelectionNode from, to; ///< rows are states of `from`, columns of `to`
  uint32_t matrix;        ///< index into SelectionProblem::matrices
};

/// Half-open: a node is live from `begin` to one before `end`; never, if they are equal.
struct SelectionLifetime {
  int64_t begin = 0, end = 0;
};

/// What a node takes of the capacity over one interval, by state. A node has any number of them.
struct SelectionHolding {
  SelectionNode node;
  SelectionLifetime live;
  size_t firstUsage; ///< index into SelectionProblem::usages: one for each state of the node
};

/// Choose one state of each node: the sum of the nodes' and edges' costs shall be least, and at no time may what the nodes
/// hold exceed the capacity. It knows no solver. Layout selection is such a problem (docs/certified.md), and so are the
/// instances of the ASPLOS 2025 contest on intra-operator parallelism.
struct SelectionProblem {
  std::vector<size_t> firstState = {0}; ///< by node, and one more: where its states begin in `costs`
  std::vector<SelectionCost> costs;
  std::vector<SelectionHolding> holdings; ///< in the order of their nodes
  std::vector<SelectionUsage> usages;
  std::vector<SelectionMatrix> matrices; ///< each once, however many edges have it
  std::vector<SelectionEdge> edges;
  SelectionUsage capacity = 0;

  size_t numNodes() const { return firstState.size() - 1; }
  uint32_t numStates(SelectionNode node) const { return uint32_t(firstState[node + 1] - firstState[node]); }
  SelectionCost cost(SelectionNode node, SelectionState state) const {
    return costs[firstState[node] + state];
  }
  SelectionUsage usage(const SelectionHolding &holding, SelectionState state) const {
    return usages[holding.firstUsage + state];
  }
};

/// Makes a problem; equal matrices are kept once. An edge's nodes must be there before it.
class SelectionProblemBuilder {
public:
  /// `costs` has one entry for each state.
  SelectionNode addNode(llvm::ArrayRef<SelectionCost> costs);
  /// For the node that was added last; `usages` has one entry for each of its states.
  void addHolding(SelectionLifetime live, llvm::ArrayRef<SelectionUsage> usages);
  /// `values`: a cost for each pair of their states, those of `to` varying fastest.
  void addEdge(SelectionNode from, SelectionNode to, std::vector<SelectionCost> values);
  SelectionProblem finish(SelectionUsage capacity) &&;

private:
  SelectionProblem problem;
  std::unordered_multimap<size_t, uint32_t>
      matrixIds; ///< by hash; matrices are large, and compared only where hashes are equal
};

/// An error that says what is wrong if the problem is none: a node without states, negative costs or usages, usages whose
/// sums may be beyond 62 bits, an interval that ends before it begins, an edge to a node that is not there or to itself, a
/// matrix of another size.
llvm::Error checkSelectionProblem(const SelectionProblem &problem);

/// The sum of all costs; nullopt if it is not allowed: a forbidden state or pair.
std::optional<SelectionCost> selectionCost(const SelectionProblem &problem,
                                           llvm::ArrayRef<SelectionState> selection);
/// The most that is used at any time.
SelectionUsage peakUsage(const SelectionProblem &problem, llvm::ArrayRef<SelectionState> selection);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_SELECTION_SELECTIONPROBLEM_H
