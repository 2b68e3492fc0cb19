//===- CoreRange.h - Rectangles of cores ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_CORERANGE_H
#define TESSERA_LAYOUT_CORERANGE_H

#include "tessera/Device/DeviceSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera {

/// A logical core: x is the column, y the row.
/// Logical ones count the cores that a program can use from (0, 0) on, without gaps where a chip has none.
struct CoreCoord {
  int64_t x = 0, y = 0;
  constexpr auto operator<=>(const CoreCoord &) const = default;
  friend llvm::hash_code hash_value(CoreCoord c) { return llvm::hash_combine(c.x, c.y); }
};

/// A rectangle of cores, both corners included, as `#ttnn.core_range<(x,y), (x,y)>` has it.
struct CoreRange {
  CoreCoord start, end;
  constexpr int64_t volume() const { return (end.x - start.x + 1) * (end.y - start.y + 1); }
  constexpr bool contains(CoreCoord c) const {
    return start.x <= c.x && c.x <= end.x && start.y <= c.y && c.y <= end.y;
  }
  constexpr bool intersects(const CoreRange &other) const {
    return start.x <= other.end.x && other.start.x <= end.x && start.y <= other.end.y &&
           other.start.y <= end.y;
  }
  constexpr auto operator<=>(const CoreRange &) const = default;
  friend llvm::hash_code hash_value(const CoreRange &r) { return llvm::hash_combine(r.start, r.end); }
};

/// Disjoint rectangles, in placement order: shard i lies on the i-th core of the set, row by row.
/// Example: {(0,0)-(7,0), (0,1)-(2,1)} is 11 cores, and shard 8 lies on (0,1).
struct CoreRangeSet {
  llvm::SmallVector<CoreRange, 2> ranges;

  /// Cores of all ranges together.
  CoreCount size() const;
  /// The smallest rectangle that holds all cores; {} if the set is empty.
  CoreRange boundingBox() const;
  bool operator==(const CoreRangeSet &) const = default;
  friend llvm::hash_code hash_value(const CoreRangeSet &set) {
    return llvm::hash_combine_range(set.ranges.begin(), set.ranges.end());
  }
};

/// `count` cores of `workerGrid` row by row: the full rows as one range, then the rest of a row
/// (facts/ir 1.1, canonical core placement). Requires 1 <= count <= workerGrid.volume().
CoreRangeSet rowMajorCores(CoreCount count, GridShape workerGrid);
/// The rectangle (0,0)-(columns-1,rows-1).
CoreRangeSet rectangleOfCores(GridShape grid);

} // namespace tessera

#endif // TESSERA_LAYOUT_CORERANGE_H
