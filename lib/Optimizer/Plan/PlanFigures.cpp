//===- PlanFigures.cpp - A plan in numbers --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/PlanFigures.h"

#include "tessera/Optimizer/Plan/PlanUses.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

static ResidencyCount &residencyOf(PlanFigures &figures, const TensorLayout &layout) {
  if (!layout.onDevice())
    return figures.host;
  if (!layout.isL1())
    return figures.dram;
  return layout.isSharded() ? figures.l1Sharded : figures.l1Interleaved;
}

/// By the layouts alone: whoever put conversions in, and why, the same program counts the same. So those of the input count, too, and a
/// value is followed through its conversions.
std::vector<std::optional<ConversionReason>> tessera::conversionEffects(const Problem &problem,
                                                                        const Plan &plan) {
  auto isInL1 = [&](TensorId id) { return problem.layout(plan[id].layout).isL1(); };
  std::vector<TensorId> roots; // by TensorId: what it was converted from in the end
  std::vector<bool> wasInL1;   // by root
  for (size_t i = 0; i < plan.tensors.size(); ++i) {
    roots.push_back(TensorId(i));
    wasInL1.push_back(isInL1(TensorId(i))); // of those that a step makes, when it is reached
  }
  // From the back, as whether a conversion's result is of use depends on what reads it later.
  std::vector<bool> isUsed(plan.tensors.size()); // by TensorId: an op reads it, or what it is converted to
  for (const PlanStep &step : llvm::reverse(plan.steps))
    for (TensorId id : step.reads)
      isUsed[id.index()] =
          isUsed[id.index()] || !convertsLayout(problem, step) || isUsed[step.writes.front().index()];
  std::vector<std::optional<ConversionReason>> effects;
  for (const PlanStep &step : plan.steps) {
    std::optional<ConversionReason> &effect = effects.emplace_back();
    if (!convertsLayout(problem, step))
      continue;
    TensorId from = step.reads.front(), to = step.writes.front(), root = roots[from.index()];
    roots[to.index()] = root;
    bool inL1 = isInL1(to), wasThere = wasInL1[root.index()];
    wasInL1[root.index()] = wasThere || inL1;
    if (plan[from].layout == plan[to].layout)
      continue; // nothing is written for it
    // Return first: what the caller alone reads leaves L1 for the function's type, not for want of room.
    using enum ConversionReason;
    effect = !isUsed[to.index()]                 ? Return
             : isInL1(from) && !inL1             ? Spill
             : !isInL1(from) && inL1 && wasThere ? Reload
                                                 : Reshard;
  }
  return effects;
}

/// The first op that reads the tensor, or what it is converted to.
static OpId readerOf(const Plan &plan, const PlanUses &uses, TensorId tensor) {
  for (StepIndex reader : uses.readers[tensor.index()]) {
    OpId op = plan[reader].isRun() ? plan[reader].op : readerOf(plan, uses, plan[reader].writes.front());
    if (op.valid())
      return op;
  }
  return OpId();
}

std::vector<std::optional<ToldConversion>> tessera::toldConversions(const Problem &problem,
                                                                    const Plan &plan) {
  PlanUses uses(plan);
  std::vector<std::optional<ToldConversion>> told;
  for (auto [step, effect] : llvm::zip_equal(plan.steps, conversionEffects(problem, plan))) {
    std::optional<ToldConversion> &conversion = told.emplace_back();
    if (step.isRun())
      continue;
    conversion = ToldConversion{step.reason, step.op};
    if (!effect || *effect == step.reason)
      continue;
    // The step keeps its own op where the effect is of the same side, of a reader or of what is made.
    OpId op = step.op;
    if (isForReader(*effect) && !isForReader(step.reason))
      op = readerOf(plan, uses, step.writes.front());
    if (!isForReader(*effect) && isForReader(step.reason))
      op = problem[plan[step.reads.front()].value].producer;
    if (op.valid()) // an argument that leaves L1 is nobody's result
      conversion = ToldConversion{*effect, op};
  }
  return told;
}

/// An activation is counted where its op makes it. Copies that conversions make are counted as conversions, and not
/// once more as values that lie somewhere.
PlanFigures tessera::figuresOf(const Problem &problem, const Plan &plan) {
  PlanFigures figures;
  figures.keptPlaces = int64_t(plan.kept.size());
  // Effects and not the reasons that steps carry: plans of all policies, and the input, are counted by one rule.
  int64_t shardedCores = 0;
  using enum ConversionReason;
  for (std::optional<ConversionReason> effect : conversionEffects(problem, plan)) {
    figures.reshards += effect == Reshard;
    figures.spills += effect == Spill;
    figures.returns += effect == Return;
    figures.reloads += effect == Reload;
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
