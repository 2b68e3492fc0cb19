//===- VariationChange.cpp - What a change takes around an op -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What it takes to run one op otherwise, all else as the plan has it.
//   1  Operands (readInputs): each from whatever tensor of its value is there, by the
//      cheapest conversion. Conversions that served this op alone go.
//   2  Results (rewire): each reader takes the new layout, or the old one is made of
//      it, once for all that need it.
//   3  Room (checkRoom): what was noted on the way is tried on the account of the
//      whole plan, which is the plan's again afterwards.
// Nothing is planned anew, so the price is that of the smallest change and no
// bound on what a policy could make of it.
//
//===----------------------------------------------------------------------===//
#include "VariationChange.h"

#include "tessera/Support/AddOnce.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

/// What the tensor that is read now could be replaced by or made from: what lives at the step, and what it was converted from.
std::vector<TensorId> Variations::Change::sourcesFor(StepIndex step, TensorId now) const {
  std::vector<TensorId> sources;
  // A copy that is dead by then could live longer, which costs L1; only the ones that the read tensor came from
  // are taken so, since what they hold until here is easily told.
  for (TensorId id : v.tensors[plan[now].value.index()])
    if (v.lifeOf(id).contains(step) && (!v.makerOf(id) || *v.makerOf(id) < step))
      sources.push_back(id);
  for (TensorId id = now; v.makerOf(id) && !plan[*v.makerOf(id)].isRun();) {
    id = plan[*v.makerOf(id)].reads.front();
    addOnce(sources, id);
  }
  return sources;
}

bool Variations::Change::readOne(StepIndex step, TensorId now, LayoutId wanted) {
  ValueId value = plan[now].value;
  if (plan[now].layout == wanted) {
    used.insert(now);
    return true;
  }
  if (!v.copyable[value.index()])
    return false;
  // An op that reads the value twice in this layout needs one conversion.
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
  lengthen(source, {v.lifeOf(source).end, step + (best == &kFree ? 1 : 0)});
  if (best != &kFree) {
    ++conversions;
    // The conversion runs when all operands are there, its own result included in `own`; while the op runs only
    // that result is left of it.
    moments.push_back({step, best->own});
    atOp += v.l1Bytes(wanted);
  }
  return true;
}

/// The tensor is read by the step no more; conversions that made it for that step alone are not needed.
void Variations::Change::release(StepIndex step, TensorId tensor) {
  // Others need it, so it stays as long as before, and so do the conversions that made it.
  if (used.contains(tensor) || v.isReturned(tensor) || v.readersOf(tensor) != llvm::ArrayRef(step))
    return;
  std::optional<StepIndex> maker = v.makerOf(tensor);
  if (!maker)
    return; // an argument
  // Not of the step that makes it, which holds the tensor whether it is read or not.
  shorten(tensor, {std::min(*maker + 1, v.lifeOf(tensor).end), v.lifeOf(tensor).end});
  if (plan[*maker].isRun())
    return;
  inputs = inputs - v.cost.steps[maker->index()].total;
  --conversions;
  // The conversion was perhaps the only reader of its own operand.
  release(*maker, plan[*maker].reads.front());
}

bool Variations::Change::readInputs(StepIndex step, llvm::ArrayRef<LayoutId> wanted) {
  for (auto [now, layout] : llvm::zip_equal(plan[step].reads, wanted))
    if (!readOne(step, now, layout))
      return false;
  std::set<TensorId> before(plan[step].reads.begin(), plan[step].reads.end());
  // After all operands are found: what one of them needs no more may be the source of another.
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
  while (!plan[step].isRun() && !v.isReturned(chain.end)) {
    llvm::ArrayRef<StepIndex> next = v.readersOf(chain.end);
    if (next.size() != 1 || plan[next.front()].isRun())
      break;
    step = next.front();
    chain.end = plan[step].writes.front();
    chain.time += v.cost.steps[step.index()].total;
    ++chain.length;
  }
  return chain;
}

/// A conversion of the tensor starts from another layout now, or is not needed: it alone, or with those that follow it.
bool Variations::Change::convertElsewhere(StepIndex step, TensorId tensor, LayoutId layout, StepIndex &last) {
  // A conversion by itself, or all that follow from it up to the tensor that an op reads: from the new layout
  // the whole way may be shorter in one piece. Whatever gains most against what it replaces is taken.
  const Chain chains[] = {{plan[step].writes.front(), v.cost.steps[step.index()].total}, chainFrom(step)};
  const Chain *best = nullptr;
  StepCost cost;
  bool isGone = false;
  for (const Chain &chain : chains) {
    bool gone = !plan[step].isRun() && plan[chain.end].layout == layout;
    StepCost way =
        gone ? StepCost{true, {}, {}} : v.conversion(plan[tensor].value, layout, plan[chain.end].layout);
    if (way.legal && (!best || way.time - chain.time < cost.time - best->time)) {
      best = &chain;
      cost = way;
      isGone = gone;
    }
  }
  if (!best)
    return false;
  readers += cost.time - best->time;
  conversions += (isGone ? 0 : 1) - best->length;
  needs[step] = cost.own;
  last = std::max(last, step + 1);
  if (isGone) {
    // Those who read what it led to read the tensor itself.
    StepInterval life = v.lifeOf(best->end);
    last = std::max(last, life.end);
    shorten(best->end, {step + 1, life.end});
  }
  return true;
}

