//===- Cost.cpp - The one price of a plan ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/Cost.h"

using namespace tessera;

OpSignature tessera::conversionSignature(const TensorDesc &tensor, const TensorLayout &from,
                                         const TensorLayout &to) {
  TensorDesc source{tensor.shape, from.dtype}, target{tensor.shape, to.dtype};
  bool placementOnly = from.page == to.page && from.dtype == to.dtype && from.onDevice() && to.onDevice();
  return placementOnly ? toMemoryConfigSignature(source) : toLayoutSignature(source, target);
}

static OpRuntime conversionRuntime(const Problem &problem, const PlanTensor &source, const PlanTensor &target,
                                   const OpModel &model) {
  OpSignature signature = conversionSignature(problem[source.value].tensor, problem.layout(source.layout),
                                              problem.layout(target.layout));
  OpConfig config;
  config.outputs = {target.layout};
  return model.runtime({signature, source.layout, config});
}

PlanCost tessera::planCost(const Problem &problem, const Plan &plan, const OpModel &model) {
  PlanCost cost;
  cost.steps.reserve(plan.steps.size());
  llvm::SmallVector<LayoutId> inputs;
  for (const PlanStep &step : plan.steps) {
    if (step.kind == PlanStep::Kind::Convert) {
      cost.steps.push_back(
          conversionRuntime(problem, plan[step.reads.front()], plan[step.writes.front()], model));
      cost.conversions += cost.steps.back().total;
      continue;
    }
    inputs.clear();
    for (TensorId id : step.reads)
      inputs.push_back(plan[id].layout);
    cost.steps.push_back(model.runtime({problem.signature(step.op), inputs, plan.configs[step.op.index()]}));
    cost.ops += cost.steps.back().total;
  }
  return cost;
}
