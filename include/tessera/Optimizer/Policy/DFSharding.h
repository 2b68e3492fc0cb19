//===- DFSharding.h - The chain policy and what it reports ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_DFSHARDING_H
#define TESSERA_OPTIMIZER_POLICY_DFSHARDING_H

#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Optimizer/Policy/ShardSolver.h"

#include <array>

namespace tessera {

/// The parts of the policy, each by itself (docs/df-sharding.md). The defaults are version 2.0; version 1.0
/// (facts/optimizer-design 3.2, 3.3) is what is left without all of 4.1.
struct DFShardingOptions {
  bool concatChains = true;        ///< 4.1.6: concats read their inputs from L1 (N-way merge)
  bool reshapeReservations = true; ///< 4.1.7 step 5: reshapes behind a chain read and write L1 interleaved
  bool forkReservations = true;    ///< 4.1.4: results that are read more than once stay in L1
  bool chainMerges = true;         ///< 4.1.2: a chain reads the result of another one from L1
  bool threeWayMerges = true;      ///< 4.1.2: two chains into the first op of a third; needs chainMerges
  /// Keep as much L1 free at the op behind a merge as the merged results took: freed shards leave holes
  /// (facts/ir 3.4, "fragmentation reserve").
  bool fragmentationReserve = true;
  /// Take chains out again that cost more time than the declared ops; ours: the design does not model time.
  bool dropSlowChains = true;
  /// As designed, without a look at times: no step is refused for being slower.
  bool mayBeSlower = false;
  /// Sees every chain's solver. May be null.
  ShardSolverObserver *observer = nullptr;
  llvm::StringRef policy = "df-sharding"; ///< whose parts these are

  /// Version 1.0 of the policy: without all of 4.1.
  static DFShardingOptions version1();
};

/// Results of ops that could be sharded but that an op reads from DRAM, by why.
struct SpillCauses {
  size_t operandZero = 0;  ///< read as another operand than the first, or before the others were there
  size_t chainFailure = 0; ///< the solver found no solution for the whole chain
  size_t fork = 0;         ///< more than one reader
  size_t backend = 0;      ///< the reader does not accept the layout, or may not be sharded at all
  size_t memory = 0;       ///< no room in L1
  size_t slower = 0;       ///< legal, but DRAM takes less time
  size_t total() const { return operandZero + chainFailure + fork + backend + memory + slower; }
};

/// The causes by name: "operand 0", "chain failure", "fork", "backend constraint", "memory", "faster".
struct SpillCauseInfo {
  llvm::StringRef name;
  size_t SpillCauses::*count;
};
/// All of them, in the order in which they are listed.
llvm::ArrayRef<SpillCauseInfo> spillCauses();

/// What became of the chains in the plan.
struct DFShardingReport {
  size_t chains = 0;     ///< built
  size_t completed = 0;  ///< and part of the plan
  size_t failed = 0;     ///< without a solution
  size_t dropped = 0;    ///< solved, but slower than the program as declared
  size_t chainedOps = 0; ///< ops in completed chains
  size_t reshards = 0;   ///< planned by the solver, on edges and in front of chains
  SpillCauses spills;
  /// Of all that were built, by where they end: the return, a fork, another operand, a reader that is not ready, one that may not be
  /// sharded, a concat.
  std::array<size_t, 6> ends{};
  size_t concatMerges = 0, reshapeReservations = 0, shardedForks = 0, interleavedForks = 0, simpleMerges = 0,
         threeWayMerges = 0; ///< version 2.0's decisions that are part of the plan
};

/// Policy `df-sharding`: depth-first schedule, chains, ShardSolver, and with the default options
/// DFSharding 2.0. `report` may be null.
Plan solveDFSharding(const Problem &problem, const OpCostTable &model, const PolicyOptions &options,
                     const DFShardingOptions &parts, DFShardingReport *report = nullptr);

/// The two as policies of the table, as designed if PolicyOptions::dropSlowChains says so, or nothing and it is 1.0.
std::optional<Plan> solveDFSharding2(const Problem &problem, const OpCostTable &model,
                                     const PolicyOptions &options);
std::optional<Plan> solveDFSharding1(const Problem &problem, const OpCostTable &model,
                                     const PolicyOptions &options);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_DFSHARDING_H
