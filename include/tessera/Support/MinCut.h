//===- MinCut.h - The cheapest cut of a graph -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_MINCUT_H
#define TESSERA_SUPPORT_MINCUT_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera {

/// A directed graph with capacities, cut between two of its nodes (Dinic 1970). Choices between two options each that
/// pay extra where neighbours differ are such a graph: a node on the source's side takes the first option.
class MinCut {
public:
  using Node = uint32_t;
  /// Never cut, as long as there is another way.
  static constexpr int64_t kUncuttable = std::numeric_limits<int64_t>::max() / 4;

  explicit MinCut(size_t nodes) : edgesOf(nodes) {}

  /// Nodes count up from those that the constructor made.
  Node addNode() {
    edgesOf.emplace_back();
    return Node(edgesOf.size() - 1);
  }
  /// Costs `capacity` (at least 0, at most kUncuttable) if `from` is on the source's side and `to` is not.
  void connect(Node from, Node to, int64_t capacity);
  /// By node: whether it is on the source's side of a cut that costs least; of several the one with fewest nodes there.
  /// Uses the graph up.
  std::vector<bool> sourceSide(Node source, Node sink);

private:
  struct Edge {
    Node to;
    int64_t left; ///< capacity that is not in use
  };

  /// Distances from the source over edges with capacity left. False if the sink is not reached: the flow is a largest
  /// one.
  bool findLevels(Node source, Node sink);
  bool augment(Node source, Node sink);

  std::vector<Edge> edges; ///< each followed by its reverse
  std::vector<std::vector<uint32_t>> edgesOf;
  std::vector<int32_t> levels; ///< distance from the source, -1 if it is not reached
  std::vector<uint32_t> next;  ///< the edge of each node to try next
};

} // namespace tessera

#endif // TESSERA_SUPPORT_MINCUT_H
