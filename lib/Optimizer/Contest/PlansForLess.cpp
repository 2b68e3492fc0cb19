//===- PlansForLess.cpp - Plans for less L1 than there is ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Contest/PlansForLess.h"

#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"
#include "tessera/Optimizer/Policy/Spill.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

Entry tessera::movedFromClashes(const Judge &judge, const Problem &problem, const OpCostTable &model,
                                const Plan &plan) {
  PolicyOptions repairing;
  // Farthest last use makes the same room at a higher price, and the search of `dp` takes seconds for a clash
  // that one edit removes.
  repairing.spill = SpillStrategy::Cost;
  return judge.judgedMerged(spillPlan(problem, model, plan, repairing));
}

Entry tessera::fastestForLess(const Judge &judge, Entry best, const PolicyInfo &policy, PlanFor planFor,
                              llvm::function_ref<void(const Entry &, bool)> seen) {
  // Plans of equal time are taken as the same plan, which spares a replay of each.
  llvm::SmallVector<Nanoseconds> times = {best.time};
  auto attempt = [&](const BudgetedProblem &tighter) {
    Entry other = judge.judgedMerged(planFor(tighter.problem, tighter.model));
    if (llvm::is_contained(times, other.time))
      return Attempt::Same;
    times.push_back(other.time);
    other.plannedFor = tighter.problem.l1Budget;
    // Only what is faster is asked for addresses: a replay takes longer than a comparison.
    if (other.time > best.time) {
      seen(other, false);
      return Attempt::Worse;
    }
    if (std::optional<Entry> placed = judge.placed(other))
      other = std::move(*placed);
    else
      other = movedFromClashes(judge, tighter.problem, tighter.model, other.plan);
    if (!other.beats(best) || !judge.isPlaced(other))
      return Attempt::Unsound;
    best = std::move(other);
    best.plannedFor = tighter.problem.l1Budget;
    seen(best, true);
    return Attempt::Better;
  };
  forTighterProblems(judge.problem, judge.model, kTenths, attempt, policy.uselessBudgets);
  return best;
}

Entry tessera::entryWithAddresses(const Judge &judge, Entry given, PlanFor planFor,
                                  llvm::function_ref<void()> kept) {
  if (std::optional<Entry> placed = judge.placed(given); placed && placed->legal())
    return std::move(*placed); // it takes as long as what was given
  const auto &[problem, model] = judge;
  std::optional<Entry> best;
  auto consider = [&](Entry entry) {
    if (!judge.holds(entry))
      return Attempt::Unsound;
    if (best && !entry.beats(*best))
      return Attempt::Worse;
    best = std::move(entry);
    return Attempt::Better;
  };
  // The cheapest answer first: most of the given plan stays as it is.
  consider(movedFromClashes(judge, problem, model, given.plan));
  forTighterProblems(problem, model, kForHoles, [&](const BudgetedProblem &tighter) {
    Attempt attempt = consider(judge.judgedMerged(planFor(tighter.problem, tighter.model)));
    if (attempt == Attempt::Better) {
      best->plannedFor = tighter.problem.l1Budget;
      kept();
    }
    return attempt;
  });
  // If no budget helps, plans that hold less in L1 by their nature: the base layouts, with the best
  // configurations and without, then the input itself.
  consider(judge.judgedMerged(solve(*findPolicy("configurations"), problem, model, {})));
  consider(judge.judgedMerged(basePlan(problem, model)));
  if (!hasOverrides(problem)) // an optimizer's output, most likely
    consider(judge.judged(declaredPlan(problem)));
  return std::move(best ? *best : given);
}
