//===- Variations.cpp - What one op done otherwise would cost -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Decisions/Variations.h"
#include "tessera/Optimizer/Plan/LiveL1.h"

#include "tessera/OpModel/TimeSpread.h"

#include "VariationChange.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/LegalConfigs.h"
#include "tessera/Support/SortStably.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tessera;

bool tessera::isInDoubt(const Problem &problem, OpId op, Nanoseconds now, const Variation &other) {
  TimeSpread spread = timeSpread(problem.signature(op).name, problem.device.arch);
  // By the lower end of what was measured: what one in ten times of the family is shorter than predicted by.
  Nanoseconds error = std::min(now, other.op) * (1 - spread.low);
  return other.delta() < error && other.delta() * -1 < error;
}

Nanoseconds tessera::doubtLimit(Nanoseconds total) {
  // A wider one was tried: at a two-hundredth what is in doubt one by one costs more together than it can save
  // (docs/policies, "Choices under doubt").
  constexpr double share = 0.001;
  return total * share;
}

Variations::Variations(const Problem &problem, const Plan &plan, const PlanCost &cost, const L1Usage &l1,
                       const OpCostTable &model)
    : problem(problem), plan(plan), cost(cost), l1(l1), model(model), conversions(model),
      stepOfOp(problem.ops.size()), lives(lifetimes(problem, plan)), uses(plan),
      copyable(copyableValues(problem)), tensors(problem.values.size()), account(plan.end(), Bytes(0)) {
  for (auto [i, tensor] : llvm::enumerate(plan.tensors))
    tensors[tensor.value.index()].push_back(TensorId(i));
  for (StepIndex step; step < plan.end(); ++step)
    if (plan[step].isRun())
      stepOfOp[plan[step].op.index()] = step;
  open();
}

Reservation<StepIndex> Variations::held(ValueId value, LayoutId layout, StepInterval life) const {
  return {life, l1Bytes(layout), layout == problem[value].declared};
}

/// Opens the account with what the plan checker has found.
void Variations::open() {
  for (auto [tensor, life] : llvm::zip_equal(plan.tensors, lives))
    account.add(held(tensor.value, tensor.layout, life));
  for (StepIndex step; step < plan.end(); ++step) {
    const PlanStep &data = plan[step];
    bool unknown = data.isRun() && problem[data.op].role == OpRole::Fixed &&
                   mayUseCircularBuffers(problem, data.op) &&
                   isUnjudged(declaredAnswer(problem, data.op, model));
    // As the checker counts, a step's own tensors are part of what is held, so only the rest is its need.
    needs.push_back({l1.total(step) - account.activeAt(step), unknown});
    account.setNeed(step, needs.back());
  }
}

Bytes Variations::l1Bytes(LayoutId layout) const {
  return l1BytesPerCore(problem.layout(layout), problem.device);
}

Bytes Variations::outputsAt(StepIndex step) const { return resultL1(problem, plan, plan[step]); }

const StepCost &Variations::conversion(ValueId value, LayoutId from, LayoutId to) {
  return conversions.find(problem[value].tensor, from, to).cost;
}

StepCost Variations::run(OpId op, llvm::ArrayRef<LayoutId> inputs, const OpConfig &config) {
  // Overrides bind what-ifs as they bind plans.
  return isAllowed(problem[op], config, inputs)
             ? costInEmptyL1(problem, op, inputs, config, model, conversions)
             : StepCost();
}

