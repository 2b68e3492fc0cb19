//===- Oracle.cpp - Every question of a policy, asked once ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Oracle.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

/// First word of a conversion's question; signature ids stay below.
static constexpr uint32_t kConversion = ~uint32_t(0);

Oracle::Oracle(const Problem &problem, const OpModel &model)
    : problem(problem), model(model), paths(model), tensorLayouts(problem) {
  // The declared layout knows the element format best: a block-float tensor's element type may be a scalar's.
  for (const Value &value : problem.values)
    descOf.push_back(descs.intern({value.tensor.shape, problem.layout(value.declared).dtype}));
  for (const Op &op : problem.ops) {
    baseIds.push_back(configs.intern(baseConfig(op)));
    std::vector<ConfigId> &ids = legalIds.emplace_back();
    for (const OpConfig &config : op.legal)
      ids.push_back(configs.intern(config));
  }
}

std::optional<StepCost> &Oracle::slot(const Question &question) {
  size_t index = questions.intern(question).index();
  if (index >= answers.size())
    answers.resize(index + 1);
  return answers[index];
}

StepCost Oracle::run(OpId op, llvm::ArrayRef<LayoutId> inputs, ConfigId config) {
  Question question;
  // By signature: equal layers of a model share their answers.
  question.words = {uint32_t(problem[op].signature.index()), uint32_t(config.index())};
  for (LayoutId layout : inputs)
    question.words.push_back(uint32_t(layout.index()));
  Alone alone = isBase(op, inputs, config) ? Alone::Allowed : Alone::Refused;
  question.words.push_back(uint32_t(alone));
  // Overrides belong to the op and not to its signature, so they are looked at before the shared answer.
  if (problem[op].restricted && !llvm::is_contained(legal(op), config))
    return {};
  if (problem[op].mustConvert && inputs.front() == configs[config].outputs.front())
    return {};
  std::optional<StepCost> &answer = slot(question);
  if (!answer)
    answer = problem[op].role == OpRole::Conversion
                 ? paths
                       .find(problem[problem[op].operands.front()].tensor, inputs.front(),
                             configs[config].outputs.front())
                       .cost
                 : stepCost(model, {problem.signature(op), inputs, configs[config]}, alone);
  StepCost cost = *answer;
  // A budget may be tighter than the model's: for the base there is no other way.
  if (alone == Alone::Allowed && cost.own > problem.l1Budget) {
    OpQuery query{problem.signature(op), inputs, configs[config]};
    cost.own = aloneIn(operandL1Bytes(query, model.context()));
  }
  return cost;
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
  Question question;
  question.words = {kConversion, uint32_t(descOf[value.index()].index()), uint32_t(from.index()),
                    uint32_t(to.index())};
  std::optional<StepCost> &answer = slot(question);
  if (!answer)
    answer = paths.find(problem[value].tensor, from, to).cost;
  StepCost cost = *answer;
  if (cost.own > problem.l1Budget)
    cost.own = aloneIn(l1Bytes(from));
  return cost;
}

ConfigId Oracle::keepingInput(ConfigId id) {
  auto *conv2d = std::get_if<Conv2dConfig>(&configs[id].specific);
  if (!conv2d || !conv2d->deallocateActivation)
    return id;
  OpConfig config = configs[id];
  std::get<Conv2dConfig>(config.specific).deallocateActivation = false;
  return configs.intern(config);
}

Bytes Oracle::l1Bytes(LayoutId layout) {
  if (layout.index() >= bytes.size())
    bytes.resize(problem.layouts->size());
  std::optional<Bytes> &known = bytes[layout.index()];
  if (!known)
    known = l1BytesPerCore(problem.layout(layout), problem.device);
  return *known;
}

LayoutId Oracle::placedLike(LayoutId placement, ValueId value) {
  DescId desc = descOf[value.index()];
  // Other pages are another conversion, of more than one op: not what "placed alike" is tried for.
  if (problem.layout(placement).page != problem.layout(problem[value].declared).page)
    return {};
  auto [entry, isNew] = placements.try_emplace({placement, desc});
  if (isNew) {
    const TensorDesc &tensor = descs[desc];
    TensorLayout layout = withTensor(problem.layout(placement), tensor, problem.device.workerGrid);
    if (checkLayoutFor(layout, tensor.shape, problem.device).empty())
      entry->second = problem.layouts->intern(layout);
  }
  return entry->second;
}

static LayoutId l1InterleavedOf(const LayoutSpace &space) {
  return space.interleaved.size() > 1 ? space.interleaved[1] : LayoutId();
}

LayoutId Oracle::l1Interleaved(ValueId value) { return l1InterleavedOf(space(value)); }

LayoutId Oracle::l1InterleavedLike(LayoutId result, ValueId value) {
  const TensorLayout &made = problem.layout(result);
  bool other = !made.isSharded() && made.page != problem.layout(problem[value].declared).page;
  return other ? l1InterleavedOf(spaceIn(value, made.page)) : LayoutId();
}

const LayoutSpace &Oracle::spaceIn(ValueId value, PageLayout page) {
  return tensorLayouts.of(descs[descOf[value.index()]], page);
}
