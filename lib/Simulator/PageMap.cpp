//===- PageMap.cpp - Where a tensor's pages lie, and what is in them ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/PageMap.h"

#include "PageFormat.h"

#include "tessera/Simulator/Parallel.h"

namespace tessera::simulator {

namespace {

/// Whether the map takes the last dimension to columns and all others to rows.
bool collapsesToRows(const LinearMap &map, size_t rank) {
  if (map.dims != rank || map.results.size() != 2)
    return false;
  const LinearMap::Result &rows = map.results[0], &columns = map.results[1];
  for (size_t i = 0; i < rank; ++i) {
    bool last = i + 1 == rank;
    if (columns.coefficients[i] != (last ? 1 : 0) || (last && rows.coefficients[i] != 0))
      return false;
  }
  return true;
}

/// What the simulator cannot store; "" if it can.
std::string unsupported(const TensorLayout &layout, const TensorDesc &tensor) {
  if (layout.memory == MemoryLayout::NDSharded)
    return "ND-sharded tensors";
  if (layout.isTiled() && layout.tile != TileShape())
    return "tiles other than 32x32";
  if (layout.isSharded() && !layout.cores)
    return "shards without cores";
  if (!collapsesToRows(layout.linear, tensor.shape.size()))
    return "layouts whose map does more than fold all dimensions but the last";
  if (!isStorable(tensor.dtype))
    return "tensors of " + name(tensor.dtype).str();
  return "";
}

int64_t banksOf(const TensorLayout &layout, const DeviceSpec &device) {
  return !layout.onDevice() ? 1 : layout.isDram() ? device.dramBanks : device.workerGrid.volume();
}

/// Banks of the shards, in placement order.
llvm::Expected<std::vector<int64_t>> shardBanks(const TensorLayout &layout, const DeviceSpec &device) {
  std::vector<int64_t> banks;
  for (const CoreRange &range : layout.cores->ranges)
    for (int64_t y = range.start.y; y <= range.end.y; ++y)
      for (int64_t x = range.start.x; x <= range.end.x; ++x)
        banks.push_back(layout.isDram() ? x : y * device.workerGrid.columns + x);
  int64_t most = banksOf(layout, device);
  if (int64_t(banks.size()) < layout.grid.volume() ||
      llvm::any_of(banks, [&](int64_t bank) { return bank < 0 || bank >= most; }))
    return failure("its shards lie on cores that the device does not have");
  return banks;
}

} // namespace

llvm::Expected<PageMap> PageMap::make(const TensorLayout &layout, const TensorDesc &tensor,
                                      const DeviceSpec &device) {
  if (std::string what = unsupported(layout, tensor); !what.empty())
    return failure("the simulator does not support " + what);
  PageMap map;
  map.tensor = tensor;
  map.tiled = layout.isTiled();
  map.sharded = layout.isSharded();
  map.bankCount = banksOf(layout, device);
  map.width = tensor.shape.empty() ? 1 : tensor.shape.back();
  map.firstColumn = layout.linear.results[1].constant;
  GridShape units = physicalShapeInUnits(layout, tensor.shape);
  map.box = map.tiled ? GridShape{layout.tile.height, layout.tile.width}
                      : GridShape{1, map.sharded ? layout.shard.columns : units.columns};
  map.pageGrid = map.tiled
                     ? units
                     : GridShape{units.rows, ceilDiv(units.columns, std::max<int64_t>(map.box.columns, 1))};
  map.page = map.tiled ? tileBytes(tensor.dtype, layout.tile) : scalarBytes(tensor.dtype) * map.box.columns;
  Bytes alignment = layout.isDram()     ? device.dramAlignment
                    : layout.onDevice() ? device.l1Alignment
                                        : Bytes(1);
  map.aligned = alignUp(map.page, alignment);
  map.bank = map.sharded ? bytesPerCore(layout, device)
                         : tessera::bankBytes(map.pageGrid.volume(), map.page, map.bankCount, alignment);
  if (map.sharded) {
    llvm::Expected<std::vector<int64_t>> banks = shardBanks(layout, device);
    if (!banks)
      return banks.takeError();
    map.shardBank = std::move(*banks);
    map.grid = layout.grid;
    map.shardPages = map.tiled ? layout.shard : GridShape{layout.shard.rows, 1};
    // Height and width sharding cut one way only, however the grid is written.
    if (layout.memory == MemoryLayout::HeightSharded)
      map.grid = {layout.grid.volume(), 1};
    else if (layout.memory == MemoryLayout::WidthSharded)
      map.grid = {1, layout.grid.volume()};
    if (map.shardPages.rows * map.grid.rows < map.pageGrid.rows ||
        map.shardPages.columns * map.grid.columns < map.pageGrid.columns)
      return failure("its shards do not cover the tensor");
  }
  map.placeRows(layout);
  return map;
}

/// Which logical row each physical row holds.
void PageMap::placeRows(const TensorLayout &layout) {
  rowOf.assign(size_t(pageGrid.rows * box.rows), -1);
  if (volumeOf(tensor.shape) == 0)
    return;
  Shape index(tensor.shape.size(), 0);
  int64_t rows = volumeOf(tensor.shape) / width;
  for (int64_t row = 0; row < rows; ++row) {
    rowOf[size_t(layout.linear.apply(index)[0])] = row;
    for (size_t dim = index.size() - std::min<size_t>(index.size(), 1); dim-- > 0;) {
      if (++index[dim] < tensor.shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

PageAddress PageMap::address(int64_t row, int64_t column) const {
  if (!sharded) {
    int64_t number = row * pageGrid.columns + column;
    return {number % bankCount, aligned * (number / bankCount)};
  }
  int64_t shard = row / shardPages.rows * grid.columns + column / shardPages.columns;
  int64_t inShard = row % shardPages.rows * shardPages.columns + column % shardPages.columns;
  return {shardBank[size_t(shard)], aligned * inShard};
}

void PageMap::forEachPage(llvm::function_ref<void(int64_t, int64_t)> visit) const {
  // A part is some rows of pages: threads for less than that cost more than they save.
  constexpr int64_t kPart = 1 << 18;
  int64_t rowBytes = std::max<int64_t>(1, page.value() * pageGrid.columns);
  int64_t rows = ceilDiv(kPart, rowBytes);
  parallelFor(ceilDiv(pageGrid.rows, rows), [&](int64_t part) {
    for (int64_t row = part * rows, end = std::min(pageGrid.rows, row + rows); row < end; ++row)
      for (int64_t column = 0; column < pageGrid.columns; ++column)
        visit(row, column);
  });
}

void PageMap::store(const DenseTensor &values, PageBytes bytes) const {
  forEachPage([&](int64_t row, int64_t column) {
    storePage(values, row, column, bytes(address(row, column)).data());
  });
}

void PageMap::load(DenseTensor &values, PageBytes bytes) const {
  forEachPage([&](int64_t row, int64_t column) {
    loadPage(values, row, column, bytes(address(row, column)).data());
  });
}

void PageMap::storePage(const DenseTensor &values, int64_t row, int64_t column, uint8_t *bytes) const {
  int64_t begin = column * box.columns - firstColumn;
  PageRows rows{llvm::ArrayRef(rowOf).slice(size_t(row * box.rows), size_t(box.rows)), begin, width,
                box.columns};
  if (values.isInteger())
    storeIntegers(tensor.dtype, tiled, values.integers.data(), rows, bytes);
  else
    storeFloats(tensor.dtype, tiled, values.floats.data(), rows, bytes);
}

void PageMap::loadPage(DenseTensor &values, int64_t row, int64_t column, const uint8_t *bytes) const {
  int64_t begin = column * box.columns - firstColumn;
  PageRows rows{llvm::ArrayRef(rowOf).slice(size_t(row * box.rows), size_t(box.rows)), begin, width,
                box.columns};
  if (values.isInteger())
    loadIntegers(tensor.dtype, tiled, values.integers.data(), rows, bytes);
  else
    loadFloats(tensor.dtype, tiled, values.floats.data(), rows, bytes);
}

} // namespace tessera::simulator
