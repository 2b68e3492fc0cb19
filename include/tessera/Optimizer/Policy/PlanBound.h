//===- PlanBound.h - What no plan takes less than -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_PLANBOUND_H
#define TESSERA_OPTIMIZER_POLICY_PLANBOUND_H

#include "tessera/Optimizer/Plan/Plan.h"
#include "tessera/Optimizer/Selection/SelectionCertificate.h"

#include <memory>

namespace tessera {

namespace optimal {
struct SpaceMemory;
}

/// A proven lower bound of the time of plans (docs/certified.md, "Plans").
struct PlanBound {
  Nanoseconds time;
  SelectionCertificate proof; ///< in parts of a nanosecond: kBoundParts
};

/// Costs in a bound's proof are whole numbers of such parts of a nanosecond, rounded down: a bound may lose by it, and never lies.
inline constexpr double kBoundParts = 1024;

/// Passes of messages after which bounds of our models hardly move.
inline constexpr int kBoundPasses = 20;

/// Of all plans, in any order of the ops and however much L1 there is between them, whose ops read and make what the legal
/// configurations make, what readers may be given, and what `plan` has. So of `plan` as well. Nullopt if its ops do what the
/// selection problem cannot say: an op that reads one value in two layouts. `memory`: of planning (SolvingNotes), if there is any; it
/// changes nothing but the time that this takes.
std::optional<PlanBound> boundOf(const Problem &problem, const OpCostTable &table, const Plan &plan,
                                 std::shared_ptr<optimal::SpaceMemory> memory = nullptr,
                                 int passes = kBoundPasses);

/// Success if `bound` is proven, for plans as above. The selection problem is made anew from the table; the proof is gone through by
/// checkCertificate, which shares no code with what found it.
llvm::Error checkBound(const Problem &problem, const OpCostTable &table, const Plan &plan,
                       const PlanBound &bound);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_PLANBOUND_H
