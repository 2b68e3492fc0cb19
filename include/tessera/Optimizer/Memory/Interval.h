//===- Interval.h - A stretch of the schedule -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_MEMORY_INTERVAL_H
#define TESSERA_OPTIMIZER_MEMORY_INTERVAL_H

#include <cstddef>

namespace tessera {

/// Half-open interval of step positions.
struct Interval {
  size_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
  bool contains(size_t position) const { return begin <= position && position < end; }
  bool operator==(const Interval &) const = default;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_MEMORY_INTERVAL_H
