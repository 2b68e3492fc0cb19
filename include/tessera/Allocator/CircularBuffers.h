//===- CircularBuffers.h - Where a program's circular buffers lie ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Circular buffers are not in the allocator. Each program lays its own upwards from the base of L1, whatever else is
// there, and the device checks before each launch that they end below the lowest L1 tensor, whichever cores it lies on.
//
// Addresses are kept per rectangle of cores. A program with buffers of 2,048 bytes on cores A, 1,000 on cores B and
// 512 on both, from base 0, aligned to 32:
//
//   cores A   |#0 2048        |#2 512|            ends: A 2560
//   cores B   |#1 1000 |......|#2 512|                  B 2560
//
// Source: facts/allocator 7.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_ALLOCATOR_CIRCULARBUFFERS_H
#define TESSERA_ALLOCATOR_CIRCULARBUFFERS_H

#include "tessera/Layout/CoreRange.h"
#include "tessera/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <vector>

namespace tessera {

/// A circular buffer of a program, as the program creates it.
struct BufferOnCores {
  CoreRangeSet cores;
  Bytes size;
  bool aliasesTensor = false; ///< lies where a tensor lies and takes nothing of its own
};

/// Where the circular buffers of one rectangle of cores end.
struct RangeEnd {
  CoreRange cores;
  Bytes end;
};

struct PlacedBuffers {
  std::vector<std::optional<Bytes>> addresses; ///< by buffer; nullopt: it aliases a tensor
  std::vector<RangeEnd> ranges; ///< each rectangle that a buffer names, once, in the order of first mention
  /// The largest end; nullopt without any rectangle.
  std::optional<Bytes> end() const;
};

/// Lays buffers in their order from `base` up. They start at multiples of `alignment`, sizes are not rounded.
///
/// Reproduces a defect of the device's runtime: the end of a rectangle that a buffer merely touches stays if it is
/// already above the buffer's address, though it may be below the buffer's end. After a small buffer on some cores and
/// a larger one on others, a third on the union can then overlap the larger.
PlacedBuffers placeCircularBuffers(llvm::ArrayRef<BufferOnCores> buffers, Bytes base, Bytes alignment);

enum class LaunchVerdict : uint8_t {
  Ok,
  Clash,    ///< circular buffers end above the lowest tensor
  BeyondL1, ///< they end above the end of L1
};

/// The answer of the check before a launch, and the rectangle that it failed at.
struct LaunchCheck {
  LaunchVerdict verdict = LaunchVerdict::Ok;
  std::optional<RangeEnd> at; ///< nullopt if the verdict is Ok
};

/// The device's check: of all rectangles in their order, the first whose buffers end above `l1End`, the raw size of L1,
/// or above `lowestTensor`; where both end at the same byte is fine. L1_SMALL is not looked at: without an L1 tensor,
/// buffers may run into it unnoticed.
LaunchCheck checkLaunch(const PlacedBuffers &buffers, Bytes l1End, std::optional<Bytes> lowestTensor);

} // namespace tessera

#endif // TESSERA_ALLOCATOR_CIRCULARBUFFERS_H
