//===- Variations.cpp - What one op done otherwise would cost -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Decisions/Variations.h"

#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <set>

using namespace tessera;

Variations::Variations(const Problem &problem, const Plan &plan, const PlanCost &cost, const L1Usage &l1,
                       const OpModel &model)
    : problem(problem), plan(plan), cost(cost), l1(l1), model(model), conversions(model),
      stepOfOp(problem.ops.size()), lives(lifetimes(problem, plan)), makers(plan.tensors.size()),
      readers(plan.tensors.size()), returned(plan.tensors.size()),
      writtenInPlace(valuesWrittenInPlace(problem)), tensors(problem.values.size()) {
  for (auto [i, tensor] : llvm::enumerate(plan.tensors))
    tensors[tensor.value.index()].push_back(TensorId(i));
  for (StepIndex step; step < plan.end(); ++step) {
    if (plan[step].kind == PlanStep::Kind::Run)
      stepOfOp[plan[step].op.index()] = step;
    for (TensorId id : plan[step].writes)
      makers[id.index()] = step;
    for (TensorId id : plan[step].reads)
      if (std::vector<StepIndex> &all = readers[id.index()]; all.empty() || all.back() != step)
        all.push_back(step);
  }
  for (TensorId id : plan.returned)
    returned[id.index()] = true;
  addUp();
}

void Variations::addUp() {
  // First what each step has more than the one before, however long tensors live.
  held.assign(plan.steps.size() + 1, Bytes(0));
  for (auto [life, tensor] : llvm::zip_equal(lives, plan.tensors)) {
    Bytes bytes = l1Bytes(tensor.layout);
    held[life.begin.index()] += bytes;
    held[life.end.index()] -= bytes;
  }
  for (size_t step = 1; step < held.size(); ++step)
    held[step] += held[step - 1];
  for (StepIndex step; step < plan.end(); ++step) {
    const PlanStep &data = plan[step];
    bool unknown = data.kind == PlanStep::Kind::Run && problem[data.op].role == OpRole::Fixed &&
                   mayUseCircularBuffers(problem, data.op) &&
                   isUnjudged(declaredAnswer(problem, data.op, model));
    Bytes total = l1.tensors[step.index()] + l1.buffers[step.index()] + l1.margins[step.index()];
    // An op of unknown needs takes nothing more beside it (PlanChecker, plan.unknown_op_pressure).
    totals.append(unknown ? problem.l1Budget : total);
  }
}

Bytes Variations::l1Bytes(LayoutId layout) const {
  return l1BytesPerCore(problem.layout(layout), problem.device);
}

llvm::SmallVector<LayoutId, 4> Variations::inputsOf(StepIndex step) const {
  llvm::SmallVector<LayoutId, 4> inputs;
  for (TensorId id : plan[step].reads)
    inputs.push_back(plan[id].layout);
  return inputs;
}

Bytes Variations::outputsAt(StepIndex step) const {
  Bytes bytes;
  for (TensorId id : plan[step].writes)
    bytes += l1Bytes(plan[id].layout);
  return bytes;
}

Bytes Variations::ownAt(StepIndex step) const { return totals.at(step) - (heldAt(step) - outputsAt(step)); }

bool Variations::mayBeCopied(ValueId value) const {
  return !writtenInPlace[value.index()] && !isDemanded(problem, value);
}

const StepCost &Variations::conversion(ValueId value, LayoutId from, LayoutId to) {
  return conversions.find(problem[value].tensor, from, to).cost;
}

StepCost Variations::run(OpId op, llvm::ArrayRef<LayoutId> inputs, const OpConfig &config) {
  if (!isAllowed(problem[op], config, inputs))
    return {};
  if (problem[op].role == OpRole::Conversion)
    return conversion(problem[op].operands.front(), inputs.front(), config.outputs.front());
  return stepCost(model, {problem.signature(op), inputs, config});
}

// ---- One change ------------------------------------------------------------------------------------------

