//===- MetalToTtnn.cpp - Between the compiler's layout and TTNN's ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The compiler's layout says with a map what TTNN says with conventions. To
// translate is therefore to compare: the map has to be the one that TTNN would
// make of the shape, the grid's cuts have to fall between tiles, and the cores
// have to be those that TTNN would take. Each function below tests one of these
// and names the first difference, since a layout that is nearly TTNN's is what
// people ask about.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/MetalToTtnn.h"

#include "TextParts.h"

#include "tessera/Layout/MetalGeometry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace tessera {
namespace {

/// The only dimension that `result` reads, as it is; nullopt if there is none or more.
std::optional<unsigned> onlyDim(const LinearMap::Result &result) {
  std::optional<unsigned> only;
  for (unsigned d = 0; d != result.coefficients.size(); ++d) {
    if (result.coefficients[d] == 0)
      continue;
    if (only || result.coefficients[d] != 1 || result.constant != 0)
      return std::nullopt;
    only = d;
  }
  return only;
}

/// Why more than two physical dimensions are too many, and what to do about it: leading dimensions that stand
/// by themselves can be cut over a mesh, the rest folded on each device.
std::string explainRank(const MetalLayout &layout) {
  std::string kept;
  unsigned leading = 0;
  for (; leading + 2 < layout.rank() && onlyDim(layout.linear.results[leading]) == leading; ++leading)
    kept += formatv("{0}d{1}", leading ? ", " : "", leading);
  std::string text =
      formatv("TTNN folds all dimensions but the last into rows, but this layout has {0} physical "
              "dimensions",
              layout.rank());
  if (leading + 2 == layout.rank())
    text += formatv(
        ": it keeps {0} apart (a partial collapse); lower it to a TTNN mesh tensor sliced over {0}, with "
        "all dimensions but the last folded on each device",
        kept);
  return text;
}

/// Rows and columns of the map as TTNN has them: a one-dimensional layout is one row.
struct RowsAndColumns {
  LinearMap::Result rows, columns;
  GridShape grid, extents, scalarShard;
};

/// An error says in terms of TTNN what the layout has that TTNN has not: too many dimensions, another column than
/// the last one, rows that begin elsewhere.
Expected<RowsAndColumns> rowsAndColumns(const MetalGeometry &geometry) {
  const MetalLayout &layout = geometry.layout();
  size_t rank = geometry.shape().size();
  if (layout.rank() > 2)
    return createStringError(explainRank(layout));
  if (layout.rank() == 0)
    return failure("the layout has no physical dimensions; TTNN has rows and columns");
  RowsAndColumns result;
  result.rows.coefficients.assign(rank, 0);
  result.columns = layout.linear.results.back();
  result.grid.columns = layout.grid.back();
  result.extents.columns = geometry.collapsedShape().back();
  result.scalarShard.columns = geometry.scalarShard().back();
  result.extents.rows = result.scalarShard.rows = 1;
  if (layout.rank() == 2) {
    result.rows = layout.linear.results[0];
    result.grid.rows = layout.grid[0];
    result.extents.rows = geometry.collapsedShape()[0];
    result.scalarShard.rows = geometry.scalarShard()[0];
  }
  if (rank == 0 || onlyDim(result.columns) != rank - 1 || result.rows.coefficients.back() != 0)
    return failure("TTNN's columns are the last dimension and nothing else; this layout folds or moves it");
  if (result.rows.constant != 0)
    return failure("TTNN's rows begin at 0, not at {0}", result.rows.constant);
  return result;
}

/// Strides that TTNN's padding does not produce; dimensions of one element have no stride to speak of.
/// Example: 2 x 5 x 64 in tiles has strides of 32 and 1 rows, as each matrix is padded to 32; row-major ones are 5
/// and 1.
Error checkStrides(const RowsAndColumns &map, const MetalLayout &layout, ArrayRef<int64_t> shape) {
  TileShape tile = layout.tile.value_or(TileShape{});
  LinearMap expected = collapseTo2D(shape, layout.isTiled() ? PageLayout::Tile : PageLayout::RowMajor, tile);
  for (unsigned d = 0; d + 1 < shape.size(); ++d) {
    int64_t has = map.rows.coefficients[d], wants = expected.results[0].coefficients[d];
    if (shape[d] <= 1 || has == wants)
      continue;
    if (layout.isTiled())
      return failure(
          "TTNN pads each matrix to whole tiles of {0}x{1} first, so d{2} strides by {3} rows, not {4}",
          tile.height, tile.width, d, wants, has);
    return failure(
        "TTNN leaves no gaps between the rows of a row-major tensor, so d{0} strides by {1} rows, not {2}", d,
        wants, has);
  }
  return Error::success();
}

/// TTNN deals out whole tiles; metal_layout cuts elements first and fills up to tiles then. The same if no
/// cut falls into a tile.
Error checkWholeTiles(GridShape extents, GridShape grid, TileShape tile) {
  // 104 rows over 3 cores are 35 each: metal_layout gives every core two tiles, of which the second has 3 rows of data.
  // TTNN gives the first core rows 0 to 63. A cut that leaves all in one part cuts nothing.
  auto cutsTile = [](int64_t extent, int64_t parts, int64_t tile) {
    int64_t part = ceilDiv(extent, parts);
    return part < extent && part % tile != 0;
  };
  if (cutsTile(extents.rows, grid.rows, tile.height))
    return failure(
        "{0} rows over {1} cores are {2} each in a metal_layout; TTNN deals out whole tiles of {3} rows",
        extents.rows, grid.rows, ceilDiv(extents.rows, grid.rows), tile.height);
  if (cutsTile(extents.columns, grid.columns, tile.width))
    return failure(
        "{0} columns over {1} cores are {2} each in a metal_layout; TTNN deals out whole tiles of {3} "
        "columns",
        extents.columns, grid.columns, ceilDiv(extents.columns, grid.columns), tile.width);
  return Error::success();
}

MemoryLayout shardingOf(GridShape grid) {
  // A single shard is of any kind; it is called height-sharded.
  if (grid.columns == 1)
    return MemoryLayout::HeightSharded;
  return grid.rows == 1 ? MemoryLayout::WidthSharded : MemoryLayout::BlockSharded;
}

/// Buffer, memory layout and grid of `layout`, in `placed`.
Error place(const MetalLayout &metal, GridShape grid, const DeviceSpec &device, TensorLayout &placed) {
  placed.grid = grid;
  switch (metal.space) {
  case MemorySpace::SystemMMIO:
    return failure("TTNN has no buffer in host memory that the device sees (mmio)");
  case MemorySpace::System:
    placed.buffer = BufferType::SystemMemory;
    placed.memory = std::nullopt;
    if (grid.volume() != 1)
      return failure("TTNN does not cut host tensors, but the grid is {0}x{1}", grid.rows, grid.columns);
    return Error::success();
  case MemorySpace::DeviceDRAM:
    placed.buffer = BufferType::DRAM;
    placed.memory = grid.volume() == 1 ? MemoryLayout::Interleaved : shardingOf(grid);
    if (grid.volume() > device.dramBanks)
      return failure("grid {0}x{1} has more shards than the {2} DRAM banks of {3}", grid.rows, grid.columns,
                     device.dramBanks, device.name);
    return Error::success();
  case MemorySpace::DeviceL1:
    placed.buffer = BufferType::L1;
    placed.memory = shardingOf(grid);
    if (grid.volume() > device.cores().value())
      return failure("grid {0}x{1} has more shards than the {2} worker cores of {3}", grid.rows, grid.columns,
                     device.cores().value(), device.name);
    return Error::success();
  }
  return failure("the layout is in no known memory space");
}

/// Where canonical shards of the buffer lie: on worker cores, or on the banks in a row.
GridShape placesOf(BufferType buffer, const DeviceSpec &device) {
  return buffer == BufferType::DRAM ? GridShape{1, device.dramBanks} : device.workerGrid;
}

/// What metal_layout has no word for, or "".
std::string explainUntranslatable(const TensorLayout &layout) {
  if (layout.ignorePhysicalLayout)
    return "the layout leaves shard shape and cores to the backend; metal_layout states them";
  if (!layout.mesh.empty())
    return "the tensor is spread over a mesh; metal_layout describes it per device";
  if (layout.buffer == BufferType::L1Small || layout.buffer == BufferType::Trace)
    return formatv("metal_layout has no memory space for {0}", name(layout.buffer));
  if (layout.memory == MemoryLayout::NDSharded)
    return "nd_sharded is not a cut of rows and columns";
  if (layout.isL1() && layout.isInterleaved())
    return "L1 interleaved pages go round-robin over the cores; metal_layout gives each core one shard";
  return "";
}

} // namespace

