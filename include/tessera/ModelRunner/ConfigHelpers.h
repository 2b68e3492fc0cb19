//===- ConfigHelpers.h - Rules behind program and memory configs ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rules: facts/deepseek 1.5; numbers that follow from them: 2.3.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_CONFIGHELPERS_H
#define TESSERA_MODELRUNNER_CONFIGHELPERS_H

#include "tessera/ModelRunner/OpConfigs.h"

namespace tessera::runner {

/// Edge of a tile; users of one mesh row in decode, one tile of rows.
inline constexpr int64_t kTile = 32, kUsersPerRow = 32;
/// Rows that one prefill matmul takes at most; longer inputs are cut.
inline constexpr int64_t kPrefillRows = 1024;

/// The largest divisor of n that is at most `most`.
int64_t largestDivisor(int64_t n, int64_t most = 8);

/// The most cores, up to `most`, over which the tiles of an activation's width divide.
int64_t activationCores(int64_t width, int64_t most);

/// Rows and columns, at most 8 each, for as many cores as divide `tiles` and are nearest to 32.
GridShape gridFor(int64_t tiles);

/// Matmul on weights that are width-sharded over DRAM banks, activations over `inCores`, the result over `outCores`.
MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig dramShardedMatmul(int64_t m, int64_t k, int64_t n,
                                                                        int64_t inCores, int64_t outCores);

/// Matmul on interleaved activations of `rows` rows over a grid of cores.
MatmulMultiCoreReuseMultiCastProgramConfig prefillMatmul(int64_t rows, int64_t k, int64_t n, GridShape grid);

/// Weight [k, n] over DRAM banks, by width; each bank's share is whole tiles.
MemoryConfig dramShardedWeight(int64_t k, int64_t n, int64_t banks);

/// Activation [height, width] over `cores` cores of the grid, row by row.
MemoryConfig widthSharded(int64_t height, int64_t width, int64_t cores, GridShape workerGrid);
/// The same with a height shard per core.
MemoryConfig heightSharded(int64_t height, int64_t width, int64_t cores, GridShape workerGrid);

/// Norm of an activation that is width-sharded over a grid of cores.
LayerNormShardedMultiCoreProgramConfig shardedNorm(int64_t rows, int64_t width, GridShape grid);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_CONFIGHELPERS_H
