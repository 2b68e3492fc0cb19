//===- Plan.cpp - A complete decision -------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <algorithm>
#include <cassert>

using namespace tessera;

/// A step of the plan's own, or an op of the program that does nothing else.
bool tessera::convertsLayout(const Problem &problem, const PlanStep &step) {
  return !step.isRun() || problem[step.op].role == OpRole::Conversion;
}

OperandLayouts tessera::layoutsRead(const Plan &plan, const PlanStep &step) {
  return llvm::map_to_vector<8>(step.reads, [&](TensorId id) { return plan[id].layout; });
}

/// By TensorId, half-open. What holds L1 at a step is what lives there.
std::vector<StepInterval> tessera::lifetimes(const Problem &problem, const Plan &plan) {
  std::vector<StepInterval> intervals(plan.tensors.size());
  // Arguments and constants are the tensors that no step makes: they live throughout.
  size_t arguments = givenValues(problem).size();
  for (StepInterval &interval : llvm::MutableArrayRef(intervals).take_front(arguments))
    interval.end = plan.end();
  for (StepIndex step; step < plan.end(); ++step) {
    // A tensor that nothing reads lives during the step that makes it: the op needs the room all the same.
    for (TensorId id : plan[step].writes)
      intervals[id.index()] = {step, step + 1};
    for (TensorId id : plan[step].reads)
      intervals[id.index()].end = std::max(intervals[id.index()].end, step + 1);
  }
  // Since that step, whether or not a place is kept for what it makes as well: so all are read before one is changed.
  auto since = llvm::map_to_vector(
      plan.kept, [&](const KeptPlace &place) { return intervals[place.since.index()].begin; });
  for (auto [place, begin] : llvm::zip_equal(plan.kept, since))
    intervals[place.tensor.index()].begin = begin;
  // Behind the last step, since the caller reads it: what the function returns in L1 is held to the end.
  for (TensorId id : plan.returned)
    intervals[id.index()].end = plan.end();
  return intervals;
}

// ---- PlanBuilder -----------------------------------------------------------------------------------------

PlanBuilder::PlanBuilder(const Problem &problem, std::string policy)
    : problem(problem), originals(problem.values.size()) {
  result.policy = std::move(policy);
  result.configs.reserve(problem.ops.size());
  for (const Op &op : problem.ops)
    result.configs.push_back(op.declared);
  result.tensors.reserve(problem.values.size());
  result.steps.reserve(problem.ops.size());
  // Before any step, in the order of values: the checker tells arguments by their ids.
  for (ValueId value : givenValues(problem)) {
    originals[value.index()] = TensorId(result.tensors.size());
    result.tensors.push_back({value, problem[value].declared});
  }
}

/// As its producer made it; invalid until that has run.
TensorId PlanBuilder::original(ValueId value) const { return originals[value.index()]; }

TensorId PlanBuilder::convert(TensorId source, LayoutId target, OpId with) {
  TensorId made(result.tensors.size());
  result.tensors.push_back({result[source].value, target});
  // The op that the conversion stands with runs by a step of its own.
  result.steps.push_back({PlanStep::Kind::Convert, with, {source}, {made}});
  return made;
}

void PlanBuilder::run(OpId op, std::vector<TensorId> reads, OpConfig config) {
  const Op &data = problem[op];
  assert(config.outputs.size() == data.results.size() && "one layout per result");
  PlanStep &step = result.steps.emplace_back();
  step.op = op;
  step.reads = std::move(reads);
  for (auto [value, layout] : llvm::zip_equal(data.results, config.outputs)) {
    TensorId made(result.tensors.size());
    result.tensors.push_back({value, layout});
    originals[value.index()] = made;
    step.writes.push_back(made);
  }
  result.configs[op.index()] = std::move(config);
}

/// Only now is it known which tensors there are: returned values that are nowhere at home are brought there by a
/// last step each.
Plan PlanBuilder::finish() {
  std::vector<TensorId> home(problem.values.size()); // by ValueId: the first tensor at home
  for (auto [index, tensor] : llvm::enumerate(result.tensors))
    if (TensorId &known = home[tensor.value.index()];
        !known.valid() && tensor.layout == problem[tensor.value].home)
      known = TensorId(index);
  std::vector<TensorId> leaves(problem.values.size()); // by ValueId
  for (ValueId id : problem.returned) {
    // A value that is returned twice is one tensor, converted once.
    TensorId &leaving = leaves[id.index()];
    if (!leaving.valid())
      leaving = leavingTensor(id, home[id.index()]);
    result.returned.push_back(leaving);
  }
  return std::move(result);
}

/// A value that is at home where it leaves has been there all the time. One that is not comes from home only now: no copy
/// that was made on the way is to be held so long.
TensorId PlanBuilder::leavingTensor(ValueId id, TensorId home) {
  const Value &value = problem[id];
  TensorId made = original(id);
  if (value.home == value.declared && result[made].layout == value.declared)
    return made;
  if (value.home == value.declared && home.valid())
    return home;
  return convert(home.valid() ? home : made, value.declared, value.producer);
}
