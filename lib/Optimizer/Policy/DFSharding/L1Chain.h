//===- L1Chain.h - Ops whose intermediate tensors stay in L1 --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_L1CHAIN_H
#define TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_L1CHAIN_H

#include "tessera/Optimizer/Ledger/Draft.h"

namespace tessera::df_sharding {

/// What became of a chain. The design's states on the way (facts/optimizer-design 3.2.4, in build to resolved) are those of the builder and
/// of the solver, which nobody else sees.
enum class ChainState : uint8_t {
  Built,     ///< nothing yet
  Completed, ///< its ops run in the draft as the solver chose
  Failed,    ///< there is no solution, or it does not fit: the ops keep their base
  Dropped,   ///< completed, but the ops' base takes less time
};

/// Why a chain ends where it does.
enum class ChainEnd : uint8_t {
  Output,       ///< nothing reads the last result but the function's return
  Fork,         ///< it is read more than once
  OtherOperand, ///< its reader has it as another operand than the first
  NotReady,     ///< its reader waits for another operand
  Unsuitable,   ///< its reader may not be sharded
  Concat,       ///< its reader is a concat, or the chain is one
};

/// Which step kept a chain's last result in L1, and where (facts/optimizer-design 4.1.4).
enum class Kept : uint8_t {
  Nothing,         ///< none so far: it goes home, as every chain's does at first
  Concat,          ///< as it is made, for the concat that joins it
  ForReshape,      ///< in L1 interleaved, for the reshape behind it
  Reshape,         ///< the reshape's own, as it is made
  ShardedFork,     ///< as it is made, for several readers
  InterleavedFork, ///< in L1 interleaved, for several readers
  Merge,           ///< as it is made, for another chain
  ThreeWayMerge,
};

/// One chain. How its ops run stands in the draft alone.
struct L1Chain {
  std::vector<OpId> ops; ///< at least one
  ChainState state = ChainState::Built;
  ChainEnd end = ChainEnd::Output;
  bool isConcat = false;                                ///< a concat by itself
  std::optional<MemoryLayout> preferredOutputMemLayout; ///< what a concat that reads the chain's result needs
  LayoutId entryReshard{};                              ///< of the first op's operand 0, invalid if none
  /// Why it failed, or why the last attempt to keep its result in L1 did; Applied if neither happened.
  Outcome refusal = Outcome::Applied;
  Kept kept = Kept::Nothing;

  OpId front() const { return ops.front(); }
  OpId back() const { return ops.back(); }
};

} // namespace tessera::df_sharding

#endif // TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_L1CHAIN_H
