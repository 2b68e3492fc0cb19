//===- Occupancy.cpp - How full each time is ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Merged nodes hold thousands of tensors, so what a node holds is cut where its sum changes, and of each part what its
// most modest state uses is counted once and for all. A change of state then goes through the parts that differ.
//
//===----------------------------------------------------------------------===//
#include "Occupancy.h"

#include <algorithm>
#include <tuple>

using namespace tessera;

Occupancy::Occupancy(const SelectionGraph &graph) : graph(graph) {
  least.assign(graph.numTimes, 0);
  firstPiece.push_back(0);
  for (SelectionNode node = 0; node < graph.problem.numNodes(); ++node) {
    cut(node);
    firstPiece.push_back(uint32_t(pieces.size()));
  }
  usedAt = least;
}

/// A merged node holds thousands of tensors: what counts is the sum between two of their ends.
void Occupancy::cut(SelectionNode node) {
  const SelectionProblem &problem = graph.problem;
  struct Change {
    uint32_t time;
    uint32_t holding;
    bool isBegin;
  };
  std::vector<Change> changes;
  auto [begin, end] = graph.holdingsOf(node);
  for (uint32_t holding = begin; holding < end; ++holding)
    if (auto [from, to] = graph.spans[holding]; from < to) {
      changes.push_back({from, holding, true});
      changes.push_back({to, holding, false});
    }
  std::sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) {
    return std::tie(a.time, a.holding) < std::tie(b.time, b.holding);
  });
  // Of a node with two states that holds one tensor over [0, 4) with 2 or 3, and another over [2, 6) with 5 or 1:
  //
  //   time          [0, 2)   [2, 4)   [4, 6)
  //   sums          2 or 3   7 or 4   5 or 1
  //   least         2        4        1
  //   pieces        0 or 1   3 or 0   4 or 0
  std::vector<SelectionUsage> sums(problem.numStates(node));
  for (size_t at = 0; at < changes.size();) {
    uint32_t time = changes[at].time;
    for (; at < changes.size() && changes[at].time == time; ++at)
      for (SelectionState state = 0; state < sums.size(); ++state) {
        SelectionUsage usage = problem.usage(problem.holdings[changes[at].holding], state);
        sums[state] += changes[at].isBegin ? usage : -usage;
      }
    // Behind the last end nothing is held.
    if (at == changes.size())
      return;
    auto [low, high] = std::minmax_element(sums.begin(), sums.end());
    // What all states use is no choice, and kept once: pieces are gone through at each change of the node.
    for (uint32_t later = time; later < changes[at].time; ++later)
      least[later] += *low;
    if (*low == *high)
      continue;
    pieces.push_back({{time, changes[at].time}, usages.size()});
    // Above the most modest state, whose usage is in `least`.
    for (SelectionUsage sum : sums)
      usages.push_back(sum - *low);
  }
}

/// What comes off a bound at these prices: `addPrices` charges for what is beyond `least` only, so `least` comes off
/// the capacity first.
double Occupancy::roomWorth(llvm::ArrayRef<double> prices) const {
  double sum = 0;
  for (size_t time = 0; time < prices.size(); ++time)
    sum += prices[time] * double(capacity() - least[time]);
  return sum;
}

void Occupancy::set(llvm::ArrayRef<SelectionState> selection) {
  // Only where pieces begin and end something changes: of a whole selection a sum over these takes less than to go through each piece's times.
  std::vector<SelectionUsage> changes(least.size() + 1, 0);
  for (SelectionNode node = 0; node < selection.size(); ++node)
    for (uint32_t piece = firstPiece[node]; piece < firstPiece[node + 1]; ++piece) {
      SelectionUsage usage = usages[pieces[piece].firstUsage + selection[node]];
      changes[pieces[piece].span.begin] += usage;
      changes[pieces[piece].span.end] -= usage;
    }
  // What the states use beyond `least`, summed up along the times.
  SelectionUsage more = 0;
  excessSum = 0;
  for (size_t time = 0; time < least.size(); ++time) {
    more += changes[time];
    usedAt[time] = least[time] + more;
    excessSum += std::max<SelectionUsage>(0, usedAt[time] - capacity());
  }
}

void Occupancy::add(SelectionGraph::Span span, SelectionUsage usage) {
  SelectionUsage limit = capacity();
  SelectionSum more = 0;
  for (uint32_t time = span.begin; time < span.end; ++time) {
    SelectionUsage before = usedAt[time], after = before + usage;
    usedAt[time] = after;
    more += std::max<SelectionUsage>(0, after - limit) - std::max<SelectionUsage>(0, before - limit);
  }
  excessSum += more;
}

/// The search takes changes back that were not worth it, by the same call the other way round.
void Occupancy::change(SelectionNode node, SelectionState from, SelectionState to) {
  for (uint32_t piece = firstPiece[node]; piece < firstPiece[node + 1]; ++piece) {
    const SelectionUsage *usage = &usages[pieces[piece].firstUsage];
    if (usage[from] != usage[to])
      add(pieces[piece].span, usage[to] - usage[from]);
  }
}

void Occupancy::addPrices(llvm::ArrayRef<double> prices, std::vector<double> &byState) const {
  // Sums up to each time, so that a piece costs two look-ups however long it lasts.
  std::vector<double> sums(prices.size() + 1, 0);
  for (size_t time = 0; time < prices.size(); ++time)
    sums[time + 1] = sums[time] + prices[time];
  std::fill(byState.begin(), byState.end(), 0);
  for (SelectionNode node = 0; node + 1 < firstPiece.size(); ++node) {
    size_t first = graph.problem.firstState[node], states = graph.problem.numStates(node);
    for (uint32_t piece = firstPiece[node]; piece < firstPiece[node + 1]; ++piece) {
      double price = sums[pieces[piece].span.end] - sums[pieces[piece].span.begin];
      const SelectionUsage *usage = &usages[pieces[piece].firstUsage];
      for (size_t state = 0; state < states; ++state)
        byState[first + state] += price * double(usage[state]);
    }
  }
}

std::vector<SelectionNode> Occupancy::nodesAt(uint32_t time) const {
  std::vector<SelectionNode> nodes;
  for (SelectionNode node = 0; node + 1 < firstPiece.size(); ++node) {
    auto begin = pieces.begin() + firstPiece[node], end = pieces.begin() + firstPiece[node + 1];
    // A node's pieces follow one another in time, so the last that begins by then is the only one that can hold it.
    auto after = std::upper_bound(begin, end, time,
                                  [](uint32_t at, const Piece &piece) { return at < piece.span.begin; });
    if (after != begin && time < std::prev(after)->span.end)
      nodes.push_back(node);
  }
  return nodes;
}
