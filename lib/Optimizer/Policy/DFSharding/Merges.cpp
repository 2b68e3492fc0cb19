//===- Merges.cpp - Chains that read another chain's result from L1 ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// facts/optimizer-design 4.1.2, 4.1.5 and Appendix C. The design
// keeps a map of resident layouts, adds reservation sizes by hand and validates
// ranges of the schedule. Here the draft knows both, and an attempt checks every
// op and position that it touches: whatever else lies in those ranges fitted
// before, as the base plan does, and takes no more L1 now.
//
//===----------------------------------------------------------------------===//
#include "ChainSet.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace tessera;
using namespace tessera::df_sharding;

namespace {

/// One operand of chain B that is the result of another chain.
struct MergeCandidate {
  unsigned source = 0; ///< chain A
  OpId join;           ///< op of B
  size_t operand = 0;
  Bytes size; ///< of the result, per core
};

class ChainMerger {
public:
  ChainMerger(ChainSet &chains, const DFShardingOptions &parts)
      : chains(chains), draft(chains.draft), problem(chains.problem), parts(parts) {}

  void run() {
    for (unsigned b = 0; b < chains.size(); ++b) {
      chains.reportAt(b, "merging chains");
      if (chains.inPlan(b) && !chains[b].isConcat)
        mergeInto(b);
    }
  }

private:
  /// At most one merge per chain.
  void mergeInto(unsigned b) {
    std::vector<MergeCandidate> candidates = candidatesOf(b);
    // The three-way merge first: it keeps two results, and a chain takes one merge at most
    // (facts/optimizer-design, Appendix C).
    if (parts.threeWayMerges && tryThreeWay(b, candidates))
      return;
    for (const MergeCandidate &candidate : candidates)
      if (trySimple(candidate))
        return;
  }

  /// Largest output first; ties in schedule order.
  std::vector<MergeCandidate> candidatesOf(unsigned b) const {
    std::vector<MergeCandidate> candidates;
    for (OpId op : chains[b].ops)
      for (auto [operand, value] : llvm::enumerate(problem[op].operands))
        if (unsigned a = sourceOf(b, op, operand); a != ChainSet::kNone)
          candidates.push_back({a, op, operand, draft.oracle.l1Bytes(draft.made(value))});
    llvm::sort(candidates, [&](const MergeCandidate &a, const MergeCandidate &b) {
      auto key = [&](const MergeCandidate &c) {
        return std::tuple(c.size * -1, draft.position(c.join), c.operand);
      };
      return key(a) < key(b);
    });
    return candidates;
  }

  /// The chain that ends in this operand and in nothing else, and goes to DRAM so far.
  unsigned sourceOf(unsigned b, OpId join, size_t operand) const {
    const Value &value = problem[problem[join].operands[operand]];
    unsigned a = chains.endingIn(problem[join].operands[operand]);
    bool possible = a != ChainSet::kNone && a != b && chains[a].kept == Kept::Nothing &&
                    value.uses.size() == 1 && !value.returned && draft.mayReadElsewhere(join, operand);
    return possible ? a : ChainSet::kNone;
  }

  void readOriginal(const MergeCandidate &candidate) {
    draft.setRead(candidate.join, candidate.operand,
                  chains.readFrom(candidate.join, candidate.operand, Source::Original));
  }

  // ---- A -> B ----
  bool trySimple(const MergeCandidate &candidate) {
    Outcome outcome = chains.attempt([&] { readOriginal(candidate); },
                                     [&] { return leavesRoomBehind(candidate.join, candidate.size); });
    chains[candidate.source].refusal = outcome;
    if (outcome != Outcome::Applied)
      return false;
    chains.keep(candidate.source, Kept::Merge);
    return true;
  }

  // ---- A and C -> B ----
  bool tryThreeWay(unsigned b, llvm::ArrayRef<MergeCandidate> candidates) {
    OpId join = chains[b].front();
    llvm::SmallVector<MergeCandidate, 2> atJoin;
    for (const MergeCandidate &candidate : candidates)
      if (candidate.join == join)
        atJoin.push_back(candidate);
    // The design's case: both operands of B's first op are ends of chains.
    if (problem[join].operands.size() != 2 || atJoin.size() != 2)
      return false;
    // A is the one that runs first; C runs with A's result in L1.
    if (lastPosition(atJoin[1].source) < lastPosition(atJoin[0].source))
      std::swap(atJoin[0], atJoin[1]);
    auto change = [&] {
      llvm::for_each(atJoin, [&](const MergeCandidate &candidate) { readOriginal(candidate); });
    };
    Outcome outcome =
        chains.attempt(change, [&] { return leavesRoomBehind(join, atJoin[0].size + atJoin[1].size); });
    if (outcome != Outcome::Applied)
      return false;
    for (const MergeCandidate &candidate : atJoin)
      chains.keep(candidate.source, Kept::ThreeWayMerge);
    return true;
  }

  SchedulePos lastPosition(unsigned chain) const { return draft.position(chains[chain].back()); }
  bool leavesRoomBehind(OpId join, Bytes reserve) {
    SchedulePos behind = draft.position(join) + 1;
    // The draft counts bytes and knows no holes. Merged results are freed in shards that leave holes, so the op
    // behind must fit as if they were still there (facts/ir 3.4, #6808).
    return !parts.fragmentationReserve || draft.check({behind, behind + 1}, reserve) == Outcome::Applied;
  }

  ChainSet &chains;
  Draft &draft;
  const Problem &problem;
  const DFShardingOptions &parts;
};

} // namespace

void tessera::df_sharding::applyChainMerges(ChainSet &chains, const DFShardingOptions &parts) {
  ChainMerger(chains, parts).run();
}
