//===- DFSharding.cpp - Chains of sharded ops, in depth-first order ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. buildChains                        depth-first schedule, chains
//   2. setConcatChainPreferences          2.0
//   3. resolve each chain (ShardSolver)
//   4. resolveConcatChains                2.0
//   5. applyL1ReservationsForReshapes     2.0
//   6. applyL1ReservationsForForkOps      2.0
//   7. applyChainMerges                   2.0
//   8. drop chains that take more time than the declared ops do
//
// The numbers 1 to 7 are those of spec ttnn-optimizer-detailed-design.md 4.1.7;
// step 8 is ours: core usage, the spec's objective, is blind to a spill that
// costs more than the chain wins.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/DFSharding.h"

#include "ChainBuilder.h"
#include "ChainSet.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Policy/L1InterleavedFallback.h"

#include "llvm/Support/FormatVariadic.h" // DEBUG
#include "llvm/Support/raw_ostream.h" // DEBUG
using namespace tessera;

/// Dropping one chain can make another one slow; more rounds than this were never needed.
static constexpr unsigned kDropRounds = 4;

DFShardingOptions DFShardingOptions::version1() {
  DFShardingOptions parts;
  parts.concatChains = parts.reshapeReservations = parts.forkReservations = false;
  parts.chainMerges = parts.threeWayMerges = false;
  return parts;
}

namespace {

struct Candidate {
  Plan plan;
  double time = 0;
  DFShardingReport report;
};

class DFShardingPolicy {
public:
  DFShardingPolicy(const Problem &problem, const OpModel &model, Oracle &oracle, const PolicyOptions &options,
                   const DFShardingOptions &parts)
      : problem(problem), model(model), oracle(oracle), options(options), parts(parts) {}

  /// nullopt if the plan is not legal, which the draft's own accounting should have prevented.
  std::optional<Candidate> run(llvm::StringRef policy) {
    ChainPlan built = buildChains(problem, parts.concatChains);
    Draft draft = startingDraft(std::move(built.schedule));
    ChainSet chains(draft, std::move(built.chains));
    if (parts.concatChains)
      setConcatChainPreferences(chains);
    resolveChains(chains);
    if (parts.concatChains)
      resolveConcatChains(chains);
    if (parts.reshapeReservations)
      applyL1ReservationsForReshapes(chains);
    if (parts.forkReservations)
      applyL1ReservationsForForkOps(chains);
    if (parts.chainMerges)
      applyChainMerges(chains, parts);
    dump(chains); // DEBUG
    dropSlowChains(chains);
    dump(chains); // DEBUG

    Candidate candidate{draft.write(policy), 0, reportOn(chains)};
    if (parts.l1InterleavedFallback)
      candidate.plan = upgradeToL1Interleaved(problem, std::move(candidate.plan), model);
    if (!checkPlan(problem, candidate.plan, model).ok())
      return std::nullopt;
    candidate.time = planCost(problem, candidate.plan, model).total().value();
    return candidate;
  }

private:
  void dump(ChainSet &chains) { // DEBUG
    if (!getenv("DFCHAINS")) return;
    static const char *ends[] = {"output","fork","other","notready","unsuitable","concat"};
    static const char *outs[] = {"applied","refused","oom","slower"};
    static const char *kepts[] = {"-","concat","reshape","fork","merge","3way"};
    llvm::errs() << "time " << chains.draft.time() << "\n";
    for (unsigned i = 0; i < chains.size(); ++i) {
      llvm::errs() << i << (chains.inPlan(i) ? " in " : " out ") << name(chains[i].state()) << " end " << ends[int(chains[i].end)] << " refusal " << outs[int(chains.refusal[i])] << " kept " << kepts[int(chains.kept[i])] << " spill " << name(chains[i].spillLocation) << ":";
      for (auto &s : chains[i].ops()) { llvm::errs() << " " << problem[s.op].name << "@" << chains.draft.position(s.op);
        if (s.config.valid()) llvm::errs() << "[" << describe(problem.layout(oracle[s.config].outputs[0])) << (chains.draft.read(s.op,0).reshard.valid() ? " R" : "") << "]";
      }
      auto &v = problem[chains.resultOf(i)];
      llvm::errs() << " ->";
      for (auto &u : v.uses) llvm::errs() << " " << problem[u.op].name << "#" << u.operand << "@" << chains.draft.position(u.op);
      llvm::errs() << "\n";
    }
  }
  /// Depth-first order can hold a tensor that the program itself has in L1 for longer than there is room.
  Draft startingDraft(std::vector<OpId> schedule) {
    Draft draft(problem, oracle, std::move(schedule));
    if (draft.checkAll() == Outcome::Applied)
      return draft;
    std::vector<OpId> programOrder;
    for (size_t i = 0; i < problem.ops.size(); ++i)
      programOrder.push_back(OpId(i));
    return Draft(problem, oracle, std::move(programOrder));
  }

