//===- ConversionRuntime.h - Time of moving a tensor as it is ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONS_CONVERSIONRUNTIME_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONS_CONVERSIONRUNTIME_H

#include "../OpCall.h"

namespace tessera::analytic {

/// From operand 0 to result 0, same pages: copy, interleaved to sharded, sharded to interleaved, reshard.
OpRuntime conversionTime(const OpCall &call);
/// Between page layouts: tilize and untilize, with padding where the sizes are not multiples of 32.
OpRuntime tilizeTime(const OpCall &call);

/// A move between an interleaved tensor and shards in L1.
struct ShardMove {
  bool tiled = true;
  double units = 1;        ///< on the busiest core: tiles, or rows of a row-major shard
  double unitBytes = 2048; ///< of a tile, of such a row
  double bytes = 0;        ///< of all shards
  double coresAbove = 1;   ///< cores with a shard in one column of the grid
  bool dram = true;        ///< where the interleaved tensor is
  bool waits = false;      ///< for every tile that is written, as kernels before September 2025 did
};
/// Interleaved to sharded, and back. Programs of their own, also within other ops.
OpRuntime shardingTime(const DeviceSpec &device, const Parameters &parameters, const ShardMove &move);
OpRuntime unshardingTime(const DeviceSpec &device, const Parameters &parameters, const ShardMove &move);

/// What a reshard puts on the NoCs.
struct ReshardLoads {
  double link = 0, source = 0, destination = 0; ///< bytes: of the busiest link, of the busiest core
  double readers = 0;                           ///< most destinations that read from one source over one NoC
};
/// Routes every piece of every shard. Requires two sharded tensors; shards whose cores are not known are
/// taken to lie row by row from the first core.
ReshardLoads reshardLoads(Arch arch, const TensorRef &from, const TensorRef &to);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONS_CONVERSIONRUNTIME_H
