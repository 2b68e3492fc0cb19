//===- TensorLayout.h - Where a tensor lies and how it is cut -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A TensorLayout says where each element of a tensor lies: in which memory, in
// which order of pages, cut into which shards, on which cores. It is a plain
// value, 1:1 with `#ttnn.ttnn_layout`, and knows nothing of IR. It does not
// hold the logical shape: the same layout serves each tensor it fits.
//
// From a logical shape to bytes on cores, for 2x40x100 bf16, tiled, height
// sharded over 3 cores:
//
//   logical      2 x 40 x 100
//   collapsed    dims [0,-1) fold into rows. Tiled: the two innermost dims are padded to the tile first,
//                so rows stride by 64 per d0: (d0, d1, d2) -> (d0 * 64 + d1, d2)
//                extents  64*1 + 39 + 1 = 104 x 100
//   padded       128 x 128 elements          = 4 x 4 tiles
//   sharded      grid 3x1: ceil(104/3) = 35 rows -> 2 tiles    = 2 x 4 tiles per core
//                core 0: tile rows 0,1   core 1: 2,3   core 2: padding only
//   bytes        2 * 4 * 2048 = 16384 per core; a padded shard costs as much as a full one
//
// Interleaved tensors have no shards: pages (a tile, or one row if row-major) go round-robin over the banks,
// so that a core of B banks holds ceil(pages / B) of them.
//
// Sources: facts/ir 1.1; facts/hardware 5.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_TENSORLAYOUT_H
#define TESSERA_LAYOUT_TENSORLAYOUT_H

#include "tessera/Device/DeviceSpec.h"
#include "tessera/Layout/CoreRange.h"
#include "tessera/Layout/DataType.h"
#include "tessera/Layout/LinearMap.h"

#include <optional>
#include <string>

namespace tessera {

/// Numbered as in tt-mlir's flatbuffers.
enum class BufferType : uint8_t { DRAM = 0, L1 = 1, SystemMemory = 2, L1Small = 3, Trace = 4 };
enum class MemoryLayout : uint8_t {
  Interleaved = 0,
  HeightSharded = 2,
  WidthSharded = 3,
  BlockSharded = 4,
  NDSharded = 5
};
enum class PageLayout : uint8_t { RowMajor = 0, Tile = 1 };
/// The one that is not `page`.
constexpr PageLayout otherPages(PageLayout page) {
  return page == PageLayout::Tile ? PageLayout::RowMajor : PageLayout::Tile;
}

llvm::StringRef name(BufferType type); ///< "dram" "l1" "system_memory" "l1_small" "trace"
llvm::StringRef
name(MemoryLayout layout); ///< "interleaved" "height_sharded" "width_sharded" "block_sharded" "nd_sharded"
llvm::StringRef name(PageLayout layout); ///< "row_major" "tile"
std::optional<BufferType> parseBufferType(llvm::StringRef text);
std::optional<MemoryLayout> parseMemoryLayout(llvm::StringRef text);
std::optional<PageLayout> parsePageLayout(llvm::StringRef text);

/// What a value is, apart from where it lies.
struct TensorDesc {
  Shape shape;
  DataType dtype = DataType::BFloat16;
  bool operator==(const TensorDesc &) const = default;
  friend llvm::hash_code hash_value(const TensorDesc &d) {
    return llvm::hash_combine(llvm::hash_combine_range(d.shape.begin(), d.shape.end()), d.dtype);
  }
};

struct TensorLayout {
  LinearMap linear; ///< logical index -> physical row and column, in elements
  GridShape grid;   ///< shards; 1x1 for DRAM and host; the bank grid for L1 interleaved
  GridShape shard;  ///< the memref: extents per core in tiles (Tile) or elements (RowMajor)
  PageLayout page = PageLayout::Tile;
  TileShape tile; ///< meaningful if page == Tile
  DataType dtype = DataType::BFloat16;
  BufferType buffer = BufferType::DRAM;
  std::optional<MemoryLayout> memory = MemoryLayout::Interleaved; ///< nullopt <=> system memory
  std::optional<CoreRangeSet> cores; ///< present <=> sharded (unless ignorePhysicalLayout)
  bool ignorePhysicalLayout = false; ///< "backend: choose shard shape and cores"; only used as a query hint
  std::string mesh;                  ///< text of the tensor-mesh parameter; empty if absent

  bool operator==(const TensorLayout &) const = default;
  friend llvm::hash_code hash_value(const TensorLayout &layout);

