//===- KeptPlaces.cpp - Room above what is freed later --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A step may fit by its sums and yet have no address: a tensor lies low, as
// others lay above it when it was made, and what these leave behind is of no use
// to circular buffers, which grow from below. Then an empty tensor keeps a place
// from before the upper one is made. Whether that helps is tried on the whole
// plan, place by place: what helps one step takes L1 from others in between.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/KeptPlaces.h"

#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Plan/PlanUses.h"
#include "tessera/Support/SortStably.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

/// Places that are tried for one plan, each by a replay of all of it.
static constexpr size_t kMostTried = 100;

namespace {

struct Shortages {
  explicit Shortages(const PlanReplay &replay) {
    replay.forEachShortage([&](StepIndex step, Bytes bytes) {
      missing += bytes;
      steps.push_back(step);
    });
    llvm::sort(steps);
  }
  std::vector<StepIndex> steps;
  Bytes missing;
};

class Keeper {
public:
  Keeper(const Problem &problem, Plan plan, const OpCostTable &model)
      : problem(problem), model(model), plan(std::move(plan)), uses(this->plan) {}

  Plan run() {
    std::optional<StepIndex> next = StepIndex();
    while (next) {
      PlanReplay replay = replayAsOpened(problem, plan, model);
      Shortages shortages(replay);
      // From `next` on: what was left behind it would be tried again in vain.
      auto step = llvm::lower_bound(shortages.steps, *next);
      next = step == shortages.steps.end() ? std::nullopt : std::optional(*step);
      // A step that one place does not help enough gets another one, and one that none helps is left.
      if (next && !keepOneFor(*next, replay, shortages.missing))
        next = *next + 1;
    }
    return std::move(plan);
  }

private:
  /// Whether a place was found that leaves less missing.
  bool keepOneFor(StepIndex step, const PlanReplay &replay, Bytes missing) {
    for (const KeptPlace &place : placesFor(step, replay)) {
      // Of all steps together: a replay of a long plan takes its time.
      if (tried++ >= kMostTried)
        return false;
      plan.kept.push_back(place);
      // All of the plan again: the place holds L1 over all steps until its tensor is made, by address and by sums of
      // bytes.
      if (Shortages(replayAsOpened(problem, plan, model)).missing < missing &&
          checkPlan(problem, plan, model).ok())
        return true;
      plan.kept.pop_back();
    }
    return false;
  }

  /// Of tensors that lie there while the step runs, lowest first: since before each that lies above, was there when they were made, and is
  /// gone by then. The last one first, as the place is kept for the shortest time.
  std::vector<KeptPlace> placesFor(StepIndex step, const PlanReplay &replay) const {
    std::vector<StepInterval> lives = lifetimes(problem, plan);
    std::vector<TensorId> low;
    for (size_t id = 0; id < plan.tensors.size(); ++id)
      if (isOwnBlock(replay, TensorId(id)) && lives[id].contains(step) && !isKept(TensorId(id)))
        low.push_back(TensorId(id));
    auto beginOf = [&](TensorId id) { return replay.tensors[id.index()]->begin; };
    sortStably(low, [&](TensorId a, TensorId b) { return beginOf(a) < beginOf(b); });
    std::vector<KeptPlace> places;
    for (TensorId id : low) {
      StepIndex made = *uses.makers[id.index()];
      std::vector<TensorId> above;
      for (size_t other = 0; other < plan.tensors.size(); ++other)
        // The place can be kept no earlier than before the upper tensor is made, and helps only if that one is gone at
        // the step.
        if (isOwnBlock(replay, TensorId(other)) && beginOf(TensorId(other)) > beginOf(id) &&
            *uses.makers[other] < made && lives[other].contains(made) && lives[other].end <= step)
          above.push_back(TensorId(other));
      sortStably(above,
                 [&](TensorId a, TensorId b) { return *uses.makers[a.index()] > *uses.makers[b.index()]; });
      for (TensorId other : above)
        places.push_back({id, other});
    }
    return places;
  }

  bool isKept(TensorId id) const {
    return llvm::any_of(plan.kept, [&](const KeptPlace &place) { return place.tensor == id; });
  }
  /// Made by a step, in a block of L1 of its own.
  bool isOwnBlock(const PlanReplay &replay, TensorId id) const {
    return replay.tensors[id.index()] && !replay.viewOf[id.index()] && uses.makers[id.index()];
  }

  const Problem &problem;
  const OpCostTable &model;
  Plan plan;
  PlanUses uses;
  size_t tried = 0;
};

} // namespace

Plan tessera::withKeptPlaces(const Problem &problem, Plan plan, const OpCostTable &model) {
  // A device that is made up for its budget has no addresses (hasAddresses).
  if (hasAddresses(problem, plan, model))
    return plan;
  return Keeper(problem, std::move(plan), model).run();
}
