//===- TTNNLayoutFit.cpp - Which tensors a layout holds --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// checkLayoutFor (TensorLayout.h) has the same rules and those of a device, but
// may trust its shapes; text may hold anything, hence the arithmetic that never
// overflows.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

using namespace mlir;

namespace tessera::ttnn {

/// The expression at `index`; nullopt if it leaves 64 bits.
static std::optional<int64_t> evaluate(const LinearMap::Result &expr, Dims index) {
  std::optional<int64_t> sum = expr.constant;
  for (auto [coefficient, at] : llvm::zip_equal(expr.coefficients, index))
    if (std::optional<int64_t> term = product({coefficient, at}); sum && term)
      sum = multiplyAdd(*sum, 1, *term);
    else
      return std::nullopt;
  return sum;
}

/// Extents of the collapsed tensor in pages' units: tiles, or elements if row-major. nullopt if its last
/// element lies outside the 64 bits from 0. Requires as many map dimensions as the shape has, and no empty
/// dimension.
static std::optional<Shape> physicalUnits(const TensorLayout &layout, Dims shape) {
  Shape last, units;
  for (int64_t extent : shape)
    // Coefficients may be negative in text, so the last element need not be the farthest; a map that leads it below 0
    // is refused.
    last.push_back(extent - 1);
  int64_t page[] = {layout.isTiled() ? layout.tile.height : 1, layout.isTiled() ? layout.tile.width : 1};
  for (auto [i, expr] : llvm::enumerate(layout.linear.results)) {
    std::optional<int64_t> value = evaluate(expr, last);
    if (!value || *value < 0 || !multiplyAdd(*value, 1, 1))
      return std::nullopt;
    units.push_back(*value / page[i] + 1);
  }
  return units;
}

/// Shards times grid cover the tensor. Pages of L1-interleaved tensors are spread over the grid one by one,
/// so only their number counts (facts/ir 1.1 "convention clash"); height sharding cuts rows
/// only, but in DRAM its grid is written 1xN.
static bool covers(const TensorLayout &layout, Dims units) {
  GridShape grid = layout.grid, shard = layout.shard;
  if (layout.isInterleaved() && layout.isL1()) {
    std::optional<int64_t> room = product({shard.rows, shard.columns, grid.rows, grid.columns}),
                           pages = product(units);
    return pages && (!room || *room >= *pages);
  }
  if (layout.memory == MemoryLayout::HeightSharded)
    grid = {grid.rows * grid.columns, 1}; // each below 2^31
  auto holds = [](int64_t extent, int64_t count, int64_t needed) {
    std::optional<int64_t> room = product({extent, count});
    // Room beyond 64 bits is room for anything.
    return !room || *room >= needed;
  };
  return holds(shard.rows, grid.rows, units[0]) && holds(shard.columns, grid.columns, units[1]);
}

std::string checkHolds(const TensorLayout &layout, ArrayRef<int64_t> shape) {
  if (layout.linear.dims != shape.size())
    return "layout is for tensors of rank " + std::to_string(layout.linear.dims) +
           ", but the tensor has rank " + std::to_string(shape.size());
  if (layout.ignorePhysicalLayout || llvm::is_contained(shape, 0) || ShapedType::isDynamicShape(shape))
    return "";
  std::optional<Shape> units = physicalUnits(layout, shape);
  if (!units)
    return "layout maps the tensor's last element below 0 or beyond 64 bits";
  if (covers(layout, *units))
    return "";
  return "layout is too small: shards of " + toText({layout.shard.rows, layout.shard.columns}) +
         " over a grid of " + toText({layout.grid.rows, layout.grid.columns}) + " do not hold the tensor's " +
         toText(*units) + (layout.isTiled() ? " tiles" : " elements");
}

} // namespace tessera::ttnn
