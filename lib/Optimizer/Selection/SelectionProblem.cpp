//===- SelectionProblem.cpp - One state for each node of a graph ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Problems come from a translation or from a file, and all that follows indexes by their nodes, states and matrices
// unchecked. So a file's problem goes through checkSelectionProblem once; the builder only asserts.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Selection/SelectionProblem.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cassert>

using namespace tessera;

/// Of a matrix, about.
static constexpr size_t kHashedEntries = 64;

SelectionNode SelectionProblemBuilder::addNode(llvm::ArrayRef<SelectionCost> costs) {
  problem.costs.insert(problem.costs.end(), costs.begin(), costs.end());
  // One more entry than nodes: the next one's first state is this one's end.
  problem.firstState.push_back(problem.costs.size());
  return SelectionNode(problem.numNodes() - 1);
}

void SelectionProblemBuilder::addHolding(SelectionLifetime live, llvm::ArrayRef<SelectionUsage> usages) {
  SelectionNode node = SelectionNode(problem.numNodes() - 1);
  assert(usages.size() == problem.numStates(node));
  // To the node added last, so that holdings stay in the order of nodes, which the graph's slices need.
  problem.holdings.push_back({node, live, problem.usages.size()});
  problem.usages.insert(problem.usages.end(), usages.begin(), usages.end());
}

void SelectionProblemBuilder::addEdge(SelectionNode from, SelectionNode to,
                                      std::vector<SelectionCost> values) {
  assert(from < problem.numNodes() && to < problem.numNodes());
  SelectionMatrix matrix{problem.numStates(from), problem.numStates(to), std::move(values)};
  // A part of the entries tells matrices apart, or a comparison with the few that have the same hash does.
  // Odd: an even step may divide the width of a row, and look at one column alone.
  size_t step = std::max<size_t>(1, matrix.values.size() / kHashedEntries) | 1;
  size_t hash = llvm::hash_combine(matrix.rows, matrix.columns);
  for (size_t at = 0; at < matrix.values.size(); at += step)
    hash = llvm::hash_combine(hash, matrix.values[at]);
  auto [known, end] = matrixIds.equal_range(hash);
  known =
      std::find_if(known, end, [&](const auto &entry) { return problem.matrices[entry.second] == matrix; });
  uint32_t id = known != end ? known->second : uint32_t(problem.matrices.size());
  if (known == end) {
    matrixIds.emplace(hash, id);
    problem.matrices.push_back(std::move(matrix));
  }
  problem.edges.push_back({from, to, id});
}

SelectionProblem SelectionProblemBuilder::finish(SelectionUsage capacity) && {
  problem.capacity = capacity;
  return std::move(problem);
}

static llvm::Error checkNode(const SelectionProblem &problem, SelectionNode node) {
  if (problem.numStates(node) == 0)
    return llvm::createStringError(llvm::formatv("node {0} has no state", node));
  for (SelectionState state = 0; state < problem.numStates(node); ++state)
    if (problem.cost(node, state) < 0)
      return llvm::createStringError(llvm::formatv("state {0} of node {1} has a negative cost", state, node));
  return llvm::Error::success();
}

static llvm::Error checkHolding(const SelectionProblem &problem, const SelectionHolding &holding) {
  SelectionLifetime live = holding.live;
  if (live.begin > live.end)
    return llvm::createStringError(llvm::formatv("the interval of node {0} ends before it begins: [{1}, {2})",
                                                 holding.node, live.begin, live.end));
  for (SelectionState state = 0; state < problem.numStates(holding.node); ++state)
    if (problem.usage(holding, state) < 0)
      return llvm::createStringError(
          llvm::formatv("state {0} of node {1} has a negative usage", state, holding.node));
  return llvm::Error::success();
}

