//===- Moves.cpp - Out of the way of what finds no room -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The allocator puts tensors at the highest address that is free. One that was made below others stays where it is
// when these are gone, and circular buffers, which grow from the bottom, then reach into it although there are bytes
// enough:
//
//   top     |  gone  |          |   A'   |
//           |  gone  |    ->    |        |
//           |   A    |          |  free  |
//   bottom  | buffers do not fit|  buffers fit
//
// A is converted to another form before the op that is in trouble, and lies above. Each move costs a conversion or
// two, so the cheapest one that helps is made, and then all is looked at again.
//
//===----------------------------------------------------------------------===//
#include "Moves.h"

#include "Changes.h"
#include "tessera/Optimizer/Plan/KeptPlaces.h"
#include "tessera/Optimizer/Plan/PlanUses.h"

using namespace tessera;
using namespace tessera::optimal;

/// Moves of one plan; those that are tried for one step that finds no room, the cheapest first; forms of a tensor among them; and steps before which
/// it may be moved, the last ones.
static constexpr size_t kMostMoves = 12, kMostTried = 100, kFormsTried = 6, kStepsTried = 3;

namespace {

/// A tensor in another form from some step on, until it is read.
struct Move {
  TensorId tensor;
  size_t before = 0; ///< a step
  Form form = 0;
  bool stays =
      false; ///< who reads it behind that reads this form; else it is made again what it was for the first of them
  SelectionCost cost = 0; ///< of going there and, as far as that is known, back
};

/// What finds no room, and how much it misses, in the order of the steps. Not what the program put there.
/// By bytes: a move may end the trouble of one op and make less of it for another.
struct Trouble {
  Trouble(const Plan &plan, const PlanReplay &replay, llvm::ArrayRef<OpId> hopeless) {
    replay.forEachShortage([&](StepIndex step, Bytes bytes) {
      if (llvm::is_contained(hopeless, plan[step].op))
        return;
      missing += bytes;
      if (!first || step < *first)
        first = step;
    });
  }
  std::optional<StepIndex> first;
  Bytes missing;
};

class Mover {
public:
  Mover(const Space &space, const OpCostTable &model, Plan plan)
      : space(space), problem(space.problem), model(model), plan(std::move(plan)),
        copyable(copyableValues(space.problem)) {}

  Plan run() {
    for (size_t count = 0; count < kMostMoves; ++count) {
      // To keep a place takes no time, to move a tensor does.
      plan = withKeptPlaces(problem, std::move(plan), model);
      PlanReplay replay = replayAsOpened(problem, plan, model);
      Trouble trouble(plan, replay, hopeless);
      if (!trouble.first)
        break;
      // An op that no move helps is passed over, or it would be the first trouble each time.
      if (!improve(replay, trouble))
        hopeless.push_back(plan[*trouble.first].op);
    }
    return std::move(plan);
  }

private:
  bool improve(const PlanReplay &replay, const Trouble &trouble);
  std::vector<Move> movesFor(const PlanReplay &replay, size_t step) const;
  std::vector<size_t> stepsFor(const PlanReplay &replay, llvm::ArrayRef<StepInterval> lives,
                               const PlanUses &uses, TensorId tensor, size_t step) const;
  Plan with(const Move &move) const;

