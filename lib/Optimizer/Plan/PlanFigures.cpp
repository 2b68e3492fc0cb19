//===- PlanFigures.cpp - A plan in numbers --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/PlanFigures.h"

#include "tessera/Optimizer/Plan/ConversionEffects.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

static ResidencyCount &residencyOf(PlanFigures &figures, const TensorLayout &layout) {
  if (!layout.onDevice())
    return figures.host;
  if (!layout.isL1())
    return figures.dram;
  return layout.isSharded() ? figures.l1Sharded : figures.l1Interleaved;
}

/// An activation is counted where its op makes it. Copies that conversions make are counted as conversions, and not
/// once more as values that lie somewhere.
PlanFigures tessera::figuresOf(const Problem &problem, const Plan &plan) {
  PlanFigures figures;
  figures.keptPlaces = int64_t(plan.kept.size());
  int64_t shardedCores = 0;
  // By ConversionReason.
  int64_t *counts[] = {&figures.reshards, &figures.spills, &figures.reloads, &figures.returns};
  for (auto [step, effect] : llvm::zip_equal(plan.steps, conversionEffects(problem, plan)))
    if (effect) {
      ++*counts[size_t(effect->reason)];
      figures.ofInput += step.isRun();
    }
  for (const PlanStep &step : plan.steps) {
    for (TensorId written : step.writes) {
      const Value &value = problem[plan[written].value];
      const TensorLayout &layout = problem.layout(plan[written].layout);
      // Weights and caches lie where the program put them; that is not the plan's doing.
      if (value.kind != ValueKind::Activation || !step.isRun())
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
