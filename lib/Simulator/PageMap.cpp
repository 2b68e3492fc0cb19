//===- PageMap.cpp - Where a tensor's pages lie, and what is in them ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// make() reads the layout once, and leaves tables: the logical row that each
// physical row holds, the row of pages that holds a logical row, the bank of each
// shard. Loads and stores go page by page, on several threads if they are many. A
// page is written by one thread only, and no page's bytes depend on another's.
//
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/PageMap.h"

#include "PageFormat.h"

#include "tessera/Simulator/Parallel.h"
#include "tessera/Support/Format.h"

#include "llvm/Support/FormatVariadic.h"

namespace tessera::simulator {

namespace {

/// Whether the map takes the last dimension to columns and all others to rows, none of them before the first.
bool collapsesToRows(const LinearMap &map, size_t rank) {
  // Pages are found by tables of rows (placeRows), in which other maps have no form.
  if (map.dims != rank || map.results.size() != 2)
    return false;
  const LinearMap::Result &rows = map.results[0], &columns = map.results[1];
  // The tables are as long as the last row says (LinearMap::extents), which is the largest if nothing is negative.
  if (rows.constant < 0 || columns.constant < 0)
    return false;
  for (size_t i = 0; i < rank; ++i) {
    bool last = i + 1 == rank;
    if (columns.coefficients[i] != (last ? 1 : 0) || (last && rows.coefficients[i] != 0) ||
        rows.coefficients[i] < 0)
      return false;
  }
  return true;
}

/// What the simulator cannot store; "" if it can.
std::string unsupported(const TensorLayout &layout, const TensorDesc &tensor) {
  if (layout.memory == MemoryLayout::NDSharded)
    return "ND-sharded tensors";
  if (layout.buffer == BufferType::Trace)
    return "tensors in the trace region, where the runtime alone allocates";
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

/// That the device has no bank for a shard; the last is on `last`.
std::string missingBanks(const TensorLayout &layout, CoreCoord last, const DeviceSpec &device) {
  const GridShape grid = device.workerGrid;
  if (layout.isDram())
    return llvm::formatv("its shards want DRAM bank {0}, and {1} has {2}", last.x, device.called(),
                         device.dramBanks);
  // All on the device, but fewer than there are shards.
  if (last.x < grid.columns && last.y < grid.rows)
    return llvm::formatv("its {0} shards have too few cores", layout.grid.volume());
  return llvm::formatv(
      "its shards reach to core ({0}, {1}), and {2} has {3} columns and {4} rows of them: the "
      "program is another device's (--device)",
      last.x, last.y, device.called(), grid.columns, grid.rows);
}

/// Banks of the shards, in placement order.
llvm::Expected<std::vector<int64_t>> shardBanks(const TensorLayout &layout, const DeviceSpec &device) {
  // Shards lie on cores in the order of the ranges, row by row, which is how TTNN deals them out.
  std::vector<int64_t> banks;
  for (const CoreRange &range : layout.cores->ranges)
    for (int64_t y = range.start.y; y <= range.end.y; ++y)
      for (int64_t x = range.start.x; x <= range.end.x; ++x)
        banks.push_back(layout.isDram() ? x : y * device.workerGrid.columns + x);
  // Counted row by row, a core behind the last column would pass for one of the next row.
  CoreCoord last = layout.cores->boundingBox().end;
  bool isBeside = !layout.isDram() && last.x >= device.workerGrid.columns;
  int64_t most = banksOf(layout, device);
  if (int64_t(banks.size()) < layout.grid.volume() || isBeside ||
      llvm::any_of(banks, [&](int64_t bank) { return bank < 0 || bank >= most; }))
    return failure(missingBanks(layout, last, device));
  return banks;
}

/// Error for what no memory can hold; maps of it would take too much themselves. Whether it finds room is the allocator's affair.
llvm::Error checkSize(const TensorLayout &layout, Bytes bank, const DeviceSpec &device) {
  // 16 TB.
  constexpr Bytes kHost(int64_t(1) << 44);
  Bytes most = layout.onDevice() ? device.dramBankSize : kHost;
  if (bank <= most)
    return llvm::Error::success();
  return failure("the tensor takes " + formatBytes(bank) + (layout.onDevice() ? " per bank" : "") +
                 "; that is more than any memory has");
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
  // A page of a tensor in rows is what one shard, or the whole tensor, has of a row.
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
  // The allocator's sizes (facts/allocator 4), so that what is stored stays within what is set aside.
  map.bank = map.sharded ? bytesPerCore(layout, device)
                         : tessera::bankBytes(map.pageGrid.volume(), map.page, map.bankCount, alignment);
  if (llvm::Error error = checkSize(layout, map.bank, device))
    return std::move(error);
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
  // Both ways are tables: outer dimensions fold with gaps where tiles pad each matrix, so no formula of one
  // division finds a row.
  rowOf.assign(size_t(pageGrid.rows * box.rows), -1);
  if (volumeOf(tensor.shape) == 0)
    return;
  Shape index(tensor.shape.size(), 0);
  int64_t rows = volumeOf(tensor.shape) / width;
  pageRowOf.resize(size_t(rows));
  for (int64_t row = 0; row < rows; ++row) {
    int64_t physical = layout.linear.apply(index)[0];
    rowOf[size_t(physical)] = row;
    pageRowOf[size_t(row)] = physical / box.rows;
    for (size_t dim = index.size() - std::min<size_t>(index.size(), 1); dim-- > 0;) {
      if (++index[dim] < tensor.shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

PageAddress PageMap::address(int64_t row, int64_t column) const {
  if (!sharded) {
    // Pages go round the banks one after the other (facts/allocator 4).
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

void PageMap::forEachPageInOrder(llvm::function_ref<void(PageAddress)> visit) const {
  for (int64_t row = 0; row < pageGrid.rows; ++row)
    for (int64_t column = 0; column < pageGrid.columns; ++column)
      visit(address(row, column));
}

llvm::ArrayRef<int64_t> PageMap::rowsOfPage(int64_t row) const {
  return llvm::ArrayRef(rowOf).slice(size_t(row * box.rows), size_t(box.rows));
}

void PageMap::store(const DenseTensor &values, PageBytes bytes) const {
  forEachPage([&](int64_t row, int64_t column) {
    storePage(tensor.dtype, tiled, values,
              {rowsOfPage(row), column * box.columns - firstColumn, width, box.columns},
              bytes(address(row, column)).data());
  });
}

void PageMap::load(DenseTensor &values, PageBytes bytes) const {
  forEachPage([&](int64_t row, int64_t column) {
    loadPage(tensor.dtype, tiled, values,
             {rowsOfPage(row), column * box.columns - firstColumn, width, box.columns},
             bytes(address(row, column)).data());
  });
}

/// The logical rows among `rows`, counted from `begin` on; those that are not within [begin, end) are as padding.
static llvm::SmallVector<int64_t, 32> within(llvm::ArrayRef<int64_t> rows, int64_t begin, int64_t end) {
  llvm::SmallVector<int64_t, 32> inside;
  for (int64_t row : rows)
    inside.push_back(row >= begin && row < end ? row - begin : -1);
  return inside;
}

/// Bands of page rows, for each of which a block of logical rows is asked for: the least that has all that the band
/// holds. Rows of the block that stand elsewhere are not stored here, so layouts that shuffle rows cost time and stay
/// right.
void PageMap::storeRows(RowSource source, PageBytes bytes) const {
  // What a core's cache holds, but whole tiles of what a source may have to read.
  constexpr int64_t kBand = 1 << 18, kRows = 32;
  int64_t pageRows = ceilDiv(std::max(kRows, kBand / std::max<int64_t>(1, width)), box.rows);
  parallelFor(ceilDiv(pageGrid.rows, pageRows), [&](int64_t band) {
    int64_t first = band * pageRows, last = std::min(pageGrid.rows, first + pageRows);
    ElementBlock block{int64_t(pageRowOf.size()), 0, 0, width};
    for (int64_t row :
         llvm::ArrayRef(rowOf).slice(size_t(first * box.rows), size_t((last - first) * box.rows)))
      if (row >= 0) {
        block.rowBegin = std::min(block.rowBegin, row);
        block.rowEnd = std::max(block.rowEnd, row + 1);
      }
    block.rowBegin = std::min(block.rowBegin, block.rowEnd);
    DenseTensor values = DenseTensor::unset(descOf(block));
    // Pages of padding have no rows to ask for, but are written all the same: what reads them must find poison.
    if (block.rows() > 0)
      source(block, values);
    for (int64_t row = first; row < last; ++row) {
      llvm::SmallVector<int64_t, 32> rows = within(rowsOfPage(row), block.rowBegin, block.rowEnd);
      for (int64_t column = 0; column < pageGrid.columns; ++column)
        storePage(tensor.dtype, tiled, values, {rows, column * box.columns - firstColumn, width, box.columns},
                  bytes(address(row, column)).data());
    }
  });
}

void PageMap::loadBlock(const ElementBlock &block, DenseTensor &values, PageBytes bytes) const {
  // Pages are read whole, since a tile's columns do not follow each other; what of them is beyond the block is left
  // out.
  int64_t firstPage = (block.columnBegin + firstColumn) / box.columns,
          lastPage = ceilDiv(block.columnEnd + firstColumn, box.columns), done = -1;
  for (int64_t logical = block.rowBegin; logical < block.rowEnd; ++logical) {
    int64_t row = pageRowOf[size_t(logical)];
    if (std::exchange(done, row) == row)
      continue; // rows of one page stand together: a page is read once for each run of them
    llvm::SmallVector<int64_t, 32> rows = within(rowsOfPage(row), block.rowBegin, block.rowEnd);
    for (int64_t column = firstPage; column < lastPage; ++column)
      loadPage(tensor.dtype, tiled, values,
               {rows, column * box.columns - firstColumn - block.columnBegin, block.columns(), box.columns},
               bytes(address(row, column)).data());
  }
}

} // namespace tessera::simulator
