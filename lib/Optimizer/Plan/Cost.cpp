//===- Cost.cpp - The one price of a plan ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/Cost.h"

#include "tessera/OpModel/Conversions.h"
#include "tessera/OpModel/TimeSpread.h"

#include <algorithm>

using namespace tessera;

llvm::StringRef tessera::boundBy(const OpRuntime &time) {
  if (time.total == Nanoseconds(0))
    return "nothing";
  const std::pair<llvm::StringRef, Nanoseconds> parts[] = {{"compute", time.compute},
                                                           {"L1", time.l1},
                                                           {"NoC", time.noc},
                                                           {"DRAM", time.dram},
                                                           {"dispatch", time.dispatch}};
  // Of equal parts the first in the list, so that the word depends on nothing but the times.
  return std::max_element(std::begin(parts), std::end(parts),
                          [](const auto &a, const auto &b) { return a.second < b.second; })
      ->first;
}

StepQuestion::StepQuestion(const Problem &problem, const Plan &plan, const PlanStep &step)
    : layouts(layoutsRead(plan, step)) {
  if (!convertsLayout(problem, step)) {
    op = &problem.signature(step.op);
    configured = &plan.configs[step.op.index()];
    return;
  }
  // Which op a conversion is follows from the two layouts (facts/ir 1.4), not from the op that the input has in
  // its place.
  const PlanTensor &source = plan[step.reads.front()], &target = plan[step.writes.front()];
  conversion.emplace(conversionSignature(problem[source.value].tensor.shape, problem.layout(source.layout),
                                         problem.layout(target.layout)),
                     OpConfig{{target.layout}, {}});
}

std::pair<Nanoseconds, Nanoseconds> tessera::timeRange(const Problem &problem, const Plan &plan,
                                                       const PlanCost &cost) {
  TimeBand band(problem.device.arch);
  for (StepIndex step{0}; step < plan.end(); ++step)
    // By the op that runs: for a conversion of the program that need not be the one that the program has.
    band.add(StepQuestion(problem, plan, plan[step]).signature().name, cost.steps[step.index()].total);
  return band.range();
}

/// Conversion ops of the program count as ops, conversions that the plan adds as conversions: who put it there
/// decides.
PlanCost tessera::planCost(const Problem &problem, const Plan &plan, const OpCostTable &model) {
  PlanCost cost;
  cost.steps.reserve(plan.steps.size());
  for (const PlanStep &step : plan.steps) {
    // Steps run one after the other, as one queue runs in order, so times add up.
    cost.steps.push_back(model.runtime(StepQuestion(problem, plan, step).query()));
    (!step.isRun() ? cost.conversions : cost.ops) += cost.steps.back().total;
  }
  return cost;
}
