//===- Policy.h - Who decides ----------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The room has the policies, one folder each, and the table that tells them apart
// (kPolicies). In goes a problem with its table of op costs, out comes one plan or
// none. A policy decides on the ledger and asks the table what could be; it knows
// no other policy, and whether its plan stands is for the contest, which alone
// calls it. What several share lies in Common, what makes any plan fit in Spill.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_POLICY_H
#define TESSERA_OPTIMIZER_POLICY_POLICY_H

#include "tessera/Optimizer/Plan/DecisionLog.h"
#include "tessera/Optimizer/Plan/Plan.h"
#include "tessera/Optimizer/Policy/BeamOptions.h"
#include "tessera/Optimizer/Policy/OptimalOptions.h"
#include "tessera/Optimizer/Policy/ScheduleOptions.h"
#include "tessera/Optimizer/Policy/SpillStrategy.h"
#include "tessera/Optimizer/Problem/Schedule.h"
#include "tessera/Support/ProgressFunction.h"

namespace tessera {

/// Named counts that a policy reports about its own work, in its own order: ("spills by fork", 3).
using PolicyFigures = std::vector<std::pair<std::string, size_t>>;

class ShardSolverObserver;
struct SolvingNotes;

/// What a run of a policy is asked for. Runs that are tried on the way are asked by changed copies of what the user wants.
struct PolicyOptions {
  BeamOptions beam{};
  OptimalOptions optimal{};
  std::optional<ScheduleKind> schedule; ///< nullopt: PolicyInfo::schedule
  Schedule order;                       ///< not empty: this one, whatever `schedule` says
  SpillStrategy spill = SpillStrategy::Policy;
  /// One attempt: for one order, the program's if several are to be tried, for all of L1, compared with no incumbent, and without single
  /// changes at last. What comes close to the plan at a fraction of its price.
  bool once = false;
  /// Layouts as if L1 were endless; a spill pass follows, so addresses need not be found.
  bool layoutsOnly = false;
  ProgressFunction progress;
  /// Where the policy may report; counts of several functions add up. May be null.
  PolicyFigures *figures = nullptr;
  /// Where the policy notes what it decides; null: nowhere, and nothing is computed for it.
  DecisionLog *log = nullptr;
  /// Policies of chains: what costs more time than it gains is taken out again. The designs ask for no time: without it, what
  /// they plan may be slower than the base plan. nullopt: as the policy does it (PolicyInfo::mayBeSlower).
  std::optional<bool> dropSlowChains = true;
  /// Sees every step of the chain policies' solvers (ShardSolver.h). May be null.
  ShardSolverObserver *solverObserver = nullptr;
  /// The incumbent's plan of the same problem, if that is legal and has addresses: for policies that start from it. May be null.
  const Plan *incumbentPlan = nullptr;
  /// What runs of a policy that proves its plans know of each other. May be null.
  SolvingNotes *notes = nullptr;
};

/// A policy is a function: same problem, same options, same plan. It proposes, and does not judge: whether its plan is legal and
/// faster than the base plan is asked of every policy in one place (Contest/Solve.h). Nullopt if it finds none. Ids are the
/// schedule to it, whatever PolicyOptions::schedule says.
using PolicyFunction = std::optional<Plan> (*)(const Problem &, const OpCostTable &, const PolicyOptions &);

/// A row of the table of policies: all that tells one from the others.
struct PolicyInfo {
  llvm::StringRef name;    ///< "greedy"
  llvm::StringRef summary; ///< one line for `tessera policies`
  PolicyFunction solve;
  llvm::StringRef otherName = {}; ///< what tt-mlir's options or people call it, too: "DFSharding"
  bool keepsProgram =
      false; ///< the function's ops and their layouts are all there is: no constants are converted ahead
  ScheduleKind schedule = ScheduleKind::Program; ///< what it plans for unless asked otherwise
  bool decidesNothing = false;                   ///< what it plans is declaredPlan, as far as that fits
  bool hasChains = false;                        ///< PolicyOptions::dropSlowChains is about it
  bool mayBeSlower = false; ///< than the base plan, unless PolicyOptions::dropSlowChains says otherwise
  unsigned uselessBudgets =
      0; ///< its plans for less L1 are candidates, too (fastestForLess), until so many in a row are slower; unless isTimeless
  bool improvesOps =
      false; ///< single changes that save time are made at last (`optimize`), unless isTimeless
  bool hasObjective = false; ///< BeamOptions::objective is about it
  bool provesBound = false;  ///< OptimalOptions are about it; with its plan goes what no plan takes less than
  llvm::StringRef incumbent = {}; ///< the policy whose plan stands unless this one's is faster (incumbentOf)
};

/// Whether what the policy plans stands even if it is slower than the base plan.
bool mayBeSlower(const PolicyInfo &policy, const PolicyOptions &options);

/// Whether the policy is not to ask how long anything takes: BeamObjective::Cores.
bool isTimeless(const PolicyInfo &policy, const PolicyOptions &options);
/// The model that it may ask.
OpCostTable modelFor(const PolicyInfo &policy, const OpCostTable &model, const PolicyOptions &options);

/// PolicyInfo::uselessBudgets and improvesOps, unless isTimeless or the options forbid it.
bool triesLessL1(const PolicyInfo &policy, const PolicyOptions &options);
/// Likewise; and only with BeamOptions::polish, of which single changes are a part.
bool improvesOps(const PolicyInfo &policy, const PolicyOptions &options);

/// Whether the policy's plan and its incumbent's are one attempt each, so that PolicyOptions::once saves nothing.
bool plansOnce(const PolicyInfo &policy, const PolicyOptions &options);

/// PolicyInfo::incumbent; nullptr if there is none, or none is to be compared with: isTimeless, mayBeSlower, BeamOptions::incumbent,
/// PolicyOptions::once.
const PolicyInfo *incumbentOf(const PolicyInfo &policy, const PolicyOptions &options);

/// The options without those who look on: for runs whose plan may be thrown away.
PolicyOptions unobserved(const PolicyOptions &options);
/// Those of an incumbent: likewise, and it does not keep what is slow, whatever it does by itself.
PolicyOptions forIncumbent(const PolicyOptions &options);

/// The options for those who do that part of the work.
PolicyOptions inPart(PolicyOptions options, ProgressPart part);

/// Adds `count` to the figure of that name, if figures are asked for.
void reportFigure(const PolicyOptions &options, llvm::StringRef name, size_t count);

/// All policies, in the order in which they are listed. The one place to add another.
llvm::ArrayRef<PolicyInfo> policies();
/// By either name; nullptr if there is none.
const PolicyInfo *findPolicy(llvm::StringRef name);
/// The same, for names that people give; fails with unknownName.
llvm::Expected<const PolicyInfo *> policyNamed(llvm::StringRef name);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_POLICY_H
