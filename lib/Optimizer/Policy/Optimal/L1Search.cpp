//===- L1Search.cpp - Best selections where L1 is full --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Lagrangian relaxation: with a price on each byte at each time, what is best is a lower bound once the price of all
// L1 comes off, whatever the prices are. They are moved along the excess of what is best, by Polyak's step
//
//   price += step x (known - proven) / |excess|^2 x excess,   never below 0
//
// which is as far as the bound would have to grow to meet what is known. Where two nodes alone exceed L1 a price would
// only share it between them, half and half; so such pairs become edges that forbid them.
//
//===----------------------------------------------------------------------===//
#include "L1Search.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::optimal;

/// Passes of messages: at first, and after prices have moved.
static constexpr int kFirstPasses = 200, kMorePasses = 4;
/// Of the way that would lead to what is known, if the bound grew as it begins to; less of it after so many steps that brought nothing.
static constexpr double kFirstStep = 1, kLessStep = 0.6;
static constexpr int kPatience = 4;
/// Costs are whole numbers, and sums of them in floating point off by less.
static constexpr double kRounding = 0.5;
/// With so many states less it is worth it to begin anew.
static constexpr double kShareToRestart = 0.3;
/// Steps that grew shorter than this are at their end.
static constexpr double kLeastStep = 0.02;

static bool isLive(const SelectionHolding &holding, size_t time) {
  return size_t(holding.live.begin) <= time && time < size_t(holding.live.end);
}

/// Two nodes that hold something over the span meet where most is taken, too.
static Bytes mostTaken(llvm::ArrayRef<Bytes> taken, int64_t begin, int64_t end) {
  return taken.empty() ? Bytes(0) : *llvm::max_element(taken.slice(size_t(begin), size_t(end - begin)));
}

/// What one node holds: holdings stand in the order of their nodes.
static llvm::ArrayRef<SelectionHolding> holdingsOf(const SelectionProblem &problem, SelectionNode node) {
  llvm::ArrayRef<SelectionHolding> all = problem.holdings;
  const auto *begin =
      llvm::partition_point(all, [&](const SelectionHolding &holding) { return holding.node < node; });
  const auto *end =
      llvm::partition_point(all, [&](const SelectionHolding &holding) { return holding.node <= node; });
  return {begin, end};
}

SelectionProblem optimal::withConflicts(const SelectionProblem &problem,
                                        llvm::ArrayRef<SelectionConflict> conflicts,
                                        llvm::ArrayRef<Bytes> taken) {
  SelectionProblem extended = problem;
  for (auto [a, b] : conflicts) {
    uint32_t rows = problem.numStates(a), columns = problem.numStates(b);
    std::vector<SelectionCost> costs(size_t(rows) * columns);
    // A node may hold something over several spans: of two nodes all that meet count.
    for (const SelectionHolding &one : holdingsOf(problem, a))
      for (const SelectionHolding &other : holdingsOf(problem, b)) {
        int64_t begin = std::max(one.live.begin, other.live.begin),
                end = std::min(one.live.end, other.live.end);
        if (begin >= end)
          continue;
        SelectionUsage room = problem.capacity - mostTaken(taken, begin, end).value();
        for (SelectionState row = 0; row < rows; ++row)
          for (SelectionState column = 0; column < columns; ++column)
            if (problem.usage(one, row) + problem.usage(other, column) > room)
              costs[size_t(row) * columns + column] = kForbiddenCost;
      }
    extended.edges.push_back({a, b, uint32_t(extended.matrices.size())});
    extended.matrices.push_back({rows, columns, std::move(costs)});
  }
  return extended;
}

L1Search::L1Search(const SelectionProblem &problem, SelectionCost known)
    : problem(problem), given(known), known(double(known)), isLeft(problem.costs.size(), true),
      step(kFirstStep) {
  int64_t times = 0;
  for (const SelectionHolding &holding : problem.holdings)
    times = std::max(times, holding.live.end);
  prices.assign(size_t(times), 0);
  bestPrices = prices;
  restart();
}

