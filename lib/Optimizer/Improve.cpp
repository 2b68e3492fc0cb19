//===- Improve.cpp - No single change makes the plan faster ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Improve.h"

#include "tessera/Optimizer/Decisions/Variations.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Policy/SingleChanges.h"
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

  /// With all changes or, if that has no addresses, with half of them, those that save most. False if nothing is faster.
  bool improve(llvm::ArrayRef<SingleChange> changes) {
    for (; !changes.empty(); changes = changes.take_front(changes.size() / 2))
      if (keepIfFaster(mergeConversions(problem, withChanges(problem, model, plan, changes), model)))
        return true;
    return false;
  }

  bool keepIfFaster(Plan other) {
    Nanoseconds its = timeOf(other);
    if (its >= time - kLeastGain || !checkPlan(problem, other, model).ok() ||
        !hasAddresses(problem, other, model))
      return false;
    plan = std::move(other);
    time = its;
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
