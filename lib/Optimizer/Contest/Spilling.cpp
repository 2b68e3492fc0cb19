//===- Spilling.cpp - A policy's layouts, and a strategy for what leaves L1 ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Contest/PlansForLess.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"
#include "tessera/Optimizer/Policy/Spill.h"

using namespace tessera;

/// More than any sum of tensors.
static constexpr Bytes kEndlessL1(int64_t(1) << 50);

/// What the policy would do if only each op by itself had to fit.
static Plan layoutsOf(const PolicyInfo &policy, const Problem &problem, const OpCostTable &model,
                      const PolicyOptions &options) {
  // The layouts of the input program are given, whether they fit or not.
  if (policy.decidesNothing)
    return declaredPlan(problem);
  // The budget is lifted and not the check of each op: layouts with which an op cannot run even alone are of no
  // use to a strategy.
  Problem roomy = problem;
  roomy.l1Budget = kEndlessL1;
  PolicyOptions layoutsOnly = options;
  layoutsOnly.layoutsOnly = true;
  return solve(policy, roomy, model.alone(), layoutsOnly);
}

static bool considerLegal(Best &fastest, Entry entry) {
  return entry.legal() && fastest.consider(std::move(entry));
}

/// Where room is scarce, edits are made one after the other, and the first ones may turn out to be worse than those that
/// less room leads to.
static void considerTighter(Best &fastest, const PolicyInfo &policy, const Judge &judge, const Plan &layouts,
                            const PolicyOptions &options) {
  forTighterProblems(judge.problem, judge.model, kTenths, [&](const BudgetedProblem &tighter) {
    // Both ways at each budget: the strategy on the same layouts, and the policy as it plans by itself. Neither
    // is always better.
    bool better =
        considerLegal(fastest, judge.judged(spillPlan(tighter.problem, tighter.model, layouts, options)));
    better |= considerLegal(fastest, judge.judged(solve(policy, tighter.problem, tighter.model, options)));
    return better ? Attempt::Better : Attempt::Worse;
  });
}

Plan tessera::solveWithSpilling(const PolicyInfo &policy, const Problem &problem, const OpCostTable &model,
                                const PolicyOptions &options) {
  if (options.spill == SpillStrategy::Policy)
    return solve(policy, problem, model, options);
  if (options.spill == SpillStrategy::None)
    return layoutsOf(policy, problem, model, options);
  Judge judge(problem, model);
  Best fastest(judge);
  fastest.consider(judge.judged(basePlan(problem, model)));
  Plan layouts = layoutsOf(policy, problem, model, options);
  considerLegal(fastest, judge.judged(spillPlan(problem, model, layouts, options)));
  PolicyOptions edits = options;
  if (options.spill == SpillStrategy::Dp) {
    // Where the search drops states, edits may do better.
    edits.spill = SpillStrategy::Cost;
    considerLegal(fastest, judge.judged(spillPlan(problem, model, layouts, edits)));
  }
  edits.figures = nullptr; // those of the first run stand
  auto planFor = [&](const Problem &budgeted, const OpCostTable &itsModel) {
    return solve(policy, budgeted, itsModel, edits);
  };
  // What the policy decides without the strategy, as `tessera optimize` would hand it on: so `--spill` never
  // makes a plan slower.
  Entry own = entryWithAddresses(judge, judge.judged(planFor(problem, model)), planFor, [] {});
  if (triesLessL1(policy, options))
    own = fastestForLess(judge, std::move(own), policy, planFor, [](const Entry &, bool) {});
  considerLegal(fastest, judge.judged(std::move(own.plan)));
  // If nothing had to leave, less room leads nowhere else.
  if (!judge.holds(judge.judged(layouts)))
    considerTighter(fastest, policy, judge, layouts, edits);
  Plan best = fastest.take().plan;
  // Whatever strategy made room, the layouts are the policy's, and the contest names plans by policy.
  best.policy = policy.name.str();
  return best;
}
