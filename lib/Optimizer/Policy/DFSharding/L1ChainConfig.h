//===- L1ChainConfig.h - Ops whose intermediate tensors stay in L1 --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_L1CHAINCONFIG_H
#define TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_L1CHAINCONFIG_H

#include "tessera/Optimizer/Table/Oracle.h"

#include <string>

namespace tessera::df_sharding {

/// Where a chain's last result goes (facts/optimizer-design 4.1.4).
enum class SpillLocation : uint8_t {
  None,          ///< it stays where its op makes it
  L1Interleaved, ///< converted to L1 interleaved
  DRAM,          ///< converted to DRAM: what every chain starts with
};
llvm::StringRef name(SpillLocation location); ///< "none" "l1_interleaved" "dram"

enum class L1ChainState : uint8_t { InBuild, Built, Resolved, Completed, Failed };
llvm::StringRef name(L1ChainState state); ///< "in_build" "built" "resolved" "completed" "failed"

/// Why a chain ends where it does.
enum class ChainEnd : uint8_t {
  Output,       ///< nothing reads the last result but the function's return
  Fork,         ///< it is read more than once
  OtherOperand, ///< its reader has it as another operand than the first
  NotReady,     ///< its reader waits for another operand
  Unsuitable,   ///< its reader may not be sharded
  Concat,       ///< its reader is a concat, or the chain is one
};

/// One op of a chain.
struct OpL1MemSpec {
  OpId op;
  ConfigId config; ///< valid once the chain is completed
};

/// A chain and how far it has come (facts/optimizer-design 3.2.4):
///
///   InBuild --build--> Built --resolve--> Resolved --complete--> Completed
///                        |                    |
///                        +-------fail---------+-----------> Failed
///
/// Transitions return "" or, leaving everything as it was, say what is wrong: no other order can be taken.
class L1ChainConfig {
public:
  /// InBuild.
  [[nodiscard]] std::string append(OpId op);
  /// InBuild -> Built. A chain needs at least one op.
  [[nodiscard]] std::string build();
  /// Built -> Resolved: the solver found a solution.
  [[nodiscard]] std::string resolve();
  /// Resolved -> Completed, with one configuration per op.
  [[nodiscard]] std::string complete(llvm::ArrayRef<ConfigId> configs);
  /// Built or Resolved -> Failed: the ops keep their declared configurations.
  [[nodiscard]] std::string fail();

  L1ChainState state() const { return current; }
  bool completed() const { return current == L1ChainState::Completed; }
  llvm::ArrayRef<OpL1MemSpec> ops() const { return specs; }
  OpId front() const { return specs.front().op; }
  OpId back() const { return specs.back().op; }

  SpillLocation spillLocation = SpillLocation::DRAM;
  ChainEnd end = ChainEnd::Output;
  bool isConcatChain = false;                           ///< a concat by itself
  std::optional<MemoryLayout> preferredOutputMemLayout; ///< what a concat that reads the chain's result needs

private:
  std::string advance(llvm::StringRef transition, llvm::ArrayRef<L1ChainState> from, L1ChainState to);

  std::vector<OpL1MemSpec> specs;
  L1ChainState current = L1ChainState::InBuild;
};

/// For who takes a chain through its states itself, and so knows that the transition is possible.
inline void expect([[maybe_unused]] const std::string &error) {
  assert(error.empty() && "the chain is in another state than its owner believes");
}

} // namespace tessera::df_sharding

#endif // TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_L1CHAINCONFIG_H
