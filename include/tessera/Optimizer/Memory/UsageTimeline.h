//===- UsageTimeline.h - How much of L1 is taken when ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The room is arithmetic over positions, of a schedule or of a plan's steps: who
// is alive when (Lifetime.h), how much L1 that comes to (here), who leaves first
// (SpillSelection.h). Intervals and bytes go in, sums and orders come out; no op
// model is asked and no plan is known. The checker, the ledger and `greedy` keep
// their accounts with it, so that they count alike.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_MEMORY_USAGETIMELINE_H
#define TESSERA_OPTIMIZER_MEMORY_USAGETIMELINE_H

#include "tessera/Optimizer/Memory/Interval.h"
#include "tessera/Support/Units.h"

#include <vector>

namespace tessera {

/// L1 per core in use at each position of a schedule or a plan that grows at its end. A reservation holds bytes over a
/// half-open interval; lengthening one that exists is another reservation over the added part.
///
///   bytes
///   700 |      +---+
///   400 |  +---+   |          append(300); append(400); append(0);
///   300 |--+       |          reserve({1, 3}, 300)
///       +--0---1---2---
///
/// Everything takes O(log size), however long the interval: values can live across the whole program. A segment tree
/// whose nodes hold what was reserved over all of their positions:
///
///              +3                reserve({0, 4}, 3) stays at the root
///           /      \             reserve({2, 4}, 2) stays one level below
///         +0        +2           at(3) = 4 + 2 + 3
///        7   1     0   4
///
/// Parts of intervals beyond the end are ignored.
template <class Position>
class UsageTimeline {
public:
  using Range = Interval<Position>;

  Position end() const { return Position(count); }
  /// Adds a position at the end that uses `bytes`.
  void append(Bytes bytes);
  /// Takes `bytes` more at every position of `interval`, less if it is negative.
  void reserve(Range interval, Bytes bytes);
  /// The largest use within `interval`, 0 if it is empty.
  Bytes peak(Range interval) const;
  /// The position must have been appended.
  Bytes at(Position position) const;
  /// The first position of `interval` that uses more than `limit`, end() if none does.
  Position firstAbove(Range interval, Bytes limit) const;

private:
  struct Node {
    Bytes everywhere; ///< reserved at all positions below
    Bytes largest;    ///< use at one of them: `everywhere` counts, what is reserved further up does not
  };
  /// A node and the positions below it.
  struct Place {
    size_t node;
    Range positions;
    /// Not of a leaf.
    Place half(bool second) const;
  };

  Place root() const { return {1, {Position(), Position(leaves)}}; }
  void grow();
  /// A node's figure from those of its halves.
  void update(size_t node);
  /// Below the place: what is reserved further up is the caller's to add, or to take off the limit.
  Bytes peak(Place place, Range interval) const;
  Position firstAbove(Place place, Range interval, Bytes limit) const;

  size_t count = 0;
  size_t leaves = 0;       ///< a power of two, or 0; position i is node leaves + i
  std::vector<Node> nodes; ///< the root is 1, the halves of node i are 2i and 2i + 1
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_MEMORY_USAGETIMELINE_H
