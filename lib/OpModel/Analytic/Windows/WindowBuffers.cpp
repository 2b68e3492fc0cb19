//===- WindowBuffers.cpp - L1 of the programs before a window's kernel ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// tt-metal 0.77: interleaved_to_sharded_program_factory.cpp,
// untilize_with_halo_program_factory.cpp.
//
//===----------------------------------------------------------------------===//
#include "WindowBuffers.h"

namespace tessera::analytic {

int64_t HaloTables::tensors() const {
  constexpr int64_t access = 16;
  int64_t bytes = 0;
  for (int64_t list : lists)
    bytes += inDram ? 0 : alignUp(list, access);
  return bytes;
}

HaloTables haloTables(const OpCall &call, std::array<int64_t, 4> lists, llvm::StringRef prefix) {
  return {lists, call.op().boolean((prefix + "config_tensors_in_dram").str(), false)};
}

void haloBuffers(MemoryUse &use, int64_t stick, int64_t tiles, int64_t tile, const HaloTables &tables) {
  use.program("halo");
  use.buffer("padding", 2, stick);
  use.buffer("untilized rows", 2 * 2 * tiles, tile);
  if (tables.inDram)
    for (int64_t list : tables.lists)
      use.buffer("transfers", 1, list);
}

int64_t allocatedBytes(const OpCall &call, const TensorRef &tensor) {
  constexpr int64_t access = 16;
  if (!tensor.l1() || (tensor.tiled() && !tensor.sharded()))
    return call.perCore(tensor);
  if (tensor.tiled())
    return tensor.shardTiles().volume() * tensor.tile;
  if (!tensor.sharded())
    return ceilDiv(tensor.rows(), call.cores()) * alignUp(tensor.rowBytes(), access);
  return tensor.layout->shard.rows * alignUp(tensor.layout->shard.columns * tensor.scalar, access);
}

TensorLayout repaged(const OpCall &call, const TensorRef &tensor, PageLayout page) {
  constexpr int64_t tile = 32;
  TensorLayout layout = *tensor.layout;
  if (layout.page == page)
    return layout;
  layout.page = page;
  if (!tensor.sharded())
    return withTensor(layout, *tensor.desc, call.device().workerGrid);
  // Shards stay on their cores: their extents change unit, and nothing is cut anew.
  bool tiles = page == PageLayout::Tile;
  auto units = [&](int64_t extent) { return tiles ? ceilDiv(extent, tile) : extent * tile; };
  layout.shard = {units(layout.shard.rows), units(layout.shard.columns)};
  return layout;
}

} // namespace tessera::analytic