/// Whatever is selected, sums of usages stay within 62 bits: so none overflows, nor what is beyond the capacity.
static llvm::Error checkSums(const SelectionProblem &problem) {
  constexpr SelectionUsage kMost = SelectionUsage(1) << 62;
  SelectionUsage sum = 0;
  for (const SelectionHolding &holding : problem.holdings) {
    SelectionUsage most = 0;
    for (SelectionState state = 0; state < problem.numStates(holding.node); ++state)
      most = std::max(most, problem.usage(holding, state));
    if (most > kMost - sum)
      return llvm::createStringError(llvm::formatv(
          "with node {0} the largest usages come to more than {1}, which is the most that they may",
          holding.node, kMost));
    sum += most;
  }
  return llvm::Error::success();
}

/// The matrix may be another edge's as well, so its size is compared with that of this edge's nodes.
static llvm::Error checkEdge(const SelectionProblem &problem, size_t index) {
  const SelectionEdge &edge = problem.edges[index];
  if (edge.from >= problem.numNodes() || edge.to >= problem.numNodes())
    return llvm::createStringError(llvm::formatv("edge {0} names a node that is not there", index));
  if (edge.from == edge.to)
    return llvm::createStringError(llvm::formatv("edge {0} joins node {1} to itself", index, edge.from));
  const SelectionMatrix &matrix = problem.matrices[edge.matrix];
  size_t entries = size_t(problem.numStates(edge.from)) * problem.numStates(edge.to);
  if (matrix.values.size() != entries || matrix.rows != problem.numStates(edge.from))
    return llvm::createStringError(
        llvm::formatv("edge {0} has {1} costs, and its nodes have {2} pairs of states", index,
                      matrix.values.size(), entries));
  if (std::any_of(matrix.values.begin(), matrix.values.end(), [](SelectionCost cost) { return cost < 0; }))
    return llvm::createStringError(llvm::formatv("edge {0} has a negative cost", index));
  return llvm::Error::success();
}

llvm::Error tessera::checkSelectionProblem(const SelectionProblem &problem) {
  if (problem.capacity < 0)
    return llvm::createStringError("the usage limit is negative");
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    if (llvm::Error error = checkNode(problem, node))
      return error;
  for (const SelectionHolding &holding : problem.holdings)
    if (llvm::Error error = checkHolding(problem, holding))
      return error;
  if (llvm::Error error = checkSums(problem))
    return error;
  for (size_t edge = 0; edge < problem.edges.size(); ++edge)
    if (llvm::Error error = checkEdge(problem, edge))
      return error;
  return llvm::Error::success();
}

std::optional<SelectionCost> tessera::selectionCost(const SelectionProblem &problem,
                                                    llvm::ArrayRef<SelectionState> selection) {
  SelectionCost sum = 0;
  // What is allowed is less than kForbiddenCost, so the sum does not overflow before this is asked.
  auto add = [&](SelectionCost cost) {
    if (cost >= kForbiddenCost)
      return false;
    sum += cost;
    return sum < kForbiddenCost;
  };
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    if (!add(problem.cost(node, selection[node])))
      return std::nullopt;
  for (const SelectionEdge &edge : problem.edges)
    if (!add(problem.matrices[edge.matrix].at(selection[edge.from], selection[edge.to])))
      return std::nullopt;
  return sum;
}

/// Over changes in the order of times; O(n log n) in the holdings, however long they last.
SelectionUsage tessera::peakUsage(const SelectionProblem &problem, llvm::ArrayRef<SelectionState> selection) {
  std::map<int64_t, SelectionUsage> changes;
  for (const SelectionHolding &holding : problem.holdings) {
    SelectionUsage usage = problem.usage(holding, selection[holding.node]);
    if (usage == 0 || holding.live.begin == holding.live.end)
      continue;
    // At one time ends and beginnings cancel out, as lifetimes are half-open: what ends makes room for what begins.
    changes[holding.live.begin] += usage;
    changes[holding.live.end] -= usage;
  }
  SelectionUsage used = 0, peak = 0;
  for (auto [time, change] : changes) {
    used += change;
    peak = std::max(peak, used);
  }
  return peak;
}
