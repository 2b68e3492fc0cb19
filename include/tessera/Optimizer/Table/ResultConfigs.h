//===- ResultConfigs.h - Legal configurations by where they write --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_TABLE_RESULTCONFIGS_H
#define TESSERA_OPTIMIZER_TABLE_RESULTCONFIGS_H

#include "tessera/Optimizer/Table/Oracle.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera {

/// The legal configurations of `op` that make what `config` makes, in their order: what reads the results cannot tell which of them runs.
inline auto makingTheSame(const Oracle &oracle, OpId op, ConfigId config) {
  return llvm::make_filter_range(oracle.legal(op), [&oracle, config](ConfigId other) {
    return oracle[other].outputs == oracle[config].outputs;
  });
}

/// Of `configs` the one that takes the op least time on these inputs, the first of equals, and that time; nullopt if none is legal.
template <class Configs>
std::optional<std::pair<Nanoseconds, ConfigId>>
fastestOf(Oracle &oracle, OpId op, llvm::ArrayRef<LayoutId> inputs, const Configs &configs) {
  std::optional<std::pair<Nanoseconds, ConfigId>> best;
  for (ConfigId config : configs)
    if (StepCost cost = oracle.run(op, inputs, config); cost.legal && (!best || cost.time < best->first))
      best = {cost.time, config};
  return best;
}

/// Whether all results lie sharded in L1; false without results.
bool writesSharded(const Problem &problem, const OpConfig &config);
/// The legal configurations of `op` that do, in their order.
std::vector<ConfigId> shardedConfigs(const Problem &problem, const Oracle &oracle, OpId op);
/// The first legal configuration of `op` with all results in L1 interleaved; invalid if there is none.
ConfigId interleavedConfig(const Problem &problem, const Oracle &oracle, OpId op);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_TABLE_RESULTCONFIGS_H
