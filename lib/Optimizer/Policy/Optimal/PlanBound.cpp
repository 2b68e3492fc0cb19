//===- PlanBound.cpp - What no plan takes less than -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The bound is made by code that may err, since what it makes is checked: the selection problem is made anew from the
// table, and the proof is gone through against that. What both have in common is the op model's table, and the
// translation of plans into selections (Translation.h): a mistake there would count.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/PlanBound.h"

#include "L1Search.h"
#include "Translation.h"
#include "tessera/Optimizer/Plan/ScheduledPlan.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::optimal;

/// Prices move so often at most; most searches end long before.
static constexpr int kSteps = 60;

static Nanoseconds timeOf(SelectionCost cost) { return Nanoseconds(double(cost) / kBoundParts); }

/// With L1 between ops, in the order of the plan. Nullopt if that exceeds L1 where the input program does: nothing is said of such plans.
static std::optional<PlanBound> boundInOrder(Space &space, const Plan &plan, SelectionCost takes) {
  Translation translation(space, scheduleOf(plan));
  Selection its = translation.selectionOf(plan);
  if (peakUsage(translation.problem, its) > translation.problem.capacity)
    return std::nullopt;
  L1Search search(translation.problem, takes);
  for (int step = 0; step < kSteps && search.next(); ++step)
    ;
  // The proof is about the whole problem: states that the search left out, as they are no part of anything faster, are
  // in it again.
  SelectionProblem problem = withConflicts(translation.problem, search.limits().conflicts);
  SelectionCertificate proof = proveBound(problem, {std::move(its), search.limits().prices},
                                          {.passes = kBoundPasses, .cutoff = takes});
  return PlanBound{timeOf(proof.bound), std::move(proof), search.limits().conflicts};
}

std::optional<PlanBound> tessera::boundOf(const Problem &problem, const OpCostTable &table, const Plan &plan,
                                          std::shared_ptr<SpaceMemory> memory) {
  PlanCost cost = planCost(problem, plan, table);
  Space space(problem, table, PricedPlan{plan, cost}, std::move(memory));
  if (!space.coversAll)
    return std::nullopt;
  Translation translation(space);
  // All that the plan does is among the choices, so its selection costs no more than that, and the bound is never
  // above it.
  // Whatever takes longer than the plan itself matters to nobody.
  SelectionCost takes = costOf(cost.total());
  SelectionCertificate proof = proveBound(translation.problem, {translation.selectionOf(plan), {}},
                                          {.passes = kBoundPasses, .cutoff = takes});
  PlanBound inAnyOrder{timeOf(proof.bound), std::move(proof), std::nullopt};
  if (inAnyOrder.proof.bound >= takes)
    return inAnyOrder;
  std::optional<PlanBound> inItsOrder = boundInOrder(space, plan, takes);
  // Of equal bounds that of any order says more.
  return inItsOrder && inItsOrder->time > inAnyOrder.time ? inItsOrder : inAnyOrder;
}

/// The pairs come from a file, so they are looked at before anything is made of them.
static llvm::Error checkConflicts(const SelectionProblem &problem,
                                  llvm::ArrayRef<SelectionConflict> conflicts) {
  for (auto [a, b] : conflicts)
    if (a >= b || b >= problem.numNodes())
      return llvm::createStringError(
          llvm::formatv("the proof has a conflict of {0} and {1}, which are no nodes", a, b));
  return llvm::Error::success();
}

llvm::Error tessera::checkBound(const Problem &problem, const OpCostTable &table, const Plan &plan,
                                const PlanBound &bound) {
  // Without a memory, so that nothing that planning left behind is believed.
  Space space(problem, table, PricedPlan{plan, planCost(problem, plan, table)});
  if (!space.coversAll)
    return llvm::createStringError("an op of the plan reads one value in two layouts");
  Translation translation = bound.inOrder ? Translation(space, scheduleOf(plan)) : Translation(space);
  // Which pairs are named is the proof's to say: withConflicts forbids nothing that fits, whatever they are.
  llvm::ArrayRef<SelectionConflict> conflicts;
  if (bound.inOrder)
    conflicts = *bound.inOrder;
  if (llvm::Error error = checkConflicts(translation.problem, conflicts))
    return error;
  if (llvm::Error error = checkCertificate(withConflicts(translation.problem, conflicts), bound.proof))
    return error;
  if (bound.time != timeOf(bound.proof.bound))
    return llvm::createStringError(llvm::formatv("the proof is of a bound of {0} ns, and not of {1}",
                                                 timeOf(bound.proof.bound).value(), bound.time.value()));
  return llvm::Error::success();
}
