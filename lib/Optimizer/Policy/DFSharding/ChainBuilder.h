//===- ChainBuilder.h - Chains of sharded ops along the schedule -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINBUILDER_H
#define TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINBUILDER_H

#include "L1Chain.h"

namespace tessera::df_sharding {

/// Whether policies of the chain family may shard the op: it is on the list of facts/optimizer-design 3.2.3 or that of
/// the published code (facts/ir 3.2), or a conversion that an override demands; a compute op with one result that
/// no op writes in place, and one of its legal configurations puts the result sharded into L1. `writtenInPlace` by
/// ValueId.
bool isShardable(const Problem &problem, OpId op, const std::vector<bool> &writtenInPlace);

/// The chains of a problem whose ops run in the order of their ids, in the order of their first ops
/// (facts/optimizer-design 3.2.2, 3.2.3). An op joins the chain of the op right before it if it is that op's
/// soleFirstReader, and shardable. depthFirstOrder (Problem/Schedule.h) puts such pairs behind one another where it can.
///
/// `isolateConcats`: a concat with sharded configurations forms a chain by itself (facts/optimizer-design 4.1.6);
/// otherwise a concat belongs to none.
///
/// Linear in ops and edges.
std::vector<L1Chain> buildChains(const Problem &problem, bool isolateConcats);

} // namespace tessera::df_sharding

#endif // TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINBUILDER_H
