//===- Forms.cpp - Which layouts a value may have -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Forms.h"

#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Support/AddOnce.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::dp;

/// Shards beside those of the given plan.
static constexpr size_t kMaxShards = 2;

Forms::Forms(const Problem &problem, Oracle &oracle, const Plan &given)
    : problem(problem), oracle(oracle), forms(problem.values.size()), configs(problem.ops.size()),
      inputs(problem.ops.size()), copyable(copyableValues(problem)) {
  for (const PlanStep &step : given.steps) {
    if (!step.isRun())
      continue;
    configs[step.op.index()] = oracle.idOf(given.configs[step.op.index()]);
    for (TensorId read : step.reads) {
      inputs[step.op.index()].push_back(given[read].layout);
      add(given[read].value, given[read].layout);
    }
    for (TensorId written : step.writes)
      add(given[written].value, given[written].layout);
  }
  for (size_t i = 0; i < problem.values.size(); ++i) {
    ValueId value(i);
    // So that every value may stay as it was, and may leave L1.
    for (LayoutId layout : {problem[value].declared, problem[value].home, inDram(problem, value)})
      add(value, layout);
    if (problem.layout(problem[value].declared).onDevice() && problem[value].kind != ValueKind::Constant)
      add(value, oracle.l1Interleaved(value));
  }
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    for (auto [result, layout] :
         llvm::zip_equal(problem.ops[i].results, oracle[oracle.base(OpId(i))].outputs))
      add(result, layout);
    // An override may ask for an operand in a layout that nothing makes, and that the given plan does not know.
    for (auto [operand, value] : llvm::enumerate(problem.ops[i].operands))
      add(value, baseInput(problem, OpId(i), operand));
    addShards(OpId(i));
  }
  // Whoever writes a value in place finds it at home.
  std::vector<bool> writtenInPlace = valuesWrittenInPlace(problem);
  for (size_t i = 0; i < problem.values.size(); ++i)
    if (writtenInPlace[i])
      forms[i] = {problem.values[i].home};
}

void Forms::add(ValueId value, LayoutId layout) {
  if (layout.valid())
    addOnce(forms[value.index()], layout);
}

/// On most cores, since they take least of each; Op::legal is no order of that.
void Forms::addShards(OpId op) {
  if (problem[op].results.size() != 1 || problem[op].role == OpRole::Fixed)
    return;
  Layouts shards;
  for (ConfigId config : oracle.legal(op))
    if (LayoutId made = oracle[config].outputs.front(); problem.layout(made).isSharded())
      addOnce(shards, made);
  llvm::sort(shards, [&](LayoutId a, LayoutId b) {
    return std::tuple(oracle.l1Bytes(a), a) < std::tuple(oracle.l1Bytes(b), b);
  });
  for (LayoutId layout : llvm::ArrayRef(shards).take_front(kMaxShards))
    add(problem[op].results.front(), layout);
}
