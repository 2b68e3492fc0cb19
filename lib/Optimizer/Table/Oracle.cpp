//===- Oracle.cpp - A problem's part of the table of costs ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Table/Oracle.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

Oracle::Oracle(const Problem &problem, const OpCostTable &table)
    : problem(problem), table(table), paths(table), tensorLayouts(problem) {
  // The declared layout knows the element format best: a block-float tensor's element type may be a scalar's.
  for (const Value &value : problem.values) {
    descOf.push_back(descs.intern({value.tensor.shape, problem.layout(value.declared).dtype}));
    convertedAs.push_back(paths.idOf(value.tensor));
  }
  tableId.resize(problem.signatures->size());
  for (const Op &op : problem.ops) {
    std::optional<SignatureId> &id = tableId[op.signature.index()];
    // Once per signature, not per op: interning compares all attributes, and layers have the same signatures.
    if (!id)
      id = table.idOf((*problem.signatures)[op.signature]);
    baseIds.push_back(table.idOf(baseConfig(op)));
    std::vector<ConfigId> &ids = legalIds.emplace_back();
    for (const OpConfig &config : op.legal)
      ids.push_back(table.idOf(config));
  }
}

StepCost Oracle::run(OpId id, llvm::ArrayRef<LayoutId> inputs, ConfigId config) {
  const Op &op = problem[id];
  // Two refusals of overrides, of which the table's rows know nothing.
  if (op.restricted && !llvm::is_contained(legal(id), config))
    return {};
  if (op.mustConvert && inputs.front() == table[config].outputs.front())
    return {};
  // Only the base may exceed the cap: it is all there is to fall back to, and everything else has it as an
  // alternative.
  Alone alone = isBase(id, inputs, config) ? Alone::Allowed : Alone::Refused;
  StepCost cost;
  Bytes operands;
  // A conversion of the program takes the fastest path between its layouts, as any other: which op was written does not
  // count.
  if (op.role == OpRole::Conversion) {
    cost = paths.find(convertedAs[op.operands.front().index()], inputs.front(), table[config].outputs.front())
               .cost;
    operands = l1Bytes(inputs.front());
  } else {
    const OpCost &row = table.row(*tableId[op.signature.index()], inputs, config);
    cost = stepCost(table, row, alone);
    operands = row.operands;
  }
  // Two budgets: the table's says whether an op fits by itself, the problem's what plans are made for, and that may be tighter.
  // For the base there is no other way, so it is charged all that there is.
  if (alone == Alone::Allowed && cost.own > problem.l1Budget)
    cost.own = aloneIn(operands);
  return cost;
}

StepNeeds Oracle::needs(OpId op, llvm::ArrayRef<LayoutId> inputs, ConfigId config) {
  StepCost answer = run(op, inputs, config);
  if (answer.legal || problem[op].role != OpRole::Fixed || !isBase(op, inputs, config))
    return {answer};
  // Such an op has no other way to run, so refusing it would refuse the program. What it may hold beside its tensors is what
  // plan.unknown_op_pressure is about.
  Bytes results;
  for (LayoutId made : table[config].outputs)
    results += l1Bytes(made);
  return {{true, Nanoseconds(0), results}, mayUseCircularBuffers(problem, op)};
}

Bytes Oracle::aloneIn(Bytes operands) const { return std::max(Bytes(0), problem.l1Budget - operands); }

bool Oracle::isBase(OpId op, llvm::ArrayRef<LayoutId> inputs, ConfigId config) const {
  if (config != base(op))
    return false;
  for (size_t operand = 0; operand < inputs.size(); ++operand)
    if (inputs[operand] != baseInput(problem, op, operand))
      return false;
  return true;
}

StepCost Oracle::convert(ValueId value, LayoutId from, LayoutId to) {
  if (from == to)
    return {};
  StepCost cost = paths.find(convertedAs[value.index()], from, to).cost;
  // One that has no other way may exceed the budget (Conversions), and then nothing may lie beside it.
  if (cost.own > problem.l1Budget)
    cost.own = aloneIn(l1Bytes(from));
  return cost;
}

std::optional<std::pair<size_t, StepCost>> Oracle::nearest(ValueId value, llvm::ArrayRef<LayoutId> there,
                                                           LayoutId target) {
  std::optional<std::pair<size_t, StepCost>> best;
  for (auto [place, layout] : llvm::enumerate(there))
    if (StepCost cost = bring(value, layout, target); cost.legal && (!best || cost.time < best->second.time))
      best.emplace(place, cost);
  return best;
}

ConfigId Oracle::keepingInput(ConfigId id) {
  if (!freesInput(table[id]))
    return id;
  OpConfig config = table[id];
  std::get<Conv2dConfig>(config.specific).deallocateActivation = false;
  return table.idOf(config);
}

Bytes Oracle::l1Bytes(LayoutId layout) {
  // Layouts are interned while policies plan, so the list grows.
  if (layout.index() >= bytes.size())
    bytes.resize(problem.layouts->size());
  std::optional<Bytes> &known = bytes[layout.index()];
  if (!known)
    known = l1BytesPerCore(problem.layout(layout), problem.device);
  return *known;
}

Bytes Oracle::heldAlways() {
  Bytes sum;
  for (ValueId value : givenValues(problem))
    sum += l1Bytes(problem[value].declared); // no plan moves it
  return sum;
}

void Oracle::describe(OpId id, Words &words) const {
  const Op &op = problem[id];
  words.add(op.signature, op.role, op.mustConvert, base(id), op.operands.size());
  for (auto [place, layout] : llvm::zip_equal(placesOf(op), baseInputs(problem, id)))
    words.add(place, layout);
}

LayoutId Oracle::placedLike(LayoutId placement, ValueId value) {
  DescId desc = descOf[value.index()];
  // Other pages are another conversion, of more than one op: not what "placed alike" is tried for.
  if (problem.layout(placement).page != problem.layout(problem[value].declared).page)
    return {};
  // By description, not by value: equal tensors of all layers share an answer. That a placement does not fit is
  // remembered, too.
  auto [entry, isNew] = placements.try_emplace({placement, desc});
  if (isNew) {
    const TensorDesc &tensor = descs[desc];
    TensorLayout layout = withTensor(problem.layout(placement), tensor, problem.device.workerGrid);
    if (checkLayoutFor(layout, tensor.shape, problem.device).empty())
      entry->second = problem.layouts->intern(layout);
  }
  return entry->second;
}

LayoutId Oracle::interleaved(ValueId value, BufferType memory, PageLayout page) {
  // DRAM comes first there (enumerateLayouts).
  llvm::ArrayRef<LayoutId> layouts = spaceIn(value, page).interleaved;
  size_t place = memory == BufferType::L1;
  return place < layouts.size() ? layouts[place] : LayoutId();
}

LayoutId Oracle::l1Interleaved(ValueId value) {
  return interleaved(value, BufferType::L1, problem.layout(problem[value].declared).page);
}

LayoutId Oracle::l1InterleavedLike(LayoutId result, ValueId value) {
  const TensorLayout &made = problem.layout(result);
  // In the declared pages it is `l1Interleaved`, which callers try anyway.
  bool other = !made.isSharded() && made.page != problem.layout(problem[value].declared).page;
  return other ? interleaved(value, BufferType::L1, made.page) : LayoutId();
}

const LayoutSpace &Oracle::spaceIn(ValueId value, PageLayout page) {
  return tensorLayouts.of(descs[descOf[value.index()]], page);
}
