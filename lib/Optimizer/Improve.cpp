//===- Improve.cpp - No single change makes the plan faster ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Improve.h"

#include "tessera/Optimizer/Decisions/Variations.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Policy/SingleChanges.h"
#include "tessera/Optimizer/Policy/Spill.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {

constexpr unsigned kMaxRounds = 8;
/// A change must save that much.
constexpr Nanoseconds kLeastGain(1);

class Improvement {
public:
  Improvement(const Problem &problem, const OpCostTable &model, Plan plan)
      : problem(problem), model(model), plan(std::move(plan)), time(timeOf(this->plan)) {}

  Plan run() {
    for (unsigned round = 0; round < kMaxRounds && improve(proposals()); ++round)
      ;
    return std::move(plan);
  }

private:
  Nanoseconds timeOf(const Plan &of) const { return planCost(problem, of, model).total(); }

  /// For each op the fastest change that saves time and has room, what saves most first.
  llvm::SmallVector<SingleChange> proposals() const {
    PlanCost cost = planCost(problem, plan, model);
    PlanCheck check = checkPlan(problem, plan, model);
    Variations variations(problem, plan, cost, check.l1, model);
    std::vector<std::pair<Nanoseconds, SingleChange>> found;
    for (const PlanStep &step : plan.steps)
      if (step.kind == PlanStep::Kind::Run)
        for (Variation &way : variations.alternatives(step.op)) {
          if (way.tight || way.delta() >= kLeastGain * -1)
            break; // they come in that order
          found.push_back({way.delta(), {step.op, std::move(way.config), std::move(way.inputs)}});
        }
    llvm::stable_sort(found, llvm::less_first());
    return llvm::map_to_vector(found, [](auto &entry) { return std::move(entry.second); });
  }

  /// With all changes or, if that has no addresses, with half of them, those that save most; then with those that were left out on
  /// the way; at last with what clashes moved. False if nothing is faster.
  bool improve(llvm::ArrayRef<SingleChange> changes) {
    llvm::SmallVector<llvm::ArrayRef<SingleChange>> sets, rest;
    for (llvm::ArrayRef<SingleChange> some = changes; !some.empty();
         some = some.take_front(some.size() / 2)) {
      sets.push_back(some);
      rest.push_back(some.drop_front(some.size() / 2));
    }
    llvm::append_range(sets, llvm::reverse(rest));
    std::optional<Plan> clashing;
    for (llvm::ArrayRef<SingleChange> some : sets) {
      Plan changed = mergeConversions(problem, withChanges(problem, model, plan, some), model);
      if (!isBetter(changed))
        continue;
      if (hasAddresses(problem, changed, model))
        return keep(std::move(changed));
      clashing = std::move(changed);
    }
    if (!clashing)
      return false;
    PolicyOptions repairing;
    repairing.spill = SpillStrategy::Cost;
    Plan repaired = mergeConversions(problem, spillPlan(problem, model, *clashing, repairing), model);
    return isBetter(repaired) && hasAddresses(problem, repaired, model) && keep(std::move(repaired));
  }

  bool isBetter(const Plan &other) const {
    return timeOf(other) < time - kLeastGain && checkPlan(problem, other, model).ok();
  }

  bool keep(Plan other) {
    time = timeOf(other);
    plan = std::move(other);
    return true;
  }

  const Problem &problem;
  const OpCostTable &model;
  Plan plan;
  Nanoseconds time;
};

} // namespace

Plan tessera::improved(const Problem &problem, const OpCostTable &model, Plan plan) {
  return Improvement(problem, model, std::move(plan)).run();
}
