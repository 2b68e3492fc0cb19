//===- DFSharding.cpp - Chains of sharded ops, in depth-first order ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. buildChains                        on the schedule, depth first by default (Policy.h)
//   2. setConcatChainPreferences          2.0
//   3. resolve each chain (ShardSolver)
//   4. resolveConcatChains                2.0
//   5. applyL1ReservationsForReshapes     2.0
//   6. applyL1ReservationsForForkOps      2.0
//   7. applyChainMerges                   2.0
//   8. drop chains that take more time than the declared ops do
//
// The numbers 1 to 7 are those of facts/optimizer-design 4.1.7;
// step 8 is ours: core usage, the design's objective, is blind to a spill that
// costs more than the chain wins.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/DFSharding.h"

#include "ChainBuilder.h"
#include "ChainSet.h"
#include "tessera/Optimizer/Ledger/DirectReads.h"
#include "tessera/Optimizer/Problem/Schedule.h"

using namespace tessera;
using namespace tessera::df_sharding;

/// Dropping one chain can make another one slow; more rounds than this were never needed.
static constexpr unsigned kDropRounds = 4;

DFShardingOptions DFShardingOptions::version1() {
  DFShardingOptions parts;
  parts.concatChains = parts.reshapeReservations = parts.forkReservations = false;
  parts.chainMerges = parts.threeWayMerges = false;
  parts.policy = "df-sharding-1";
  return parts;
}

namespace {

Outcome resolve(ChainSet &chains, unsigned chain, const OpCostTable &model, ShardSolverObserver *observer) {
  ChainSolver solver(chains.draft, model, chains[chain]);
  if (std::optional<ChainSolution> solution = solver.solve(observer))
    return chains.complete(chain, *solution);
  chains[chain].state = ChainState::Failed;
  return solver.failure() == ChainFailure::Memory ? Outcome::OutOfMemory : Outcome::Refused;
}

/// Whether any was dropped.
bool dropSlowChains(ChainSet &chains) {
  // A chain that is dropped sends its result home, and a chain that read it in L1 may not pay any more: so
  // until nothing changes.
  bool changed = true, dropped = false;
  for (unsigned round = 0; round < kDropRounds && changed; ++round) {
    changed = false;
    for (unsigned i = 0; i < chains.size(); ++i) {
      chains.reportAt(i, "comparing chains with DRAM");
      if (chains.inPlan(i))
        changed |= chains.dropIfSlower(i);
    }
    dropped |= changed;
  }
  return dropped;
}

} // namespace

Plan tessera::solveDFSharding(const Problem &problem, const OpCostTable &model, const PolicyOptions &options,
                              const DFShardingOptions &parts, DFShardingReport *report) {
  Oracle oracle(problem, model);
  Draft draft(problem, oracle, programOrder(problem));
  ChainSet chains(draft, buildChains(problem, parts.concatChains), parts.mayBeSlower, options.progress);
  if (parts.concatChains)
    setConcatChainPreferences(chains);
  for (unsigned i = 0; i < chains.size(); ++i) {
    chains.reportAt(i, "solving chains");
    if (!chains[i].isConcat)
      chains[i].refusal = resolve(chains, i, model, parts.observer);
  }
  if (parts.concatChains)
    resolveConcatChains(chains);
  if (parts.reshapeReservations)
    applyL1ReservationsForReshapes(chains);
  if (parts.forkReservations)
    applyL1ReservationsForForkOps(chains);
  if (parts.chainMerges)
    applyChainMerges(chains, parts);
  readDirectly(draft);
  // Ops of a chain that was dropped run in their base again, and around a base of its own that is a way home to spare.
  if (parts.dropSlowChains && dropSlowChains(chains))
    readDirectly(draft);
  DFShardingReport found = reportOn(chains, options.log);
  reportFigures(options, found);
  if (report)
    *report = found;
  return draft.write(parts.policy);
}

/// The parts as the policy is asked for them.
static DFShardingOptions asAsked(DFShardingOptions parts, const PolicyOptions &options) {
  parts.mayBeSlower = mayBeSlower(*findPolicy(parts.policy), options);
  parts.dropSlowChains = !parts.mayBeSlower;
  parts.observer = options.solverObserver;
  return parts;
}

std::optional<Plan> tessera::solveDFSharding2(const Problem &problem, const OpCostTable &model,
                                              const PolicyOptions &options) {
  return solveDFSharding(problem, model, options, asAsked({}, options));
}

std::optional<Plan> tessera::solveDFSharding1(const Problem &problem, const OpCostTable &model,
                                              const PolicyOptions &options) {
  return solveDFSharding(problem, model, options, asAsked(DFShardingOptions::version1(), options));
}
