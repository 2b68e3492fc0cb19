//===- PlanConversions.cpp - The conversions of a plan, split and merged -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/PlanConversions.h"

#include "tessera/Optimizer/Plan/PlanUses.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {

/// Drops the tensors marked in `removed`; later ones move up.
void compactTensors(Plan &plan, const std::vector<bool> &removed) {
  // Ids are positions, and every tensor must be made by a step (plan.never_written), so gaps have to be closed.
  std::vector<TensorId> renamed(plan.tensors.size());
  std::vector<PlanTensor> kept;
  for (size_t i = 0; i < plan.tensors.size(); ++i)
    if (!removed[i]) {
      renamed[i] = TensorId(kept.size());
      kept.push_back(plan.tensors[i]);
    }
  plan.tensors = std::move(kept);
  auto rename = [&](std::vector<TensorId> &ids) {
    for (TensorId &id : ids)
      id = renamed[id.index()];
  };
  for (PlanStep &step : plan.steps) {
    rename(step.reads);
    rename(step.writes);
  }
  rename(plan.returned);
  // A place that is kept for nothing, or beside nothing, is not kept.
  llvm::erase_if(plan.kept, [&](const KeptPlace &place) {
    return removed[place.tensor.index()] || removed[place.since.index()];
  });
  for (KeptPlace &place : plan.kept)
    place = {renamed[place.tensor.index()], renamed[place.since.index()]};
}

/// The stop of the path that an op of the program makes itself: the data type belongs to the value, so the op must change it.
size_t stopOfOp(const Problem &problem, LayoutId from, const Conversion &path) {
  DataType before = problem.layout(from).dtype;
  for (auto [index, stop] : llvm::enumerate(path.stops))
    if (problem.layout(stop).dtype != before)
      return index;
  return path.stops.size() - 1;
}

/// Puts the step behind the plan's, a step for each stop.
void split(const Problem &problem, Plan &plan, const PlanStep &step, const Conversion &path) {
  TensorId source = step.reads.front(), target = step.writes.front();
  // An op of the program must stay one step, whatever stands around it.
  size_t last = path.stops.size() - 1;
  size_t runsAt = step.isRun() ? stopOfOp(problem, plan[source].layout, path) : last;
  for (size_t i = 0; i <= last; ++i) {
    PlanStep part = step;
    if (i != runsAt)
      part.kind = PlanStep::Kind::Convert;
    part.reads = {source};
    if (i < last) {
      // Before the op runs it is still its operand's value that is moved, afterwards its result's.
      plan.tensors.push_back({plan[i < runsAt ? source : target].value, path.stops[i]});
      source = TensorId(plan.tensors.size() - 1);
    } else {
      source = target;
    }
    part.writes = {source};
    if (part.isRun())
      plan.configs[step.op.index()].outputs = {path.stops[i]};
    plan.steps.push_back(std::move(part));
  }
}

/// Lets conversion ops of the program absorb the conversions around them.
class Merger {
public:
  Merger(const Problem &problem, Plan plan, Conversions &conversions)
      : problem(problem), plan(std::move(plan)), conversions(conversions), uses(this->plan),
        removedTensors(this->plan.tensors.size(), false), removedSteps(this->plan.steps.size(), false) {}

  /// nullopt if there was nothing to merge.
  std::optional<Plan> run() {
    // A conversion op of the program may produce what the conversion behind it would make, or take the place of the
    // one before it.
    for (StepIndex step; step < plan.end(); ++step)
      if (!plan[step].isRun())
        absorbAfter(step);
      else if (problem[plan[step].op].role == OpRole::Conversion)
        absorbBefore(step);
    if (!merged)
      return std::nullopt;
    size_t position = 0;
    llvm::erase_if(plan.steps, [&](const PlanStep &) { return removedSteps[position++]; });
    compactTensors(plan, removedTensors);
    return std::move(plan);
  }

private:
  /// The step that makes `tensor` for one reader only; nullopt if there is none.
  std::optional<StepIndex> soleMaker(TensorId tensor) const {
    // A return is a reader, too: what leaves the function must not be absorbed into another layout.
    return uses.isReadOnce(tensor) ? uses.makers[tensor.index()] : std::nullopt;
  }

  bool hasPath(TensorId from, TensorId to) {
    return conversions.find(problem[plan[from].value].tensor, plan[from].layout, plan[to].layout).cost.legal;
  }

