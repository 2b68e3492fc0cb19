//===- Plan.cpp - A complete decision -------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/Plan.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>

using namespace tessera;

llvm::StringRef tessera::name(ConversionReason reason) {
  static constexpr llvm::StringLiteral kNames[] = {"reshard", "spill", "reload", "return"};
  return kNames[size_t(reason)];
}

bool tessera::convertsLayout(const Problem &problem, const PlanStep &step) {
  return step.kind == PlanStep::Kind::Convert || problem[step.op].role == OpRole::Conversion;
}

std::vector<Interval> tessera::lifetimes(const Problem &problem, const Plan &plan) {
  std::vector<Interval> intervals(plan.tensors.size());
  // Arguments and constants are the tensors that no step makes: they live throughout.
  size_t arguments =
      llvm::count_if(problem.values, [](const Value &value) { return !value.producer.valid(); });
  for (size_t i = 0; i < std::min(arguments, intervals.size()); ++i)
    intervals[i].end = plan.steps.size();
  for (auto [position, step] : llvm::enumerate(plan.steps)) {
    for (TensorId id : step.writes)
      intervals[id.index()] = {position, position + 1};
    for (TensorId id : step.reads)
      intervals[id.index()].end = std::max(intervals[id.index()].end, position + 1);
  }
  for (TensorId id : plan.returned)
    intervals[id.index()].end = plan.steps.size();
  return intervals;
}

Plan tessera::declaredPlan(const Problem &problem) {
  PlanBuilder builder(problem, "declared");
  std::vector<TensorId> reads;
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    reads.clear();
    for (ValueId operand : problem.ops[i].operands)
      reads.push_back(builder.original(operand));
    builder.run(OpId(i), reads, problem.ops[i].declared);
  }
  return builder.finish();
}

Plan tessera::basePlan(const Problem &problem) {
  PlanBuilder builder(problem, "declared");
  std::vector<TensorId> home(problem.values.size()); // in its declared layout
  auto homeOf = [&](ValueId value) {
    return problem[value].producer.valid() ? home[value.index()] : builder.original(value);
  };
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    OpId id(i);
    const Op &op = problem[id];
    std::vector<TensorId> reads(op.operands.size());
    for (auto [index, operand] : llvm::enumerate(op.operands)) {
      size_t first = size_t(llvm::find(op.operands, operand) - op.operands.begin());
      LayoutId wanted = baseInput(problem, id, index);
      reads[index] = first < index                         ? reads[first]
                     : wanted == problem[operand].declared ? homeOf(operand)
                                                           : builder.convert(homeOf(operand), wanted,
                                                                             ConversionReason::Reshard, id);
    }
    builder.run(id, std::move(reads), baseConfig(op));
    for (auto [result, layout] : llvm::zip_equal(op.results, baseConfig(op).outputs)) {
      const Value &value = problem[result];
      bool isRead = !value.uses.empty() || value.returned;
      home[result.index()] = builder.original(result);
      if (isRead && layout != value.declared)
        home[result.index()] =
            builder.convert(builder.original(result), value.declared,
                            value.uses.empty() ? ConversionReason::Return : ConversionReason::Spill, id);
    }
  }
  return builder.finish();
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
  for (size_t i = 0; i < problem.values.size(); ++i)
    if (!problem.values[i].producer.valid()) {
      originals[i] = TensorId(result.tensors.size());
      result.tensors.push_back({ValueId(i), problem.values[i].declared});
    }
}

TensorId PlanBuilder::original(ValueId value) const { return originals[value.index()]; }

TensorId PlanBuilder::convert(TensorId source, LayoutId target, ConversionReason reason, OpId namedAfter) {
  TensorId made(result.tensors.size());
  result.tensors.push_back({result[source].value, target});
  PlanStep &step = result.steps.emplace_back();
  step.kind = PlanStep::Kind::Convert;
  step.op = namedAfter;
  step.reads = {source};
  step.writes = {made};
  step.reason = reason;
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

Plan PlanBuilder::finish() {
  std::vector<TensorId> declared(problem.values.size()); // by ValueId: the first tensor in the declared layout
  for (auto [index, tensor] : llvm::enumerate(result.tensors))
    if (TensorId &known = declared[tensor.value.index()];
        !known.valid() && tensor.layout == problem[tensor.value].declared)
      known = TensorId(index);
  for (ValueId id : problem.returned) {
    const Value &value = problem[id];
    TensorId &tensor = declared[id.index()];
    if (result[original(id)].layout == value.declared)
      tensor = original(id);
    else if (!tensor.valid())
      tensor = convert(original(id), value.declared, ConversionReason::Return, value.producer);
    result.returned.push_back(tensor);
  }
  return std::move(result);
}
