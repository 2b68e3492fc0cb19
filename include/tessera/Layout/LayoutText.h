//===- LayoutText.h - Layouts in words: one form, read and written --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   layout  :=  word (`/` word)*  |  word (`:` word)*      in any order, one word of a kind
//   word    :=  buffer | memory | grid | page | type | shard | cores | short form
//
//   dram    l1/interleaved    l1/height_sharded/8x1    dram/row_major
//   l1/block_sharded/2x4/row_major/bf16                8x8:l1:block_sharded:tile
//
// The words of a kind are the names of TensorLayout.h. A grid is rows x columns.
// Where shards or cores are not those that follow from the rest:
//
//   shard=32x256            rows x columns of a shard, in elements
//   cores=0:0-7:0+0:1-3:1   rectangles of cores, from corner to corner, column:row
//
// Short forms stand for several words: host, rm, hs8, ws8, bs2x4, wsdram12.
// Everybody who reads or writes a layout in text does it here: overrides, text
// instances, queries to the op model, messages. docs/tensor-layout.md, "In text".
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_LAYOUTTEXT_H
#define TESSERA_LAYOUT_LAYOUTTEXT_H

#include "tessera/Layout/TensorLayout.h"
#include "llvm/Support/Error.h"

namespace tessera {

/// What a text says of a layout. Absent: it says nothing.
struct LayoutWords {
  std::optional<GridShape> grid = {}; ///< extents from 1 to 65536
  std::optional<BufferType> buffer = {};
  std::optional<MemoryLayout> memory = {}; ///< not NDSharded
  std::optional<PageLayout> page = {};
  std::optional<DataType> dtype = {};
  std::optional<GridShape> shard = {}; ///< in elements
  std::optional<CoreRangeSet> cores = {};
  bool operator==(const LayoutWords &) const = default;
};

/// The error names the part that is no word of a layout and all that would be, or the kind that two words are of.
llvm::Expected<LayoutWords> parseLayoutWords(llvm::StringRef text);
enum class LayoutStyle : uint8_t {
  Full,  ///< "l1/block_sharded/2x4/row_major/bf16"
  Short, ///< "bs2x4/rm/bf16": with short forms, and without `interleaved`
};
/// What parseLayoutWords reads back. Empty if nothing is said.
std::string print(const LayoutWords &words, LayoutStyle style = LayoutStyle::Full);

/// Buffer, memory layout, grid if sharded, and page layout if it is row-major.
LayoutWords wordsOf(const TensorLayout &layout);
/// The same, and shard and cores where layoutFor would give the tensor others.
LayoutWords wordsOf(const TensorLayout &layout, const TensorDesc &tensor, const DeviceSpec &device);

/// The layout of `tensor` that the words ask for. Absent words: interleaved, in tiles, evenly cut, on the device's
/// canonical cores. An error if the words name no buffer, another data type than the tensor's, a grid without a kind of
/// sharding or the other way round, more cores than the device has and not which, or shards or cores that do not go
/// with the rest. Whether the tensor fits, checkLayoutFor says.
llvm::Expected<TensorLayout> layoutFor(const LayoutWords &words, const TensorDesc &tensor,
                                       const DeviceSpec &device);
/// Both at once.
llvm::Expected<TensorLayout> parseLayoutFor(llvm::StringRef text, const TensorDesc &tensor,
                                            const DeviceSpec &device);

/// A tensor: "32x64xbf16"; bf16 if no data type is named; `scalar` for no dimension. An error if an extent is no number
/// from 0 on, or layouts cannot hold the shape (fitsLayouts).
llvm::Expected<TensorDesc> parseTensorDesc(llvm::StringRef text);
/// All words, by kind, and those of memory layouts alone, for errors and help.
std::string legalLayoutWords();
std::string memoryLayoutNames();
/// A layout as a part of a sentence, with what it takes: "block sharded in L1 over 8x8 cores, shards of 4x2 tiles,
/// bf16, 16.0 KiB per core", "interleaved in DRAM over 12 banks, tiles, bf16, 96.0 KiB per bank", "on the host,
/// row-major, f32".
std::string inWords(const TensorLayout &layout, const DeviceSpec &device);
/// What `shard=` says.
GridShape shardInElements(const TensorLayout &layout);
/// "8x8", each from 1 to 65536.
llvm::Expected<GridShape> parseGrid(llvm::StringRef text);

} // namespace tessera

#endif // TESSERA_LAYOUT_LAYOUTTEXT_H
