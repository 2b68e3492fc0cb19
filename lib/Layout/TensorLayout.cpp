//===- TensorLayout.cpp - Names, shapes and builders ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Builders compute what a layout of a shape is on a device. They do not check:
// callers have asked fitsLayouts() of shapes that users give, and grids come
// from candidates that fit. What a file says goes through LayoutCheck.cpp. Two
// conventions of the IR are kept apart here, as they are not errors: L1
// interleaved may be written with one core's share or with everything on grid
// 1x1, and shards in DRAM lie on a row of banks whatever they cut (facts/ir
// 1.1).
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/TensorLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace tessera {
namespace {

template <class Enum>
struct Name {
  Enum value;
  StringLiteral text;
};

constexpr Name<BufferType> kBufferTypes[] = {{BufferType::DRAM, "dram"},
                                             {BufferType::L1, "l1"},
                                             {BufferType::SystemMemory, "system_memory"},
                                             {BufferType::L1Small, "l1_small"},
                                             {BufferType::Trace, "trace"}};
constexpr Name<MemoryLayout> kMemoryLayouts[] = {{MemoryLayout::Interleaved, "interleaved"},
                                                 {MemoryLayout::HeightSharded, "height_sharded"},
                                                 {MemoryLayout::WidthSharded, "width_sharded"},
                                                 {MemoryLayout::BlockSharded, "block_sharded"},
                                                 {MemoryLayout::NDSharded, "nd_sharded"}};
constexpr Name<PageLayout> kPageLayouts[] = {{PageLayout::RowMajor, "row_major"}, {PageLayout::Tile, "tile"}};

template <class Enum>
StringRef nameIn(ArrayRef<Name<Enum>> table, Enum value) {
  for (const Name<Enum> &entry : table)
    if (entry.value == value)
      return entry.text;
  return "unknown";
}

template <class Enum>
std::optional<Enum> parseIn(ArrayRef<Name<Enum>> table, StringRef text) {
  for (const Name<Enum> &entry : table)
    if (entry.text == text)
      return entry.value;
  return std::nullopt;
}

/// What all builders share: the collapse and the element format.
TensorLayout unplaced(const TensorDesc &tensor, PageLayout page, TileShape tile = {}) {
  TensorLayout layout;
  layout.linear = collapseTo2D(tensor.shape, page, tile);
  layout.page = page;
  layout.tile = tile;
  layout.dtype = tensor.dtype;
  return layout;
}

/// In L1, of every device (facts/allocator 4).
constexpr Bytes kL1PageAlignment(16);

/// The memref of a tensor interleaved over `cores` cores in one row of whole pages: 1 x ceil(pages / cores) tiles; if
/// row-major, the elements of ceil(rows / cores) rows, each rounded up to kL1PageAlignment as its page is, so that the
/// memref's bytes are what a core sets aside. Upstream writes ceil(volume / cores) for the latter (facts/ir 1.1), which
/// would cut rows, and understate what a core holds.
GridShape interleavedShard(GridShape physical, PageLayout page, DataType dtype, int64_t cores) {
  if (page == PageLayout::Tile)
    return {1, ceilDiv(physical.volume(), cores)};
  Bytes element = scalarBytes(dtype);
  int64_t columns = alignUp(element * physical.columns, kL1PageAlignment).value() / element.value();
  return {1, ceilDiv(physical.rows, cores) * columns};
}

/// The grid as it cuts rows and columns. Height sharded DRAM is written 1xN (facts/ir 1.1).
GridShape cuttingGrid(const TensorLayout &layout) {
  return layout.memory == MemoryLayout::HeightSharded ? GridShape{layout.grid.volume(), 1} : layout.grid;
}

/// ceil(extent / grid), in page units. Rounding each shard up to whole tiles, and cutting the tensor's tiles,
/// are the same: ceil(ceil(x / g) / t) = ceil(ceil(x / t) / g).
GridShape shardOf(GridShape physical, GridShape grid) {
  return {ceilDiv(physical.rows, grid.rows), ceilDiv(physical.columns, grid.columns)};
}

/// Where the backend puts shards if nobody says: blocks as the grid says from core (0, 0), lines row by row from there.
/// A grid 1x12 on 8 columns takes the first row of cores and half of the second.
CoreRangeSet canonicalCores(MemoryLayout memory, GridShape grid, GridShape workerGrid) {
  // A block's place in the grid is its core's place on the chip (facts/ir 1.1, "Canonical core placement").
  if (memory == MemoryLayout::BlockSharded)
    return rectangleOfCores(grid);
  return rowMajorCores(CoreCount(grid.volume()), workerGrid);
}

} // namespace

StringRef name(BufferType type) { return nameIn<BufferType>(kBufferTypes, type); }
StringRef name(MemoryLayout layout) { return nameIn<MemoryLayout>(kMemoryLayouts, layout); }
StringRef name(PageLayout layout) { return nameIn<PageLayout>(kPageLayouts, layout); }
std::optional<BufferType> parseBufferType(StringRef text) { return parseIn<BufferType>(kBufferTypes, text); }
std::optional<MemoryLayout> parseMemoryLayout(StringRef text) {
  return parseIn<MemoryLayout>(kMemoryLayouts, text);
}
std::optional<PageLayout> parsePageLayout(StringRef text) { return parseIn<PageLayout>(kPageLayouts, text); }

hash_code hash_value(const TensorLayout &layout) {
  hash_code placement = hash_combine(layout.buffer, layout.memory.has_value(),
                                     layout.memory.value_or(MemoryLayout::Interleaved),
                                     layout.cores.has_value(), layout.ignorePhysicalLayout, layout.mesh);
  if (layout.cores)
    placement = hash_combine(placement, *layout.cores);
  return hash_combine(placement, layout.linear, layout.grid, layout.shard, layout.page, layout.tile.height,
                      layout.tile.width, layout.dtype);
}

// ---- Shapes ---------------------------------------------------------------------------------------------

LinearMap collapseTo2D(ArrayRef<int64_t> shape, PageLayout page, TileShape tile) {
  LinearMap map;
  map.dims = shape.size();
  map.results.resize(2);
  for (LinearMap::Result &result : map.results)
    result.coefficients.assign(map.dims, 0);
  if (shape.empty())
    return map;
  map.results[1].coefficients.back() = 1;
  int64_t stride = 1;
  for (size_t d = shape.size() - 1; d-- > 0;) {
    map.results[0].coefficients[d] = stride;
    // Only the last two dimensions are padded to tiles; outer ones fold as they are (facts/ir 1.1 "Collapse").
    bool padded = page == PageLayout::Tile && d + 2 == shape.size();
    stride *= padded ? alignUp(shape[d], tile.height) : shape[d];
  }
  return map;
}

bool fitsLayouts(ArrayRef<int64_t> shape) {
  int64_t rows = 1, columns = 1;
  for (auto [d, extent] : enumerate(shape)) {
    if (extent > kMaxLayoutExtent)
      return false;
    bool inTile = d + 2 >= shape.size();
    // An empty dimension does not shrink the strides of those above it.
    int64_t padded = std::max<int64_t>(1, inTile ? alignUp(extent, TileShape{}.height) : extent);
    int64_t &product = d + 1 == shape.size() ? columns : rows;
    product *= padded; // both below 2^32
    if (product > kMaxLayoutExtent)
      return false;
  }
  return true;
}

GridShape shardGridOn(MemoryLayout memory, const CoreRangeSet &cores) {
  int64_t count = cores.size().value();
  if (memory == MemoryLayout::HeightSharded)
    return {count, 1};
  if (memory == MemoryLayout::WidthSharded)
    return {1, count};
  CoreRange box = cores.boundingBox();
  return {box.end.y - box.start.y + 1, box.end.x - box.start.x + 1};
}

GridShape physicalShape(const TensorLayout &layout, ArrayRef<int64_t> shape) {
  assert(layout.linear.results.size() == 2 && "layouts are two-dimensional: see checkLayout");
  Shape extents = layout.linear.extents(shape);
  if (!layout.isTiled())
    return {extents[0], extents[1]};
  return {alignUp(extents[0], layout.tile.height), alignUp(extents[1], layout.tile.width)};
}

GridShape physicalShapeInUnits(const TensorLayout &layout, ArrayRef<int64_t> shape) {
  GridShape physical = physicalShape(layout, shape);
  if (!layout.isTiled())
    return physical;
  return {physical.rows / layout.tile.height, physical.columns / layout.tile.width};
}

// ---- Builders -------------------------------------------------------------------------------------------

TensorLayout dramInterleaved(const TensorDesc &tensor, PageLayout page) {
  TensorLayout layout = unplaced(tensor, page);
  layout.shard = physicalShapeInUnits(layout, tensor.shape);
  return layout;
}

TensorLayout systemMemory(const TensorDesc &tensor, PageLayout page) {
  TensorLayout layout = dramInterleaved(tensor, page);
  layout.buffer = BufferType::SystemMemory;
  layout.memory = std::nullopt;
  return layout;
}

TensorLayout l1Interleaved(const TensorDesc &tensor, GridShape workerGrid, PageLayout page) {
  TensorLayout layout = unplaced(tensor, page);
  layout.buffer = BufferType::L1;
  layout.grid = workerGrid;
  layout.shard =
      interleavedShard(physicalShapeInUnits(layout, tensor.shape), page, layout.dtype, workerGrid.volume());
  return layout;
}

TensorLayout l1Sharded(const TensorDesc &tensor, MemoryLayout memory, GridShape grid, GridShape workerGrid,
                       PageLayout page) {
  TensorLayout layout = unplaced(tensor, page);
  layout.buffer = BufferType::L1;
  layout.memory = memory;
  layout.grid = grid;
  layout.shard = shardOf(physicalShapeInUnits(layout, tensor.shape), grid);
  layout.cores = canonicalCores(memory, grid, workerGrid);
  return layout;
}

TensorLayout withTensor(const TensorLayout &layout, const TensorDesc &tensor, GridShape workerGrid) {
  TensorLayout moved = layout;
  moved.linear = collapseTo2D(tensor.shape, layout.page, layout.tile);
  moved.dtype = tensor.dtype;
  GridShape physical = physicalShapeInUnits(moved, tensor.shape);
  // Interleaved L1 is written with one core's share, or with grid 1x1 and everything (facts/ir 1.1, "Convention
  // clash"): the convention of the given layout is kept.
  bool spread = layout.isInterleaved() && layout.grid != GridShape{1, 1};
  moved.shard = spread ? interleavedShard(physical, layout.page, moved.dtype, layout.grid.volume())
                       : shardOf(physical, cuttingGrid(layout));
  // Cores that are stated stay, whatever the tensor; only a layout without any gets the canonical ones.
  if (layout.isSharded() && !layout.cores && !layout.ignorePhysicalLayout)
    moved.cores = canonicalCores(*layout.memory, layout.grid, workerGrid);
  return moved;
}

} // namespace tessera
