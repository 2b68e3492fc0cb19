//===- LinearMap.h - Linear maps between index spaces --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_LINEARMAP_H
#define TESSERA_LAYOUT_LINEARMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera {

using Shape = llvm::SmallVector<int64_t, 4>;

/// Dimensions that a layout's map may have, on either side: work and memory grow with their square. Tensors have less
/// than 10.
constexpr unsigned kMostDimensions = 64;
/// Extents and coefficients beyond this are nonsense in the attributes of layouts, and products of two that are within
/// it don't overflow.
constexpr int64_t kMaxLayoutExtent = int64_t(1) << 31;

/// `(d0, ..., dn-1) -> (r0, r1, ...)` with each r a constant plus an integer multiple of each d: the affine
/// maps that layouts carry, e.g. `(d0, d1, d2) -> (d0 * 64 + d1, d2)` or `(d0) -> (0, d0)`.
struct LinearMap {
  struct Result {
    llvm::SmallVector<int64_t, 4> coefficients; ///< one per dimension
    int64_t constant = 0;
    bool operator==(const Result &) const = default;
  };
  unsigned dims = 0;
  llvm::SmallVector<Result, 2> results;

  bool operator==(const LinearMap &) const = default;
  friend llvm::hash_code hash_value(const LinearMap &map);

  /// The image of `index` (size `dims`).
  Shape apply(llvm::ArrayRef<int64_t> index) const;

  /// The extents of the image of the box `shape`: map(shape - 1) + 1 per result. An empty dimension gives 0.
  Shape extents(llvm::ArrayRef<int64_t> shape) const;
};

} // namespace tessera

#endif // TESSERA_LAYOUT_LINEARMAP_H
