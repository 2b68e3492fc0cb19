//===- L1ChainConfig.cpp - Ops whose intermediate tensors stay in L1 ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a chain may become, and from where:
//   in_build -build-> built -resolve-> resolved -complete-> completed
//                       +-----fail------+-----fail-----> failed
// A transition that is not possible says so and changes nothing.
//
//===----------------------------------------------------------------------===//
#include "L1ChainConfig.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::df_sharding;

llvm::StringRef tessera::df_sharding::name(SpillLocation location) {
  static constexpr llvm::StringLiteral kNames[] = {"none", "l1_interleaved", "dram"};
  return kNames[size_t(location)];
}

llvm::StringRef tessera::df_sharding::name(L1ChainState state) {
  static constexpr llvm::StringLiteral kNames[] = {"in_build", "built", "resolved", "completed", "failed"};
  return kNames[size_t(state)];
}

std::string L1ChainConfig::advance(llvm::StringRef transition, llvm::ArrayRef<L1ChainState> from,
                                   L1ChainState to) {
  if (!llvm::is_contained(from, current))
    return llvm::formatv("'{0}' is not possible for a chain that is {1}", transition, name(current)).str();
  current = to;
  return "";
}

std::string L1ChainConfig::append(OpId op) {
  // No other state: only whether the chain may still grow is asked.
  std::string error = advance("append", L1ChainState::InBuild, L1ChainState::InBuild);
  if (error.empty())
    specs.push_back({op, {}});
  return error;
}

std::string L1ChainConfig::build() {
  if (specs.empty())
    return "'build' needs a chain with at least one op";
  return advance("build", L1ChainState::InBuild, L1ChainState::Built);
}

std::string L1ChainConfig::resolve() {
  return advance("resolve", L1ChainState::Built, L1ChainState::Resolved);
}

std::string L1ChainConfig::complete(llvm::ArrayRef<ConfigId> configs) {
  if (configs.size() != specs.size())
    return llvm::formatv("'complete' needs {0} configurations, not {1}", specs.size(), configs.size()).str();
  // Nothing is written if the chain is in no state for it.
  std::string error = advance("complete", L1ChainState::Resolved, L1ChainState::Completed);
  if (error.empty())
    for (auto [spec, config] : llvm::zip_equal(specs, configs))
      spec.config = config;
  return error;
}

std::string L1ChainConfig::fail() {
  return advance("fail", {L1ChainState::Built, L1ChainState::Resolved}, L1ChainState::Failed);
}
