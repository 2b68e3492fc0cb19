//===- Lookahead.cpp - What a layout is worth to those who read it --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Lookahead.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

/// Sharded placements of a reader's results that its operands may be brought to.
static constexpr size_t kMaxPlacements = 8;

/// The entry of a memo that is a short list, or nullptr.
template <class Memo>
static const double *remembered(const Memo &memo, LayoutId layout) {
  for (const auto &[key, value] : memo)
    if (key == layout)
      return &value;
  return nullptr;
}

Lookahead::Lookahead(const Problem &problem, Oracle &oracle)
    : problem(problem), oracle(oracle), writtenInPlace(valuesWrittenInPlace(problem)),
      readers(problem.values.size()), known(problem.values.size()) {
  collectReaders();
  for (size_t i = problem.ops.size(); i-- > 0;) {
    const Op &op = problem.ops[i];
    for (ConfigId config : oracle.legal(OpId(i)))
      for (auto [result, layout] : llvm::zip_equal(op.results, oracle[config].outputs))
        if (layout.valid())
          worth(result, layout);
  }
}

void Lookahead::collectReaders() {
  for (auto [index, value] : llvm::enumerate(problem.values))
    for (const Use &use : value.uses)
      if (readers[index].empty() || readers[index].back().op != use.op) {
        Reader &reader = readers[index].emplace_back();
        reader.op = use.op;
        collectSources(ValueId(index), reader);
      }
}

/// Whether the reader takes the value in its base input and no other layout.
bool Lookahead::readsBaseInput(ValueId value, const Reader &reader) const {
  return problem[reader.op].role == OpRole::Fixed || writtenInPlace[value.index()];
}

void Lookahead::collectSources(ValueId value, Reader &reader) {
  auto add = [&](LayoutId layout) {
    if (layout.valid() && !llvm::is_contained(reader.sources, layout))
      reader.sources.push_back(layout);
  };
  if (!readsBaseInput(value, reader))
    add(problem[value].home);
  for (auto [index, operand] : llvm::enumerate(problem[reader.op].operands))
    if (operand == value)
      add(baseInput(problem, reader.op, index));
  if (readsBaseInput(value, reader) || !problem.layout(problem[value].home).onDevice())
    return;
  add(oracle.l1Interleaved(value));
  for (ConfigId config : oracle.legal(reader.op))
    for (LayoutId output : oracle[config].outputs)
      if (output.valid() && problem.layout(output).isSharded() && reader.sources.size() < kMaxPlacements)
        add(oracle.placedLike(output, value));
}

double Lookahead::residencyCharge(LayoutId layout) const {
  // A fiftieth of a launch decides between plans that the model calls equal, and nothing else.
  double dram = problem.device.launch.value() / 50;
  const TensorLayout &where = problem.layout(layout);
  return where.isSharded() ? 0 : where.isL1() ? dram / 2 : dram;
}

double Lookahead::worthUntil(ValueId value, LayoutId layout, size_t leavesAt) {
  if (leavesAt >= problem.ops.size() || !problem.layout(layout).isL1())
    return worth(value, layout);
  return worthOf(value, layout, leavesAt);
}

double Lookahead::worthOf(ValueId value, LayoutId layout, size_t leavesAt) {
  bool stays = leavesAt >= problem.ops.size();
  auto &memo = known[value.index()];
  if (stays)
    if (const double *sum = remembered(memo, layout))
      return *sum;
  LayoutId home = problem[value].home, dram = stays ? layout : oracle.dram(value);
  double sum = writtenInPlace[value.index()] && layout != home ? kImpossible : 0;
  for (Reader &reader : readers[value.index()]) {
    LayoutId found = reader.op.index() < leavesAt ? layout : dram;
    if (found != home)
      sum += readCost(value, reader, found) - readCost(value, reader, home);
  }
  if (!stays) {
    StepCost spill = oracle.convert(value, layout, dram);
    sum += spill.legal ? spill.time : kImpossible;
  }
  if (problem[value].returned && (stays || dram != home))
    sum += returnCost(value, layout);
  if (stays)
    memo.emplace_back(layout, sum);
  return sum;
}

double Lookahead::returnCost(ValueId value, LayoutId layout) {
  LayoutId home = problem[value].home;
  if (layout == home)
    return 0;
  StepCost conversion = oracle.convert(value, layout, home);
  return conversion.legal ? conversion.time : kImpossible;
}

double Lookahead::readCost(ValueId value, Reader &reader, LayoutId layout) {
  if (const double *cost = remembered(reader.best, layout))
    return *cost;
  bool elsewhere = readsBaseInput(value, reader) && layout != reader.sources.front();
  double best = elsewhere ? kImpossible : directCost(value, reader, layout);
  for (LayoutId source : reader.sources) {
    StepCost conversion = isDemanded(problem, value) ? StepCost() : oracle.convert(value, layout, source);
    if (conversion.legal && conversion.time < best)
      best = std::min(best, conversion.time + directCost(value, reader, source));
  }
  reader.best.emplace_back(layout, best);
  return best;
}

double Lookahead::directCost(ValueId value, Reader &reader, LayoutId layout) {
  if (const double *cost = remembered(reader.direct, layout))
    return *cost;
  double cost = problem[reader.op].role == OpRole::Fixed ? 0 : compute(value, reader.op, layout);
  reader.direct.emplace_back(layout, cost);
  return cost;
}

double Lookahead::compute(ValueId value, OpId id, LayoutId layout) {
  const Op &op = problem[id];
  llvm::SmallVector<LayoutId> inputs, placed;
  for (auto [index, operand] : llvm::enumerate(op.operands)) {
    const Value &other = problem[operand];
    LayoutId like;
    if (operand != value && other.kind == ValueKind::Activation && problem.layout(layout).isL1() &&
        !writtenInPlace[operand.index()])
      like = oracle.placedLike(layout, operand);
    inputs.push_back(operand == value ? layout : baseInput(problem, id, index));
    placed.push_back(like.valid() ? like : inputs.back());
  }
  double best = cheapestConfig(id, inputs);
  return placed == inputs ? best : std::min(best, cheapestConfig(id, placed));
}

double Lookahead::cheapestConfig(OpId id, llvm::ArrayRef<LayoutId> inputs) {
  double best = kImpossible;
  for (ConfigId config : oracle.legal(id)) {
    StepCost answer = oracle.run(id, inputs, config);
    if (!answer.legal)
      continue;
    double cost = answer.time;
    for (auto [result, layout] : llvm::zip_equal(problem[id].results, oracle[config].outputs))
      cost += worth(result, layout) + residencyCharge(layout);
    best = std::min(best, cost);
  }
  return best;
}
