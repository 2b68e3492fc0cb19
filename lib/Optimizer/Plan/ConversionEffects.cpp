//===- ConversionEffects.cpp - What conversions do, and for whom -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/ConversionEffects.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

std::string tessera::conversionText(ConversionReason reason, llvm::StringRef op) {
  if (op.empty())
    return name(reason).str();
  return (name(reason) + (isForReader(reason) ? " for " : " of ") + op).str();
}

std::string tessera::describe(const Problem &problem, const ConversionEffect &effect) {
  return conversionText(effect.reason, effect.op.valid() ? problem[effect.op].location : "");
}

/// A plan that was read from a file may say of a conversion that it reads nothing: that is for the checker to tell, and has no effect.
static bool converts(const Problem &problem, const PlanStep &step) {
  return convertsLayout(problem, step) && step.reads.size() == 1 && step.writes.size() == 1;
}

/// By TensorId: the first op that reads the tensor, or what it is converted to; invalid if only the function's return does.
static std::vector<OpId> firstReaders(const Problem &problem, const Plan &plan) {
  std::vector<OpId> readers(plan.tensors.size());
  // From the back, as whether a conversion's result is of use depends on what reads it later.
  for (const PlanStep &step : llvm::reverse(plan.steps)) {
    OpId reader = step.op;
    if (converts(problem, step))
      if (OpId behind = readers[step.writes.front().index()]; !behind.valid() || !step.isRun())
        reader = behind;
    if (reader.valid())
      for (TensorId id : step.reads)
        readers[id.index()] = reader;
  }
  return readers;
}

std::vector<std::optional<ConversionEffect>> tessera::conversionEffects(const Problem &problem,
                                                                        const Plan &plan) {
  auto isInL1 = [&](TensorId id) { return problem.layout(plan[id].layout).isL1(); };
  std::vector<TensorId> roots; // by TensorId: what it was converted from in the end
  std::vector<bool> wasInL1;   // by root
  for (size_t i = 0; i < plan.tensors.size(); ++i) {
    roots.push_back(TensorId(i));
    wasInL1.push_back(isInL1(TensorId(i))); // of those that a step makes, when it is reached
  }
  std::vector<OpId> readers = firstReaders(problem, plan);
  std::vector<std::optional<ConversionEffect>> effects;
  for (const PlanStep &step : plan.steps) {
    std::optional<ConversionEffect> &effect = effects.emplace_back();
    if (!converts(problem, step))
      continue;
    TensorId from = step.reads.front(), to = step.writes.front(), root = roots[from.index()];
    roots[to.index()] = root;
    bool inL1 = isInL1(to), wasThere = wasInL1[root.index()];
    wasInL1[root.index()] = wasThere || inL1;
    if (plan[from].layout == plan[to].layout)
      continue; // nothing is written for it
    OpId maker = problem[plan[to].value].producer, reader = readers[to.index()];
    using enum ConversionReason;
    // Return first: what the caller alone reads leaves L1 for the function's type, not for want of room. An argument
    // leaves nothing, as it stays where the program put it: its copy in DRAM is made for a reader.
    if (!reader.valid())
      effect = {Return, maker};
    else if (isInL1(from) && !inL1 && maker.valid())
      effect = {Spill, maker};
    else
      effect = {!isInL1(from) && inL1 && wasThere ? Reload : Reshard, reader};
  }
  return effects;
}
