//===- OpConfigAnalysis.h - Op-specific knobs worth trying ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_OPCONFIGANALYSIS_H
#define TESSERA_OPTIMIZER_PROBLEM_OPCONFIGANALYSIS_H

#include "tessera/OpModel/OpConfig.h"
#include "tessera/OpModel/OpSignature.h"

#include <vector>

namespace tessera {

/// The values that conv2d's knobs take (spec ttnn-optimizer-detailed-design.md 3.1.4).
struct Conv2dSearchSpace {
  std::vector<int64_t> actBlockHOverride = {0, 64, 32}; ///< 0: as high as the shard
  std::vector<bool> deallocateActivation = {true};
};

/// All combinations of the search space, the last knob turning fastest like an odometer's wheel, each for
/// activations sharded as `output` is. An output that is not sharded has no knobs: one default configuration.
std::vector<OpSpecificConfig> enumerateConv2dConfigs(const Conv2dSearchSpace &space, const TensorLayout &output);

/// Program configs for a matmul or linear whose result lies in `output`: width sharded -> 1-D with in0
/// multicast, height sharded -> 1-D with in1 multicast, block sharded -> 2-D, or 1-D if the block grid has one
/// row or column (facts/ir-and-algorithms.md 4.6 "Matmul program config"). The first is that section's choice of
/// in0_block_w; larger blocks that divide K follow. Empty if in1 is batched (its batches would need one program
/// each); one default configuration if `output` is not L1-sharded.
std::vector<OpSpecificConfig> enumerateMatmulConfigs(const OpSignature &matmul, const TensorLayout &output);

/// What to try for `op` with its result in `output`: the two above for their ops, one default configuration for
/// every other.
std::vector<OpSpecificConfig> enumerateOpConfigs(const OpSignature &op, const TensorLayout &output,
                                                 const Conv2dSearchSpace &conv2d);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_OPCONFIGANALYSIS_H
