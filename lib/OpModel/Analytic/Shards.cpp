//===- Shards.cpp - How shards fill tensors and cores ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Shards.h"

namespace tessera::analytic {

bool fillsCores(const TensorRef &tensor) {
  return !tensor.sharded() || tensor.shardTiles().volume() * tensor.shardCores() == tensor.tiles();
}

bool wholeShards(const TensorRef &tensor) {
  if (!tensor.sharded())
    return true;
  int64_t rows = std::max<int64_t>(1, tensor.layout->shard.rows);
  if (tensor.rowMajor())
    return tensor.rows() % rows == 0;
  return tensor.tileRows % rows == 0 && tensor.tileCols % tensor.shardTiles().columns == 0;
}

bool sameCores(const TensorRef &a, const TensorRef &b) {
  return a.sharded() && b.sharded() && a.layout->cores == b.layout->cores;
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
