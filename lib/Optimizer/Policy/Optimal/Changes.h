//===- Changes.h - Changes of a plan's conversions ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_CHANGES_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_CHANGES_H

#include "Space.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Support/SortStably.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::optimal {

/// The plan with all of the changes, each with a `gain`; or, where that is not legal or has no addresses although the plan had, with those that
/// stand one by one, what saves most first. `with` makes the plan once more with some of them.
template <typename Change, typename With>
Plan withThoseThatStand(const Space &space, const OpCostTable &model, Plan plan, std::vector<Change> changes,
                        With with) {
  if (changes.empty())
    return plan;
  bool hadAddresses = hasAddresses(space.problem, plan, model);
  auto stands = [&](const Plan &other) {
    return checkPlan(space.problem, other, model).ok() &&
           (!hadAddresses || hasAddresses(space.problem, other, model));
  };
  if (Plan all = with(changes); stands(all))
    return all;
  sortStably(changes, [](const Change &a, const Change &b) { return a.gain > b.gain; });
  std::vector<Change> taken;
  Plan best = std::move(plan);
  for (Change &change : changes) {
    taken.push_back(std::move(change));
    if (Plan more = with(taken); stands(more))
      best = std::move(more);
    else
      taken.pop_back();
  }
  return best;
}

/// A plan that is written once more, with other conversions: its tensors stand in the order in which they are made.
class PlanCopy {
public:
  /// What no step makes is there from the beginning.
  explicit PlanCopy(const Plan &plan);

  /// What stands for a tensor of the old plan, once that is made.
  TensorId &operator[](TensorId old) { return renamed[old.index()]; }
  /// The step as it was.
  void keep(PlanStep step);
  /// The value of `source`, a tensor of the new plan, in another layout, by a step that stands with the op.
  TensorId convert(OpId with, TensorId source, LayoutId layout);
  Plan finish();

private:
  TensorId add(PlanTensor tensor);

  const Plan &plan;
  Plan made;
  std::vector<TensorId> renamed; ///< by TensorId of the old plan
  std::vector<TensorId> kept;    ///< the same: as the step makes it that was kept
};

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_CHANGES_H
