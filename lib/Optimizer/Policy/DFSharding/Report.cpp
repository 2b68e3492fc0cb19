//===- Report.cpp - What became of the chains ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Counts what the steps of the policy decided, chain by chain, and notes for each
// value that went to DRAM the one cause that a decisions file shows. A chain's
// last result is counted once: by the step that kept it in L1, or by what stood
// in its way.
//
//===----------------------------------------------------------------------===//
#include "ChainSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::df_sharding;

namespace {

class ChainReport {
public:
  ChainReport(const ChainSet &chains, DecisionLog *log)
      : chains(chains), draft(chains.draft), problem(chains.problem), log(log) {}

  DFShardingReport run() {
    for (unsigned i = 0; i < chains.size(); ++i) {
      ++report.chains;
      ++report.ends[size_t(chains[i].end)];
      report.failed += chains[i].state == ChainState::Failed;
      report.dropped += chains[i].state == ChainState::Dropped;
      chains.inPlan(i) ? completed(i) : notInPlan(i);
    }
    report.threeWayMerges /= 2; // counted once per source
    return report;
  }

private:
  void completed(unsigned chain) {
    ++report.completed;
    report.concatMerges += chains[chain].isConcat;
    report.chainedOps += chains[chain].ops.size();
    for (OpId op : chains[chain].ops)
      if (!problem[op].operands.empty())
        // Chains run through operand 0, and the solver reshards nothing else.
        report.reshards += draft.read(op, 0).reshard.valid();
    ValueId result = chains.resultOf(chain);
    // A spill has one cause, however many readers there are.
    if (draft.isReadFromHome(result)) {
      if (size_t *cause = causeFor(chain)) {
        ++*cause;
        note(result, *cause);
      }
      return;
    }
    if (size_t *decision = decisionOf(chain))
      ++*decision;
  }

  /// Each of its results that anybody reads could have stayed in L1. A chain that was too slow might have
  /// paid had its last result not gone to DRAM, so that one is counted by what stood in its way.
  void notInPlan(unsigned chain) {
    bool slow = chains[chain].state == ChainState::Dropped;
    size_t &inside = slow ? report.spills.slower : failureCause(chains[chain].refusal);
    inside += chains[chain].ops.size() - 1;
    for (OpId op : llvm::ArrayRef(chains[chain].ops).drop_back())
      note(problem[op].results.front(), inside);
    // What only the function returns is in DRAM by its type; no step is to blame for that.
    if (problem[chains.resultOf(chain)].uses.empty())
      return;
    size_t *atTheEnd = slow ? causeOfEnd(chain) : &inside;
    ++(atTheEnd ? *atTheEnd : inside);
    note(chains.resultOf(chain), atTheEnd ? *atTheEnd : inside);
  }

  /// Writes down the cause that `counter` counts.
  void note(ValueId value, const size_t &counter) {
    if (!log)
      return;
    // Who counts a cause holds its counter, so the counter's place says which cause it is.
    for (const SpillCauseInfo &info : spillCauses())
      if (&(report.spills.*info.count) == &counter)
        log->reasons[value] = info.name.str();
  }

  size_t &failureCause(Outcome outcome) {
    return outcome == Outcome::OutOfMemory ? report.spills.memory : report.spills.chainFailure;
  }

  /// What a step of version 2.0 ran into, which is nearer to the plan than how the chain was built; without one, how it ended.
  size_t *causeFor(unsigned chain) {
    SpillCauses &spills = report.spills;
    // By Outcome. What is declined is a merge that would leave too little room behind it.
    size_t *causes[] = {causeOfEnd(chain), &spills.backend, &spills.memory, &spills.slower, &spills.memory};
    return causes[size_t(chains[chain].refusal)];
  }

  /// nullptr if only the function's return reads the result.
  size_t *causeOfEnd(unsigned chain) {
    SpillCauses &spills = report.spills;
    // By ChainEnd.
    size_t *causes[] = {nullptr,         &spills.fork,   &spills.operandZero, &spills.operandZero,
                        &spills.backend, &spills.backend};
    return causes[size_t(chains[chain].end)];
  }

  /// nullptr of what is counted elsewhere: with the concat that joins it, with the chain whose result a reshape reads.
  size_t *decisionOf(unsigned chain) {
    // By Kept.
    size_t *decisions[] = {nullptr,
                           nullptr,
                           &report.reshapeReservations,
                           nullptr,
                           &report.shardedForks,
                           &report.interleavedForks,
                           &report.simpleMerges,
                           &report.threeWayMerges};
    return decisions[size_t(chains[chain].kept)];
  }

  const ChainSet &chains;
  const Draft &draft;
  const Problem &problem;
  DecisionLog *log;
  DFShardingReport report;
};

} // namespace

DFShardingReport tessera::df_sharding::reportOn(const ChainSet &chains, DecisionLog *log) {
  return ChainReport(chains, log).run();
}

llvm::ArrayRef<SpillCauseInfo> tessera::spillCauses() {
  static constexpr SpillCauseInfo kCauses[] = {{"operand 0", &SpillCauses::operandZero},
                                               {"chain failure", &SpillCauses::chainFailure},
                                               {"fork", &SpillCauses::fork},
                                               {"backend constraint", &SpillCauses::backend},
                                               {"memory", &SpillCauses::memory},
                                               {"faster", &SpillCauses::slower}};
  return kCauses;
}

void tessera::df_sharding::reportFigures(const PolicyOptions &options, const DFShardingReport &report) {
  const std::pair<llvm::StringRef, size_t> figures[] = {
      {"chains built", report.chains},
      {"chains completed", report.completed},
      {"chains without solution", report.failed},
      {"chains dropped as slower", report.dropped},
      {"ops in chains", report.chainedOps},
      {"reshards of the solver", report.reshards},
      {"concats in L1", report.concatMerges},
      {"reshapes in L1", report.reshapeReservations},
      {"forks in L1, sharded", report.shardedForks},
      {"forks in L1, interleaved", report.interleavedForks},
      {"chain merges", report.simpleMerges},
      {"3-way merges", report.threeWayMerges},
  };
  for (auto [name, count] : figures)
    reportFigure(options, name, count);
  for (const SpillCauseInfo &info : spillCauses())
    reportFigure(options, ("spills by " + info.name).str(), report.spills.*info.count);
  // In the order of ChainEnd.
  static constexpr llvm::StringLiteral kEnds[] = {"the function's return", "a fork",
                                                  "another operand",       "a reader that waits",
                                                  "an unsuitable op",      "a concat"};
  for (auto [end, count] : llvm::zip_equal(kEnds, report.ends))
    reportFigure(options, ("chains that end at " + end).str(), count);
}
