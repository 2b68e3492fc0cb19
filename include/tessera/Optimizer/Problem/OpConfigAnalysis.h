//===- OpConfigAnalysis.h - Op-specific knobs worth trying ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_OPCONFIGANALYSIS_H
#define TESSERA_OPTIMIZER_PROBLEM_OPCONFIGANALYSIS_H

#include "tessera/OpModel/OpConfig.h"
#include "tessera/OpModel/OpSignature.h"
#include "tessera/Optimizer/Problem/AnalysisOptions.h"

#include <vector>

namespace tessera {

/// The space for one op: what its `conv2d_config` sets, in the file or by an override, is not searched.
Conv2dSearchSpace searchSpaceOf(const OpSignature &conv2d, Conv2dSearchSpace space);

/// A convolution from DRAM to DRAM in slices of the image, each through L1 by itself: along its height and its width, by
/// doubling from two slices on to one per row or column of the result. Each with every activation block height of
/// `space` and, unless the op says how, every kind of shards; the rest as in `declared`. Fewest slices first: what comes later needs less L1 and takes longer (facts/ir 1.4;
/// facts/formulas 11).
std::vector<Conv2dConfig> slicedConv2dConfigs(const OpSignature &conv2d, const Conv2dSearchSpace &space,
                                              const OpSpecificConfig &declared);

/// All combinations of the search space but those that mean nothing, the last knob turning fastest like an
/// odometer's wheel. With an output sharded in L1 each is for activations sharded as it is. With any other output,
/// shards, slices and the freeing of the operand (in DRAM mostly) stay as in `declared`, the op's own configuration;
/// that one itself is monostate, so that an op that sets nothing goes on doing so.
std::vector<OpSpecificConfig> enumerateConv2dConfigs(const Conv2dSearchSpace &space,
                                                     const TensorLayout &output,
                                                     const OpSpecificConfig &declared);

/// A matmul or a linear: what takes a matmul program config.
bool isMatmul(const OpSignature &op);

/// Program configs for a matmul or linear whose result lies in `output`: width sharded -> 1-D with in0
/// multicast, height sharded -> 1-D with in1 multicast, block sharded -> 2-D, or 1-D if the block grid has one
/// row or column (facts/ir 4.6 "Matmul program config"). The first is that section's choice of
/// in0_block_w; blocks of 16, 8, 4, 2 and 1 tiles follow as far as they divide K. If in1 has in0's batches, height
/// sharded -> reuse, each core the batches, or the part of one, that its shard holds (facts/hardware 4.1); other shards
/// have no configuration.
///
/// Interleaved: the default configuration first. Then 2-D and 1-D over all of `workers`, or reuse for batches, with what a
/// core makes in one piece and in ever smaller out_blocks, each with the widths of above. These are many (up to 70), and most
/// of little use: findLegalConfigs() keeps those that are faster or need less L1 than all others.
std::vector<OpSpecificConfig> enumerateMatmulConfigs(const OpSignature &matmul, const TensorLayout &output,
                                                     GridShape workers);

/// Attention over many queries: what takes chunks.
bool isAttention(const OpSignature &op);

/// Chunks of queries times chunks of keys: powers of two up to 512 positions, and all that there are if these are fewer. One
/// tile of each, what the library takes by itself, comes first, as no configuration.
std::vector<OpSpecificConfig> enumerateAttentionConfigs(const OpSignature &attention, GridShape workers);

/// What to try for `op`, which has the configuration `declared`, with its result in `output`: those above for their
/// ops, one default configuration for every other. Empty if the op's own `conv2d_config` asks for another shard layout
/// or page layout than `output` has.
std::vector<OpSpecificConfig> enumerateOpConfigs(const OpSignature &op, const TensorLayout &output,
                                                 const OpSpecificConfig &declared,
                                                 const Conv2dSearchSpace &conv2d, GridShape workers);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_OPCONFIGANALYSIS_H
