//===- PlanBound.h - What no plan takes less than -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_PLANBOUND_H
#define TESSERA_OPTIMIZER_POLICY_PLANBOUND_H

#include "tessera/Optimizer/Plan/Plan.h"
#include "tessera/Optimizer/Selection/SelectionCertificate.h"
#include "tessera/Optimizer/Selection/SelectionSearch.h"

#include <memory>

namespace tessera {

namespace optimal {
struct SpaceMemory;
}

/// Two nodes, the first before the second, which may exceed the capacity together.
using SelectionConflict = std::pair<SelectionNode, SelectionNode>;

/// Where L1 counts in the order of a plan's ops: what the proof makes of it.
struct L1Limits {
  std::vector<TimePrice>
      prices; ///< in parts of a nanosecond (kBoundParts) for a byte; times are positions of ops
  /// What exceeds L1 together at any time is forbidden.
  std::vector<SelectionConflict> conflicts;
};

/// A proven lower bound of the time of plans (docs/certified.md, "Plans").
struct PlanBound {
  Nanoseconds time;
  SelectionCertificate proof; ///< in parts of a nanosecond: kBoundParts
  /// If it counts L1 between ops, and so is a bound of plans in this order only: pairs that the problem of the proof forbids. Nullopt: one of
  /// plans in any order.
  std::optional<std::vector<SelectionConflict>> inOrder;
};

/// Costs in a bound's proof are whole numbers of such parts of a nanosecond, rounded down: a bound may lose by it, and never lies.
inline constexpr double kBoundParts = 1024;

/// Passes of messages after which bounds of our models hardly move.
inline constexpr int kBoundPasses = 20;

/// Of all plans whose ops read and make what the legal configurations make, what readers may be given, and what `plan` has; so of `plan` as well.
/// At first in any order of the ops and however much L1 there is between them; if the plan takes longer than that, in its order, where what lies
/// in L1 must fit (PlanBound::inOrder), and the higher of the two. Nullopt if its ops do what the selection problem cannot say: an op that reads one
/// value in two layouts. `memory`: of planning (SolvingNotes), if there is any; it changes nothing but the time that this takes.
std::optional<PlanBound> boundOf(const Problem &problem, const OpCostTable &table, const Plan &plan,
                                 std::shared_ptr<optimal::SpaceMemory> memory = nullptr);

/// Success if `bound` is proven, for plans as above. The selection problem is made anew from the table; the proof is gone through by
/// checkCertificate, which shares no code with what found it.
llvm::Error checkBound(const Problem &problem, const OpCostTable &table, const Plan &plan,
                       const PlanBound &bound);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_PLANBOUND_H
