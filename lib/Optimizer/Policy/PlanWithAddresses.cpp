//===- PlanWithAddresses.cpp - What to do about holes in L1 --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/PlanWithAddresses.h"

#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"
#include "tessera/Optimizer/Policy/Spill.h"

using namespace tessera;

std::optional<Plan> tessera::planWithAddresses(const Problem &problem, const OpModel &model,
                                               const Plan &given,
                                               llvm::function_ref<Plan(const Problem &)> planFor,
                                               llvm::function_ref<void()> kept) {
  std::optional<Plan> best;
  Nanoseconds bestTime;
  auto consider = [&](const Plan &written) {
    Plan plan = mergeConversions(problem, written, model);
    if (!checkPlan(problem, plan, model).ok() || !hasAddresses(problem, plan, model))
      return Attempt::Unsound;
    Nanoseconds time = planCost(problem, plan, model).total();
    if (best && time >= bestTime)
      return Attempt::Worse;
    best = std::move(plan);
    bestTime = time;
    return Attempt::Better;
  };
  PolicyOptions repairs;
  repairs.spill = SpillStrategy::Cost;
  consider(spillPlan(problem, model, given, repairs));
  Problem tighter = problem;
  forTighterBudgets(problem, [&](Bytes budget) {
    tighter.l1Budget = budget;
    Attempt attempt = consider(planFor(tighter));
    if (attempt == Attempt::Better)
      kept();
    return attempt;
  });
  consider(findPolicy("configurations")->solve(problem, model, {}));
  consider(basePlan(problem, model));
  return best;
}
