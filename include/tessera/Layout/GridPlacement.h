//===- GridPlacement.h - From virtual grids to physical cores -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A layout's grid is virtual: it may have any rank, and more columns than the
// chip. A GridPlacement holds the affine maps that tie it to the device, in
// the form of `#ttcore.grid`'s virt_to_physical_map and physical_to_virt_map:
// (d0, d1, ...) -> (chip, row, column) and back. On 8x8 cores per chip:
//
//   2x4      (d0, d1) -> (0, d0, d1)                              as it stands
//   1x64     (d0, d1) -> (0, (d0 * 64 + d1) floordiv 8, (d0 * 64 + d1) mod 8)
//   2x2x4    (d0, d1, d2) -> (d0, d1, d2)                         two chips
//   2x2x4    (d0, d1, d2) -> (0, (d0 * 8 + d1 * 4 + d2) floordiv 8, ... mod 8)      one chip
//
// Sources: facts/tensor-layout "Multi-Core", "Multi-device"; facts/ir 1.5.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_GRIDPLACEMENT_H
#define TESSERA_LAYOUT_GRIDPLACEMENT_H

#include "tessera/Layout/CoreRange.h"
#include "tessera/Layout/LinearMap.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tessera {

/// A linear map whose results may also be divided and wrapped: each is `(linear floordiv divisor) mod
/// modulus`.
struct GridMap {
  struct Result {
    LinearMap::Result linear;
    int64_t divisor = 1; ///< 1: not divided
    int64_t modulus = 0; ///< 0: not wrapped
    bool operator==(const Result &) const = default;
  };
  unsigned dims = 0;
  llvm::SmallVector<Result, 3> results;

  bool operator==(const GridMap &) const = default;
  /// The image of a non-negative index of size `dims`.
  Shape apply(llvm::ArrayRef<int64_t> index) const;
};

/// A core of a chip; chips are numbered row-major in the mesh.
struct PhysicalCore {
  int64_t chip = 0;
  CoreCoord core;
  constexpr auto operator<=>(const PhysicalCore &) const = default;
};

struct GridPlacement {
  GridMap toPhysical; ///< grid coordinate -> (chip, row, column)
  GridMap toVirtual;  ///< and back, for the cores that are used

  /// Where a core of the grid lies. Requires a coordinate within the grid.
  PhysicalCore operator()(llvm::ArrayRef<int64_t> gridCoordinate) const;
};

/// Places `grid` on the device:
///  1. On a device of several chips, all dimensions but the last two count chips, row-major over the mesh;
///     without such dimensions, chip 0.
///  2. What is left goes onto the worker grid as it stands if it is two-dimensional and fits, else row by
///  row.
/// The error names the count that does not fit.
llvm::Expected<GridPlacement> placeGrid(llvm::ArrayRef<int64_t> grid, const DeviceSpec &device);

/// "(d0, d1) -> (0, (d0 * 64 + d1) floordiv 8, (d0 * 64 + d1) mod 8)", as MLIR prints it.
std::string describe(const GridMap &map);

} // namespace tessera

#endif // TESSERA_LAYOUT_GRIDPLACEMENT_H
