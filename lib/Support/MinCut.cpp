//===- MinCut.cpp - The cheapest cut of a graph ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Dinic's algorithm. Each round numbers the nodes by their distance from the
// source, then sends flow along paths on which that number grows by one, until
// none is left; the next round's distance to the sink is larger, so there are
// at most as many rounds as nodes. Edges are tried in the order in which they
// were connected. The flow depends on that, the cut does not: the source's side
// of the smallest one is the same for every largest flow.
//
//===----------------------------------------------------------------------===//
#include "tessera/Support/MinCut.h"

#include <algorithm>
#include <cassert>

using namespace tessera;

void MinCut::connect(Node from, Node to, int64_t capacity) {
  assert(capacity >= 0 && capacity <= kUncuttable);
  // The one would always be in a cut at no cost, the other never.
  if (capacity == 0 || from == to)
    return;
  // An edge and its reverse have numbers that differ in the last bit.
  edgesOf[from].push_back(uint32_t(edges.size()));
  edges.push_back({to, capacity});
  edgesOf[to].push_back(uint32_t(edges.size()));
  edges.push_back({from, 0});
}

std::vector<bool> MinCut::sourceSide(Node source, Node sink) {
  while (findLevels(source, sink)) {
    // Levels are as they were until no path is left, so an edge that leads nowhere is not tried again.
    next.assign(edgesOf.size(), 0);
    while (augment(source, sink))
      ;
  }
  // The last call of findLevels() failed, so its levels are the set of nodes that can still be reached. It is part of
  // every source's side of a cheapest cut, which is why it is the one with fewest nodes (see MinCut.h).
  // What the last walk reached lies before the cut: all edges out of it are in full use.
  std::vector<bool> reached(edgesOf.size());
  for (size_t node = 0; node < reached.size(); ++node)
    reached[node] = levels[node] >= 0;
  return reached;
}

bool MinCut::findLevels(Node source, Node sink) {
  levels.assign(edgesOf.size(), -1);
  levels[source] = 0;
  std::vector<Node> queue = {source};
  for (size_t at = 0; at < queue.size(); ++at)
    for (uint32_t edge : edgesOf[queue[at]])
      if (auto [to, left] = edges[edge]; left > 0 && levels[to] < 0) {
        levels[to] = levels[queue[at]] + 1;
        queue.push_back(to);
      }
  return levels[sink] >= 0;
}

/// One more path along growing levels, without recursion: graphs are as deep as the program. False if there is none.
bool MinCut::augment(Node source, Node sink) {
  std::vector<uint32_t> path;
  for (Node at = source; at != sink;) {
    if (next[at] == edgesOf[at].size()) {
      if (path.empty())
        return false;
      at = edges[path.back() ^ 1].to; // a dead end: back, and on with the next edge there
      path.pop_back();
      ++next[at];
      continue;
    }
    uint32_t edge = edgesOf[at][next[at]];
    if (auto [to, left] = edges[edge]; left > 0 && levels[to] == levels[at] + 1) {
      path.push_back(edge);
      at = to;
    } else {
      ++next[at];
    }
  }
  // Every edge of a path has some capacity left, so at least one of them is full after this: a round ends after at most
  // as many paths as there are edges. Capacity that flow takes from an edge goes to its reverse, by which a later path
  // may send it another way.
  int64_t flow = kUncuttable;
  for (uint32_t edge : path)
    flow = std::min(flow, edges[edge].left);
  for (uint32_t edge : path) {
    edges[edge].left -= flow;
    edges[edge ^ 1].left += flow;
  }
  return true;
}
