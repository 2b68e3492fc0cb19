//===- Cost.cpp - The one price of a plan ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/Cost.h"

#include "tessera/Optimizer/Problem/Conversions.h"

#include <algorithm>

using namespace tessera;

llvm::StringRef tessera::boundBy(const OpRuntime &time) {
  const std::pair<llvm::StringRef, Nanoseconds> parts[] = {{"compute", time.compute},
                                                           {"L1", time.l1},
                                                           {"NoC", time.noc},
                                                           {"DRAM", time.dram},
                                                           {"dispatch", time.dispatch}};
  return std::max_element(std::begin(parts), std::end(parts),
                          [](const auto &a, const auto &b) { return a.second < b.second; })
      ->first;
}

OpSignature tessera::stepSignature(const Problem &problem, const Plan &plan, const PlanStep &step) {
  if (!convertsLayout(problem, step))
    return problem.signature(step.op);
  const PlanTensor &source = plan[step.reads.front()], &target = plan[step.writes.front()];
  return conversionSignature(problem[source.value].tensor.shape, problem.layout(source.layout),
                             problem.layout(target.layout));
}

OpConfig tessera::stepConfig(const Problem &problem, const Plan &plan, const PlanStep &step) {
  if (!convertsLayout(problem, step))
    return plan.configs[step.op.index()];
  OpConfig config;
  config.outputs = {plan[step.writes.front()].layout};
  return config;
}

PlanCost tessera::planCost(const Problem &problem, const Plan &plan, const OpModel &model) {
  PlanCost cost;
  cost.steps.reserve(plan.steps.size());
  llvm::SmallVector<LayoutId> inputs;
  for (const PlanStep &step : plan.steps) {
    inputs.clear();
    for (TensorId id : step.reads)
      inputs.push_back(plan[id].layout);
    cost.steps.push_back(
        model.runtime({stepSignature(problem, plan, step), inputs, stepConfig(problem, plan, step)}));
    (step.kind == PlanStep::Kind::Convert ? cost.conversions : cost.ops) += cost.steps.back().total;
  }
  return cost;
}
