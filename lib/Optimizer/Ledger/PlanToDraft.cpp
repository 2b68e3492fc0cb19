//===- PlanToDraft.cpp - A plan as decisions on a draft -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/PlanToDraft.h"

#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Plan/PlanUses.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>

using namespace tessera;

/// The value that the op reads from home, all others as given, so that it is legal and takes least time.
static std::optional<ValueId> leftBehind(Draft &draft, OpId op, llvm::ArrayRef<LayoutId> given,
                                         ConfigId config) {
  const Problem &problem = draft.problem;
  // One value at a time: what does not fit beside two of its operands is left in its base, which fits.
  std::optional<ValueId> best;
  Nanoseconds least;
  for (ValueId value : distinctValues(problem[op])) {
    llvm::SmallVector<LayoutId, 8> inputs(given);
    setInput(problem[op], value, problem[value].home, inputs);
    StepCost cost = draft.oracle.run(op, inputs, config);
    if (!cost.legal || (best && cost.time >= least))
      continue;
    best = value;
    least = cost.time;
  }
  return best;
}

/// How the draft reads what the plan's tensor is.
static Read readOf(const Problem &problem, const Plan &plan, const PlanUses &uses, TensorId id) {
  auto isRun = [&](StepIndex step) { return plan[step].isRun(); };
  auto makerOf = [&](TensorId tensor) { return uses.makers[tensor.index()]; };
  // By an op of the program, or an argument.
  auto isMade = [&](TensorId tensor) { return !makerOf(tensor) || isRun(*makerOf(tensor)); };
  const PlanTensor &tensor = plan[id];
  LayoutId home = problem[tensor.value].home;
  bool isArgument = !problem[tensor.value].producer.valid();
  if (isMade(id) || tensor.layout == home)
    return {isArgument || !isMade(id) ? Source::Home : Source::Original, LayoutId()};
  // Back through conversions of conversions: the draft converts from the original or from home in one step,
  // so what counts is which of the two the chain began with.
  bool fromHome = isArgument;
  for (TensorId at = id; !fromHome && !isMade(at);) {
    at = plan[*makerOf(at)].reads.front();
    fromHome = !isMade(at) && plan[at].layout == home;
  }
  // Ops alone count as readers: a conversion behind this one is looked through, and becomes a read of its own.
  return {fromHome ? Source::Home : Source::Original, tensor.layout,
          /*shared=*/llvm::count_if(uses.readers[id.index()], isRun) > 1};
}

void tessera::decideAs(Draft &draft, const Plan &plan) {
  PlanUses uses(plan);
  for (const PlanStep &step : plan.steps) {
    if (!step.isRun() || draft.problem[step.op].role == OpRole::Fixed)
      continue;
    OperandLayouts inputs = layoutsRead(plan, step);
    ConfigId config = draft.oracle.idOf(plan.configs[step.op.index()]);
    std::optional<ValueId> left; // that the op does not fit beside
    // Asked for the op alone: what does not fit beside other tensors is for a repair to see.
    if (!draft.oracle.run(step.op, inputs, config).legal) {
      left = leftBehind(draft, step.op, inputs, config);
      if (!left)
        continue;
    }
    draft.setConfig(step.op, config);
    for (auto [operand, read] : llvm::enumerate(step.reads))
      if (plan[read].value == left)
        draft.setRead(step.op, operand, {Source::Home, LayoutId()});
      else if (draft.mayReadElsewhere(step.op, operand))
        draft.setRead(step.op, operand, readOf(draft.problem, plan, uses, read));
  }
}
