//===- Decide.cpp - From what policies plan to the plan that stands -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Decide.h"

#include "Improve.h"
#include "tessera/Optimizer/Contest/PlansForLess.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/ScheduledPlan.h"
#include "tessera/Optimizer/Policy/L1InterleavedFallback.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

TimingScope tessera::timed(const OptimizerOptions &options, StringRef part) {
  return options.timing ? options.timing->nest(part) : TimingScope();
}

CheckedPlan tessera::checked(const Problem &problem, Plan plan, const OpCostTable &model,
                             const OptimizerOptions &options) {
  TimingScope timing = timed(options, "check");
  PlanCheck check = checkPlan(problem, plan, model);
  return {std::move(plan), std::move(check)};
}

namespace {

/// An entry, and what its policy noted in the run that found it.
struct Noted {
  Entry entry;
  DecisionLog log; ///< empty unless OptimizerOptions::decisions
};

/// The fastest entries of a contest. What single changes make of them may turn their order around.
class Podium {
public:
  void consider(const Noted &noted) {
    auto isSame = [&](const Noted &other) { return other.entry.time == noted.entry.time; };
    if (!noted.entry.legal() || llvm::any_of(places, isSame))
      return;
    places.insert(
        llvm::upper_bound(places, noted,
                          [](const Noted &a, const Noted &b) { return a.entry.time < b.entry.time; }),
        noted);
    if (places.size() > kPlaces)
      places.pop_back();
  }
  llvm::ArrayRef<Noted> entries() const { return places; }

private:
  static constexpr size_t kPlaces = 3;
  std::vector<Noted> places;
};

/// One policy on one problem.
class Run {
public:
  Run(const BuiltProblem &built, const PolicyInfo &policy, const OpCostTable &model,
      const OptimizerOptions &options, PolicyOptions policyOptions, Podium &podium)
      : built(built), policy(policy), options(options), policyOptions(std::move(policyOptions)),
        judge(built.problem, model), podium(podium) {}

  /// What the policy plans, if that is legal and no slower than what it was given; else that.
  void plan(const CheckedPlan &base) {
    standing = judged(solve(judge.problem, judge.model, policyOptions));
    keepLog();
    Entry given = judged(base.plan);
    if (!standing.legal()) {
      warn() << "the plan of policy '" << policy.name << "' is not legal; '" << judge.problem.function
             << "' keeps the layouts of the input where they are: "
             << standing.check.violations.front().message;
      standing = given;
    }
    // A policy that is to be as designed may be slower than what it was given.
    if (!mayBeSlower(policy, policyOptions)) {
      keepIfFaster(std::move(given));
      // An optimizer's output is better than what all that starts from its base may lead to.
      if (!hasOverrides(judge.problem))
        if (Entry declared = judged(declaredPlan(judge.problem)); judge.holds(declared))
          keepIfFaster(std::move(declared));
    }
    standing = judge.merged(std::move(standing));
    // A later step may only improve.
    if (options.l1InterleavedFallback)
      if (Entry upgraded = judged(upgradeToL1Interleaved(judge.problem, standing.plan, judge.model));
          upgraded.legal() && upgraded.time <= standing.time)
        standing = std::move(upgraded);
  }

  /// With addresses, and for less L1 if that is faster.
  void finish() {
    PolicyOptions again = unobserved(policyOptions); // what was seen of the first run stands
    auto planFor = [&](const Problem &tighter, const OpCostTable &itsModel) {
      return solve(tighter, itsModel, again);
    };
    auto kept = [&] { keepLog(); };
    if (!judge.isPlaced(standing))
      if (std::optional<Entry> found = entryWithAddresses(judge, standing, planFor, kept))
        standing = std::move(*found);
    podium.consider({standing, log});
    // In the order that won: searching all orders for each budget again would multiply the planning time.
    again.order = scheduleOf(standing.plan);
    again.beam.incumbent = false; // which is planned for less L1 as well
    if (policy.triesLessL1 && !isTimeless(policy, policyOptions) &&
        policyOptions.spill == SpillStrategy::Policy)
      standing = fastestForLess(judge, std::move(standing), planFor, [&](const Entry &entry, bool best) {
        if (best)
          keepLog();
        podium.consider({entry, lastLog});
      });
  }

