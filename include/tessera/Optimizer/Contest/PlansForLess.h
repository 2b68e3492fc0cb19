//===- PlansForLess.h - Plans for less L1 than there is -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What fits into less L1 fits into more, so plans for tighter budgets are tried
// where what gives way was chosen step by step, and where a plan fits into L1
// by its sums and not onto addresses, as what is free lies in pieces.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_CONTEST_PLANSFORLESS_H
#define TESSERA_OPTIMIZER_CONTEST_PLANSFORLESS_H

#include "tessera/Optimizer/Contest/Entry.h"
#include "tessera/Optimizer/Policy/Policy.h"

#include <optional>

namespace tessera {

/// A policy's plan for a problem with less L1, asking the model of that budget (BudgetedProblem).
using PlanFor = llvm::function_ref<Plan(const Problem &, const OpCostTable &)>;

/// Of `entry` and what `planFor`, which is `policy`, plans for tighter budgets (forTighterBudgets, kTenths) the fastest legal one that has
/// addresses, or `entry`. `seen` is called after each run of `planFor` with a plan of another time than those before, and with whether it is
/// the best so far.
Entry fastestForLess(const Judge &judge, Entry entry, const PolicyInfo &policy, PlanFor planFor,
                     llvm::function_ref<void(const Entry &, bool)> seen);

/// `given` if it has addresses, its own or by kept places. Else the fastest legal entry that has, of: `given` with what clashes moved
/// (movedFromClashes); what `planFor` plans for tighter budgets (kForHoles); the base layouts with the best configurations; the base
/// plan; the input program as it is. `given` if none has. `kept` is called after each run of `planFor` whose plan is the fastest so
/// far; a later one may take its place.
Entry entryWithAddresses(const Judge &judge, Entry given, PlanFor planFor, llvm::function_ref<void()> kept);

/// The plan with what clashes moved as SpillStrategy::Cost moves what does not fit (spillPlan), and conversions merged.
Entry movedFromClashes(const Judge &judge, const Problem &problem, const OpCostTable &model,
                       const Plan &plan);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_CONTEST_PLANSFORLESS_H
