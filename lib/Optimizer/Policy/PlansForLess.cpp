//===- PlansForLess.cpp - Plans for less L1 than there is ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/PlansForLess.h"

#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"
#include "tessera/Optimizer/Policy/Spill.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

/// What clashes is moved as strategy Cost moves what does not fit.
static PolicyOptions repairing() {
  PolicyOptions options;
  options.spill = SpillStrategy::Cost;
  return options;
}

Plan tessera::fastestForLess(const Problem &problem, const OpCostTable &model, Plan plan, PlanFor planFor,
                             llvm::function_ref<void()> kept) {
  Nanoseconds time = planCost(problem, plan, model).total();
  llvm::SmallVector<Nanoseconds> seen = {time};
  forTighterBudgets(problem, kTenths, [&](Bytes budget) {
    BudgetedProblem tighter(problem, model, budget);
    if (!tighter.fits)
      return Attempt::Unsound;
    Plan other = mergeConversions(problem, planFor(tighter.problem, tighter.model), model);
    Nanoseconds its = planCost(problem, other, model).total();
    if (llvm::is_contained(seen, its))
      return Attempt::Same;
    seen.push_back(its);
    if (its > time)
      return Attempt::Worse;
    if (!hasAddresses(problem, other, model)) {
      other = mergeConversions(problem, spillPlan(tighter.problem, tighter.model, other, repairing()), model);
      its = planCost(problem, other, model).total();
    }
    if (its >= time || !checkPlan(problem, other, model).ok() || !hasAddresses(problem, other, model))
      return Attempt::Unsound;
    plan = std::move(other);
    time = its;
    kept();
    return Attempt::Better;
  });
  return plan;
}

std::optional<Plan> tessera::planWithAddresses(const Problem &problem, const OpCostTable &model,
                                               const Plan &given, PlanFor planFor,
                                               llvm::function_ref<void()> kept) {
  std::optional<Plan> best;
  Nanoseconds bestTime;
  auto considerAsItIs = [&](Plan plan) {
    if (!checkPlan(problem, plan, model).ok() || !hasAddresses(problem, plan, model))
      return Attempt::Unsound;
    Nanoseconds time = planCost(problem, plan, model).total();
    if (best && time >= bestTime)
      return Attempt::Worse;
    best = std::move(plan);
    bestTime = time;
    return Attempt::Better;
  };
  auto consider = [&](const Plan &plan) { return considerAsItIs(mergeConversions(problem, plan, model)); };
  consider(spillPlan(problem, model, given, repairing()));
  forTighterBudgets(problem, kForHoles, [&](Bytes budget) {
    BudgetedProblem tighter(problem, model, budget);
    Attempt attempt = tighter.fits ? consider(planFor(tighter.problem, tighter.model)) : Attempt::Unsound;
    if (attempt == Attempt::Better)
      kept();
    return attempt;
  });
  consider(findPolicy("configurations")->solve(problem, model, {}));
  consider(basePlan(problem, model));
  if (!hasOverrides(problem)) // an optimizer's output, most likely
    considerAsItIs(declaredPlan(problem));
  return best;
}
