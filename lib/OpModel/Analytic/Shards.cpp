//===- Shards.cpp - How shards fill tensors and cores ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Shards seldom come out even: the last of a row or of a column has less, or none. Kernels take a tensor where it lies
// only if that cannot show, and go by way of copies or fail otherwise, so that rules, L1 and time ask the same
// questions.
//
//===----------------------------------------------------------------------===//
#include "Shards.h"

namespace tessera::analytic {
namespace {

/// The shard that a row ends in is full, or lies on the last column of cores.
bool rowsEndOnLastColumn(const TensorRef &tensor) {
  const TensorLayout &layout = *tensor.layout;
  int64_t width = std::max<int64_t>(1, layout.shard.columns);
  // Of shards by width on several rows of cores the library mostly finds the padding all the same.
  bool oneRow =
      layout.memory == MemoryLayout::BlockSharded || !layout.cores ||
      (layout.cores->ranges.size() == 1 && layout.cores->ranges[0].start.y == layout.cores->ranges[0].end.y);
  return !oneRow || tensor.width % width == 0 || ceilDiv(tensor.width, width) == layout.grid.columns;
}

} // namespace

bool reshardKeepsRows(const TensorRef &from, const TensorRef &to) {
  constexpr int64_t access = 16; // shorter pieces go by way of interleaved memory
  if (!from.rowMajor() || !from.sharded() || !to.sharded() || from.rows() == 1)
    return true;
  std::optional<MemoryLayout> kind = from.layout->memory;
  bool columns = kind == MemoryLayout::BlockSharded || kind == MemoryLayout::WidthSharded;
  int64_t read = from.layout->shard.columns * from.scalar, written = to.layout->shard.columns * to.scalar;
  // Shards of one width are read whole, padding and all; other kinds change by way of DRAM.
  if (!columns || kind != to.layout->memory || read == written || read % access != 0 || written % access != 0)
    return true;
  return rowsEndOnLastColumn(from) && rowsEndOnLastColumn(to);
}

bool reshardKeepsPadding(const TensorRef &from, const TensorRef &to) {
  bool rows = from.rowMajor() && from.shardedAs(MemoryLayout::HeightSharded) &&
              to.shardedAs(MemoryLayout::HeightSharded);
  return !rows || from.layout->shard.columns == to.layout->shard.columns;
}

bool fillsCores(const TensorRef &tensor) {
  return !tensor.sharded() || tensor.shardTiles().volume() * tensor.shardCores() == tensor.tiles();
}

bool wholeShards(const TensorRef &tensor) {
  if (!tensor.sharded())
    return true;
  int64_t rows = tensor.shardUnits().rows;
  // Shards of rows may overhang the width: a row in them is as long as the shard.
  if (tensor.rowMajor())
    return tensor.rows() % rows == 0;
  return tensor.tileRows % rows == 0 && tensor.tileCols % tensor.shardTiles().columns == 0;
}

bool shardsHold(std::optional<MemoryLayout> memory, GridShape grid, GridShape shard, GridShape tiles) {
  if (!memory || *memory == MemoryLayout::Interleaved)
    return true;
  int64_t down = ceilDiv(tiles.rows, shard.rows), across = ceilDiv(tiles.columns, shard.columns);
  if (*memory == MemoryLayout::HeightSharded)
    return shard.columns == tiles.columns && down <= grid.volume();
  if (*memory == MemoryLayout::WidthSharded)
    return shard.rows == tiles.rows && across <= grid.volume();
  return down <= grid.rows && across <= grid.columns;
}

bool sameCores(const TensorRef &a, const TensorRef &b) {
  return a.sharded() && b.sharded() && a.layout->cores == b.layout->cores;
}

bool beginsAtFirstCore(const TensorRef &tensor) {
  if (!tensor.sharded() || !tensor.layout->cores)
    return true;
  CoreRange box = tensor.layout->cores->boundingBox();
  return box.start.x == 0 && box.start.y == 0;
}

bool onFirstCores(const TensorRef &tensor) {
  if (!tensor.sharded() || !tensor.layout->cores)
    return true;
  const CoreRangeSet &cores = *tensor.layout->cores;
  CoreCoord last = cores.boundingBox().end;
  return cores == rowMajorCores(cores.size(), {last.y + 1, last.x + 1});
}

bool sameLayout(const TensorRef &a, const TensorRef &b) {
  return a.desc->shape == b.desc->shape && samePlacement(a, b) &&
         (!a.sharded() || a.layout->shard == b.layout->shard);
}

bool isOneHeightShard(const TensorLayout &layout) {
  return layout.grid.volume() == 1 && layout.memory == MemoryLayout::HeightSharded;
}

TensorLayout asWidthShard(const TensorLayout &layout, const TensorDesc &tensor, GridShape workerGrid) {
  return l1Sharded(tensor, MemoryLayout::WidthSharded, {1, 1}, workerGrid, layout.page);
}

} // namespace tessera::analytic