/// What a change takes around one step: time, and L1 as stretches of more or less and steps of another need.
class Variations::Change {
public:
  explicit Change(Variations &v) : v(v), plan(v.plan) {}

  bool readInputs(StepIndex step, llvm::ArrayRef<LayoutId> inputs);
  /// The readers of `tensor` find the value in `layout` instead, from `since` on. `copied`: there is a copy in its old
  /// layout anyway, for those that need it.
  bool rewire(TensorId tensor, LayoutId layout, StepIndex since, bool copied);
  /// What the changed op itself takes.
  void need(StepIndex step, Bytes own) { needs[step] = own + atOp; }
  void stretch(StepInterval interval, Bytes bytes) {
    if (!interval.empty() && bytes != Bytes(0))
      stretches.push_back({interval, bytes});
  }
  /// Whether readers were found that go on reading the old layout.
  bool someKeep() const { return keeps; }
  void checkRoom(Variation &variation) const;

  Nanoseconds inputs, readers;

private:
  using Stretch = std::pair<StepInterval, Bytes>;
  struct Chain {
    TensorId end;
    Nanoseconds time;
  };

  bool readOne(StepIndex step, TensorId now, LayoutId wanted);
  std::vector<TensorId> sourcesFor(StepIndex step, TensorId now) const;
  void release(StepIndex step, TensorId tensor);
  Chain chainFrom(StepIndex step) const;
  bool convertElsewhere(StepIndex step, TensorId tensor, LayoutId layout, StepIndex &last);
  Bytes extraAt(StepIndex step) const;
  Bytes besideAt(StepIndex step) const { return v.heldAt(step) - v.outputsAt(step) + extraAt(step); }

  Variations &v;
  const Plan &plan;
  std::map<StepIndex, Bytes> needs;                       ///< what a step takes now, as StepCost::own
  std::vector<std::pair<StepIndex, Bytes>> moments;       ///< conversions before a step
  std::vector<Stretch> stretches;                         ///< more L1 in use, or less
  std::map<std::pair<ValueId, LayoutId>, TensorId> found; ///< operands that are seen to
  std::set<TensorId> used;                                ///< what the op or a conversion for it reads
  Bytes atOp; ///< more L1 in use while the op runs, but not while its operands are converted
  bool keeps = false;
};

/// What the tensor that is read now could be replaced by or made from: what lives at the step, and what it was converted from.
std::vector<TensorId> Variations::Change::sourcesFor(StepIndex step, TensorId now) const {
  std::vector<TensorId> sources;
  for (TensorId id : v.tensors[plan[now].value.index()])
    if (v.lifeOf(id).contains(step) && (!v.makerOf(id) || *v.makerOf(id) < step))
      sources.push_back(id);
  for (TensorId id = now; v.makerOf(id) && plan[*v.makerOf(id)].kind == PlanStep::Kind::Convert;) {
    id = plan[*v.makerOf(id)].reads.front();
    if (!llvm::is_contained(sources, id))
      sources.push_back(id);
  }
  return sources;
}

bool Variations::Change::readOne(StepIndex step, TensorId now, LayoutId wanted) {
  ValueId value = plan[now].value;
  if (plan[now].layout == wanted) {
    used.insert(now);
    return true;
  }
  if (!v.mayBeCopied(value))
    return false;
  auto [entry, isNew] = found.try_emplace({value, wanted});
  if (!isNew)
    return true;
  const StepCost *best = nullptr;
  TensorId source;
  static const StepCost kFree{true, {}, {}};
  for (TensorId id : sourcesFor(step, now)) {
    const StepCost *way = plan[id].layout == wanted ? &kFree : &v.conversion(value, plan[id].layout, wanted);
    if (way->legal && (!best || way->time < best->time)) {
      best = way;
      source = id;
    }
  }
  if (!best)
    return false;
  entry->second = source;
  used.insert(source);
  inputs += best->time;
  // The source lives on until the conversion, which stands right before the op.
  stretch({v.lifeOf(source).end, step + (best == &kFree ? 1 : 0)}, v.l1Bytes(plan[source].layout));
  if (best != &kFree) {
    moments.push_back({step, best->own});
    atOp += v.l1Bytes(wanted);
  }
  return true;
}

