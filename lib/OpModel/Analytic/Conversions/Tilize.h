//===- Tilize.h - Circular buffers of tilize and untilize ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Many data-movement kernels work on rows: tiled tensors are untilized first
// and tilized afterwards, by programs of their own. facts/formulas 8.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONS_TILIZE_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONS_TILIZE_H

#include "../Family.h"

namespace tessera::analytic {

/// Bytes of a tile of elements as rows have them: of block floats, bf16.
int64_t rowTileOf(const TensorRef &tensor);

/// Circular buffers between the two forms of a tensor: `tiles` is the one in tiles, `rows` the other (null: interleaved).
/// `rowTile`: bytes of a tile's elements in rows.
void untilizeProgram(const OpCall &call, MemoryUse &use, const TensorRef &tiles, int64_t rowTile,
                     const TensorRef *rows = nullptr);
void tilizeProgram(const OpCall &call, MemoryUse &use, const TensorRef &tiles, int64_t rowTile,
                   const TensorRef *rows = nullptr, llvm::StringRef name = "tilize");

/// The same by the kernel that also cuts off padding, from interleaved memory into such, whether there is any or not.
void unpadProgram(const OpCall &call, MemoryUse &use, const TensorRef &tiles, int64_t rowTile);

/// The kernel for rows of 16-bit numbers where it cuts off padding: each core takes whole rows of tiles, as deep as fits.
/// False, and nothing is added, if it does not take the tensor.
bool untilizeWholeRows(const OpCall &call, MemoryUse &use, const TensorRef &tiles, int64_t rowTile);

/// Rows copied one by one: a page of the operand in, two of the result, aligned for its memory, out.
void copyRowsProgram(const OpCall &call, MemoryUse &use, int64_t page, int64_t resultPage, bool toL1);

/// Moves the operand as it is to where the result lies: to_memory_config. Conversion.cpp.
void moveMemory(const OpCall &call, MemoryUse &use);

/// The lists of sticks that an upsample by nearest neighbours of shards copies, each row of `width` of them `times` times. Upsample.cpp.
int64_t upsampleTableBytes(const TensorRef &shards, int64_t width, int64_t times);

/// The tensor ends inside a tile.
bool endsInsideTile(const TensorRef &tensor);
/// Sharded in L1 on both sides in one memory layout, so that the shards themselves serve as the buffers.
bool tilizesInPlace(const TensorRef &from, const TensorRef &to);

/// A circular buffer counts its pages in 16 bits, and one over a shard has a page for each of its tiles, or rows.
bool shardPagesCountable(const TensorRef &tensor);

/// The kernel that brings pages of `page` bytes from interleaved memory into shards; it has room to shift them from DRAM's
/// alignment to L1's.
void shardingProgram(const OpCall &call, MemoryUse &use, int64_t page, PageLayout layout);

/// L1 per core of `tensor` as a row-major copy in the same buffer: 0 if it lies in DRAM.
int64_t rowMajorCopy(const OpCall &call, const TensorRef &tensor);
/// The same if `l1` says that the copy lies in L1.
int64_t rowMajorBytes(const OpCall &call, const TensorRef &tensor, bool l1);
/// The same of an interleaved copy of row-major shards in L1. Until October 2026 its rows stay as wide as the shards of a row
/// are together.
int64_t unshardedBytes(const OpCall &call, const TensorRef &shards);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONS_TILIZE_H