  const Space &space;
  const Problem &problem;
  const OpCostTable &model;
  Plan plan;
  std::vector<bool> copyable;          ///< by ValueId
  llvm::SmallVector<OpId, 4> hopeless; ///< no move gives them room
};

/// The cheapest move with which the first step that found no room finds it, and with which no more is missing elsewhere.
bool Mover::improve(const PlanReplay &replay, const Trouble &trouble) {
  std::vector<Move> moves = movesFor(replay, trouble.first->index());
  OpId op = plan[*trouble.first].op;
  Nanoseconds before = planCost(problem, plan, model).total(), least;
  std::optional<Plan> best;
  for (const Move &move : llvm::ArrayRef(moves).take_front(kMostTried)) {
    // They come cheapest first by their conversions: by these alone what is left costs as much as the best.
    if (best && costOf(least - before) <= move.cost)
      break;
    Plan moved = with(move);
    Trouble left(moved, replayAsOpened(problem, moved, model), hopeless);
    // This op has its room, and less is missing in all: else trouble would be shifted to and fro.
    bool helps = !left.first || (left.missing < trouble.missing && moved[*left.first].op != op);
    if (!helps || !checkPlan(problem, moved, model).ok())
      continue;
    if (Nanoseconds time = planCost(problem, moved, model).total(); !best || time < least) {
      least = time;
      best = std::move(moved);
    }
  }
  if (best)
    plan = std::move(*best);
  return best.has_value();
}

/// Of what lies in L1 while the step runs and was there before, but for what may not be copied or is the caller's.
std::vector<Move> Mover::movesFor(const PlanReplay &replay, size_t step) const {
  PlanUses uses(plan);
  std::vector<StepInterval> lives = lifetimes(problem, plan);
  std::vector<Move> moves;
  for (size_t id = 0; id < plan.tensors.size(); ++id) {
    const PlanTensor &tensor = plan.tensors[id];
    if (!replay.tensors[id] || !uses.makers[id] || uses.makers[id]->index() >= step ||
        lives[id].end.index() <= step || uses.returned[id] || !copyable[tensor.value.index()])
      continue;
    const ValueForms &forms = space.forms[tensor.value.index()];
    std::optional<Form> its = forms.find(tensor.layout);
    std::vector<size_t> steps = stepsFor(replay, lives, uses, TensorId(id), step);
    // Both: who reads it may be slower in the other form, and the way back is a conversion more.
    for (bool stays : {true, false}) {
      std::vector<Move> all;
      for (Form form = 0; its && form < forms.layouts.size(); ++form) {
        SelectionCost there = forms.distances->at(*its, form), back = forms.distances->at(form, *its);
        // Both ways must exist, whether or not it comes back: what reads it may be refused the other form.
        if (form != *its && there < kForbiddenCost && back < kForbiddenCost)
          all.push_back({TensorId(id), 0, form, stays, stays ? there : there + back});
      }
      sortStably(all, [](const Move &a, const Move &b) { return a.cost < b.cost; });
      for (Move &move : llvm::MutableArrayRef(all).take_front(kFormsTried))
        for (size_t before : steps) {
          move.before = before;
          moves.push_back(move);
        }
    }
  }
  sortStably(moves, [](const Move &a, const Move &b) { return a.cost < b.cost; });
  return moves;
}

/// Before which something above the tensor is freed; the last one first, as most is free by then.
std::vector<size_t> Mover::stepsFor(const PlanReplay &replay, llvm::ArrayRef<StepInterval> lives,
                                    const PlanUses &uses, TensorId tensor, size_t step) const {
  // A view lies where the tensor was put that it is a view of, and is there to be moved once it is made.
  TensorId block = tensor;
  while (replay.viewOf[block.index()] && uses.makers[replay.viewOf[block.index()]->index()])
    block = *replay.viewOf[block.index()];
  StepIndex made = *uses.makers[block.index()];
  size_t first = uses.makers[tensor.index()]->index() + 1;
  std::vector<size_t> steps;
  for (size_t other = 0; other < plan.tensors.size(); ++other) {
    size_t end = lives[other].end.index();
    if (replay.tensors[other] && replay.tensors[other]->begin > replay.tensors[tensor.index()]->begin &&
        end > made.index() && end <= step) // its place may be kept since long before
      steps.push_back(std::max(end, first));
  }
  llvm::sort(steps, std::greater<>());
  steps.erase(llvm::unique(steps), steps.end());
  steps.resize(std::min(steps.size(), kStepsTried));
  return steps;
}

/// Conversions go by way of the fastest path, before the step from which the tensor is to be elsewhere and, if it
/// comes back, right before who reads it next.
Plan Mover::with(const Move &move) const {
  const PlanTensor &tensor = plan[move.tensor];
  const ValueForms &forms = space.forms[tensor.value.index()];
  auto reads = [&](const PlanStep &step) { return llvm::is_contained(step.reads, move.tensor); };
  // There is one: only tensors that are read at the step in trouble or later are moved.
  auto next = std::find_if(plan.steps.begin() + ptrdiff_t(move.before), plan.steps.end(), reads);
  auto convert = [&](PlanCopy &copy, Form from, Form to) {
    for (Form stop : forms.distances->path(from, to))
      copy[move.tensor] = copy.convert(next->op, copy[move.tensor], forms.layouts[stop]);
  };
  Form its = *forms.find(tensor.layout);
  PlanCopy copy(plan);
  for (auto step = plan.steps.begin(); step != plan.steps.end(); ++step) {
    if (size_t(step - plan.steps.begin()) == move.before)
      convert(copy, its, move.form);
    if (step == next && !move.stays)
      convert(copy, move.form, its);
    copy.keep(*step);
  }
  return copy.finish();
}

} // namespace

Plan optimal::withMoves(const Space &space, const OpCostTable &model, Plan plan) {
  // A device that is made up for its budget has no addresses (hasAddresses).
  if (hasAddresses(space.problem, plan, model))
    return plan;
  return Mover(space, model, std::move(plan)).run();
}