std::optional<Variation> Variations::price(OpId op, const OpConfig &config, llvm::ArrayRef<LayoutId> inputs) {
  StepIndex step = stepOfOp[op.index()];
  StepCost own = run(op, inputs, config);
  if (!own.legal)
    return std::nullopt;
  Change change(*this);
  // Operands before results: what is converted for the op is there while it runs, which readers have to be
  // counted beside.
  if (!change.readInputs(step, inputs))
    return std::nullopt;
  std::set<StepIndex> changed;
  for (auto [tensor, layout] : llvm::zip_equal(plan[step].writes, config.outputs)) {
    if (plan[tensor].layout == layout)
      continue;
    // One that reads several results would have to be asked about all of them together.
    for (StepIndex reader : readersOf(tensor))
      if (!changed.insert(reader).second)
        return std::nullopt;
    // Readers may need the old layout back, which takes a copy; a value that is written in place or demanded as
    // it is has none.
    if (!copyable[plan[tensor].value.index()] || !change.rewire(tensor, layout, step + 1, /*copied=*/false))
      return std::nullopt;
  }
  // Last, as readInputs has found by now how much more L1 is in use while the op runs.
  change.need(step, own.own);
  Variation variation{
      config, llvm::SmallVector<LayoutId, 4>(inputs), own.time, own.own, {}, {}, {}, change.conversions, {},
      {}};
  variation.deltaOp = own.time - cost.steps[step.index()].total;
  variation.deltaInputs = change.inputs;
  variation.deltaReaders = change.readers;
  change.checkRoom(variation);
  return variation;
}

std::optional<Variation> Variations::stay(TensorId tensor) {
  // Back through all conversions behind one another: only if none of them is needed any more their time is
  // saved.
  TensorId original = tensor;
  Nanoseconds saved;
  for (std::optional<StepIndex> maker; (maker = makerOf(original)) && !plan[*maker].isRun();) {
    saved += cost.steps[maker->index()].total;
    original = plan[*maker].reads.front();
  }
  LayoutId layout = plan[original].layout;
  // Only a value that was in L1 and was converted could have stayed; spills by cause ask about nothing else
  // (Decisions/Spills).
  if (original == tensor || !problem.layout(layout).isL1() || !copyable[plan[tensor].value.index()])
    return std::nullopt;
  Change change(*this);
  if (!change.rewire(tensor, layout, lives[original.index()].end, /*copied=*/true))
    return std::nullopt;
  Variation variation{};
  variation.deltaReaders = change.readers;
  // Where one reader still needs the copy, its conversions stay in the plan and nothing is saved by the others.
  if (!change.someKeep())
    variation.deltaReaders = variation.deltaReaders - saved;
  change.checkRoom(variation);
  return variation;
}

// ---- All changes of one op -------------------------------------------------------------------------------

std::vector<Variation> Variations::alternatives(OpId op) {
  seen = 0;
  StepIndex step = stepOfOp[op.index()];
  OperandLayouts now = layoutsRead(plan, plan[step]);
  const OpConfig &taken = plan.configs[op.index()];
  std::vector<Variation> best;
  auto consider = [&](const OpConfig &config, llvm::ArrayRef<LayoutId> inputs) {
    if (config == taken && inputs == llvm::ArrayRef(now))
      return;
    std::optional<Variation> found = price(op, config, inputs);
    if (!found)
      return;
    ++seen;
    // One for each set of result layouts: readers of an explanation ask why a result is not there, not about
    // each block size.
    auto same = llvm::find_if(best, [&](const Variation &v) { return v.config.outputs == config.outputs; });
    if (same == best.end())
      best.push_back(std::move(*found));
    else if (found->rank() < same->rank())
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
      conv2d->deallocateActivation = lives[read.index()].end == step + 1 && makerOf(read).has_value();
    }
    // With the operands as they are first, which needs no conversion; plausible inputs often repeat that.
    std::vector<OperandLayouts> tried{now};
    consider(config, now);
    if (config.outputs.empty() || problem[op].operands.empty())
      continue;
    forEachPlausibleInputs(problem, op, config.outputs.front(), [&](llvm::ArrayRef<LayoutId> inputs) {
      OperandLayouts wanted(inputs);
      if (!llvm::is_contained(tried, wanted)) {
        tried.push_back(wanted);
        consider(config, wanted);
      }
      return false;
    });
  }
  // Of equals, the first that was found.
  sortStably(best, [](const Variation &a, const Variation &b) { return a.rank() < b.rank(); });
  return best;
}
