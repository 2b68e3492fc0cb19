//===- Greedy.cpp - Op by op, then spill ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Objective: least planCost, ties by residency (sharded, L1 interleaved, DRAM).
// The score is an estimate at joins and forks. No guarantee on the distance from
// the optimum: see docs/policies.md.
//
//===----------------------------------------------------------------------===//
#include "Greedy.h"

#include "Walk.h"

using namespace tessera;
using namespace tessera::greedy;

std::optional<Plan> tessera::solveGreedy(const Problem &problem, const OpCostTable &model,
                                         const PolicyOptions &options) {
  Oracle oracle(problem, model);
  Lookahead lookahead(problem, oracle);
  return Walk(problem, oracle, lookahead, options).run();
}