/// In the words of TTNN's own documentation, also of layouts that TTNN could not have: for people who compare both.
Expected<TtnnTerms> ttnnTerms(const MetalLayout &layout, ArrayRef<int64_t> shape) {
  Expected<MetalGeometry> geometry = MetalGeometry::create(layout, shape);
  if (!geometry)
    return geometry.takeError();
  Expected<RowsAndColumns> map = rowsAndColumns(*geometry);
  if (!map)
    return map.takeError();
  TtnnTerms terms;
  terms.shape.assign(shape.begin(), shape.end());
  for (int64_t coefficient : map->rows.coefficients)
    terms.stride.push_back(coefficient * map->extents.columns);
  terms.stride.back() = 1;
  terms.tileShape = layout.tile.value_or(TileShape{1, 1});
  terms.shardShape = map->scalarShard;
  terms.physicalShardShape = {alignUp(map->scalarShard.rows, terms.tileShape.height),
                              alignUp(map->scalarShard.columns, terms.tileShape.width)};
  auto shards = [](int64_t extent, int64_t shard) { return shard == 0 ? 0 : ceilDiv(extent, shard); };
  terms.gridShape = {shards(map->extents.rows, map->scalarShard.rows),
                     shards(map->extents.columns, map->scalarShard.columns)};
  return terms;
}

