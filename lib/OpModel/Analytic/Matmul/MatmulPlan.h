//===- MatmulPlan.h - How a matmul is cut into blocks --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MATMUL_MATMULPLAN_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MATMUL_MATMULPLAN_H

#include "tessera/Device/DeviceSpec.h"

#include <algorithm>

namespace tessera::analytic {

class OpCall;

/// The blocking of one matmul, given by a program config or chosen as the backend chooses. Sizes in tiles.
/// Example: 2D multicast of 64 x 32 x 48 tiles (M, K, N) on 8 x 8 cores: each makes 8 x 6 tiles of the result, and
/// with blockK = 4 goes through K in 8 steps, for each of which it gets 8 x 4 tiles of in0 and 4 x 6 of in1.
struct MatmulPlan {
  enum class Kind : uint8_t {
    Reuse,          ///< blocks of perCoreM rows of all batches, dealt out over the cores; no multicast
    MultiCast2D,    ///< rows of cores share in0 blocks, columns share in1 blocks
    MultiCast1DIn0, ///< every core has all of M and a slice of N; in0 goes to all
    MultiCast1DIn1, ///< every core has a slice of M and all of N; in1 goes to all
    DramSharded,    ///< 1D over N, each core streams its in1 from one DRAM bank
    MultiCore,      ///< fallback: tile by tile
  };
  Kind kind = Kind::MultiCore;
  bool given = false;    ///< by a program config of the query
  bool possible = true;  ///< false: the backend finds no program for these operands
  bool fuseBatch = true; ///< batches of in0 are rows (1D and 2D)

  int64_t m = 1, k = 1, n = 1; ///< of one matmul; m includes in0's batch if fused
  int64_t batch = 1;           ///< matmuls one after the other
  /// Cores that may be used, columns and rows; those with work are cores().
  int64_t gridX = 1, gridY = 1;
  /// What one core makes of the result: a rectangle of so many tiles, those at the borders less.
  int64_t perCoreM = 1, perCoreN = 1;
  /// Tiles of K that are fetched and multiplied at a time, and the part of the result that they are added to until K is
  /// through.
  int64_t blockK = 1;             ///< in0_block_w
  int64_t blockH = 1, blockW = 1; ///< out_block
  /// What stays in the destination registers at once: up to 8 tiles, 4 with sums of 32 bits (facts/hardware 4.1).
  int64_t subblockH = 1, subblockW = 1;

  bool operator==(const MatmulPlan &) const = default;

  /// Without multicast the rows of all batches are cut as one, else those of a batch.
  int64_t blocksM() const { return ((kind == Kind::Reuse ? m * batch : m) + perCoreM - 1) / perCoreM; }
  int64_t blocksN() const { return (n + perCoreN - 1) / perCoreN; }
  /// Cores that have work (and a shard of a sharded output).
  int64_t cores() const {
    int64_t blocks = blocksM() * blocksN();
    return kind == Kind::Reuse ? std::min(blocks, gridX * gridY) : blocks;
  }
  int64_t kBlocks() const { return (k + blockK - 1) / blockK; }
  /// Result blocks of blockH x blockW that a core makes one after the other.
  int64_t outBlocks() const {
    int64_t each = ((perCoreM + blockH - 1) / blockH) * ((perCoreN + blockW - 1) / blockW);
    return kind == Kind::Reuse ? each * ((blocksM() * blocksN() + cores() - 1) / cores()) : each * batch;
  }
};

/// The plan of the call, worked out once. facts/formulas 7.1;
/// facts/hardware 4.1.
const MatmulPlan &matmulPlan(const OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MATMUL_MATMULPLAN_H