  /// In version 1.0 chains touch each other in DRAM only, so each is judged by itself. In 2.0 a chain may become
  /// worth it by what is merged into it: judged at the end.
  void resolveChains(ChainSet &chains) {
    bool mayCost = parts.forkReservations || parts.chainMerges || parts.reshapeReservations || parts.concatChains;
    size_t decided = 0;
    for (unsigned i = 0; i < chains.size(); ++i) {
      decided += chains[i].ops().size();
      if (!chains[i].isConcatChain)
        chains.refusal[i] = resolve(chains, i, mayCost);
      if (options.progress)
        options.progress(decided, problem.ops.size());
    }
  }

  Outcome resolve(ChainSet &chains, unsigned chain, bool mayCost) {
    ChainSolver solver(chains.draft, model, chains[chain]);
    if (std::optional<ChainSolution> solution = solver.solve(parts.forkRule, parts.observer))
      return chains.complete(chain, *solution, mayCost);
    chains.fail(chain);
    return solver.failure() == ChainFailure::Memory ? Outcome::OutOfMemory : Outcome::Refused;
  }

  void dropSlowChains(ChainSet &chains) {
    bool changed = true;
    for (unsigned round = 0; round < kDropRounds && changed; ++round) {
      changed = false;
      for (unsigned i = 0; i < chains.size(); ++i)
        if (chains.inPlan(i))
          changed |= chains.dropIfSlower(i);
    }
  }

  const Problem &problem;
  const OpModel &model;
  Oracle &oracle;
  const PolicyOptions &options;
  const DFShardingOptions &parts;
};

bool isVersion1(const DFShardingOptions &parts) {
  return !parts.concatChains && !parts.reshapeReservations && !parts.forkReservations && !parts.chainMerges;
}

} // namespace

Plan tessera::solveDFSharding(const Problem &problem, const OpModel &model, const PolicyOptions &options,
                              const DFShardingOptions &parts, DFShardingReport *report) {
  llvm::StringRef policy = isVersion1(parts) ? "df-sharding-1" : "df-sharding";
  Oracle oracle(problem, model);
  std::optional<Candidate> best = DFShardingPolicy(problem, model, oracle, options, parts).run(policy);
  if (!isVersion1(parts)) {
    DFShardingOptions plain = DFShardingOptions::version1();
    plain.forkRule = parts.forkRule;
    plain.l1InterleavedFallback = parts.l1InterleavedFallback;
    std::optional<Candidate> first = DFShardingPolicy(problem, model, oracle, {}, plain).run(policy);
    if (first && (!best || first->time < best->time))
      best = std::move(first);
  }
  if (getenv("DFDEBUG") && best) { // DEBUG
    auto &r = best->report;
    llvm::errs() << llvm::formatv("DFD {0} time {19} chains {1} completed {2} failed {3} dropped {4} ops {5} reshards {6} | op0 {7} fail {8} fork {9} backend {10} memory {11} slower {12} | concat {13} reshape {14} sfork {15} ifork {16} merge {17} 3way {18}\n", policy, r.chains, r.completed, r.failed, r.dropped, r.chainedOps, r.reshards, r.spills.operandZero, r.spills.chainFailure, r.spills.fork, r.spills.backend, r.spills.memory, r.spills.slower, r.concatMerges, r.reshapeReservations, r.shardedForks, r.interleavedForks, r.simpleMerges, r.threeWayMerges, best->time); }
  Plan declared = declaredPlan(problem);
  declared.policy = policy.str();
  bool useful = best && best->time <= planCost(problem, declared, model).total().value();
  if (report) {
    *report = best ? best->report : DFShardingReport();
    report->fellBack = !useful;
  }
  return useful ? std::move(best->plan) : std::move(declared);
}

Plan tessera::solveDFSharding2(const Problem &problem, const OpModel &model, const PolicyOptions &options) {
  return solveDFSharding(problem, model, options, DFShardingOptions());
}

Plan tessera::solveDFSharding1(const Problem &problem, const OpModel &model, const PolicyOptions &options) {
  return solveDFSharding(problem, model, options, DFShardingOptions::version1());
}
