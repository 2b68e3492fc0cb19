//===- Graph.cpp - A selection problem, as searches look at it ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Graph.h"

#include <algorithm>

using namespace tessera;

SelectionGraph::SelectionGraph(const SelectionProblem &problem) : problem(problem) {
  firstIncident.assign(problem.numNodes() + 1, 0);
  for (const SelectionEdge &edge : problem.edges) {
    ++firstIncident[edge.from + 1];
    ++firstIncident[edge.to + 1];
  }
  for (size_t node = 0; node < problem.numNodes(); ++node)
    firstIncident[node + 1] += firstIncident[node];
  // One array for all nodes, as each pass of messages walks the neighbours of every node.
  incidents.resize(problem.edges.size() * 2);
  std::vector<uint32_t> next(firstIncident.begin(), firstIncident.end() - 1);
  for (uint32_t index = 0; index < problem.edges.size(); ++index) {
    const SelectionEdge &edge = problem.edges[index];
    incidents[next[edge.from]++] = {edge.to, index, true};
    incidents[next[edge.to]++] = {edge.from, index, false};
  }
  // Holdings stand in the order of their nodes, so counts alone say where each node's begin.
  firstHolding.assign(problem.numNodes() + 1, 0);
  for (const SelectionHolding &holding : problem.holdings)
    ++firstHolding[holding.node + 1];
  for (size_t node = 0; node < problem.numNodes(); ++node)
    firstHolding[node + 1] += firstHolding[node];
  findTimes();
}

void SelectionGraph::findTimes() {
  // Usage grows only where something begins, and such a time is no fuller than the next one unless something
  // ends between them: what stays are the maximal cliques of the lifetimes.
  std::vector<int64_t> begins, ends;
  for (const auto &[node, live, firstUsage] : problem.holdings)
    if (live.begin < live.end) {
      begins.push_back(live.begin);
      ends.push_back(live.end);
    }
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  std::sort(ends.begin(), ends.end());
  for (size_t at = 0; at < begins.size(); ++at) {
    // Of the ends behind it: what ends at the time itself is not live any more.
    auto end = std::upper_bound(ends.begin(), ends.end(), begins[at]);
    if (at + 1 == begins.size() || (end != ends.end() && *end <= begins[at + 1]))
      times.push_back(begins[at]);
  }
  numTimes = uint32_t(times.size());
  auto indexOf = [&](int64_t time) {
    return uint32_t(std::lower_bound(times.begin(), times.end(), time) - times.begin());
  };
  for (const auto &[node, live, firstUsage] : problem.holdings)
    spans.push_back(live.begin < live.end ? Span{indexOf(live.begin), indexOf(live.end)} : Span{});
}
