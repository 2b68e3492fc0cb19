//===- SolvingNotes.h - What `optimal` knows by the way -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_SOLVINGNOTES_H
#define TESSERA_OPTIMIZER_POLICY_SOLVINGNOTES_H

#include "tessera/Optimizer/Policy/Policy.h"

#include <memory>
#include <utility>
#include <vector>

namespace tessera {

namespace optimal {
struct SpaceMemory;
}

/// What runs of a policy that proves its plans leave for those that come after them, on one problem: in other orders of its ops, and for less
/// L1. Nothing that a plan is judged by.
struct SolvingNotes {
  /// What no plan in the layouts of any of these runs takes less than; a proof is made of it only at the end (PlanBound.h).
  std::optional<Nanoseconds> bound;
  /// Processor time from the choices that there are to plans, of all runs. What there is to choose from, incumbents and the proof are no
  /// part of it.
  double seconds = 0;
  /// The fastest plan with addresses that one of these runs found, with or without a check by the contest.
  std::optional<Nanoseconds> fastest;
  /// What takes as long need not be found; nullopt: nothing is known yet.
  std::optional<Nanoseconds> standing;
  /// With so much L1 or less no plan is faster than what stands, in any order: by its bound, or since a best selection fitted into that much as
  /// it was, at addresses, and became a plan that takes no longer.
  Bytes hopeless{0};
  /// What was proven, and the time of the plan from which windows were tried, by run.
  std::vector<std::pair<Nanoseconds, Nanoseconds>> starts;
  /// What one run found to choose from, and others will find again (Space); made by the first.
  std::shared_ptr<optimal::SpaceMemory> memory;
};

/// Whether nobody need look for a faster plan: it takes what was proven, or as much more as OptimalOptions::gap allows. False if nothing was.
bool isProvenGood(const PolicyOptions &options, Nanoseconds time);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_SOLVINGNOTES_H
