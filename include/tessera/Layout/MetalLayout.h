//===- MetalLayout.h - The compiler's tensor layout -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A MetalLayout is `#ttcore.metal_layout` as a plain value: how a tensor of
// any rank folds into a physical space, and how that space is cut over a
// virtual grid of cores. The tensor keeps its logical shape; everything
// physical follows from the layout and that shape.
//
// The walkthrough of facts/tensor-layout "Tilized", 3x64x128 on a 3x2 grid, in tiles of bfp_bf8:
//
//   logical      3 x 64 x 128
//   linear map   (d0, d1, d2) -> (d0 * 64 + d1, d2)
//   collapsed    map(2, 63, 127) + 1               = 192 x 128 elements
//   grid 3x2     ceil(192 / 3) x ceil(128 / 2)     =  64 x  64 elements per core: first the grid ...
//   tile 32x32   ceil( 64 / 32) x ceil( 64 / 32)   =   2 x   2 tiles    per core: ... then the tiles
//
// The order matters where things do not divide: 53x63 on 3x2 is cut into
// 18x32 shards, each of which then fills a 32x32 tile. Every core has 14 rows
// of padding, and those of the last row, which hold 17 rows of data, 15.
//
//   TensorLayout.h   the same question as TTNN asks it: two dimensions, whole tiles, canonical cores
//   MetalGeometry.h  where each element lies, and what is padding
//   MetalToTtnn.h    from one to the other
//
// Source: facts/tensor-layout.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_METALLAYOUT_H
#define TESSERA_LAYOUT_METALLAYOUT_H

#include "tessera/Layout/DataType.h"
#include "tessera/Layout/LinearMap.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// What fills the padding.
enum class OobValue : uint8_t { Undef, Zero, One, Inf, NegInf };
/// Where a shard lies: host memory, host memory that the device sees, the device's DRAM, a core's L1.
enum class MemorySpace : uint8_t { System, SystemMMIO, DeviceDRAM, DeviceL1 };

llvm::StringRef name(OobValue value);    ///< "undef" "zero" "one" "inf" "neginf"
llvm::StringRef name(MemorySpace space); ///< "system" "mmio" "dram" "l1"

struct MetalLayout {
  LinearMap linear;                   ///< logical index -> collapsed physical index, in elements
  OobValue oob = OobValue::Undef;     ///< what fills the padding
  Shape grid;                         ///< virtual cores per physical dimension
  Shape shard;                        ///< the memref: extents per core, in tiles if tiled, else in elements
  std::optional<TileShape> tile;      ///< cuts the two innermost physical dimensions; absent: scalars
  DataType dtype = DataType::Float32; ///< element format of the memref, or of its tile
  MemorySpace space = MemorySpace::DeviceL1;

  bool operator==(const MetalLayout &) const = default;
  friend llvm::hash_code hash_value(const MetalLayout &layout);

  bool isTiled() const { return tile.has_value(); }
  /// Physical dimensions.
  unsigned rank() const { return linear.results.size(); }
};

// ---- Building -------------------------------------------------------------------------------------------

/// Dimensions [begin, end) that fold into one; negative numbers count from the rank, as -1 is the last.
struct CollapseInterval {
  int64_t begin = 0, end = -1;
  bool operator==(const CollapseInterval &) const = default;
};

struct MetalLayoutOptions {
  /// In any order; dimensions in none of them stay as they are. An empty interval folds nothing, so the
  /// default serves rank 1 too.
  llvm::SmallVector<CollapseInterval, 2> collapse = {{0, -1}};
  /// Per logical dimension, or empty for 1 throughout. The dimension takes a multiple of its alignment in the
  /// strides of the dimensions folded on top of it: alignment 32 for d1 of 2x8x32 gives `d0 * 32 + d1`, so
  /// that each d0 begins a tile. The first dimension of an interval has none on top, and its alignment no
  /// effect.
  Shape alignments = {};
  std::optional<TileShape> tile = std::nullopt;
  OobValue oob = OobValue::Undef;
  MemorySpace space = MemorySpace::DeviceL1;
};

/// The map that folds each interval of `shape` into one physical dimension. Errors: an interval out of range
/// or that ends before it begins, two that overlap, alignments of another rank or below 1, strides beyond
/// 2^62.
llvm::Expected<LinearMap> collapseDimensions(llvm::ArrayRef<int64_t> shape,
                                             llvm::ArrayRef<CollapseInterval> intervals,
                                             llvm::ArrayRef<int64_t> alignments = {});

/// The memref's shape: extents of the map over `shape`, ceil-divided by the grid, then by the tile in the two
/// innermost dimensions. Requires the ranks to match and a map that checkMetalLayout accepts.
Shape impliedShard(const LinearMap &linear, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> grid,
                   std::optional<TileShape> tile);

/// The layout of a tensor of `shape` on `grid`, whose rank must be that of the collapsed tensor. The error is
/// the first that collapseDimensions or checkMetalLayout finds.
llvm::Expected<MetalLayout> buildMetalLayout(llvm::ArrayRef<int64_t> shape, DataType dtype,
                                             llvm::ArrayRef<int64_t> grid,
                                             const MetalLayoutOptions &options = {});

// ---- Checking -------------------------------------------------------------------------------------------

/// A broken rule and what breaks it.
struct MetalViolation {
  llvm::StringLiteral rule; ///< "metal_layout.grid_rank": see kMetalRules in MetalLayoutCheck.cpp
  std::string message;
};

/// All that is wrong with `layout` for a tensor of `shape`, one entry per violation; empty if legal. Rules
/// that only make sense once others hold (the shard shape needs matching ranks) are left out until they do.
std::vector<MetalViolation> checkMetalLayout(const MetalLayout &layout, llvm::ArrayRef<int64_t> shape);

/// The attribute as IR has it: `#ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<...>>`.
std::string describe(const MetalLayout &layout);

} // namespace tessera

#endif // TESSERA_LAYOUT_METALLAYOUT_H
