//===- PageMap.h - Where a tensor's pages lie, and what is in them --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Memory holds a tensor page by page. A page is a tile, or a row of the shard
// (of the tensor, if it is interleaved) when the layout is row-major. For
// 70 x 100 bf16, tiled, 3 x 4 pages:
//
//   interleaved over 12 banks   page p = row * 4 + column lies in bank p mod 12 at (p div 12) * 2048
//   height sharded on 3 cores   page row r lies on core r, at column * 2048
//
// A map is made once per layout and shape; it knows neither addresses nor
// values. What lies in pages but belongs to no element is padding.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_PAGEMAP_H
#define TESSERA_SIMULATOR_PAGEMAP_H

#include "tessera/Device/DeviceSpec.h"
#include "tessera/Simulator/DenseTensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::simulator {

/// Where a page begins, counted from the buffer's address in its bank. Banks of L1 are cores, row by row; of DRAM, channels;
/// the host has one.
struct PageAddress {
  int64_t bank = 0;
  Bytes offset;
};

/// Part of a tensor seen as a matrix, with all dimensions but the last folded into rows; ends are excluded.
struct ElementBlock {
  int64_t rowBegin = 0, rowEnd = 0, columnBegin = 0, columnEnd = 0;
  int64_t rows() const { return rowEnd - rowBegin; }
  int64_t columns() const { return columnEnd - columnBegin; }
};

/// Where pages of a tensor lie, from layout and shape alone. Tables of rows make it as large as the tensor has rows, so
/// a program's maps are made once each (lib/Simulator/PageMaps.h).
class PageMap {
public:
  /// Error if the simulator cannot store such a layout: ND-sharded, tiles other than 32x32, a map other than the collapse of
  /// all dimensions but the last, shards without cores or beyond the device.
  static llvm::Expected<PageMap> make(const TensorLayout &layout, const TensorDesc &tensor,
                                      const DeviceSpec &device);

  /// Pages down and across.
  GridShape pages() const { return pageGrid; }
  /// Of the page at that place among pages(). It need not hold any element.
  PageAddress address(int64_t row, int64_t column) const;
  /// Of elements, without what aligns the next page.
  Bytes pageSize() const { return page; }
  /// What the buffer takes from each bank.
  Bytes bankBytes() const { return bank; }
  int64_t banks() const { return bankCount; }

  /// Gives the bytes of a page, pageSize() of them.
  using PageBytes = llvm::function_ref<llvm::MutableArrayRef<uint8_t>(PageAddress)>;
  /// Rounds the tensor to its format and writes all pages, padding included: NaN, or an odd pattern in integers. In block-float
  /// tiles NaN would spoil the exponent that padding shares with elements; there such padding is 0.
  void store(const DenseTensor &tensor, PageBytes bytes) const;
  /// Reads all elements, and no padding.
  void load(DenseTensor &tensor, PageBytes bytes) const;

  // ---- In parts: tensors that are large need not be dense as a whole ----
  /// Makes the elements of some rows of the tensor, into a tensor of rows x columns. May be called on several threads.
  using RowSource = llvm::function_ref<void(const ElementBlock &rows, DenseTensor &values)>;
  /// As store(), of rows that are made as they are needed.
  void storeRows(RowSource source, PageBytes bytes) const;
  /// Reads a block of the tensor into a tensor of rows x columns, on this thread.
  void loadBlock(const ElementBlock &block, DenseTensor &values, PageBytes bytes) const;
  /// Calls `visit` for all pages, row by row, on this thread.
  void forEachPageInOrder(llvm::function_ref<void(PageAddress)> visit) const;
  /// Whether pages are tiles.
  bool isTiled() const { return tiled; }
  /// The type of what holds a block.
  TensorDesc descOf(const ElementBlock &block) const {
    return {{block.rows(), block.columns()}, tensor.dtype};
  }

private:
  PageMap() = default;
  void placeRows(const TensorLayout &layout);
  void forEachPage(llvm::function_ref<void(int64_t row, int64_t column)> visit) const;
  llvm::ArrayRef<int64_t> rowsOfPage(int64_t row) const;

  TensorDesc tensor;
  bool tiled = false;
  GridShape pageGrid;        ///< pages that hold the tensor
  GridShape box;             ///< elements of a page
  Bytes page, aligned, bank; ///< bytes of a page, from page to page, of the buffer in each bank
  int64_t bankCount = 1;
  bool sharded = false;
  GridShape shardPages, grid;     ///< pages of a shard; shards
  std::vector<int64_t> shardBank; ///< by shard
  int64_t width = 1;              ///< elements of the last dimension
  int64_t firstColumn = 0;
  std::vector<int64_t> rowOf;     ///< logical row of a physical row, -1: padding
  std::vector<int64_t> pageRowOf; ///< row of pages that holds a logical row
};

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_PAGEMAP_H