/// The tensor is read by the step no more; conversions that made it for that step alone are not needed.
void Variations::Change::release(StepIndex step, TensorId tensor) {
  if (used.contains(tensor) || v.isReturned(tensor) || v.readersOf(tensor) != llvm::ArrayRef(step))
    return;
  std::optional<StepIndex> maker = v.makerOf(tensor);
  if (!maker)
    return; // an argument
  stretch({std::min(*maker + 1, v.lifeOf(tensor).end), v.lifeOf(tensor).end},
          v.l1Bytes(plan[tensor].layout) * -1);
  if (plan[*maker].kind != PlanStep::Kind::Convert)
    return;
  inputs = inputs - v.cost.steps[maker->index()].total;
  release(*maker, plan[*maker].reads.front());
}

bool Variations::Change::readInputs(StepIndex step, llvm::ArrayRef<LayoutId> wanted) {
  for (auto [now, layout] : llvm::zip_equal(plan[step].reads, wanted))
    if (!readOne(step, now, layout))
      return false;
  std::set<TensorId> before(plan[step].reads.begin(), plan[step].reads.end());
  for (TensorId now : before)
    release(step, now);
  // What is converted for the op dies before it runs, if nothing else reads it.
  for (TensorId now : before)
    if (used.contains(now) && v.makerOf(now) && v.lifeOf(now).end == step + 1 &&
        llvm::none_of(llvm::zip_equal(plan[step].reads, wanted), [&](const auto &pair) {
          return std::get<0>(pair) == now && std::get<1>(pair) == plan[now].layout;
        }))
      atOp = atOp - v.l1Bytes(plan[now].layout);
  return true;
}

/// Conversions of the plan from the step on that lead to one tensor, each made for the next alone.
Variations::Change::Chain Variations::Change::chainFrom(StepIndex step) const {
  Chain chain{plan[step].writes.front(), v.cost.steps[step.index()].total};
  while (plan[step].kind == PlanStep::Kind::Convert && !v.isReturned(chain.end)) {
    llvm::ArrayRef<StepIndex> next = v.readersOf(chain.end);
    if (next.size() != 1 || plan[next.front()].kind != PlanStep::Kind::Convert)
      break;
    step = next.front();
    chain.end = plan[step].writes.front();
    chain.time += v.cost.steps[step.index()].total;
  }
  return chain;
}

/// A conversion of the tensor starts from another layout now, or is not needed.
bool Variations::Change::convertElsewhere(StepIndex step, TensorId tensor, LayoutId layout, StepIndex &last) {
  Chain chain = chainFrom(step);
  LayoutId target = plan[chain.end].layout;
  last = std::max(last, step + 1);
  if (plan[step].kind == PlanStep::Kind::Convert && target == layout) {
    readers = readers - chain.time;
    last = std::max(last, v.lifeOf(chain.end).end);
    stretch(v.lifeOf(chain.end), v.l1Bytes(target) * -1);
    return true;
  }
  const StepCost &way = v.conversion(plan[tensor].value, layout, target);
  if (!way.legal)
    return false;
  readers += way.time - chain.time;
  moments.push_back({step, way.own});
  return true;
}