/// The problem of the states that are left. None of them must have lost all.
static SelectionProblem withStates(const SelectionProblem &problem,
                                   llvm::ArrayRef<std::vector<SelectionState>> kept) {
  SelectionProblemBuilder builder;
  auto holding = problem.holdings.begin();
  for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
    std::vector<SelectionCost> costs;
    for (SelectionState state : kept[node])
      costs.push_back(problem.cost(node, state));
    builder.addNode(costs);
    for (; holding != problem.holdings.end() && holding->node == node; ++holding) {
      std::vector<SelectionUsage> usages;
      for (SelectionState state : kept[node])
        usages.push_back(problem.usage(*holding, state));
      builder.addHolding(holding->live, usages);
    }
  }
  for (const SelectionEdge &edge : problem.edges) {
    std::vector<SelectionCost> pairs;
    for (SelectionState from : kept[edge.from])
      for (SelectionState to : kept[edge.to])
        pairs.push_back(problem.matrices[edge.matrix].at(from, to));
    builder.addEdge(edge.from, edge.to, std::move(pairs));
  }
  return std::move(builder).finish(problem.capacity);
}

/// States that only selections have which cost what is known are left out for good: whatever the prices, they are no part of anything cheaper.
void L1Search::restart() {
  leftOut = 0;
  kept.assign(problem.numNodes(), {});
  for (SelectionNode node = 0; node < problem.numNodes(); ++node) {
    for (SelectionState state = 0; state < problem.numStates(node); ++state)
      if (isLeft[problem.firstState[node] + state])
        kept[node].push_back(state);
    // Nothing is cheaper than what is known: that is the best there is, and proven to be.
    if (kept[node].empty()) {
      most = double(given);
      isOver = true;
      return;
    }
  }
  posed = withStates(problem, kept);
  extended = withConflicts(posed, conflicts, taken);
  selections.emplace(extended);
  // Messages of the problem before tell nothing of this one.
  passes = kFirstPasses;
}

/// `pricesOfAll`: of all L1 that there is.
/// A state may be left out by prices that are given up later: what was proven of it holds, whatever prices are next.
void L1Search::leaveOut(double pricesOfAll) {
  // With room for rounding, as what is left out never comes back.
  std::vector<double> least = selections->least();
  for (SelectionNode node = 0; node < problem.numNodes(); ++node)
    for (auto [state, its] : llvm::enumerate(kept[node]))
      if (least[posed.firstState[node] + state] - pricesOfAll > double(given) + kRounding) {
        isLeft[problem.firstState[node] + its] = false;
        ++leftOut;
      }
}

void L1Search::take(llvm::ArrayRef<Bytes> bytes) {
  taken.assign(bytes.begin(), bytes.end());
  known = double(given);
  cheapestThatFits.clear();
  prices = bestPrices;
  most = 0;
  step = kFirstStep;
  idle = 0;
  isOver = false;
  // States that were left out stay so: with less room nothing gets cheaper.
  restart();
}

double L1Search::roomAt(size_t time) const {
  return double(problem.capacity - (taken.empty() ? 0 : taken[time].value()));
}

/// One step: solve at these prices, note what that proves and whether it fits, leave out states, then forbid a pair or
/// move the prices.
std::optional<Selection> L1Search::next() {
  if (isOver)
    return std::nullopt;
  Selection selection = selections->solve(costs(), std::exchange(passes, kMorePasses));
  // Costs at these prices charge for all that is held. What there is, is free, so its price comes off what is proven.
  double pricesOfAll = 0;
  for (auto [time, price] : llvm::enumerate(prices))
    pricesOfAll += price * roomAt(time);
  // No more than what was given when it began: states whose selections cost more were left out.
  double proven = std::min(double(given), selections->bound() - pricesOfAll);
  std::vector<double> beyond = excess(selection);
  std::optional<SelectionCost> cost = selectionCost(posed, selection);
  Selection its;
  for (auto [node, state] : llvm::enumerate(selection))
    its.push_back(kept[node][state]);
  if (cost && double(*cost) < known && llvm::all_of(beyond, [](double bytes) { return bytes <= 0; })) {
    cheapestThatFits = its;
    known = double(*cost);
  }
  keep(proven);
  isOver = most >= known || step < kLeastStep;
  if (isOver)
    return its;
  leaveOut(pricesOfAll);
  // Two nodes that exceed L1 by themselves become an edge, which is exact. Prices move only where there is no such
  // pair.
  bool isNew = forbid(selection, beyond);
  if (!isNew)
    isOver = !move(beyond, step * (known - proven));
  // A restart costs the messages that are there, so it waits until a good part of the states is out.
  if (isNew || double(leftOut) > kShareToRestart * double(posed.costs.size()))
    restart();
  return its;
}

