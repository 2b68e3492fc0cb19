//===- ChainBuilder.h - The depth-first schedule and its chains ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINBUILDER_H
#define TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINBUILDER_H

#include "L1ChainConfig.h"

namespace tessera::df_sharding {

/// All ops in the order in which they will run, and the chains in the order of their first ops. The ops of a
/// chain stand next to each other in the schedule.
struct ChainPlan {
  std::vector<OpId> schedule;
  std::vector<L1ChainConfig> chains; ///< each in state Built
};

/// Whether policies of the chain family may shard the op: it is on the list of facts/optimizer-design 3.2.3 or that of
/// the published code (facts/ir 3.2), or a conversion that an override demands; a compute op with one result that
/// no op writes in place, and one of its legal configurations puts the result sharded into L1. `writtenInPlace` by
/// ValueId.
bool isShardable(const Problem &problem, OpId op, const std::vector<bool> &writtenInPlace);

/// Walks the ops depth first and collects chains (facts/optimizer-design 3.2.2, 3.2.3). After an op comes the one
/// reader of its result, if that is its only use, as first operand, and everything else that reader needs is there;
/// else the first op that is ready: layout conversions of the input program first, then ops that something waits for,
/// then the rest, each in program order. Memory effects keep their order. An op joins the chain of the op before it if
/// it came that way and is shardable.
///
/// `isolateConcats`: a concat with sharded configurations forms a chain by itself (facts/optimizer-design 4.1.6);
/// otherwise a concat belongs to none.
///
/// O(n log n) in ops and edges.
ChainPlan buildChains(const Problem &problem, bool isolateConcats);

} // namespace tessera::df_sharding

#endif // TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINBUILDER_H