bool Variations::Change::rewire(TensorId tensor, LayoutId layout, StepIndex since, bool copied) {
  LayoutId before = plan[tensor].layout;
  StepIndex last = since;           // one past the last step that needs the new tensor
  std::vector<StepIndex> direct;    // readers that take it as it is
  std::vector<StepIndex> converted; // those that need the old layout
  Nanoseconds directTime;
  std::map<StepIndex, Bytes> directNeeds;
  for (StepIndex reader : v.readersOf(tensor)) {
    const PlanStep &step = plan[reader];
    if (convertsLayout(v.problem, step)) {
      if (!convertElsewhere(reader, tensor, layout, last))
        return false;
      continue;
    }
    llvm::SmallVector<LayoutId, 4> inputs = v.inputsOf(reader);
    for (auto [id, input] : llvm::zip_equal(step.reads, inputs))
      if (id == tensor)
        input = layout;
    StepCost answer = v.run(step.op, inputs, plan.configs[step.op.index()]);
    if (!answer.legal) {
      converted.push_back(reader);
      continue;
    }
    direct.push_back(reader);
    directTime += answer.time - v.cost.steps[reader.index()].total;
    directNeeds[reader] = answer.own;
  }
  bool convertsBack = !converted.empty() || v.isReturned(tensor);
  const StepCost *back = copied ? nullptr : &v.conversion(plan[tensor].value, layout, before);
  Nanoseconds backTime = back ? back->time : Nanoseconds(0);
  if (back && convertsBack && !back->legal)
    return false;
  // All read the old layout, if that is cheaper: one conversion is shared.
  if (Nanoseconds some = directTime + (convertsBack ? backTime : Nanoseconds(0));
      back && back->legal && !direct.empty() && backTime < some) {
    converted = v.readersOf(tensor);
    llvm::erase_if(converted, [&](StepIndex reader) { return convertsLayout(v.problem, plan[reader]); });
    direct.clear();
    directTime = Nanoseconds(0);
    directNeeds.clear();
    convertsBack = true;
  }
  readers += directTime + (convertsBack ? backTime : Nanoseconds(0));
  keeps = convertsBack;
  for (StepIndex reader : direct)
    last = std::max(last, reader + 1);
  needs.insert(directNeeds.begin(), directNeeds.end());
  if (convertsBack && back) {
    StepIndex at = converted.empty() ? plan.end() - 1 : converted.front();
    last = std::max(last, at);
    moments.push_back({at, back->own});
    stretch({at, v.lifeOf(tensor).end}, v.l1Bytes(before));
  }
  stretch({since, last}, v.l1Bytes(layout));
  if (!copied)
    stretch({since, v.lifeOf(tensor).end}, v.l1Bytes(before) * -1);
  return true;
}

Bytes Variations::Change::extraAt(StepIndex step) const {
  Bytes extra;
  for (const auto &[interval, bytes] : stretches)
    if (interval.contains(step))
      extra += bytes;
  return extra;
}

void Variations::Change::checkRoom(Variation &variation) const {
  Bytes budget = v.problem.l1Budget;
  auto note = [&](StepIndex step, Bytes bytes) {
    if (bytes > budget && (!variation.tight || step < *variation.tight)) {
      variation.tight = step;
      variation.missing = bytes - budget;
    }
  };
  for (auto [step, own] : needs)
    note(step, besideAt(step) + own);
  for (auto [step, own] : moments)
    note(step, besideAt(step) + own);
  // Between two of these points the change is the same at all steps.
  std::set<StepIndex> points;
  for (const auto &[interval, bytes] : stretches)
    points.insert({interval.begin, interval.end});
  for (auto [step, own] : needs)
    points.insert({step, step + 1});
  for (auto point = points.begin(); point != points.end() && std::next(point) != points.end(); ++point) {
    StepInterval between{*point, *std::next(point)};
    Bytes extra = extraAt(between.begin);
    if (extra <= Bytes(0) || needs.contains(between.begin))
      continue;
    if (StepIndex step = v.totals.firstAbove(between, budget - extra); step < v.totals.end())
      note(step, v.totals.at(step) + extra);
  }
}