  bool isTiled() const { return page == PageLayout::Tile; }
  bool isL1() const { return buffer == BufferType::L1; }
  bool isDram() const { return buffer == BufferType::DRAM; }
  bool onDevice() const { return buffer != BufferType::SystemMemory; }
  bool isInterleaved() const { return memory == MemoryLayout::Interleaved; }
  bool isSharded() const { return memory && *memory != MemoryLayout::Interleaved; }
  /// Cores (banks) that hold a part: the shard grid's volume if sharded, else the grid's.
  CoreCount coreCount() const { return CoreCount(grid.volume()); }
};

// ---- Shapes ---------------------------------------------------------------------------------------------

/// The collapse of `[0, -1)` to 2-D: strides from the tile-padded shape if tiled, from the logical one if
/// row-major. Rank 0 maps to (0, 0), rank 1 to (0, d0).
LinearMap collapseTo2D(llvm::ArrayRef<int64_t> shape, PageLayout page, TileShape tile = {});

/// Whether rows and columns of a tensor of that shape, collapsed and in whole tiles, are within kMaxLayoutExtent. The
/// functions below require it of shapes that come from users: their products are then within 64 bits.
bool fitsLayouts(llvm::ArrayRef<int64_t> shape);

/// How many shards lie along rows and columns if each of these cores has one: `memory` is sharded.
GridShape shardGridOn(MemoryLayout memory, const CoreRangeSet &cores);

/// Rows and columns of the collapsed tensor in elements, padded to whole tiles if tiled.
GridShape physicalShape(const TensorLayout &layout, llvm::ArrayRef<int64_t> shape);
/// physicalShape in pages' units: tiles if tiled, else elements.
GridShape physicalShapeInUnits(const TensorLayout &layout, llvm::ArrayRef<int64_t> shape);

// ---- Builders: legal layouts by construction -------------------------------------------------------------

/// DRAM interleaved.
TensorLayout dramInterleaved(const TensorDesc &tensor, PageLayout page = PageLayout::Tile);
/// Host memory, row-major unless said otherwise.
TensorLayout systemMemory(const TensorDesc &tensor, PageLayout page = PageLayout::RowMajor);
/// L1 interleaved over all cores of the worker grid: shard = 1 x ceil(pages / cores).
TensorLayout l1Interleaved(const TensorDesc &tensor, GridShape workerGrid,
                           PageLayout page = PageLayout::Tile);
/// L1 sharded. `grid` is n x 1 (height), 1 x n (width) or rows x columns (block); the shard is
/// ceil(extent / grid), then rounded up to whole tiles. Cores are placed canonically on `workerGrid`.
/// Requires that the grid fits: n <= cores, or rows and columns <= the worker grid's.
TensorLayout l1Sharded(const TensorDesc &tensor, MemoryLayout memory, GridShape grid, GridShape workerGrid,
                       PageLayout page = PageLayout::Tile);
/// The same placement (buffer, memory layout, grid, cores, page) for another tensor; shards are recomputed.
TensorLayout withTensor(const TensorLayout &layout, const TensorDesc &tensor, GridShape workerGrid);

// ---- Bytes -----------------------------------------------------------------------------------------------

/// Bytes of one page: a tile, or a row of the shard.
Bytes pageBytes(const TensorLayout &layout);
/// Bytes that `pages` pages of a buffer, dealt out over `banks` banks, take from each: ceil(pages / banks) pages, each
/// rounded up to `pageAlignment` (facts/allocator 4).
Bytes bankBytes(int64_t pages, Bytes page, int64_t banks, Bytes pageAlignment);
/// Bytes that each core that holds a part must set aside: shard bytes; for interleaved ceil(pages / banks)
/// pages, each aligned to the device's L1 (DRAM) alignment. 0 on host. An L1-interleaved layout written with
/// grid 1x1 and the whole memref (facts/ir 1.1 "convention clash") is spread over the device's worker grid.
Bytes bytesPerCore(const TensorLayout &layout, const DeviceSpec &device);
/// Bytes over all cores or banks, padding included: what the tensor takes from the memory as a whole.
Bytes totalBytes(const TensorLayout &layout, llvm::ArrayRef<int64_t> shape);
/// bytesPerCore if the layout lies in L1, else 0: its share of every core's L1 (the allocator works in
/// lock-step: bytes on some cores are taken from all; facts/hardware 5.1).
Bytes l1BytesPerCore(const TensorLayout &layout, const DeviceSpec &device);

// ---- Checks ----------------------------------------------------------------------------------------------

/// What is wrong with the layout in itself (verifier rules of facts/ir 1.1), or "" if nothing.
std::string checkLayout(const TensorLayout &layout);
/// checkLayout, and that the layout fits a tensor of `shape` on `device`: map rank, grid within the worker
/// grid, shards that cover the tensor. "" if legal.
std::string checkLayoutFor(const TensorLayout &layout, llvm::ArrayRef<int64_t> shape,
                           const DeviceSpec &device);

/// Short text for people: "l1/height_sharded/8x1 4x2 tiles bf16", "dram/interleaved".
std::string describe(const TensorLayout &layout);

} // namespace tessera

#endif // TESSERA_LAYOUT_TENSORLAYOUT_H
