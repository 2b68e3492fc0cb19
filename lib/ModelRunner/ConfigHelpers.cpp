//===- ConfigHelpers.cpp - Rules behind program and memory configs --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Shares of cores: how many cores an op takes for so many tiles, and what each
// gets. Most kernels want equal shares of whole tiles, so cores are counted by
// divisors; where a kernel takes a last core with less, shares are rounded up
// (prefillMatmul). The limits of 8 and 4 below are those of the published
// helpers (facts/deepseek 1.5).
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/ConfigHelpers.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

using namespace tessera;
using namespace tessera::runner;

namespace {

int64_t tiles(int64_t elements) { return ceilDiv(elements, kTile); }

MemoryConfig sharded(MemoryLayout layout, BufferType buffer, const CoreRangeSet &cores, int64_t height,
                     int64_t width) {
  return {layout, buffer, ShardSpec{{cores.ranges.begin(), cores.ranges.end()}, {height, width}}};
}

} // namespace

int64_t runner::largestDivisor(int64_t n, int64_t most) {
  for (int64_t divisor = most; divisor > 1; --divisor)
    if (n % divisor == 0)
      return divisor;
  return 1;
}

int64_t runner::activationCores(int64_t width, int64_t most) { return largestDivisor(tiles(width), most); }

GridShape runner::gridFor(int64_t tiles) {
  std::vector<int64_t> counts;
  for (int64_t count = 1; count <= 64; ++count)
    if (tiles % count == 0)
      counts.push_back(count);
  // Upstream's preference (facts/deepseek 1.5): about 32 cores, fewer of two that are equally far off, and grids that
  // are wider than high.
  auto rank = [](int64_t count) { return std::pair(std::abs(count - 32), count); };
  llvm::sort(counts, [&](int64_t a, int64_t b) { return rank(a) < rank(b); });
  for (int64_t count : counts)
    for (int64_t rows = 1; rows <= 8; ++rows)
      if (count % rows == 0 && count / rows <= 8)
        return {rows, count / rows};
  return {1, 1};
}

MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig
runner::dramShardedMatmul(int64_t m, int64_t k, int64_t n, int64_t inCores, int64_t outCores) {
  // w1 of DeepSeek-V3 on 8 columns: 224 tiles of K on 56 cores make blocks of 4, 72 tiles of N on 36 cores shares of 2
  // (facts/deepseek 2.3).
  // The block of K must divide what one core holds of it; the result's tiles are spread over their own number of cores.
  return {largestDivisor(tiles(k) / inCores), tiles(m), tiles(n) / outCores, std::nullopt};
}

MatmulMultiCoreReuseMultiCastProgramConfig runner::prefillMatmul(int64_t rows, int64_t k, int64_t n,
                                                                 GridShape grid) {
  MatmulMultiCoreReuseMultiCastProgramConfig config;
  config.compute_with_storage_grid_size = grid;
  config.in0_block_w = largestDivisor(tiles(k));
  // A grid of cores may be larger than the tiles: shares are rounded up, and the last cores have less.
  config.per_core_M = ceilDiv(rows, kTile * grid.rows);
  config.per_core_N = ceilDiv(n, kTile * grid.columns);
  config.out_subblock_w =
      largestDivisor(config.per_core_N, 4); // the destination registers hold four fp32 tiles
  return config;
}

MemoryConfig runner::dramShardedWeight(int64_t k, int64_t n, int64_t banks) {
  CoreRangeSet line{{CoreRange{{0, 0}, {banks - 1, 0}}}};
  // The width in whole tiles for each bank: banks have equal shares, so the last one may hold padding.
  return sharded(MemoryLayout::WidthSharded, BufferType::DRAM, line, k, alignUp(n, kTile * banks) / banks);
}

MemoryConfig runner::widthSharded(int64_t height, int64_t width, int64_t cores, GridShape workerGrid) {
  return sharded(MemoryLayout::WidthSharded, BufferType::L1, rowMajorCores(CoreCount(cores), workerGrid),
                 height, ceilDiv(width, cores));
}

MemoryConfig runner::heightSharded(int64_t height, int64_t width, int64_t cores, GridShape workerGrid) {
  return sharded(MemoryLayout::HeightSharded, BufferType::L1, rowMajorCores(CoreCount(cores), workerGrid),
                 ceilDiv(height, cores), width);
}

LayerNormShardedMultiCoreProgramConfig runner::shardedNorm(int64_t rows, int64_t width, GridShape grid) {
  LayerNormShardedMultiCoreProgramConfig config;
  config.compute_with_storage_grid_size = grid;
  config.block_w = tiles(width) / grid.volume();
  config.subblock_w = largestDivisor(config.block_w, 4);
  config.block_h = tiles(rows);
  return config;
}