std::optional<Variation> Variations::price(OpId op, const OpConfig &config, llvm::ArrayRef<LayoutId> inputs) {
  StepIndex step = stepOfOp[op.index()];
  StepCost own = run(op, inputs, config);
  if (!own.legal)
    return std::nullopt;
  Change change(*this);
  if (!change.readInputs(step, inputs))
    return std::nullopt;
  for (auto [tensor, layout] : llvm::zip_equal(plan[step].writes, config.outputs)) {
    if (plan[tensor].layout == layout)
      continue;
    if (!mayBeCopied(plan[tensor].value) || !change.rewire(tensor, layout, step + 1, /*copied=*/false))
      return std::nullopt;
  }
  change.need(step, own.own);
  Variation variation{config, llvm::SmallVector<LayoutId, 4>(inputs), own.time, own.own, {}, {}, {}, {}, {}};
  variation.deltaOp = own.time - cost.steps[step.index()].total;
  variation.deltaInputs = change.inputs;
  variation.deltaReaders = change.readers;
  change.checkRoom(variation);
  return variation;
}

std::optional<Variation> Variations::stay(TensorId tensor) {
  TensorId original = tensor;
  Nanoseconds saved;
  while (makers[original.index()] && plan[*makers[original.index()]].kind == PlanStep::Kind::Convert) {
    StepIndex maker = *makers[original.index()];
    saved += cost.steps[maker.index()].total;
    original = plan[maker].reads.front();
  }
  LayoutId layout = plan[original].layout;
  if (original == tensor || !problem.layout(layout).isL1() || !mayBeCopied(plan[tensor].value))
    return std::nullopt;
  Change change(*this);
  if (!change.rewire(tensor, layout, lives[original.index()].end, /*copied=*/true))
    return std::nullopt;
  Variation variation{};
  variation.deltaReaders = change.readers;
  if (!change.someKeep())
    variation.deltaReaders = variation.deltaReaders - saved;
  change.checkRoom(variation);
  return variation;
}

// ---- All changes of one op -------------------------------------------------------------------------------

std::vector<Variation> Variations::alternatives(OpId op) {
  seen = 0;
  StepIndex step = stepOfOp[op.index()];
  llvm::SmallVector<LayoutId, 4> now = inputsOf(step);
  const OpConfig &taken = plan.configs[op.index()];
  auto rank = [](const Variation &v) { return std::pair(v.tight.has_value(), v.delta()); };
  std::vector<Variation> best;
  auto consider = [&](const OpConfig &config, llvm::ArrayRef<LayoutId> inputs) {
    if (config == taken && inputs == llvm::ArrayRef(now))
      return;
    std::optional<Variation> found = price(op, config, inputs);
    if (!found)
      return;
    ++seen;
    auto same = llvm::find_if(best, [&](const Variation &v) { return v.config.outputs == config.outputs; });
    if (same == best.end())
      best.push_back(std::move(*found));
    else if (rank(*found) < rank(*same))
      *same = std::move(*found);
  };
  if (problem[op].role == OpRole::Fixed)
    return {};
  for (OpConfig config : problem[op].legal) {
    if (llvm::any_of(config.outputs, [](LayoutId id) { return !id.valid(); }))
      continue;
    // A conv2d that frees its operand would free it under others.
    if (auto *conv2d = std::get_if<Conv2dConfig>(&config.specific); conv2d && conv2d->deallocateActivation) {
      TensorId read = plan[step].reads.front();
      conv2d->deallocateActivation = lives[read.index()].end == step + 1 && makers[read.index()].has_value();
    }
    std::vector<llvm::SmallVector<LayoutId, 4>> tried{now};
    consider(config, now);
    if (config.outputs.empty() || problem[op].operands.empty())
      continue;
    forEachPlausibleInputs(problem, op, config.outputs.front(), [&](llvm::ArrayRef<LayoutId> inputs) {
      llvm::SmallVector<LayoutId, 4> wanted(inputs);
      if (!llvm::is_contained(tried, wanted)) {
        tried.push_back(wanted);
        consider(config, wanted);
      }
      return false;
    });
  }
  // Of equals, the first that was found.
  std::multimap<std::pair<bool, Nanoseconds>, Variation> sorted;
  for (Variation &variation : best)
    sorted.emplace(rank(variation), std::move(variation));
  best.clear();
  for (auto &[key, variation] : sorted)
    best.push_back(std::move(variation));
  return best;
}