  /// Convert `index` reads what a conversion op made: the op makes the target instead.
  void absorbAfter(StepIndex index) {
    TensorId source = plan[index].reads.front(), target = plan[index].writes.front();
    // With a second reader the op's own layout is needed as well, and the conversion has to stay.
    std::optional<StepIndex> maker = soleMaker(source);
    if (!maker || !plan[*maker].isRun())
      return;
    PlanStep &made = plan.steps[maker->index()];
    OpConfig merged = plan.configs[made.op.index()];
    merged.outputs = {plan[target].layout};
    // Whatever path there is from the op's operand to the target replaces both; its length shows only in the
    // time, which Judge::merged compares.
    if (problem[made.op].role != OpRole::Conversion ||
        !isAllowed(problem[made.op], merged, plan[made.reads.front()].layout) ||
        !hasPath(made.reads.front(), target))
      return;
    plan.configs[made.op.index()] = std::move(merged);
    made.writes = {target};
    uses.makers[target.index()] = *maker;
    remove(index, source);
  }

  /// Conversion op `index` reads what a conversion made for it: the op reads that one's source instead.
  void absorbBefore(StepIndex index) {
    PlanStep &op = plan.steps[index.index()];
    TensorId read = op.reads.front();
    std::optional<StepIndex> maker = soleMaker(read);
    // `uses` is of the plan as it was given: a step that was absorbed since then makes nothing any more.
    if (!maker || removedSteps[maker->index()])
      return;
    if (plan[*maker].isRun())
      return passThrough(plan.steps[maker->index()], op);
    TensorId source = plan[*maker].reads.front();
    if (!isAllowed(problem[op.op], plan.configs[op.op.index()], plan[source].layout) ||
        !hasPath(source, op.writes.front()))
      return;
    op.reads = {source};
    remove(*maker, read);
  }

  /// Conversion op `next` is all that reads what conversion op `first` made: `first` leaves all of it to `next`.
  void passThrough(PlanStep &first, const PlanStep &next) {
    if (problem[first.op].role != OpRole::Conversion)
      return;
    TensorId source = first.reads.front();
    // With the same layout on both sides the first op has nothing to do and is not written (docs/policies,
    // "conversions of the input").
    LayoutId layout = plan[source].layout;
    LayoutId &made = plan.tensors[first.writes.front().index()].layout;
    OpConfig config = plan.configs[first.op.index()];
    config.outputs = {layout};
    // The data type belongs to the value.
    if (problem.layout(layout).dtype != problem.layout(made).dtype ||
        !isAllowed(problem[first.op], config, layout) || !hasPath(source, next.writes.front()))
      return;
    merged |= made != layout;
    made = layout;
    plan.configs[first.op.index()] = std::move(config);
  }

  void remove(StepIndex step, TensorId tensor) {
    merged = true;
    removedSteps[step.index()] = true;
    removedTensors[tensor.index()] = true;
  }

  const Problem &problem;
  Plan plan;
  Conversions &conversions;
  PlanUses uses; ///< of the plan as it was given, but for the makers
  std::vector<bool> removedTensors, removedSteps;
  bool merged = false;
};

} // namespace

Plan tessera::narrowConversions(const Problem &problem, Plan plan, Conversions &conversions,
                                Splitting splitting) {
  std::vector<PlanStep> whole = std::exchange(plan.steps, {});
  plan.steps.reserve(whole.size());
  for (PlanStep &step : whole) {
    const Conversion *path = nullptr;
    if (convertsLayout(problem, step)) {
      const PlanTensor &from = plan[step.reads.front()];
      const TensorDesc &tensor = problem[from.value].tensor;
      LayoutId to = plan[step.writes.front()].layout;
      if (splitting != Splitting::ForNeed || !conversions.byOneOp(tensor, from.layout, to).legal)
        path = &conversions.find(tensor, from.layout, to);
    }
    // Of what has no path the checker reports the op and the layouts.
    if (path && path->cost.legal)
      split(problem, plan, step, *path);
    else
      plan.steps.push_back(std::move(step));
  }
  return plan;
}

std::optional<Plan> tessera::mergeConversions(const Problem &problem, const Plan &plan,
                                              const OpCostTable &model) {
  Conversions conversions(model);
  std::optional<Plan> merged = Merger(problem, plan, conversions).run();
  // What was merged may change several things at once, so it is split anew.
  if (merged)
    merged = narrowConversions(problem, std::move(*merged), conversions);
  return merged;
}
