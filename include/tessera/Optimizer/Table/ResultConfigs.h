//===- ResultConfigs.h - Legal configurations by where they write --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_TABLE_RESULTCONFIGS_H
#define TESSERA_OPTIMIZER_TABLE_RESULTCONFIGS_H

#include "tessera/Optimizer/Table/Oracle.h"

namespace tessera {

/// Whether all results lie sharded in L1; false without results.
bool writesSharded(const Problem &problem, const OpConfig &config);
/// The legal configurations of `op` that do, in their order.
std::vector<ConfigId> shardedConfigs(const Problem &problem, const Oracle &oracle, OpId op);
/// The first legal configuration of `op` with all results in L1 interleaved; invalid if there is none.
ConfigId interleavedConfig(const Problem &problem, const Oracle &oracle, OpId op);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_TABLE_RESULTCONFIGS_H
