//===- TTNNLayoutFit.cpp - Which tensors a #ttnn.ttnn_layout fits ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The attribute's verifier knows no tensor; here the tensor type asks, wherever
// it stands in a module. checkLayoutFor (TensorLayout.h) has the same rules and
// those of a device, but may trust its shapes; text may hold anything, hence
// the arithmetic that never overflows.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

/// The linear expression at `index`; nullopt if it leaves 64 bits.
static std::optional<int64_t> evaluate(AffineExpr expr, Dims index) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return index[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr); // a sum or a product: the attribute's verifier has seen to it
  std::optional<int64_t> lhs = evaluate(binary.getLHS(), index), rhs = evaluate(binary.getRHS(), index);
  if (!lhs || !rhs)
    return std::nullopt;
  return expr.getKind() == AffineExprKind::Add ? multiplyAdd(*lhs, 1, *rhs) : multiplyAdd(*lhs, *rhs, 0);
}

/// Extents of the collapsed tensor in pages' units: tiles, or elements if row-major. nullopt if its last
/// element lies outside the 64 bits from 0. Requires as many map dimensions as the shape has, and no empty
/// dimension.
static std::optional<Shape> physicalUnits(TTNNLayoutAttr layout, Dims shape) {
  Shape last, units;
  for (int64_t extent : shape)
    last.push_back(extent - 1);
  auto tile = dyn_cast<ttcore::TileType>(layout.getMemref().getElementType());
  for (auto [i, expr] : llvm::enumerate(layout.getLinear().getResults())) {
    std::optional<int64_t> value = evaluate(expr, last);
    std::optional<int64_t> extent = value && *value >= 0 ? multiplyAdd(*value, 1, 1) : std::nullopt;
    if (!extent)
      return std::nullopt;
    units.push_back(tile ? *value / tile.getShape()[i] + 1 : *extent);
  }
  return units;
}

/// Shards times grid cover the tensor. Pages of L1-interleaved tensors are spread over the grid one by one,
/// so only their number counts (facts/ir-and-algorithms.md 1.1 "convention clash"); height sharding cuts rows
/// only, but in DRAM its grid is written 1xN.
static bool covers(TTNNLayoutAttr layout, Dims units) {
  Dims shard = layout.getMemref().getShape();
  Shape grid(layout.getGrid().getShape());
  if (!layout.isSharded() && layout.getBufferType() == BufferType::L1) {
    std::optional<int64_t> room = product({shard[0], shard[1], grid[0], grid[1]}), pages = product(units);
    return pages && (!room || *room >= *pages);
  }
  if (layout.getMemoryLayout() == TensorMemoryLayout::HeightSharded)
    grid = {grid[0] * grid[1], 1}; // each below 2^31
  return llvm::all_of(llvm::zip(shard, grid, units), [](auto dims) {
    auto [extent, count, needed] = dims;
    std::optional<int64_t> room = product({extent, count});
    return !room || *room >= needed;
  });
}

std::string TTNNLayoutAttr::checkTensor(ArrayRef<int64_t> shape) const {
  if (getLinear().getNumDims() != shape.size())
    return "layout is for tensors of rank " + std::to_string(getLinear().getNumDims()) +
           ", but the tensor has rank " + std::to_string(shape.size());
  if (getIgnorePhysicalLayout() || llvm::is_contained(shape, 0) || ShapedType::isDynamicShape(shape))
    return "";
  std::optional<Shape> units = physicalUnits(*this, shape);
  if (!units)
    return "layout maps the tensor's last element below 0 or beyond 64 bits";
  if (covers(*this, *units))
    return "";
  return "layout is too small: shards of " + toText(getMemref().getShape()) + " over a grid of " +
         toText(getGrid().getShape()) + " do not hold the tensor's " + toText(*units) +
         (getLayout() == Layout::Tile ? " tiles" : " elements");
}

LogicalResult TTNNLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                             function_ref<InFlightDiagnostic()> emitError) const {
  std::string problem = checkTensor(shape);
  return problem.empty() ? success() : LogicalResult(emitError() << problem);
}

} // namespace tessera::ttnn
