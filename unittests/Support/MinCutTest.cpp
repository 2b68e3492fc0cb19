//===- MinCutTest.cpp - Cuts against all cuts -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Support/MinCut.h"

#include "gtest/gtest.h"

#include <random>
#include <tuple>

using namespace tessera;

namespace {

using Edges = std::vector<std::tuple<MinCut::Node, MinCut::Node, int64_t>>;

constexpr size_t kNodes = 8; // the source first, the sink last

int64_t cutCost(const Edges &edges, unsigned sourceSide) {
  int64_t cost = 0;
  for (auto [from, to, capacity] : edges)
    if ((sourceSide >> from & 1) && !(sourceSide >> to & 1))
      cost += capacity;
  return cost;
}

unsigned chosen(const Edges &edges) {
  MinCut graph(kNodes);
  for (auto [from, to, capacity] : edges)
    graph.connect(from, to, capacity);
  std::vector<bool> side = graph.sourceSide(0, kNodes - 1);
  unsigned bits = 0;
  for (size_t node = 0; node < kNodes; ++node)
    bits |= unsigned(side[node]) << node;
  return bits;
}

TEST(MinCut, CostsNoMoreThanAnyOtherCut) {
  std::mt19937 random(29);
  for (int graph = 0; graph < 500; ++graph) {
    Edges edges;
    for (size_t i = 0, count = random() % 30; i < count; ++i)
      edges.push_back({random() % kNodes, random() % kNodes, int64_t(random() % 20)});
    unsigned cut = chosen(edges), source = 1, sink = 1u << (kNodes - 1);
    ASSERT_TRUE(cut & source);
    ASSERT_FALSE(cut & sink);
    for (unsigned other = source; other < sink; other += 2) {
      ASSERT_LE(cutCost(edges, cut), cutCost(edges, other));
      if (cutCost(edges, other) == cutCost(edges, cut))
        ASSERT_EQ(cut & other, cut) << "of several the fewest nodes";
    }
  }
}

TEST(MinCut, LongPathsNeedNoStack) {
  constexpr MinCut::Node kLength = 200000;
  MinCut graph(kLength);
  for (MinCut::Node node = 0; node + 1 < kLength; ++node)
    graph.connect(node, node + 1, node == 1000 ? 1 : 2);
  std::vector<bool> side = graph.sourceSide(0, kLength - 1);
  EXPECT_TRUE(side[1000]);
  EXPECT_FALSE(side[1001]);
}

} // namespace
