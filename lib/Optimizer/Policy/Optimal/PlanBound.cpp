//===- PlanBound.cpp - What no plan takes less than -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/PlanBound.h"

#include "Translation.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::optimal;

static Nanoseconds timeOf(SelectionCost cost) { return Nanoseconds(double(cost) / kBoundParts); }

std::optional<PlanBound> tessera::boundOf(const Problem &problem, const OpCostTable &table, const Plan &plan,
                                          std::shared_ptr<SpaceMemory> memory, int passes) {
  PlanCost cost = planCost(problem, plan, table);
  Space space(problem, table, PricedPlan{plan, cost}, std::move(memory));
  if (!space.coversAll)
    return std::nullopt;
  Translation translation(space);
  // Whatever takes longer than the plan itself matters to nobody.
  SelectionCertificate proof = proveBound(translation.problem, {translation.selectionOf(plan), {}},
                                          {.passes = passes, .cutoff = costOf(cost.total())});
  return PlanBound{timeOf(proof.bound), std::move(proof)};
}

llvm::Error tessera::checkBound(const Problem &problem, const OpCostTable &table, const Plan &plan,
                                const PlanBound &bound) {
  Space space(problem, table, PricedPlan{plan, planCost(problem, plan, table)});
  if (!space.coversAll)
    return llvm::createStringError("an op of the plan reads one value in two layouts");
  Translation translation(space);
  if (llvm::Error error = checkCertificate(translation.problem, bound.proof))
    return error;
  if (bound.time != timeOf(bound.proof.bound))
    return llvm::createStringError(llvm::formatv("the proof is of a bound of {0} ns, and not of {1}",
                                                 timeOf(bound.proof.bound).value(), bound.time.value()));
  return llvm::Error::success();
}