Expected<TensorLayout> toTensorLayout(const MetalLayout &layout, ArrayRef<int64_t> shape,
                                      const DeviceSpec &device) {
  Expected<MetalGeometry> geometry = MetalGeometry::create(layout, shape);
  if (!geometry)
    return geometry.takeError();
  Expected<RowsAndColumns> map = rowsAndColumns(*geometry);
  if (!map)
    return map.takeError();
  if (Error error = checkStrides(*map, layout, shape))
    return error;
  if (layout.tile)
    if (Error error = checkWholeTiles(map->extents, map->grid, *layout.tile))
      return error;

  TensorLayout placed;
  placed.page = layout.isTiled() ? PageLayout::Tile : PageLayout::RowMajor;
  placed.tile = layout.tile.value_or(TileShape{});
  if (Error error = place(layout, map->grid, device, placed))
    return error;
  // Built anew and not copied: shard and map are then TTNN's own for the shape, and what was compared above makes sure
  // that they are the given ones.
  placed = withTensor(placed, {Shape(shape), layout.dtype}, placesOf(placed.buffer, device));
  if (std::string problem = checkLayoutFor(placed, shape, device); !problem.empty())
    return createStringError(problem);
  return placed;
}

/// The other direction needs fewer questions, since every canonical layout of TTNN has a map; what has none is told
/// by explainUntranslatable().
Expected<MetalLayout> toMetalLayout(const TensorLayout &layout, ArrayRef<int64_t> shape,
                                    const DeviceSpec &device) {
  if (std::string problem = checkLayoutFor(layout, shape, device); !problem.empty())
    return createStringError(problem);
  if (std::string problem = explainUntranslatable(layout); !problem.empty())
    return createStringError(problem);
  GridShape grid = layout.grid;
  if (layout.memory == MemoryLayout::HeightSharded)
    grid = {grid.volume(), 1}; // in DRAM written 1xN

  MetalLayout metal;
  metal.linear = layout.linear;
  metal.grid = {grid.rows, grid.columns};
  metal.shard = {layout.shard.rows, layout.shard.columns};
  if (layout.isTiled())
    metal.tile = layout.tile;
  metal.dtype = layout.dtype;
  metal.space = layout.isL1()     ? MemorySpace::DeviceL1
                : layout.isDram() ? MemorySpace::DeviceDRAM
                                  : MemorySpace::System;
  Expected<MetalGeometry> geometry = MetalGeometry::create(metal, shape);
  if (!geometry)
    return geometry.takeError();
  if (layout.isTiled())
    if (Error error = checkWholeTiles({geometry->collapsedShape()[0], geometry->collapsedShape()[1]}, grid,
                                      layout.tile))
      return error;
  // Named cores are translated only if they are those that nobody would have had to name.
  if (layout.cores) {
    TensorLayout canonical = layout;
    canonical.cores.reset();
    canonical = withTensor(canonical, {Shape(shape), layout.dtype}, placesOf(layout.buffer, device));
    if (canonical.cores != layout.cores)
      return failure(
          "the shards lie on other cores than the canonical ones of a {0}x{1} grid; metal_layout's grid "
          "is virtual and does not name cores",
          grid.rows, grid.columns);
  }
  return metal;
}

} // namespace tessera
