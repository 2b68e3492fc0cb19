//===- MetalLayoutCheck.cpp - Which metal layouts are legal ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The rules of facts/tensor-layout as a table. A rule says what is wrong, or
// "". It may rely on all rules of earlier stages: when one of those is broken,
// it is not asked.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/MetalGeometry.h"
#include "tessera/Layout/MetalLayout.h"

#include "TextParts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tessera {
namespace {

using Extents = ArrayRef<int64_t>;

// ---- Stage 0: the parts fit together --------------------------------------------------------------------

std::string checkMapDims(const MetalLayout &layout, Extents shape) {
  if (layout.linear.dims != shape.size())
    return formatv("the linear map has {0} dimensions, but the tensor has rank {1}", layout.linear.dims,
                   shape.size());
  for (const LinearMap::Result &result : layout.linear.results)
    if (result.coefficients.size() != layout.linear.dims)
      return formatv("the linear map has {0} dimensions, but a result has {1} coefficients",
                     layout.linear.dims, result.coefficients.size());
  return "";
}

std::string checkGridRank(const MetalLayout &layout, Extents) {
  if (layout.grid.size() == layout.rank())
    return "";
  return formatv("the linear map has {0} results, but grid <{1}> has rank {2}", layout.rank(),
                 text(layout.grid), layout.grid.size());
}

std::string checkShardRank(const MetalLayout &layout, Extents) {
  if (layout.shard.size() == layout.rank())
    return "";
  return formatv("the linear map has {0} results, but memref {1} has rank {2}", layout.rank(),
                 text(layout.shard), layout.shard.size());
}

// ---- Stage 0: each part by itself -----------------------------------------------------------------------

std::string checkTensorShape(const MetalLayout &, Extents shape) {
  for (int64_t extent : shape)
    if (extent < 0)
      return formatv("the tensor has an extent of {0}; layouts need static shapes", extent);
  return "";
}

std::string checkGridExtents(const MetalLayout &layout, Extents) {
  for (int64_t extent : layout.grid)
    if (extent < 1)
      return formatv("grid <{0}> has an extent of {1}", text(layout.grid), extent);
  return "";
}

/// Strides may be 0: two elements in one place are what checkInjective() finds.
std::string checkStrides(const MetalLayout &layout, Extents) {
  for (const LinearMap::Result &result : layout.linear.results) {
    if (result.constant < 0)
      return formatv("the linear map has a constant of {0}: indices would be negative", result.constant);
    for (int64_t coefficient : result.coefficients)
      if (coefficient < 0)
        return formatv("the linear map has a stride of {0}: indices would be negative", coefficient);
  }
  return "";
}

/// An extent that faces of at most 16 divide.
bool isWholeFaces(int64_t extent) { return extent >= 1 && (extent <= 16 || extent % 16 == 0); }

std::string checkTileShape(const MetalLayout &layout, Extents) {
  if (!layout.tile || (isWholeFaces(layout.tile->height) && isWholeFaces(layout.tile->width)))
    return "";
  return formatv("tile {0}x{1} does not consist of faces of up to 16x16", layout.tile->height,
                 layout.tile->width);
}

std::string checkTileRank(const MetalLayout &layout, Extents) {
  if (!layout.tile || layout.rank() >= 2)
    return "";
  return formatv("tiles cut two dimensions, but the linear map has {0} results", layout.rank());
}

std::string checkBlockFloat(const MetalLayout &layout, Extents) {
  if (!isBlockFloat(layout.dtype))
    return "";
  if (!layout.tile)
    return formatv("{0} exists in tiles only", name(layout.dtype));
  if (layout.tile->width % 16 != 0)
    return formatv("{0} shares an exponent among 16 elements of a row, but tile {1}x{2} has rows of {2}",
                   name(layout.dtype), layout.tile->height, layout.tile->width);
  return "";
}

// ---- Stage 1: sizes -------------------------------------------------------------------------------------

/// The last physical index per dimension, or nullopt if it exceeds 2^62.
std::optional<Shape> lastIndex(const LinearMap &linear, Extents shape) {
  constexpr int64_t kLimit = int64_t(1) << 62;
  Shape last;
  for (const LinearMap::Result &result : linear.results) {
    int64_t sum = result.constant;
    for (size_t d = 0; d != shape.size(); ++d) {
      int64_t term = 0;
      if (shape[d] > 0 &&
          (MulOverflow(result.coefficients[d], shape[d] - 1, term) || AddOverflow(sum, term, sum)))
        return std::nullopt;
    }
    if (sum > kLimit)
      return std::nullopt;
    last.push_back(sum);
  }
  return last;
}

/// Elements over all cores, with room for four bytes each and for rounding up to tiles.
std::string checkSize(const MetalLayout &layout, Extents shape) {
  std::optional<Shape> last = lastIndex(layout.linear, shape);
  bool fits = last.has_value();
  int64_t volume = 8;
  for (size_t r = 0; fits && r != layout.rank(); ++r) {
    bool tileRow = layout.tile && r + 2 == layout.rank(), tileColumn = layout.tile && r + 1 == layout.rank();
    int64_t unit = tileRow ? layout.tile->height : tileColumn ? layout.tile->width : 1, extent = 0;
    fits = !AddOverflow((*last)[r], unit, extent) && !MulOverflow(volume, extent, volume) &&
           !MulOverflow(volume, layout.grid[r], volume);
  }
  return fits ? "" : "the tensor's physical size exceeds what 64 bits can count";
}

// ---- Stage 2: places ------------------------------------------------------------------------------------

/// No two elements in one place. Whoever inverts the map works out a plan for it, and says why there is none.
std::string checkInjective(const MetalLayout &layout, Extents shape) {
  auto plan = planDecoding(layout.linear, shape);
  return plan ? "" : toString(plan.takeError());
}

std::string checkShardShape(const MetalLayout &layout, Extents shape) {
  Shape implied = impliedShard(layout.linear, shape, layout.grid, layout.tile);
  if (implied == layout.shard)
    return "";
  return formatv("memref {0} is not the shard of tensor {1} on grid <{2}>: that is {3}{4}",
                 text(layout.shard), text(shape), text(layout.grid), text(implied),
                 layout.tile ? " tiles" : "");
}

struct Rule {
  unsigned stage;
  StringLiteral id;
  std::string (*check)(const MetalLayout &, Extents);
};

// By stage, as checkMetalLayout() stops behind the first stage in which something is broken. The ids are those of
// docs/tensor-layout.md and of the tests.
constexpr Rule kMetalRules[] = {
    {0, "metal_layout.map_dims", checkMapDims},         {0, "metal_layout.grid_rank", checkGridRank},
    {0, "metal_layout.shard_rank", checkShardRank},     {0, "metal_layout.tensor_shape", checkTensorShape},
    {0, "metal_layout.grid_extents", checkGridExtents}, {0, "metal_layout.strides", checkStrides},
    {0, "metal_layout.tile_shape", checkTileShape},     {0, "metal_layout.tile_rank", checkTileRank},
    {0, "metal_layout.block_float", checkBlockFloat},   {1, "metal_layout.size", checkSize},
    {2, "metal_layout.injective", checkInjective},      {2, "metal_layout.shard_shape", checkShardShape},
};

} // namespace

std::vector<MetalViolation> checkMetalLayout(const MetalLayout &layout, ArrayRef<int64_t> shape) {
  std::vector<MetalViolation> violations;
  unsigned stage = 0;
  for (const Rule &rule : kMetalRules) {
    // All broken rules of a stage are told at once; later ones would only repeat them in other words, or divide
    // by zero.
    if (rule.stage != stage && !violations.empty())
      break;
    stage = rule.stage;
    if (std::string message = rule.check(layout, shape); !message.empty())
      violations.push_back({rule.id, std::move(message)});
  }
  return violations;
}

} // namespace tessera
