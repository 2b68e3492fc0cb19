//===- Improve.cpp - No single change makes the plan faster ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Improve.h"

#include "tessera/Optimizer/Contest/PlansForLess.h"
#include "tessera/Optimizer/Decisions/Variations.h"
#include "tessera/Optimizer/Policy/SingleChanges.h"
#include "tessera/Support/SortStably.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace tessera;

namespace {

constexpr unsigned kMaxRounds = 8;
/// A change must save that much.
constexpr Nanoseconds kLeastGain(1);

struct Doubt {
  int conversions; ///< more of them: negative
  Nanoseconds cost;
  SingleChange change;
};

/// The changed plan stands for the other one, under whose name and for whose budget it was found.
void takePlace(Entry &standing, Entry changed) {
  changed.plan.policy = standing.plan.policy;
  changed.plannedFor = standing.plannedFor;
  standing = std::move(changed);
}

class Improvement {
public:
  Improvement(const Judge &judge, Entry entry)
      : judge(judge), problem(judge.problem), model(judge.model), standing(std::move(entry)) {}

  Improved run() {
    for (unsigned round = 0; round < kMaxRounds; ++round)
      if (!improve(proposals()))
        return {std::move(standing), byRisk()};
    // What was in doubt was so in another plan.
    return {std::move(standing), {}};
  }

private:
  /// For each op the fastest change that saves time and has room, what saves most first. Notes what is in doubt on the way: to
  /// look for that alone would take as long.
  llvm::SmallVector<SingleChange> proposals() {
    doubts.clear();
    PlanCost cost = planCost(problem, standing.plan, model);
    Variations variations(problem, standing.plan, cost, standing.check.l1, model);
    std::vector<std::pair<Nanoseconds, SingleChange>> found;
    for (const PlanStep &step : standing.plan.steps)
      if (step.isRun())
        for (Variation &way : variations.alternatives(step.op)) {
          if (way.tight)
            break; // they come in that order
          if (way.delta() >= kLeastGain * -1) {
            if (!noteDoubt(step.op, cost.steps[variations.stepOf(step.op).index()].total, way))
              break;
            continue;
          }
          // The first that is taken is the fastest; slower ones of the same op follow it, and are tried where
          // that one turns out not to go together with others.
          found.push_back({way.delta(), {step.op, std::move(way.config), std::move(way.inputs)}});
        }
    // Equal gains keep the program's order.
    sortStably(found, llvm::less_first());
    return llvm::map_to_vector(found, [](auto &entry) { return std::move(entry.second); });
  }

  /// False if no slower change of the op is in doubt, either.
  bool noteDoubt(OpId op, Nanoseconds now, Variation &way) {
    if (way.delta() > doubtLimit(standing.time))
      return false;
    if (way.conversions < 0 && isInDoubt(problem, op, now, way))
      doubts.push_back({way.conversions, way.delta(), {op, std::move(way.config), std::move(way.inputs)}});
    return true;
  }

  llvm::SmallVector<SingleChange> byRisk() {
    sortStably(doubts, [](const Doubt &a, const Doubt &b) {
      return std::pair(a.conversions, a.cost) < std::pair(b.conversions, b.cost);
    });
    return llvm::map_to_vector(doubts, [](Doubt &doubt) { return std::move(doubt.change); });
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
      if (std::optional<Entry> placed = judge.placed(changed))
        return keep(std::move(*placed));
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
    takePlace(standing, std::move(other));
    return true;
  }

  const Judge &judge;
  const Problem &problem;
  const OpCostTable &model;
  Entry standing;
  std::vector<Doubt> doubts; ///< of the standing plan
};

ptrdiff_t conversionsOf(const Plan &plan) {
  return llvm::count_if(plan.steps, [](const PlanStep &step) { return !step.isRun(); });
}

} // namespace

Improved tessera::improved(const Judge &judge, Entry entry) {
  return Improvement(judge, std::move(entry)).run();
}

Entry tessera::withFewerConversions(const Judge &judge, Entry entry, llvm::ArrayRef<SingleChange> inDoubt) {
  // Of the plan as it came and not of each step on the way: all changes in doubt together may cost no more than that.
  Nanoseconds limit = entry.time + doubtLimit(entry.time);
  for (const SingleChange &change : inDoubt) {
    Nanoseconds left = limit - entry.time;
    Entry changed =
        judge.judgedMerged(withChanges(judge.problem, judge.model, entry.plan, change, left + kLeastGain));
    if (!changed.legal() || changed.time > limit || conversionsOf(changed.plan) >= conversionsOf(entry.plan))
      continue;
    if (std::optional<Entry> placed = judge.placed(std::move(changed)))
      takePlace(entry, std::move(*placed));
  }
  return entry;
}
