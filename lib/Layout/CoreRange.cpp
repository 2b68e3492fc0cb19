//===- CoreRange.cpp - Rectangles of cores --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/CoreRange.h"

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace tessera {

CoreCount CoreRangeSet::size() const {
  CoreCount count;
  for (const CoreRange &range : ranges)
    count += CoreCount(range.volume());
  return count;
}

CoreRange CoreRangeSet::boundingBox() const {
  if (ranges.empty())
    return {};
  CoreRange box = ranges.front();
  for (const CoreRange &range : ranges) {
    box.start = {std::min(box.start.x, range.start.x), std::min(box.start.y, range.start.y)};
    box.end = {std::max(box.end.x, range.end.x), std::max(box.end.y, range.end.y)};
  }
  return box;
}

CoreRangeSet rowMajorCores(CoreCount count, GridShape workerGrid) {
  assert(count.value() >= 1 && count.value() <= workerGrid.volume() && "no such number of cores");
  // Full rows as one range and the rest as another, as tt-mlir writes them (facts/ir 1.1, "Canonical core
  // placement"): equal sets of cores have to be equal attributes.
  int64_t fullRows = count.value() / workerGrid.columns, tail = count.value() % workerGrid.columns;
  CoreRangeSet set;
  if (fullRows > 0)
    set.ranges.push_back({{0, 0}, {workerGrid.columns - 1, fullRows - 1}});
  if (tail > 0)
    set.ranges.push_back({{0, fullRows}, {tail - 1, fullRows}});
  return set;
}

CoreRangeSet rectangleOfCores(GridShape grid) { return {{{{0, 0}, {grid.columns - 1, grid.rows - 1}}}}; }

} // namespace tessera
