//===- SingleChanges.cpp - Changes of single ops of a plan ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/SingleChanges.h"

#include "tessera/Optimizer/Ledger/PlanToDraft.h"
#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Plan/ScheduledPlan.h"

using namespace tessera;

/// Readers may do one thing or the other: whatever saves time.
static void apply(Draft &draft, const SingleChange &change, Nanoseconds mayCost) {
  ConfigId config = draft.oracle.idOf(change.config);
  auto inputs = byValue<LayoutId>(draft.problem[change.op], change.inputs);
  for (Readers readers : {Readers::Follow, Readers::FollowIfLegal, Readers::Stay}) {
    // Each of the three on top of what the ones before it left, so that readers who cannot follow at least do
    // not keep the op from changing.
    Nanoseconds before = draft.time();
    bool isTaken = draft.attempt([&] { take(draft, change.op, config, inputs, readers); },
                                 /*mayCost=*/mayCost > Nanoseconds(0),
                                 [&] { return draft.time() < before + mayCost; }) == Outcome::Applied;
    if (isTaken && mayCost > Nanoseconds(0))
      return;
  }
}

Plan tessera::withChanges(const Problem &problem, const OpCostTable &model, const Plan &plan,
                          llvm::ArrayRef<SingleChange> changes, Nanoseconds mayCost) {
  Oracle oracle(problem, model);
  Draft draft(problem, oracle, scheduleOf(plan));
  // A draft holds one shared reshard per value, so it may differ a little from the plan; what comes out is
  // judged as any plan.
  decideAs(draft, plan);
  for (const SingleChange &change : changes)
    apply(draft, change, mayCost);
  return draft.write(plan.policy);
}
