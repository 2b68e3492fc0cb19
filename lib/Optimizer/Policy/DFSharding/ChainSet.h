//===- ChainSet.h - The chains of a draft --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINSET_H
#define TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINSET_H

#include "ChainSolver.h"
#include "tessera/Optimizer/Policy/DFSharding.h"

namespace tessera::df_sharding {

/// Chains and the draft that they are decided on. Every step of the policy works on one of these.
class ChainSet {
public:
  static constexpr unsigned kNone = ~0u;

  /// `mayCost`: no step is refused because the plan takes more time with it.
  ChainSet(Draft &draft, std::vector<L1Chain> chains, bool mayCost, ProgressFunction progress = {});

  size_t size() const { return chains.size(); }
  L1Chain &operator[](size_t chain) { return chains[chain]; }
  const L1Chain &operator[](size_t chain) const { return chains[chain]; }
  /// The chain that holds the op, or kNone.
  unsigned chainOf(OpId op) const { return owner[op.index()]; }
  bool inPlan(unsigned chain) const { return chain != kNone && chains[chain].state == ChainState::Completed; }
  /// The result of the chain's last op.
  ValueId resultOf(unsigned chain) const;
  /// The chain in the plan whose last result this is, or kNone.
  unsigned endingIn(ValueId value) const;

  /// Completed with the solution, which is written to the draft whatever time it takes: what is merged into the chain
  /// later may make it worth it. Failed, and the draft as before, if it does not fit.
  Outcome complete(unsigned chain, const ChainSolution &solution);
  /// A completed one-op chain around `op`, whose configuration the draft has already.
  unsigned addCompleted(OpId op);
  /// Drops a completed chain if that is legal and takes less time: its ops run in their base configurations, its readers
  /// read from home.
  bool dropIfSlower(unsigned chain);

  /// One step of the policy, made if it is legal, fits, takes no more time than it may, and `accept` says so.
  Outcome
  attempt(llvm::function_ref<void()> change, llvm::function_ref<bool()> accept = [] { return true; }) {
    return draft.attempt(change, mayCost, accept);
  }

  /// How `op` would best read the operand from `source`: directly if that is legal for the op as it stands,
  /// else through the reshard that it has from the solver.
  Read readFrom(OpId op, size_t operand, Source source) const;
  /// How `op` reads the operand if it reads it from home.
  Read readFromHome(OpId op, size_t operand) const;

  Draft &draft;
  const Problem &problem;

  /// Tells who watches that a step, `what`, has come to the chain.
  void reportAt(unsigned chain, llvm::StringRef what) const {
    reportProgress(progress, what, chain + 1, size());
  }

  /// Notes that a step succeeded in keeping the chain's result in L1.
  void keep(unsigned chain, Kept step);

private:
  void enter(unsigned chain);
  void revert(unsigned chain);

  bool mayCost;
  ProgressFunction progress;
  std::vector<L1Chain> chains;
  std::vector<unsigned> owner; ///< by OpId
};

/// DFSharding 2.0, facts/optimizer-design 4.1.7: each of these is one box of its diagram, each decision one attempt on
/// the draft.

/// The sharding that a concat needs of its inputs (4.1.2): height for its last dimension, width for the one
/// before it; nullopt for others.
std::optional<MemoryLayout> concatInputLayout(const Problem &problem, OpId concat);
/// Box 2. Before chains are resolved.
void setConcatChainPreferences(ChainSet &chains);
/// Box 4. Concat chains are completed if all their inputs stay in L1 for them, failed otherwise.
void resolveConcatChains(ChainSet &chains);
/// Box 5.
void applyL1ReservationsForReshapes(ChainSet &chains);
/// Box 6.
void applyL1ReservationsForForkOps(ChainSet &chains);
/// Box 7.
void applyChainMerges(ChainSet &chains, const DFShardingOptions &parts);

/// What the report says about the finished draft.
/// `log` (may be null) gets the cause of each spill.
DFShardingReport reportOn(const ChainSet &chains, DecisionLog *log);
/// The report's counts as figures of the policy, for `tessera compare`.
void reportFigures(const PolicyOptions &options, const DFShardingReport &report);

} // namespace tessera::df_sharding

#endif // TESSERA_LIB_OPTIMIZER_POLICY_DFSHARDING_CHAINSET_H