/// Asks each reader whether it takes the tensor in the new layout. False if a conversion of it has no way from there.
bool Variations::Change::askReaders(TensorId tensor, LayoutId layout, Rewiring &wiring) {
  for (StepIndex reader : v.readersOf(tensor)) {
    const PlanStep &step = plan[reader];
    // Conversions do not take the tensor in whatever layout comes: they start from the new one, and make what
    // they made.
    if (convertsLayout(v.problem, step)) {
      if (!convertElsewhere(reader, tensor, layout, wiring.last))
        return false;
      continue;
    }
    OperandLayouts inputs = layoutsRead(plan, step);
    for (auto [id, input] : llvm::zip_equal(step.reads, inputs))
      if (id == tensor)
        input = layout;
    StepCost answer = v.run(step.op, inputs, plan.configs[step.op.index()]);
    // Refused in the new layout, so it gets the old one back; its time stays as it was.
    if (!answer.legal) {
      wiring.converted.push_back(reader);
      continue;
    }
    wiring.direct.push_back(reader);
    wiring.directTime += answer.time - v.cost.steps[reader.index()].total;
    wiring.directNeeds[reader] = answer.own;
  }
  return true;
}

/// Readers are asked one by one whether they take the new layout; then it is weighed whether all of them had better
/// share one conversion back.
bool Variations::Change::rewire(TensorId tensor, LayoutId layout, StepIndex since, bool copied) {
  LayoutId before = plan[tensor].layout;
  Rewiring wiring;
  wiring.last = since;
  if (!askReaders(tensor, layout, wiring))
    return false;
  // The function returns what it returned, whatever the op makes.
  bool convertsBack = !wiring.converted.empty() || v.isReturned(tensor);
  const StepCost *back = copied ? nullptr : &v.conversion(plan[tensor].value, layout, before);
  Nanoseconds backTime = back ? back->time : Nanoseconds(0);
  if (back && convertsBack && !back->legal)
    return false;
  // All read the old layout, if that is cheaper: one conversion is shared.
  if (Nanoseconds some = wiring.directTime + (convertsBack ? backTime : Nanoseconds(0));
      back && back->legal && !wiring.direct.empty() && backTime < some) {
    wiring = {wiring.last, {}, v.readersOf(tensor), {}, {}};
    llvm::erase_if(wiring.converted,
                   [&](StepIndex reader) { return convertsLayout(v.problem, plan[reader]); });
    convertsBack = true;
  }
  readers += wiring.directTime + (convertsBack ? backTime : Nanoseconds(0));
  keeps = convertsBack;
  for (StepIndex reader : wiring.direct)
    wiring.last = std::max(wiring.last, reader + 1);
  needs.insert(wiring.directNeeds.begin(), wiring.directNeeds.end());
  if (convertsBack && back) {
    ++conversions;
    // One conversion back serves all who need the old layout, so it stands before the first of them, and the
    // old tensor lives from there as in the plan.
    StepIndex at = wiring.converted.empty() ? plan.end() - 1 : wiring.converted.front();
    wiring.last = std::max(wiring.last, at);
    moments.push_back({at, back->own});
    lengthen(tensor, {at, v.lifeOf(tensor).end});
  }
  change(v.held(plan[tensor].value, layout, {since, wiring.last}));
  if (!copied)
    shorten(tensor, {since, v.lifeOf(tensor).end});
  return true;
}

/// The first step of the interval that has not enough room any more.
StepIndex Variations::Change::firstTight(StepInterval interval) const {
  Bytes budget = v.problem.l1Budget;
  StepIndex step = v.account.firstConflict(interval, budget);
  // A step that runs alone may exceed the budget in the plan as well; it has no less room than there.
  while (step < interval.end && v.account.excessAt(step, budget) <= v.l1.total(step) - budget)
    step = v.account.firstConflict({step + 1, interval.end}, budget);
  return step;
}

void Variations::Change::checkRoom(Variation &variation) const {
  Bytes budget = v.problem.l1Budget;
  auto note = [&](StepIndex step, Bytes missing) {
    if (missing > Bytes(0) && (!variation.tight || step < *variation.tight)) {
      variation.tight = step;
      variation.missing = missing;
    }
  };
  llvm::for_each(stretches, [&](const auto &stretch) { v.account.add(stretch); });
  // What a changed step makes is part of what it takes (StepCost::own), and not held beside it.
  auto beside = [&](StepIndex step) { return v.account.activeAt(step) - v.outputsAt(step); };
  for (auto [step, own] : moments)
    note(step, beside(step) + own - budget);
  for (auto [step, own] : needs)
    v.account.setNeed(step, {own - v.outputsAt(step), v.needs[step.index()].alone});
  for (auto [step, own] : needs)
    note(step, v.account.excessAt(step, budget));
  for (const Reservation<StepIndex> &stretch : stretches)
    // Only longer lives can make a step exceed L1.
    if (stretch.size > Bytes(0))
      if (StepIndex step = firstTight(stretch.positions); step < stretch.positions.end)
        note(step, v.account.excessAt(step, budget));
  // An attempt: the account is the plan's again.
  for (auto [step, own] : needs)
    v.account.setNeed(step, v.needs[step.index()]);
  llvm::for_each(stretches, [&](const auto &stretch) { v.account.remove(stretch); });
}
