//===- LiveL1.cpp - What lies in L1 while a step runs ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/LiveL1.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

std::vector<Bytes> tessera::tensorL1(const Problem &problem, const Plan &plan) {
  std::vector<Bytes> bytes;
  bytes.reserve(plan.tensors.size());
  for (const PlanTensor &tensor : plan.tensors)
    bytes.push_back(l1BytesPerCore(problem.layout(tensor.layout), problem.device));
  return bytes;
}

std::vector<Bytes> tessera::liveL1(const Problem &problem, const Plan &plan) {
  // First what each step has more than the one before: so a program of many layers takes time linear in its steps, however
  // long its tensors live.
  std::vector<Bytes> live(plan.steps.size() + 1);
  for (auto [life, bytes] : llvm::zip_equal(lifetimes(problem, plan), tensorL1(problem, plan))) {
    live[life.begin.index()] += bytes;
    live[life.end.index()] -= bytes;
  }
  for (size_t step = 1; step < live.size(); ++step)
    live[step] += live[step - 1];
  return live;
}

Bytes tessera::resultL1(const Problem &problem, const Plan &plan, const PlanStep &step) {
  Bytes bytes;
  for (TensorId id : step.writes)
    bytes += l1BytesPerCore(problem.layout(plan[id].layout), problem.device);
  return bytes;
}

OpQuery tessera::pressed(const StepQuestion &question, Bytes live, Bytes results,
                         const OpModelContext &context) {
  OpQuery query = question.query();
  // The model adds operands itself, once per tensor, so they are not pressure from outside.
  query.additionalL1 = std::max(Bytes(0), live - results - operandL1Bytes(query, context));
  return query;
}

bool tessera::makesAsPlanned(const ValidationResult &answer, const Plan &plan, const PlanStep &step) {
  // A model that names no layout, or fewer than there are results, leaves them to the plan.
  for (auto [produced, made] : llvm::zip(answer.constraints.outputLayouts, step.writes))
    if (produced.valid() && produced != plan[made].layout)
      return false;
  return true;
}
