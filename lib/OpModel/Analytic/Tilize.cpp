//===- Tilize.cpp - Circular buffers of tilize and untilize --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Tilize.h"

namespace tessera::analytic {
namespace {

/// Tiles of a row that one core handles at a time: a shard's, or the whole row unless it is too wide.
int64_t rowTiles(const OpCall &call, const TensorRef &tensor, int64_t bytesPerTile) {
  int64_t row = tensor.sharded() ? std::min(tensor.shardTiles().columns, tensor.tileCols) : tensor.tileCols;
  // Wider rows go through a kernel that also splits columns; its blocks take at most half of L1
  // (unconfirmed).
  return std::min(row, std::max<int64_t>(1, call.usableL1() / 2 / bytesPerTile));
}

} // namespace

void untilizeProgram(const OpCall &call, MemoryUse &use, const TensorRef &tensor, int64_t outTile) {
  use.program("untilize");
  int64_t rowsPerCore = tensor.sharded() ? tensor.shardTiles().rows : ceilDiv(tensor.tileRows, call.cores());
  int64_t depth = rowsPerCore > 1 ? 2 : 1;
  int64_t tiles = depth * rowTiles(call, tensor, depth * (tensor.tile + outTile));
  use.buffer("tiles", tiles, tensor.tile);
  use.buffer("rows", tiles, outTile);
}

void tilizeProgram(const OpCall &call, MemoryUse &use, const TensorRef &tensor, int64_t inTile) {
  use.program("tilize");
  int64_t tiles = rowTiles(call, tensor, tensor.tile + inTile);
  use.buffer("rows", tiles, inTile);
  use.buffer("tiles", tiles, tensor.tile);
}

int64_t rowMajorBytes(const OpCall &call, const TensorRef &tensor, bool l1) {
  return l1 ? ceilDiv(tensor.rows(), call.cores()) * tensor.rowBytes() : 0;
}

int64_t rowMajorCopy(const OpCall &call, const TensorRef &tensor) {
  return rowMajorBytes(call, tensor, tensor.l1());
}

} // namespace tessera::analytic
