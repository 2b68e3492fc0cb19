//===- TilePlan.h - How tilize and untilize share out a tensor ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONS_TILEPLAN_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONS_TILEPLAN_H

#include "../Family.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {

/// What both directions ask of a tensor, in tiles; `height` is of one matrix.
struct TilePlan {
  TilePlan(const OpCall &call, const TensorRef &tiles, int64_t rowTile)
      : TilePlan(call, {tiles.tileRows, tiles.tileCols}, ceilDiv(tiles.height, 32), tiles.tile, rowTile) {}
  TilePlan(const OpCall &call, GridShape tiles, int64_t height, int64_t tile, int64_t rowTile)
      : call(call), cores(call.cores()), rows(tiles.rows), columns(tiles.columns), height(height), tile(tile),
        rowTile(rowTile), dramAlignment(call.device().dramAlignment.value()), usable(call.usableL1()),
        half(call.device().l1Size.value() / 2 - call.device().l1UnreservedBase.value()) {}

  const OpCall &call;
  /// Workers; rows of tiles of all matrices, tiles across, rows of tiles of one matrix.
  int64_t cores, rows, columns, height;
  /// Bytes of a tile, and of 32 x 32 elements in rows: they differ where the type changes as well, as of block floats.
  int64_t tile, rowTile;
  /// Bytes; `half` is what half of raw L1 leaves above the base.
  int64_t dramAlignment, usable, half;
  /// Tilizing blocks takes a staging row beside, which shifts rows from DRAM's alignment to L1's.
  bool staging = false;

  /// Of one column of tiles, in and out.
  int64_t bytesPerTile() const { return tile + rowTile + (staging ? rowTile / 32 : 0); }
  /// Of the staging row, whatever the width.
  int64_t fixedBytes() const { return staging ? 2 * dramAlignment : 0; }
  /// What a row of so many tiles takes.
  int64_t bytesOf(int64_t tiles) const { return tiles * bytesPerTile() + fixedBytes(); }
  /// A whole row of tiles leaves room.
  bool rowFits() const { return bytesOf(columns) < usable; }

  /// Blocks of a matrix of so many rows of tiles.
  int64_t blocks(int64_t side, int64_t high) const { return ceilDiv(columns, side) * ceilDiv(high, side); }

  /// Side of the square blocks that leave at least one core without a block: the smallest (work_split_tilize.hpp).
  int64_t blockSide(int64_t tiles, int64_t high) const {
    // Below the root of a core's share of the area there are more blocks than cores: the search begins there.
    int64_t area = ceilDiv(tiles, cores), least = int64_t(std::sqrt(double(area)));
    least = std::max<int64_t>(1, least + (least * least < area));
    int64_t most = std::max({columns, high, least});
    // Larger sides give fewer blocks.
    while (least < most) {
      int64_t side = least + (most - least) / 2;
      if (blocks(side, high) < cores)
        most = side;
      else
        least = side + 1;
    }
    return blocks(least, high) < cores ? least : 1;
  }

  /// Of the blocks that all matrices are cut into, if they are.
  int64_t sideOfBlocks() const { return blockSide(columns * height, height); }

  /// Wide matrices are cut into blocks if that occupies more cores than rows of tiles do. `tiles` of a matrix.
  bool prefersBlocks(int64_t tiles, int64_t high) const {
    // Matrices of up to so many tiles across are never cut into blocks.
    constexpr int64_t wide = 32;
    if (columns <= wide || (high <= wide && columns <= high))
      return false;
    // Cores that get a row of tiles, against those that get a block.
    return ceilDiv(rows, ceilDiv(rows, cores)) < blocks(blockSide(tiles, high), high);
  }

  /// Rows are not so wide that both buffers of the kernel for bfloat16 and bfp8 would take 800,000 bytes (untilize/codegen).
  bool rowFitsOwnKernel() const { return 2 * columns * rowTile <= 800000; }
  /// Since August 2026 bfloat16 and bfp8 in interleaved memory are untilized by a kernel of their own, unless rows are too wide for it.
  bool hasOwnKernel(const TensorRef &tensor) const {
    bool type = tensor.dtype() == DataType::BFloat16 || tensor.dtype() == DataType::BFP_BFloat8;
    return answersAsNewest(call) && type && (rows == 1 || rowFitsOwnKernel());
  }
  /// Tiles across that a core of that kernel takes: columns are shared out as well while cores are idle.
  int64_t columnsPerCore() const {
    if (rows == 1)
      return ceilDiv(columns, cores);
    int64_t parts = 1;
    // The most parts that divide the columns evenly while every row has as many cores.
    for (int64_t count = 2; count <= std::min(cores / rows, columns); ++count)
      if (columns % count == 0)
        parts = count;
    return columns / parts;
  }
  /// Padding is cut off, or the tensor is untilized otherwise, in blocks.
  bool unpadsBlocks() const { return !rowFits() || prefersBlocks(columns * height, height); }
  /// The kernel is chosen as if all matrices were one, of the area of the first.
  bool untilizesBlocks() const { return !rowFits() || prefersBlocks(columns * height, rows); }
  /// `elements` of a matrix: its padding is left out of account where the kernel is chosen.
  bool tilizesBlocks(int64_t elements) const { return !rowFits() || prefersBlocks(elements / 1024, height); }
};

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONS_TILEPLAN_H
