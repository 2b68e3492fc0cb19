//===- PoolShards.h - How a pool is shared among cores -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_POOLSHARDS_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_POOLSHARDS_H

#include "WindowBuffers.h"

namespace tessera::analytic {

enum PoolVariant : unsigned { MaxPool, AveragePool, MaxPoolWithIndices };

/// The shards of a pool, as tt-metal has chosen them since 2026: those of a sharded operand, else of the kind that
/// takes least L1. tt-metal 0.77: generic_pools.cpp, pool_utils.cpp.
struct PoolShards {
  /// Height shards share the pixels, width shards the channels, block shards both.
  MemoryLayout kind = MemoryLayout::HeightSharded;
  int64_t pixelCores = 1, channelCores = 1;
  bool moved = false;                          ///< the operand goes to shards of its own
  int64_t inRows = 1, inWidth = 1;             ///< of an operand shard, in elements
  int64_t outRows = 1, outWidth = 1;           ///< of a result shard, in elements
  int64_t inShard = 0, halo = 0, outShard = 0; ///< bytes per core
  HaloTables exchange;                         ///< of the halo exchange
  int64_t tables = 0;                          ///< of the readers; bytes per core

  /// Of the result's shards: pixels go down, channels across.
  GridShape grid() const;
  /// A decided result is the one that the pool makes, so that nothing moves it.
  bool liesAs(const TensorRef &result) const;
};

PoolShards poolShards(const OpCall &call, const Window &window);
/// The buffers of the pool's kernel when the channels are shared by that many cores.
void poolBuffers(const OpCall &call, const Window &window, int64_t channelCores, MemoryUse &use);
/// The pool's programs before and with the kernel, and the tensors at their peak.
void poolMemory(const OpCall &call, const Window &window, MemoryUse &use);

/// The average of whole images is a reduction over their rows, of an operand interleaved in the memory of the result, into
/// such. tt-metal 0.77, as traced. GlobalPool.cpp.
bool averagesImages(const OpCall &call, const Window &window);
void globalPoolOutput(OpCall &call);
void globalPoolMemory(const OpCall &call, const Window &window, MemoryUse &use);
/// The same as an op of its own, of N x H x W x C: the images are laid out as rows of pixels first, and several results are put
/// together and taken apart again (global_avg_pool.cpp).
void wholeImagesOutput(OpCall &call);
void wholeImagesMemory(const OpCall &call, MemoryUse &use);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_POOLSHARDS_H
