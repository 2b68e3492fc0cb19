//===- ResultConfigs.cpp - Legal configurations by where they write ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Table/ResultConfigs.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

template <class Predicate>
static bool allResults(const Problem &problem, const OpConfig &config, Predicate predicate) {
  auto holds = [&](LayoutId id) {
    return id.valid() && problem.layout(id).isL1() && predicate(problem.layout(id));
  };
  return !config.outputs.empty() && llvm::all_of(config.outputs, holds);
}

bool tessera::writesSharded(const Problem &problem, const OpConfig &config) {
  return allResults(problem, config, [](const TensorLayout &layout) { return layout.isSharded(); });
}

std::vector<ConfigId> tessera::shardedConfigs(const Problem &problem, const Oracle &oracle, OpId op) {
  std::vector<ConfigId> configs;
  for (ConfigId config : oracle.legal(op))
    if (writesSharded(problem, oracle[config]))
      configs.push_back(config);
  return configs;
}

ConfigId tessera::interleavedConfig(const Problem &problem, const Oracle &oracle, OpId op) {
  for (ConfigId config : oracle.legal(op))
    if (allResults(problem, oracle[config],
                   [](const TensorLayout &layout) { return layout.isInterleaved(); }))
      return config;
  return {};
}
