//===- PlanFigures.cpp - A plan in numbers --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/PlanFigures.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

static ResidencyCount &residencyOf(PlanFigures &figures, const TensorLayout &layout) {
  if (!layout.onDevice())
    return figures.host;
  if (!layout.isL1())
    return figures.dram;
  return layout.isSharded() ? figures.l1Sharded : figures.l1Interleaved;
}

namespace {

/// What the conversions of a plan do, by the layouts alone: whoever put them in, and why, the same program counts the same. So
/// those of the input count, too, and a value is followed through its conversions.
class ConversionEffects {
public:
  ConversionEffects(const Problem &problem, const Plan &plan)
      : problem(problem), plan(plan), roots(plan.tensors.size()), wasInL1(plan.tensors.size()),
        isUsed(plan.tensors.size()) {
    for (size_t i = 0; i < roots.size(); ++i) {
      roots[i] = TensorId(i);
      wasInL1[i] = isInL1(TensorId(i)); // of those that a step makes, when it is reached
    }
    // From the back, as whether a conversion's result is of use depends on what reads it later.
    for (const PlanStep &step : llvm::reverse(plan.steps))
      for (TensorId id : step.reads)
        isUsed[id.index()] =
            isUsed[id.index()] || !convertsLayout(problem, step) || isUsed[step.writes.front().index()];
  }

  /// Of the steps in their order.
  std::optional<ConversionReason> next(const PlanStep &step) {
    if (!convertsLayout(problem, step))
      return std::nullopt;
    TensorId from = step.reads.front(), to = step.writes.front(), root = roots[from.index()];
    roots[to.index()] = root;
    bool inL1 = isInL1(to), wasThere = wasInL1[root.index()];
    wasInL1[root.index()] = wasThere || inL1;
    if (plan[from].layout == plan[to].layout)
      return std::nullopt; // nothing is written for it
    // Return first: what the caller alone reads leaves L1 for the function's type, not for want of room.
    using enum ConversionReason;
    return !isUsed[to.index()]                 ? Return
           : isInL1(from) && !inL1             ? Spill
           : !isInL1(from) && inL1 && wasThere ? Reload
                                               : Reshard;
  }

private:
  bool isInL1(TensorId id) const { return problem.layout(plan[id].layout).isL1(); }

  const Problem &problem;
  const Plan &plan;
  std::vector<TensorId> roots; ///< by TensorId: what it was converted from in the end
  std::vector<bool> wasInL1;   ///< by root
  std::vector<bool> isUsed;    ///< by TensorId: an op reads it, or what it is converted to
};

} // namespace

std::vector<std::optional<ConversionReason>> tessera::conversionEffects(const Problem &problem,
                                                                        const Plan &plan) {
  ConversionEffects effects(problem, plan);
  std::vector<std::optional<ConversionReason>> list;
  for (const PlanStep &step : plan.steps)
    list.push_back(effects.next(step));
  return list;
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
