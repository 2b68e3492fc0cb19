//===- LayoutCheck.cpp - Which layouts are legal --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rules of facts/ir 1.1 ("Verifier rules", "Canonical core
// placement"), one function each: it returns what is wrong, or "". The first
// message wins; later rules rely on the earlier ones.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/TensorLayout.h"

#include "TextParts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace tessera {
namespace {

std::string gridText(GridShape grid) { return formatv("{0}x{1}", grid.rows, grid.columns).str(); }
std::string rangeText(CoreRange range) {
  return formatv("({0},{1})-({2},{3})", range.start.x, range.start.y, range.end.x, range.end.y).str();
}
std::string tensorText(ArrayRef<int64_t> shape) { return "[" + text(shape) + "]"; }

constexpr GridShape kOne{1, 1};
/// Rows or columns of cores of any chip, with room to spare: cores are walked one by one.
constexpr int64_t kMostCores = 256;

// ---- The layout in itself -------------------------------------------------------------------------------

std::string checkMap(const TensorLayout &layout) {
  if (layout.linear.results.size() != 2)
    return formatv("the linear map has {0} results; a layout has rows and columns",
                   layout.linear.results.size());
  for (const LinearMap::Result &result : layout.linear.results)
    if (result.coefficients.size() != layout.linear.dims)
      return formatv("the linear map has {0} dimensions but {1} coefficients in a result", layout.linear.dims,
                     result.coefficients.size());
  return "";
}

std::string checkExtents(const TensorLayout &layout) {
  if (layout.grid.rows < 1 || layout.grid.columns < 1)
    return formatv("grid {0} is empty", gridText(layout.grid));
  // Zero is legal: a tensor without elements has shards without any.
  if (layout.shard.rows < 0 || layout.shard.columns < 0)
    return formatv("shard {0} has a negative extent", gridText(layout.shard));
  for (auto [what, extents] : {std::pair("grid", layout.grid), std::pair("shard", layout.shard)})
    // The rules below multiply two extents at a time.
    if (std::max(extents.rows, extents.columns) > kMaxLayoutExtent)
      return formatv("{0} {1} has an extent beyond {2}", what, gridText(extents), kMaxLayoutExtent);
  if (layout.isTiled() && (layout.tile.height < 1 || layout.tile.width < 1))
    return formatv("tile {0}x{1} is empty", layout.tile.height, layout.tile.width);
  return "";
}

std::string checkFormat(const TensorLayout &layout) {
  if (isBlockFloat(layout.dtype) && !layout.isTiled())
    return formatv("{0} exists in tiles only, but the layout is row_major", name(layout.dtype));
  return "";
}

/// Buffer and memory layout both say whether a tensor is on the device, and must not contradict each other: what
/// follows asks either of them.
std::string checkHost(const TensorLayout &layout) {
  if (layout.onDevice() && !layout.memory)
    return formatv("a layout in {0} needs a memory layout", name(layout.buffer));
  if (!layout.onDevice() && layout.memory)
    return formatv("system_memory has no memory layout, but {0} is given", name(*layout.memory));
  if (!layout.onDevice() && layout.grid != kOne)
    return formatv("system_memory has grid 1x1, not {0}", gridText(layout.grid));
  return "";
}

/// Banks form a line. So a block has no place there, and a grid counts banks whatever the shards cut: height sharded
/// over 12 banks is written 1x12 (see cuttingGrid in TensorLayout.cpp).
std::string checkDram(const TensorLayout &layout) {
  if (!layout.isDram())
    return "";
  if (layout.isInterleaved() && layout.grid != kOne)
    return formatv("dram interleaved has grid 1x1, not {0}", gridText(layout.grid));
  if (layout.memory == MemoryLayout::BlockSharded)
    return "dram cannot be block_sharded: its banks form one row";
  if (layout.isSharded() && layout.grid.rows != 1 && layout.grid.columns != 1)
    return formatv("dram sharded has one row of banks, but grid {0}", gridText(layout.grid));
  return "";
}

std::string checkShardedGrid(const TensorLayout &layout) {
  // In DRAM all shards are written in one row, whatever they cut (checkDram).
  if (!layout.isL1())
    return "";
  if (layout.memory == MemoryLayout::HeightSharded && layout.grid.columns != 1)
    return formatv("height_sharded cuts rows only, but grid {0} has {1} columns", gridText(layout.grid),
                   layout.grid.columns);
  if (layout.memory == MemoryLayout::WidthSharded && layout.grid.rows != 1)
    return formatv("width_sharded cuts columns only, but grid {0} has {1} rows", gridText(layout.grid),
                   layout.grid.rows);
  return "";
}

std::string checkCores(const TensorLayout &layout) {
  if (layout.cores && !layout.isSharded())
    return formatv("core ranges are for sharded layouts; this one is {0}",
                   layout.memory ? name(*layout.memory) : name(layout.buffer));
  if (layout.isSharded() && !layout.cores && !layout.ignorePhysicalLayout)
    return formatv("{0} needs core ranges", name(*layout.memory));
  if (!layout.cores)
    return "";
  // Ranges are few, so each is compared with each. If two overlapped, a core would have two shards, and size() would
  // count it twice.
  ArrayRef<CoreRange> ranges = layout.cores->ranges;
  for (size_t i = 0; i != ranges.size(); ++i) {
    const CoreRange &range = ranges[i];
    if (range.start.x < 0 || range.start.y < 0 || range.start.x > range.end.x || range.start.y > range.end.y)
      return formatv("core range {0} is not a rectangle from upper left to lower right", rangeText(range));
    if (std::max(range.end.x, range.end.y) >= kMostCores)
      return formatv("core range {0} reaches beyond {1} rows or columns, which no chip has", rangeText(range),
                     kMostCores);
    for (const CoreRange &earlier : ranges.take_front(i))
      if (range.intersects(earlier))
        return formatv("core ranges {0} and {1} overlap", rangeText(earlier), rangeText(range));
  }
  // More cores than shards are legal: the last ones hold nothing.
  if (layout.cores->size() < layout.coreCount())
    return formatv("grid {0} has {1} shards, but the core ranges have {2} cores", gridText(layout.grid),
                   layout.grid.volume(), layout.cores->size().value());
  return "";
}

// ---- The layout, a tensor and a device -------------------------------------------------------------------

std::string checkRank(const TensorLayout &layout, ArrayRef<int64_t> shape) {
  if (layout.linear.dims != shape.size())
    return formatv("the linear map has {0} dimensions, the tensor {1} has {2}", layout.linear.dims,
                   tensorText(shape), shape.size());
  for (int64_t extent : shape)
    if (extent < 0)
      return formatv("the tensor {0} has a negative extent", tensorText(shape));
  return "";
}

std::string checkDramBanks(const TensorLayout &layout, const DeviceSpec &device) {
  if (layout.grid.volume() > device.dramBanks)
    return formatv("grid {0} has more shards than the {1} DRAM banks of {2}", gridText(layout.grid),
                   device.dramBanks, device.called());
  // The box says it all: ranges are disjoint and have enough cores for all shards (checkCores), so they fill a row of
  // that many.
  if (layout.cores && layout.cores->boundingBox() != CoreRange{{0, 0}, {layout.grid.volume() - 1, 0}})
    return formatv("dram shards lie on banks (0,0)-({0},0), not on {1}", layout.grid.volume() - 1,
                   rangeText(layout.cores->boundingBox()));
  return "";
}

std::string checkDeviceGrid(const TensorLayout &layout, const DeviceSpec &device) {
  // What these have is a grid of 1x1 (checkHost, checkDram), which lies on no cores.
  if (!layout.onDevice() || (layout.isDram() && layout.isInterleaved()))
    return "";
  if (layout.isDram())
    return checkDramBanks(layout, device);
  GridShape workers = device.workerGrid;
  // A list of cores folds into rows of the grid, so only its length counts; blocks lie on the grid as they are.
  bool inRows = layout.memory == MemoryLayout::HeightSharded || layout.memory == MemoryLayout::WidthSharded ||
                layout.memory == MemoryLayout::NDSharded;
  if (inRows ? layout.grid.volume() > workers.volume()
             : layout.grid.rows > workers.rows || layout.grid.columns > workers.columns)
    return formatv("grid {0} does not fit the {1} worker cores of {2}", gridText(layout.grid),
                   gridText(workers), device.called());
  if (!layout.cores)
    return "";
  CoreRange box = layout.cores->boundingBox();
  if (box.end.x >= workers.columns || box.end.y >= workers.rows)
    return formatv("cores {0} reach beyond the {1} worker cores of {2}", rangeText(box), gridText(workers),
                   device.called());
  return "";
}

/// Which extents the shards must cover together: rows and columns, or for interleaved pages only their
/// number.
std::string checkCover(const TensorLayout &layout, ArrayRef<int64_t> shape) {
  if (layout.ignorePhysicalLayout)
    return "";
  GridShape physical = physicalShapeInUnits(layout, shape), grid = layout.grid;
  if (layout.memory == MemoryLayout::HeightSharded)
    grid = {grid.volume(), 1}; // in DRAM written 1xN
  // Interleaved with grid 1x1, the memref is the whole tensor and must cover it like a single shard.
  bool spread = layout.isInterleaved() && grid != kOne;
  // More than enough is legal: the last shards may be padding (facts/ir 1.1, "Collapse").
  bool covers = spread ? layout.shard.volume() * grid.volume() >= physical.volume()
                       : layout.shard.rows * grid.rows >= physical.rows &&
                             layout.shard.columns * grid.columns >= physical.columns;
  if (covers)
    return "";
  return formatv("{0} shards of {1} do not cover the {2} {3} of tensor {4}", gridText(grid),
                 gridText(layout.shard), gridText(physical), layout.isTiled() ? "tiles" : "elements",
                 tensorText(shape));
}

} // namespace

std::string checkLayout(const TensorLayout &layout) {
  // In this order, as the first message is the only one: what is malformed comes before what is merely not
  // allowed.
  for (auto check : {checkMap, checkExtents, checkFormat, checkHost, checkDram, checkShardedGrid, checkCores})
    if (std::string problem = check(layout); !problem.empty())
      return problem;
  return "";
}

std::string checkLayoutFor(const TensorLayout &layout, ArrayRef<int64_t> shape, const DeviceSpec &device) {
  if (std::string problem = checkLayout(layout); !problem.empty())
    return problem;
  if (std::string problem = checkRank(layout, shape); !problem.empty())
    return problem;
  if (std::string problem = checkDeviceGrid(layout, device); !problem.empty())
    return problem;
  return checkCover(layout, shape);
}

} // namespace tessera
