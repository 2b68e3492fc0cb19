//===- ConvPlan.h - How a convolution is cut into blocks -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_CONVPLAN_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_CONVPLAN_H

#include "Window.h"

namespace tessera::analytic {

class OpCall;
class MemoryUse;

/// The blocking of one conv2d; sizes in tiles unless said otherwise. facts/formulas 11.
struct ConvPlan {
  Window window;       ///< of one slice
  bool valid = false;  ///< the attributes make sense
  bool sliced = false; ///< works from DRAM to DRAM, slice by slice
  int64_t slices = 1;
  bool matmul = false; ///< a 1x1 window: no halo, the shards go straight into a matmul

  MemoryLayout kind = MemoryLayout::HeightSharded;
  int64_t pixelCores = 1, channelCores = 1; ///< cores that share the pixels, and the channels
  int64_t perCoreM = 1, perCoreN = 1;       ///< output tiles per core
  int64_t blockH = 1;                       ///< act_block_h
  int64_t blockW = 1;                       ///< act_block_w
  int64_t kBlocks = 1;                      ///< blocks of blockW along the inner dimension
  int64_t channels = 1;                     ///< padded input channels per core, in elements

  int64_t inShard = 0, halo = 0, outShard = 0; ///< bytes per core
  int64_t tables = 0, exchange = 0;            ///< of the readers, and of the halo exchange; bytes per core

  int64_t cores() const { return pixelCores * channelCores; }
  GridShape outGrid() const;
};

/// The plan of the call, worked out once.
const ConvPlan &convPlan(const OpCall &call);
/// Bytes of one tile of weights or bias: they are converted to the activation's type unless the config names one.
int64_t convWeightTile(const OpCall &call);
/// The circular buffers of the convolution proper.
void convBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use);
/// L1 per core that input shard, halo and output shard take at their peak.
int64_t convTensors(const OpCall &call, const ConvPlan &plan);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_CONVPLAN_H
