//===- MergeConversions.cpp - Conversions that an earlier op can absorb ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/MergeConversions.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {

/// Where each tensor is made and how often it is read.
struct TensorFlow {
  std::vector<size_t> maker; ///< step; steps.size() for arguments
  std::vector<size_t> reads; ///< readings by steps, plus one for each return
};

TensorFlow flowOf(const Plan &plan) {
  TensorFlow flow{std::vector<size_t>(plan.tensors.size(), plan.steps.size()),
                  std::vector<size_t>(plan.tensors.size(), 0)};
  for (auto [index, step] : llvm::enumerate(plan.steps)) {
    for (TensorId written : step.writes)
      flow.maker[written.index()] = index;
    for (TensorId read : step.reads)
      ++flow.reads[read.index()];
  }
  for (TensorId returned : plan.returned)
    ++flow.reads[returned.index()];
  return flow;
}

/// Drops the tensors marked in `removed`; later ones move up.
void compactTensors(Plan &plan, const std::vector<bool> &removed) {
  std::vector<TensorId> renamed(plan.tensors.size());
  std::vector<PlanTensor> kept;
  for (size_t i = 0; i < plan.tensors.size(); ++i)
    if (!removed[i]) {
      renamed[i] = TensorId(kept.size());
      kept.push_back(plan.tensors[i]);
    }
  plan.tensors = std::move(kept);
  auto rename = [&](std::vector<TensorId> &ids) {
    for (TensorId &id : ids)
      id = renamed[id.index()];
  };
  for (PlanStep &step : plan.steps) {
    rename(step.reads);
    rename(step.writes);
  }
  rename(plan.returned);
}

} // namespace

Plan tessera::mergeConversions(const Problem &problem, Plan plan, const OpModel &model) {
  TensorFlow flow = flowOf(plan);
  std::vector<bool> removedTensors(plan.tensors.size(), false), removedSteps(plan.steps.size(), false);
  for (auto [index, step] : llvm::enumerate(plan.steps)) {
    if (step.kind != PlanStep::Kind::Convert)
      continue;
    TensorId source = step.reads.front(), target = step.writes.front();
    size_t maker = flow.maker[source.index()];
    if (maker == plan.steps.size() || flow.reads[source.index()] != 1)
      continue;
    PlanStep &made = plan.steps[maker];
    if (made.kind != PlanStep::Kind::Run || problem[made.op].role != OpRole::Conversion)
      continue;
    OpConfig merged = plan.configs[made.op.index()];
    merged.outputs = {plan[target].layout};
    LayoutId input = plan[made.reads.front()].layout;
    if (!isAllowed(problem[made.op], merged) || !model.query({problem.signature(made.op), input, merged}).ok())
      continue;
    plan.configs[made.op.index()] = std::move(merged);
    made.writes = {target};
    flow.maker[target.index()] = maker;
    removedTensors[source.index()] = true;
    removedSteps[index] = true;
  }
  size_t position = 0;
  llvm::erase_if(plan.steps, [&](const PlanStep &) { return removedSteps[position++]; });
  compactTensors(plan, removedTensors);
  return plan;
}
