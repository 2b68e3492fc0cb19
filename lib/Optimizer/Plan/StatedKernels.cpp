//===- StatedKernels.cpp - Kernels that do not depend on free L1 ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/StatedKernels.h"

#include "tessera/OpModel/ComputeConfig.h"
#include "tessera/OpModel/MatmulBlocking.h"
#include "tessera/Optimizer/Plan/LiveL1.h"
#include "tessera/Optimizer/Problem/OpConfigAnalysis.h"

using namespace tessera;

/// Whether the op does with the configuration what it does with its own: then nothing but what the backend would have chosen is said.
static bool doesTheSame(const StepQuestion &question, const OpConfig &config, const OpModel &model) {
  const OpModelContext &context = model.context();
  auto computes = [&](const OpConfig &each) {
    return computeConfigOf(question.signature(), each.specific, context.device.arch, context.version);
  };
  // Both are asked in an empty L1, where the open one was planned: what is stated must be that kernel and no better
  // one.
  OpQuery open = question.query(), stated{question.signature(), question.inputs(), config};
  ValidationResult before = model.query(open), after = model.query(stated);
  return before.ok() && after.ok() && computes(question.config()) == computes(config) &&
         before.constraints.outputLayouts == after.constraints.outputLayouts &&
         before.constraints.cbL1PeakSize == after.constraints.cbL1PeakSize &&
         before.constraints.peakL1MemorySize == after.constraints.peakL1MemorySize &&
         model.runtime(open).total == model.runtime(stated).total;
}

Plan tessera::withStatedKernels(const Problem &problem, Plan plan, const OpModel &model) {
  std::vector<Bytes> live = liveL1(problem, plan);
  for (StepIndex step{0}; step < plan.end(); ++step) {
    OpId op = plan[step].op;
    OpConfig &config = plan.configs[op.index()];
    StepQuestion question(problem, plan, plan[step]);
    bool open = isMatmul(question.signature()) && std::holds_alternative<std::monostate>(config.specific);
    // What keeps its configuration may have tensors that no layout places, of which no kernel can be asked. With nothing but the op's buffers
    // in L1 there is as much room as it was planned with.
    if (!open || problem[op].role == OpRole::Fixed || problem[op].restricted ||
        live[step.index()] == Bytes(0))
      continue;
    std::optional<MatmulProgramConfig> choice = choiceThatNeedsRoom(model.context(), question.query());
    if (!choice)
      continue;
    if (OpConfig stated{config.outputs, *choice}; doesTheSame(question, stated, model))
      config = stated;
  }
  return plan;
}
