//===- ScheduledPlan.cpp - A plan for another order of the ops ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/ScheduledPlan.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

Schedule tessera::scheduleOf(const Plan &plan) {
  Schedule schedule;
  for (const PlanStep &step : plan.steps)
    if (step.isRun())
      schedule.push_back(step.op);
  return schedule;
}

Plan tessera::planInProgramIds(const ScheduledProblem &scheduled, Plan plan) {
  // Steps and tensors keep their places: only the names of ops and values change, so that the plan runs in the same
  // order.
  std::vector<OpConfig> configs(plan.configs.size());
  for (auto [position, config] : llvm::enumerate(plan.configs))
    configs[scheduled.ops[position].index()] = std::move(config);
  plan.configs = std::move(configs);
  for (PlanTensor &tensor : plan.tensors)
    tensor.value = scheduled.values[tensor.value.index()];
  for (PlanStep &step : plan.steps)
    if (step.op.valid())
      step.op = scheduled.ops[step.op.index()];
  return plan;
}

DecisionLog tessera::inProgramIds(const ScheduledProblem &scheduled, const DecisionLog &log) {
  DecisionLog mapped;
  for (const auto &[op, candidates] : log.candidates)
    mapped.candidates[scheduled.ops[op.index()]] = candidates;
  for (const auto &[op, count] : log.considered)
    mapped.considered[scheduled.ops[op.index()]] = count;
  for (const auto &[value, reason] : log.reasons)
    mapped.reasons[scheduled.values[value.index()]] = reason;
  for (LoggedEviction eviction : log.evictions) {
    eviction.victim = scheduled.values[eviction.victim.index()];
    eviction.cause = scheduled.ops[eviction.cause.index()];
    mapped.evictions.push_back(eviction);
  }
  return mapped;
}
