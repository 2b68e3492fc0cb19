//===- UsageTimeline.h - How much of L1 is taken when ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_MEMORY_USAGETIMELINE_H
#define TESSERA_OPTIMIZER_MEMORY_USAGETIMELINE_H

#include "tessera/Optimizer/Memory/Interval.h"
#include "tessera/Support/Units.h"

#include <vector>

namespace tessera {

/// L1 per core in use at each position of a schedule that grows at its end. A reservation holds bytes over a
/// half-open interval; lengthening one that exists is another reservation over the added part.
///
///   bytes
///   700 |      +---+
///   400 |  +---+   |          append(300); append(400); append(0);
///   300 |--+       |          reserve({1, 3}, 300)
///       +--0---1---2---
///
/// add and peak are linear in the interval's length: a policy asks about the distance between two
/// neighbouring readers, which is a handful of steps.
class UsageTimeline {
public:
  size_t size() const { return used.size(); }
  /// Adds a position at the end that uses `bytes`.
  void append(Bytes bytes) { used.push_back(bytes); }
  /// Takes `bytes` more at every position of `interval`; parts beyond the end are ignored.
  void reserve(Interval interval, Bytes bytes);
  /// The largest use within `interval`, 0 if it is empty.
  Bytes peak(Interval interval) const;
  Bytes at(size_t position) const { return used[position]; }
  void clear() { used.clear(); }

private:
  std::vector<Bytes> used;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_MEMORY_USAGETIMELINE_H