  /// Without addresses, time: the less the better.
  std::pair<bool, Nanoseconds> score() const { return {!judge.isPlaced(standing), standing.time}; }
  Nanoseconds time() const { return standing.time; }
  InFlightDiagnostic warn() const { return func::FuncOp(built.binding.function).emitWarning(); }
  /// Ends the run.
  Noted result() { return {std::move(standing), std::move(log)}; }

private:
  Plan solve(const Problem &posed, const OpCostTable &itsModel, PolicyOptions how) {
    TimingScope timing = timed(options, "policy");
    lastLog = {};
    how.log = options.decisions ? &lastLog : nullptr;
    return solveScheduled(policy, posed, itsModel, how);
  }

  Entry judged(Plan plan) const {
    TimingScope timing = timed(options, "check");
    return judge.judged(std::move(plan));
  }
  /// What the last run noted goes with the plan that stands now.
  void keepLog() { log = lastLog; }

  void keepIfFaster(Entry other) {
    if (other.beats(standing))
      standing = std::move(other);
  }

  const BuiltProblem &built;
  const PolicyInfo &policy;
  const OptimizerOptions &options;
  PolicyOptions policyOptions;
  Judge judge;
  Podium &podium;
  Entry standing;
  DecisionLog log, lastLog;
};

} // namespace

/// What the policy plans as if L1 were endless, and nothing after that: the plan may need more L1 than there is.
static StandingPlan layoutsAlone(const BuiltProblem &built, const PolicyInfo &policy,
                                 const OpCostTable &model, const OptimizerOptions &options) {
  StandingPlan standing;
  PolicyOptions policyOptions = options.policyOptions;
  if (options.decisions)
    policyOptions.log = &standing.log;
  standing.plan =
      checked(built.problem, solveScheduled(policy, built.problem, model, policyOptions), model, options);
  standing.plan.plan.policy = policy.name.str();
  return standing;
}

/// The best of the podium after single changes: the fastest before them need not be that.
static Noted improvedBest(Noted best, const Podium &podium, const Judge &judge,
                          const OptimizerOptions &options) {
  TimingScope timing = timed(options, "improve");
  Nanoseconds before = best.entry.time;
  best.entry = improved(judge.problem, judge.model, std::move(best.entry));
  for (const Noted &other : podium.entries()) {
    if (other.entry.time == before || !judge.isPlaced(other.entry))
      continue;
    if (Entry changed = improved(judge.problem, judge.model, other.entry); changed.beats(best.entry))
      best = {std::move(changed), other.log};
  }
  return best;
}

StandingPlan tessera::decide(const BuiltProblem &built, const PolicyInfo &policy, const OpCostTable &given,
                             const OptimizerOptions &options, const CheckedPlan &base) {
  const PolicyOptions &asked = options.policyOptions;
  // Who is not to ask for times is not helped by them either.
  const OpCostTable model = modelFor(policy, given, asked);
  if (asked.spill == SpillStrategy::None)
    return layoutsAlone(built, policy, model, options);
  Podium podium;
  Run run(built, policy, model, options, asked, podium);
  run.plan(base);
  run.finish();
  auto bestScore = run.score();
  Noted best = run.result();
  const PolicyInfo *incumbent = asked.spill == SpillStrategy::Policy ? incumbentOf(policy, asked) : nullptr;
  for (auto [index, order] : llvm::enumerate(schedulesFor(policy, built.problem, asked))) {
    if (!incumbent)
      break;
    PolicyOptions itsOptions = unobserved(asked);
    itsOptions.order = order;
    Run other(built, *incumbent, model, options, std::move(itsOptions), podium);
    other.plan(base);
    // Addresses and plans for less L1 are looked for where the incumbent plans by itself, for the first order, so that no plan
    // is slower than its own; and in another order only if that is promising.
    if (index > 0 && std::pair(false, other.time()) >= bestScore)
      continue;
    other.finish();
    // Equal scores leave the policy its own plan.
    if (auto its = other.score(); its < bestScore) {
      best = other.result();
      bestScore = its;
    }
  }
  if (bestScore.first)
    run.warn() << "the device's allocator finds no room for '" << built.problem.function
               << "': its L1 is free in pieces; 'tessera replay' shows the addresses";
  if (policy.improvesOps && asked.beam.polish && !isTimeless(policy, asked))
    best = improvedBest(std::move(best), podium, Judge(built.problem, model), options);
  Plan &plan = best.entry.plan;
  plan.origin = originOf(policy, built.problem, best.entry);
  plan.policy = policy.name.str();
  return {{std::move(plan), std::move(best.entry.check)}, std::move(best.log)};
}
