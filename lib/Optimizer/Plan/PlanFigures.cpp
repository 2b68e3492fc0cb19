//===- PlanFigures.cpp - A plan in numbers --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/PlanFigures.h"

using namespace tessera;

static ResidencyCount &residencyOf(PlanFigures &figures, const TensorLayout &layout) {
  if (!layout.onDevice())
    return figures.host;
  if (!layout.isL1())
    return figures.dram;
  return layout.isSharded() ? figures.l1Sharded : figures.l1Interleaved;
}

PlanFigures tessera::figuresOf(const Problem &problem, const Plan &plan) {
  PlanFigures figures;
  int64_t shardedCores = 0;
  std::vector<bool> wasInL1(problem.values.size());
  for (const PlanStep &step : plan.steps) {
    if (step.kind == PlanStep::Kind::Convert) {
      bool comesBack =
          step.reason == ConversionReason::Reload && wasInL1[plan[step.reads.front()].value.index()];
      figures.reshards +=
          step.reason == ConversionReason::Reshard || (step.reason == ConversionReason::Reload && !comesBack);
      figures.spills += step.reason == ConversionReason::Spill;
      figures.returns += step.reason == ConversionReason::Return;
      figures.reloads += comesBack;
    }
    for (TensorId written : step.writes) {
      const Value &value = problem[plan[written].value];
      const TensorLayout &layout = problem.layout(plan[written].layout);
      if (layout.isL1())
        wasInL1[plan[written].value.index()] = true;
      // Weights and caches lie where the program put them; that is not the plan's doing.
      if (value.kind != ValueKind::Activation || step.kind == PlanStep::Kind::Convert)
        continue;
      ResidencyCount &residency = residencyOf(figures, layout);
      ++residency.count;
      residency.bytes += totalBytes(layout, value.tensor.shape);
      if (layout.isL1() && layout.isSharded())
        shardedCores += layout.coreCount().value();
    }
  }
  if (figures.l1Sharded.count > 0)
    figures.meanCores = double(shardedCores) / double(figures.l1Sharded.count);
  return figures;
}