/// Steps that lead too far come back to where most was proven, and shorter ones go on from there.
void L1Search::keep(double proven) {
  if (proven > most) {
    most = proven;
    bestPrices = prices;
    best.conflicts = conflicts;
    best.prices.clear();
    for (size_t time = 0; time < prices.size(); ++time)
      if (prices[time] > 0)
        best.prices.push_back({int64_t(time), prices[time]});
    idle = 0;
  } else if (++idle == kPatience) {
    idle = 0;
    step *= kLessStep;
    prices = bestPrices;
  }
}

/// Pairs that exceed the capacity by themselves, at times at which the selection does. False if there are none that are not known.
bool L1Search::forbid(const Selection &selection, llvm::ArrayRef<double> excess) {
  size_t before = conflicts.size();
  for (auto [time, bytes] : llvm::enumerate(excess)) {
    if (bytes <= 0)
      continue;
    // Only pairs, as an edge is between two nodes: what three exceed together is left to the prices.
    std::vector<std::pair<SelectionNode, SelectionUsage>> holders;
    for (const SelectionHolding &holding : posed.holdings)
      if (isLive(holding, time))
        holders.emplace_back(holding.node, posed.usage(holding, selection[holding.node]));
    for (auto [one, itsUsage] : holders)
      for (auto [other, usage] : holders)
        // Of its two orders a pair is noted in one.
        if (one<other &&double(itsUsage + usage)> roomAt(time) &&
            !llvm::is_contained(conflicts, SelectionConflict(one, other)))
          conflicts.emplace_back(one, other);
  }
  return conflicts.size() > before;
}

std::vector<double> L1Search::costs() const {
  // Sums up to each time: a span costs a difference of two, however long it is.
  std::vector<double> before = {0};
  for (double price : prices)
    before.push_back(before.back() + price);
  std::vector<double> costs(posed.costs.begin(), posed.costs.end());
  for (const SelectionHolding &holding : posed.holdings)
    if (double price = before[size_t(holding.live.end)] - before[size_t(holding.live.begin)]; price > 0)
      for (SelectionState state = 0; state < posed.numStates(holding.node); ++state)
        costs[posed.firstState[holding.node] + state] += price * double(posed.usage(holding, state));
  return costs;
}

/// What the selection uses more than there is, by time; less than 0 where it leaves some.
std::vector<double> L1Search::excess(const Selection &selection) const {
  std::vector<double> change(prices.size() + 1);
  for (const SelectionHolding &holding : posed.holdings) {
    double usage = double(posed.usage(holding, selection[holding.node]));
    change[size_t(holding.live.begin)] += usage;
    change[size_t(holding.live.end)] -= usage;
  }
  change.pop_back();
  double used = 0;
  for (auto [time, its] : llvm::enumerate(change))
    its = (used += its) - roomAt(time);
  return change;
}

/// False if there is nowhere to go: what is best at these prices fits, and leaves nothing where L1 has a price.
bool L1Search::move(llvm::ArrayRef<double> excess, double gain) {
  double norm = 0;
  // A time without a price that has room left would not move, so it has no part in the length of the step.
  for (auto [price, bytes] : llvm::zip_equal(prices, excess))
    if (bytes > 0 || price > 0)
      norm += bytes * bytes;
  if (norm == 0)
    return false;
  for (auto [price, bytes] : llvm::zip_equal(prices, excess))
    price = std::max(0.0, price + gain / norm * bytes);
  return true;
}
