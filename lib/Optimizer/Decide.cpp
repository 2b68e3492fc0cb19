//===- Decide.cpp - From what policies plan to the plan that stands -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Decide.h"

#include "Improve.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Plan/ScheduledPlan.h"
#include "tessera/Optimizer/Policy/L1InterleavedFallback.h"
#include "tessera/Optimizer/Policy/PlansForLess.h"
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

/// One policy on one problem.
class Run {
public:
  Run(const BuiltProblem &built, const PolicyInfo &policy, const OpCostTable &model,
      const OptimizerOptions &options, PolicyOptions policyOptions)
      : built(built), problem(built.problem), policy(policy), model(model), options(options),
        policyOptions(std::move(policyOptions)) {}

  /// What the policy plans, if that is legal and no slower than what it was given; else that.
  void plan(const CheckedPlan &base) {
    standing.plan = check(solve(problem, model, policyOptions));
    keepLog();
    if (!standing.plan.check.ok()) {
      warn() << "the plan of policy '" << policy.name << "' is not legal; '" << problem.function
             << "' keeps the layouts of the input where they are: "
             << standing.plan.check.violations.front().message;
      standing.plan = base;
    }
    // A policy that is to be as designed may be slower than what it was given.
    if (!mayBeSlower(policy, policyOptions)) {
      keepIfFaster(base);
      // An optimizer's output is better than what all that starts from its base may lead to.
      if (!hasOverrides(problem))
        if (CheckedPlan declared = check(declaredPlan(problem));
            declared.check.ok() && hasAddresses(problem, declared.plan, model))
          keepIfFaster(std::move(declared));
    }
    improve(mergeConversions(problem, standing.plan.plan, model));
    if (options.l1InterleavedFallback)
      improve(upgradeToL1Interleaved(problem, standing.plan.plan, model));
  }

  /// With addresses, and for less L1 if that is faster.
  void finish() {
    PolicyOptions again = unobserved(policyOptions); // what was seen of the first run stands
    auto planFor = [&](const Problem &tighter, const OpCostTable &itsModel) {
      return solve(tighter, itsModel, again);
    };
    auto kept = [&] { keepLog(); };
    Plan &plan = standing.plan.plan;
    if (!hasAddresses(problem, plan, model))
      if (std::optional<Plan> found = planWithAddresses(problem, model, plan, planFor, kept))
        standing.plan = check(std::move(*found));
    again.order = scheduleOf(plan);
    again.beam.incumbent = false; // which is planned for less L1 as well
    if (policy.triesLessL1 && !isTimeless(policy, policyOptions) &&
        policyOptions.spill == SpillStrategy::Policy)
      standing.plan = check(fastestForLess(problem, model, plan, planFor, kept));
  }

  Nanoseconds time() const { return timeOf(standing.plan); }
  bool hasRoom() const { return hasAddresses(problem, standing.plan.plan, model); }
  InFlightDiagnostic warn() const { return func::FuncOp(built.binding.function).emitWarning(); }

  StandingPlan standing;

private:
  Plan solve(const Problem &posed, const OpCostTable &itsModel, PolicyOptions how) {
    TimingScope timing = timed(options, "policy");
    how.hasRoom = [&](const Plan &plan) { return hasAddresses(posed, plan, itsModel); };
    lastLog = {};
    how.log = options.decisions ? &lastLog : nullptr;
    return solveScheduled(policy, posed, itsModel, how);
  }

  CheckedPlan check(Plan plan) const { return checked(problem, std::move(plan), model, options); }
  Nanoseconds timeOf(const CheckedPlan &of) const { return planCost(problem, of.plan, model).total(); }
  /// What the last run noted goes with the plan that stands now.
  void keepLog() { standing.log = lastLog; }

  void keepIfFaster(CheckedPlan other) {
    if (timeOf(other) < time())
      standing.plan = std::move(other);
  }

  /// Later steps may only improve: each is checked, and dropped if it is slower or not legal.
  void improve(Plan plan) {
    CheckedPlan better = check(std::move(plan));
    if (better.check.ok() && timeOf(better) <= time())
      standing.plan = std::move(better);
  }

  const BuiltProblem &built;
  const Problem &problem;
  const PolicyInfo &policy;
  const OpCostTable &model;
  const OptimizerOptions &options;
  PolicyOptions policyOptions;
  DecisionLog lastLog;
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

StandingPlan tessera::decide(const BuiltProblem &built, const PolicyInfo &policy, const OpCostTable &given,
                             const OptimizerOptions &options, const CheckedPlan &base) {
  const PolicyOptions &asked = options.policyOptions;
  // Who is not to ask for times is not helped by them either.
  const OpCostTable model = modelFor(policy, given, asked);
  if (asked.spill == SpillStrategy::None)
    return layoutsAlone(built, policy, model, options);
  Run run(built, policy, model, options, asked);
  run.plan(base);
  run.finish();
  auto score = [](const Run &of) { return std::pair(!of.hasRoom(), of.time()); };
  StandingPlan best = run.standing;
  auto bestScore = score(run);
  const PolicyInfo *incumbent = incumbentOf(policy, asked);
  for (auto [index, order] : llvm::enumerate(schedulesFor(policy, built.problem, asked))) {
    if (!incumbent)
      break;
    PolicyOptions itsOptions = unobserved(asked);
    itsOptions.order = order;
    Run other(built, *incumbent, model, options, std::move(itsOptions));
    other.plan(base);
    // Addresses and plans for less L1 are looked for where the incumbent plans by itself, for the first order, so that no plan
    // is slower than its own; and in another order only if that is promising.
    if (index > 0 && std::pair(false, other.time()) >= bestScore)
      continue;
    other.finish();
    if (auto its = score(other); its < bestScore) {
      best = std::move(other.standing);
      bestScore = its;
    }
  }
  if (bestScore.first)
    run.warn() << "the device's allocator finds no room for '" << built.problem.function
               << "': its L1 is free in pieces; 'tessera replay' shows the addresses";
  if (policy.improvesOps && asked.beam.polish && !isTimeless(policy, asked)) {
    TimingScope timing = timed(options, "improve");
    best.plan.plan = improved(built.problem, model, std::move(best.plan.plan));
    best.plan.check = checkPlan(built.problem, best.plan.plan, model);
  }
  best.plan.plan.policy = policy.name.str();
  return best;
}
