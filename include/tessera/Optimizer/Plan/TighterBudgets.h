//===- TighterBudgets.h - Planning for less L1 than there is -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What fits into less L1 fits into more. A plan for less is worth trying where
// the allocator finds only holes that nothing fits into, as the rest is room to
// lose, and where what gives way was chosen step by step.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_TIGHTERBUDGETS_H
#define TESSERA_OPTIMIZER_PLAN_TIGHTERBUDGETS_H

#include "tessera/Device/L1Budget.h"
#include "tessera/OpModel/OpCostTable.h"
#include "tessera/Optimizer/Problem/Problem.h"

#include <algorithm>

namespace tessera {

/// Caps (l1Budget) and not shares of a budget, so that two caps have budgets in common: what a tighter cap finds, a wider
/// one finds as well. Tenths where another plan is looked for; small steps first where room is left for holes.
inline constexpr double kTenths[] = {0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1};
inline constexpr double kForHoles[] = {0.94, 0.92, 0.89, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1};
/// Where holes are is luck, so the first budget that helps need not be the best; this many in a row that do not help end the
/// search, if nobody says otherwise (PolicyInfo::uselessBudgets).
inline constexpr unsigned kUselessBudgets = 2;

/// A problem as it is posed for another budget, and the op model that goes with it: other candidates may be the useful ones, and
/// with less more values are at home in DRAM.
struct BudgetedProblem {
  /// `model` must outlive it.
  BudgetedProblem(const Problem &posed, const OpCostTable &model, Bytes budget);

  OpCostTable model;
  Problem problem;
  bool fits; ///< whether there is a legal plan
};

/// What came of planning for a budget.
enum class Attempt : uint8_t {
  Unsound, ///< no plan that is legal and has addresses
  Same,    ///< as fast as a plan seen before: most likely that plan again, which says nothing new
  Worse,   ///< than what there was
  Better,  ///< it is kept
};

/// Calls `plan`, Bytes -> Attempt, with one budget after the other that is tighter than the problem's, widest first.
template <class Plan>
void forTighterBudgets(const Problem &problem, llvm::ArrayRef<double> shares, Plan plan,
                       unsigned mostUseless = kUselessBudgets) {
  unsigned useless = 0;
  for (double share : shares) {
    Bytes budget = std::max(Bytes(0), l1Budget(problem.device, share) - problem.l1Held);
    if (budget >= problem.l1Budget)
      continue;
    Attempt attempt = plan(budget);
    if (attempt == Attempt::Better)
      useless = 0;
    if (attempt == Attempt::Worse && ++useless == mostUseless)
      return;
  }
}

/// Calls `plan`, BudgetedProblem & -> Attempt, likewise. Where there is less than the base plan needs there is nothing to plan for.
template <class Plan>
void forTighterProblems(const Problem &problem, const OpCostTable &model, llvm::ArrayRef<double> shares,
                        Plan plan, unsigned mostUseless = kUselessBudgets) {
  auto planFor = [&](Bytes budget) {
    BudgetedProblem tighter(problem, model, budget);
    return tighter.fits ? plan(tighter) : Attempt::Unsound;
  };
  forTighterBudgets(problem, shares, planFor, mostUseless);
}

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_TIGHTERBUDGETS_H
