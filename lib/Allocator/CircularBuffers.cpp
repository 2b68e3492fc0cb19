//===- CircularBuffers.cpp - Where a program's circular buffers lie -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Allocator/CircularBuffers.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

namespace {

/// Every rectangle that a buffer names, those of buffers that alias a tensor too: later buffers may touch them.
std::vector<RangeEnd> rectangles(llvm::ArrayRef<BufferOnCores> buffers, Bytes base) {
  std::vector<RangeEnd> found;
  for (const BufferOnCores &buffer : buffers)
    for (const CoreRange &cores : buffer.cores.ranges)
      if (llvm::none_of(found, [&](const RangeEnd &range) { return range.cores == cores; }))
        found.push_back({cores, base});
  return found;
}

// The address of one buffer; moves the ends of all rectangles that it lies on. Quadratic in the rectangles of a
// program, of which there are few.
Bytes placeOne(const BufferOnCores &buffer, llvm::MutableArrayRef<RangeEnd> ranges, Bytes base,
               Bytes alignment) {
  auto owns = [&](const RangeEnd &range) { return llvm::is_contained(buffer.cores.ranges, range.cores); };
  auto touches = [&](const RangeEnd &range) {
    return llvm::any_of(buffer.cores.ranges,
                        [&](const CoreRange &own) { return own.intersects(range.cores); });
  };
  Bytes start = base;
  for (const RangeEnd &range : ranges)
    // Buffers follow each other where they are on the same cores, and lie side by side where they are not
    // (facts/allocator 7).
    if (owns(range))
      start = std::max(start, range.end);
  Bytes address = alignUp(start, alignment);
  for (RangeEnd &range : ranges)
    // The second condition is the defect: `range.end < address + buffer.size` would be right.
    if (owns(range) || (touches(range) && range.end <= address))
      range.end = address + buffer.size;
  return address;
}

} // namespace

PlacedBuffers tessera::placeCircularBuffers(llvm::ArrayRef<BufferOnCores> buffers, Bytes base,
                                            Bytes alignment) {
  PlacedBuffers placed;
  placed.ranges = rectangles(buffers, base);
  for (const BufferOnCores &buffer : buffers) {
    placed.addresses.emplace_back();
    if (!buffer.aliasesTensor)
      placed.addresses.back() = placeOne(buffer, placed.ranges, base, alignment);
  }
  return placed;
}

std::optional<Bytes> PlacedBuffers::end() const {
  std::optional<Bytes> largest;
  for (const RangeEnd &range : ranges)
    largest = std::max(largest.value_or(range.end), range.end);
  return largest;
}

LaunchCheck tessera::checkLaunch(const PlacedBuffers &buffers, Bytes l1End,
                                 std::optional<Bytes> lowestTensor) {
  for (const RangeEnd &range : buffers.ranges) {
    // L1's raw size: L1_SMALL is not looked at (facts/allocator 7).
    if (range.end > l1End)
      return {LaunchVerdict::BeyondL1, range};
    if (lowestTensor && range.end > *lowestTensor)
      return {LaunchVerdict::Clash, range};
  }
  return {};
}
