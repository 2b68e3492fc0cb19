//===- Greedy.cpp - Op by op, then spill ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Objective: least planCost, ties by residency (sharded, L1 interleaved, DRAM).
// Guarantee: a legal plan, not slower than the base plan. No guarantee
// on the distance from the optimum: see docs/policies.md.
//
//===----------------------------------------------------------------------===//
#include "Greedy.h"

#include "Walk.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"

using namespace tessera;
using namespace tessera::greedy;

Plan tessera::solveGreedy(const Problem &problem, const OpCostTable &model, const PolicyOptions &options) {
  Plan base = basePlan(problem, model);
  base.policy = "greedy";
  Oracle oracle(problem, model);
  Lookahead lookahead(problem, oracle);
  std::optional<Plan> plan = Walk(problem, oracle, lookahead, options).run();
  if (!plan || !checkPlan(problem, *plan, model).ok())
    return base;
  // The score is an estimate at joins and forks (docs/policies.md), so the whole plan is compared once more.
  return planCost(problem, *plan, model).total() <= planCost(problem, base, model).total() ? std::move(*plan)
                                                                                           : std::move(base);
}
