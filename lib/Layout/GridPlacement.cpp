//===- GridPlacement.cpp - From virtual grids to physical cores -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/GridPlacement.h"

#include "TextParts.h"

#include "llvm/ADT/StringExtras.h"

#include <cassert>

using namespace llvm;

namespace tessera {
namespace {

GridMap::Result constantResult(unsigned dims) {
  GridMap::Result result;
  result.linear.coefficients.assign(dims, 0);
  return result;
}

GridMap::Result dimResult(unsigned dims, unsigned d) {
  GridMap::Result result = constantResult(dims);
  result.linear.coefficients[d] = 1;
  return result;
}

/// The row-major number of the dimensions [begin, begin + extents.size()).
GridMap::Result rowMajor(unsigned dims, unsigned begin, ArrayRef<int64_t> extents) {
  GridMap::Result result = constantResult(dims);
  int64_t stride = 1;
  for (size_t i = extents.size(); i-- > 0; stride *= extents[i])
    result.linear.coefficients[begin + i] = stride;
  return result;
}

/// The inverse of rowMajor: one result per extent, out of the number that `number` computes.
void appendDigits(GridMap &map, const LinearMap::Result &number, ArrayRef<int64_t> extents) {
  // The first digit is not wrapped: numbers beyond all digits do not occur, and a map without the `mod` is the one that
  // MLIR prints.
  int64_t stride = volumeOf(extents);
  for (size_t i = 0; i != extents.size(); ++i) {
    stride /= extents[i];
    map.results.push_back({number, stride, i == 0 ? 0 : extents[i]});
  }
}

} // namespace

Shape GridMap::apply(ArrayRef<int64_t> index) const {
  assert(index.size() == dims && "index of another rank");
  Shape image;
  for (const Result &result : results) {
    int64_t value = result.linear.constant;
    for (unsigned d = 0; d != dims; ++d)
      value += result.linear.coefficients[d] * index[d];
    // On numbers from 0 on, C++'s division and remainder are MLIR's floordiv and mod.
    value /= result.divisor;
    image.push_back(result.modulus == 0 ? value : value % result.modulus);
  }
  return image;
}

PhysicalCore GridPlacement::operator()(ArrayRef<int64_t> gridCoordinate) const {
  Shape physical = toPhysical.apply(gridCoordinate);
  // The map gives row before column, a core has its column first.
  return {physical[0], {physical[2], physical[1]}};
}

Expected<GridPlacement> placeGrid(ArrayRef<int64_t> grid, const DeviceSpec &device) {
  // What follows divides by the extents.
  for (int64_t extent : grid)
    if (extent < 1)
      return failure("grid {0} is empty", text(grid));
  int64_t chips = device.mesh.volume();
  // Two dimensions are for cores; what stands in front of them goes over chips, if there are several
  // (facts/tensor-layout "Multi-device").
  size_t leading = chips > 1 && grid.size() > 2 ? grid.size() - 2 : 0;
  ArrayRef<int64_t> chipGrid = grid.take_front(leading), coreGrid = grid.drop_front(leading);
  // Products that 64 bits cannot count are the largest number (volumeOf), so they do not fit either.
  if (volumeOf(chipGrid) > chips)
    return failure("grid {0} needs {1} chips, but {2} has {3}", text(grid), volumeOf(chipGrid), device.name,
                   chips);
  GridShape workers = device.workerGrid;
  if (volumeOf(coreGrid) > workers.volume())
    return failure("grid {0} needs {1} cores per chip, but {2} has {3}x{4}", text(grid), volumeOf(coreGrid),
                   device.name, workers.rows, workers.columns);

  unsigned dims = grid.size();
  GridPlacement placement;
  placement.toPhysical.dims = dims;
  placement.toVirtual.dims = 3;
  // Without dimensions for chips this is the constant 0: chip 0.
  placement.toPhysical.results.push_back(rowMajor(dims, 0, chipGrid));
  appendDigits(placement.toVirtual, dimResult(3, 0).linear, chipGrid);
  // A grid that fits lies on the cores as it is written; any other is numbered row by row, as TTNN places width and
  // height shards.
  if (coreGrid.size() == 2 && coreGrid[0] <= workers.rows && coreGrid[1] <= workers.columns) {
    placement.toPhysical.results.append({dimResult(dims, dims - 2), dimResult(dims, dims - 1)});
    placement.toVirtual.results.append({dimResult(3, 1), dimResult(3, 2)});
    return placement;
  }
  // The same number of the core twice: its row is what division by the width leaves, its column the rest. A 1x64 grid
  // on 8x8 cores puts core 13 at row 1, column 5.
  GridMap::Result row = rowMajor(dims, leading, coreGrid), column = row;
  row.divisor = column.modulus = workers.columns;
  placement.toPhysical.results.append({row, column});
  LinearMap::Result number;
  number.coefficients = {0, workers.columns, 1};
  appendDigits(placement.toVirtual, number, coreGrid);
  return placement;
}

namespace {

/// `sum`, in parentheses if an operator that binds tighter follows.
std::string operand(const std::string &sum, bool compound) { return compound ? "(" + sum + ")" : sum; }

std::string printResult(const GridMap::Result &result) {
  auto [text, compound] = affineSum(result.linear);
  if (result.divisor != 1) {
    text = operand(text, compound) + " floordiv " + std::to_string(result.divisor);
    compound = true;
  }
  if (result.modulus != 0)
    text = operand(text, compound) + " mod " + std::to_string(result.modulus);
  return text;
}

} // namespace

std::string describe(const GridMap &map) {
  return dimensionList(map.dims) + " -> (" + join(map_range(map.results, printResult), ", ") + ")";
}

} // namespace tessera
