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

namespace {

class Decisions {
public:
  Decisions(Draft &draft, const Plan &plan) : draft(draft), problem(draft.problem), plan(plan), uses(plan) {}

  void make() {
    for (const PlanStep &step : plan.steps)
      if (step.isRun() && problem[step.op].role != OpRole::Fixed)
        decide(step);
  }

private:
  void decide(const PlanStep &step) {
    OperandLayouts inputs = layoutsRead(plan, step);
    ConfigId config = draft.oracle.idOf(plan.configs[step.op.index()]);
    std::optional<ValueId> left; // that the op does not fit beside
    // Asked for the op alone: what does not fit beside other tensors is for a repair to see.
    if (!draft.oracle.run(step.op, inputs, config).legal) {
      left = leftBehind(step.op, inputs, config);
      if (!left)
        return;
    }
    draft.setConfig(step.op, config);
    for (auto [operand, read] : llvm::enumerate(step.reads))
      if (draft.mayReadElsewhere(step.op, operand) && plan[read].value != left)
        draft.setRead(step.op, operand, readOf(read));
      else if (plan[read].value == left)
        draft.setRead(step.op, operand, {Source::Home, LayoutId()});
  }

  /// The value that the op reads from home, all others as given, so that it is legal and takes least time.
  std::optional<ValueId> leftBehind(OpId op, llvm::ArrayRef<LayoutId> given, ConfigId config) const {
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

  Read readOf(TensorId id) const {
    const PlanTensor &tensor = plan[id];
    bool isArgument = !problem[tensor.value].producer.valid();
    auto isRun = [&](StepIndex step) { return plan[step].isRun(); };
    if (isMade(id) || tensor.layout == problem[tensor.value].home)
      return {isArgument || !isMade(id) ? Source::Home : Source::Original, LayoutId()};
    // Back through conversions of conversions: the draft converts from the original or from home in one step,
    // so what counts is which of the two the chain began with.
    bool fromHome = isArgument;
    for (TensorId at = id; !fromHome && !isMade(at);) {
      at = plan[*uses.makers[at.index()]].reads.front();
      fromHome = !isMade(at) && plan[at].layout == problem[tensor.value].home;
    }
    // Ops alone count as readers: a conversion behind this one is looked through, and becomes a read of its own.
    return {fromHome ? Source::Home : Source::Original, tensor.layout,
            /*shared=*/llvm::count_if(uses.readers[id.index()], isRun) > 1};
  }

  /// Made by an op of the program, or an argument.
  bool isMade(TensorId id) const {
    std::optional<StepIndex> maker = uses.makers[id.index()];
    return !maker || plan[*maker].isRun();
  }

  Draft &draft;
  const Problem &problem;
  const Plan &plan;
  PlanUses uses;
};

} // namespace

void tessera::decideAs(Draft &draft, const Plan &plan) { Decisions(draft, plan).make(); }
