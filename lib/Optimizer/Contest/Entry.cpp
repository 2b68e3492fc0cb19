//===- Entry.cpp - A plan, judged once ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Contest/Entry.h"

#include "tessera/Optimizer/Plan/KeptPlaces.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"

using namespace tessera;

Entry Judge::judged(Plan plan) const {
  // Asked anew and of no policy: what a policy believes of its plan does not count.
  PlanCheck check = checkPlan(problem, plan, model);
  Nanoseconds time = planCost(problem, plan, model).total();
  return {std::move(plan), std::move(check), time, Bytes(0)};
}

Entry Judge::merged(Entry entry) const {
  // What is merged is split into steps again, some of which stand beside others then: so until it saves nothing.
  for (bool isFaster = true; isFaster;) {
    std::optional<Plan> plan = mergeConversions(problem, entry.plan, model);
    if (!plan)
      break;
    Entry merged = judged(std::move(*plan));
    merged.plannedFor = entry.plannedFor;
    // Merged conversions need L1 at other steps, and one of two may be dearer than both: so the result is judged
    // like any plan.
    bool stands = merged.legal() && merged.time <= entry.time &&
                  (entry.plan.kept.empty() || isPlaced(merged) || !isPlaced(entry));
    isFaster = stands && merged.time < entry.time;
    if (stands)
      entry = std::move(merged);
  }
  return entry;
}

bool Judge::isPlaced(const Entry &entry) const { return hasAddresses(problem, entry.plan, model); }

std::optional<Entry> Judge::placed(Entry entry) const {
  if (isPlaced(entry))
    return entry;
  if (!entry.legal())
    return std::nullopt;
  entry.plan = withKeptPlaces(problem, std::move(entry.plan), model);
  if (!isPlaced(entry))
    return std::nullopt;
  entry.check = checkPlan(problem, entry.plan, model);
  return entry;
}

bool Best::consider(Entry entry) {
  // What would lose with addresses is not asked for them: a replay takes longer than a comparison.
  if (standing && Rank(false, entry.time) >= itsRank)
    return false;
  Rank rank = judge.rank(entry);
  if (standing && rank >= itsRank)
    return false;
  standing = std::move(entry);
  itsRank = rank;
  return true;
}
