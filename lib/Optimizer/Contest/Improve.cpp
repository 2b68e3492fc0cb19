//===- Improve.cpp - No single change makes the plan faster ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Improve.h"

#include "tessera/Optimizer/Contest/PlansForLess.h"
#include "tessera/Optimizer/Decisions/Variations.h"
#include "tessera/Optimizer/Policy/SingleChanges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace tessera;

namespace {

constexpr unsigned kMaxRounds = 8;
/// A change must save that much.
constexpr Nanoseconds kLeastGain(1);

class Improvement {
public:
  Improvement(const Judge &judge, Entry entry)
      : judge(judge), problem(judge.problem), model(judge.model), standing(std::move(entry)) {}

  Entry run() {
    for (unsigned round = 0; round < kMaxRounds && improve(proposals()); ++round)
      ;
    return std::move(standing);
  }

private:
  /// For each op the fastest change that saves time and has room, what saves most first.
  llvm::SmallVector<SingleChange> proposals() const {
    PlanCost cost = planCost(problem, standing.plan, model);
    Variations variations(problem, standing.plan, cost, standing.check.l1, model);
    std::vector<std::pair<Nanoseconds, SingleChange>> found;
    for (const PlanStep &step : standing.plan.steps)
      if (step.kind == PlanStep::Kind::Run)
        for (Variation &way : variations.alternatives(step.op)) {
          if (way.tight || way.delta() >= kLeastGain * -1)
            break; // they come in that order
          // The first that is taken is the fastest; slower ones of the same op follow it, and are tried where
          // that one turns out not to go together with others.
          found.push_back({way.delta(), {step.op, std::move(way.config), std::move(way.inputs)}});
        }
    // Equal gains keep the program's order.
    llvm::stable_sort(found, llvm::less_first());
    return llvm::map_to_vector(found, [](auto &entry) { return std::move(entry.second); });
  }

  /// With all changes or, if that has no addresses, with half of them, those that save most; then with those that were left out on
  /// the way; at last with what clashes moved. False if nothing is faster.
  bool improve(llvm::ArrayRef<SingleChange> changes) {
    llvm::SmallVector<llvm::ArrayRef<SingleChange>> sets, rest;
    // Gains are priced one by one, and two changes may undo each other or clash. Halves find a set that holds
    // after few attempts, where trying changes one by one would judge a plan for each.
    for (llvm::ArrayRef<SingleChange> some = changes; !some.empty();
         some = some.take_front(some.size() / 2)) {
      sets.push_back(some);
      rest.push_back(some.drop_front(some.size() / 2));
    }
    llvm::append_range(sets, llvm::reverse(rest));
    std::optional<Plan> clashing;
    for (llvm::ArrayRef<SingleChange> some : sets) {
      Entry changed = judge.judgedMerged(withChanges(problem, model, standing.plan, some));
      if (!isBetter(changed))
        continue;
      if (judge.isPlaced(changed))
        return keep(std::move(changed));
      clashing = std::move(changed.plan);
    }
    if (!clashing)
      return false;
    // Only the last that clashed: a repair takes far longer than an attempt.
    Entry repaired = movedFromClashes(judge, problem, model, *clashing);
    return isBetter(repaired) && judge.isPlaced(repaired) && keep(std::move(repaired));
  }

  bool isBetter(const Entry &other) const { return other.legal() && other.time < standing.time - kLeastGain; }

  bool keep(Entry other) {
    other.plan.policy = standing.plan.policy;
    other.plannedFor = standing.plannedFor;
    standing = std::move(other);
    return true;
  }

  const Judge &judge;
  const Problem &problem;
  const OpCostTable &model;
  Entry standing;
};

} // namespace

Entry tessera::improved(const Judge &judge, Entry entry) {
  return Improvement(judge, std::move(entry)).run();
}
