//===- Interval.h - A stretch of a schedule or a plan --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_MEMORY_INTERVAL_H
#define TESSERA_OPTIMIZER_MEMORY_INTERVAL_H

#include "tessera/Support/Ordinal.h"

namespace tessera {

/// Half-open: from `begin` to one before `end`.
template <class Position>
struct Interval {
  Position begin, end;
  /// One that ends before it begins is empty, too.
  bool empty() const { return begin >= end; }
  bool contains(Position position) const { return begin <= position && position < end; }
  bool operator==(const Interval &) const = default;
};

using StepInterval = Interval<StepIndex>;
using ScheduleInterval = Interval<SchedulePos>;

} // namespace tessera

#endif // TESSERA_OPTIMIZER_MEMORY_INTERVAL_H
