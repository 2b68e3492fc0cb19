//===- Addresses.cpp - Room for the device's allocator --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/Addresses.h"

#include "tessera/Optimizer/Plan/KeptPlaces.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Problem/Schedule.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

/// Plans that are replayed and repaired; and what a repair frees at least, as the next hole may be as bad.
static constexpr unsigned kMaxPlans = 8;
static constexpr Bytes kLeastRoom(16384);

RoomTaken::RoomTaken(const Problem &problem, llvm::ArrayRef<OpId> schedule)
    : problem(problem), positions(positionsIn(schedule)), taken(schedule.size()) {}

bool RoomTaken::takeFor(const Plan &plan, const OpCostTable &model) {
  // A device that is made up for its budget has no addresses (hasAddresses).
  if (model.device().usableL1() < problem.l1Budget || plans++ == kMaxPlans)
    return false;
  PlanReplay replay = replayAsOpened(problem, plan, model);
  replay.forEachShortage([&](StepIndex step, Bytes missing) {
    taken[positions[plan[step].op.index()].index()] += std::max(kLeastRoom, missing);
  });
  return !replay.fits();
}

Plan tessera::writeWithAddresses(Draft &draft, const OpCostTable &model, llvm::StringRef policy,
                                 llvm::function_ref<bool()> repair, llvm::function_ref<Plan(Plan)> finish) {
  RoomTaken room(draft.problem, draft.schedule());
  for (;;) {
    Plan plan = draft.write(policy);
    if (finish)
      plan = finish(std::move(plan));
    // takeFor adds up over all plans, and the draft has been charged with what earlier ones lacked: only the difference
    // is new to it.
    std::vector<Bytes> before = room.bytes();
    if (!room.takeFor(plan, model))
      return plan;
    // Kept places first: they cost no time, and what a repair moves does.
    Plan kept = withKeptPlaces(draft.problem, plan, model);
    if (!kept.kept.empty() && hasAddresses(draft.problem, kept, model))
      return kept;
    for (auto [position, bytes] : llvm::enumerate(room.bytes()))
      if (bytes > before[position])
        draft.takeRoom(SchedulePos(position), bytes - before[position]);
    // What still clashes is for the contest to solve, by plans for less L1 (Contest/PlansForLess).
    if (!repair())
      return plan;
  }
}
