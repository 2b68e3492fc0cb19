//===- Search.cpp - The best set of residents at each position ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Search.h"

#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <algorithm>
#include <bit>
#include <map>

using namespace tessera;
using namespace tessera::dp;

/// Victims of which all sets are tried where a choice does not fit, in short programs and in others.
static constexpr size_t kMaxVictims = 8, kFewVictims = 5;

Search::Search(const Problem &problem, Oracle &oracle, const Forms &forms, std::vector<OpId> order,
               size_t width, llvm::ArrayRef<Bytes> withheld)
    : problem(problem), oracle(oracle), forms(forms), schedule(std::move(order)), width(width),
      withheld(withheld), choices(problem, oracle, forms), lastHolders(lastReaders(problem, schedule)),
      lastUse(lastUses(problem, schedule)), readers(problem.values.size()), rest(schedule.size() + 1),
      bound(kEndless) {
  for (auto [position, op] : llvm::enumerate(schedule))
    for (ValueId value : choices.valuesOf(op))
      readers[value.index()].push_back(SchedulePos(position));
  // Arguments and constants lie in L1 for the whole function if the program puts them there. They are in every state's
  // account once, and bytes() therefore gives nothing for them.
  always = oracle.heldAlways();
  // From the back, so that rest[i] is what the ops from i on take at least: the bound of what is dropped before
  // i.
  for (size_t i = schedule.size(); i-- > 0;)
    rest[i] = rest[i + 1] + choices.least(schedule[i]);
}

SearchResult Search::run() {
  // Node 0 is the start; finish() goes back until it meets it.
  nodes.emplace_back();
  State start{};
  // In the order of ids, since Tensors ascend: presentIn and std::includes rely on it.
  for (ValueId value : givenValues(problem))
    if (!readers[value.index()].empty())
      start.tensors.push_back({value, problem[value].declared});
  states.push_back(std::move(start));
  for (auto [index, op] : llvm::enumerate(schedule)) {
    SchedulePos position(index);
    next.clear();
    nextOf.clear();
    // They hold for one position only, as readers that are passed do not lose anything any more.
    penalties.clear();
    expand(op, position);
    keepBest(position);
    std::swap(states, next);
    if (states.empty())
      return {};
  }
  return finish();
}

/// As it is given: there throughout, whatever is decided.
bool Search::isArgument(const Tensor &tensor) const {
  return !problem[tensor.value].producer.valid() && tensor.layout == problem[tensor.value].declared;
}

/// L1 per core that goes when the tensor does.
Bytes Search::bytes(const Tensor &tensor) const {
  return isArgument(tensor) ? Bytes(0) : oracle.l1Bytes(tensor.layout);
}

Bytes Search::budgetAt(SchedulePos position) const { return problem.l1Budget - withheld[position.index()]; }

Layouts Search::presentIn(const State &state, ValueId value) const {
  Layouts present;
  for (auto at = llvm::lower_bound(state.tensors, Tensor{value, LayoutId(0)});
       at != state.tensors.end() && at->value == value; ++at)
    present.push_back(at->layout);
  return present;
}

/// Freeing a buffer frees it under all its names.
Frees Search::mayFree(OpId op, SchedulePos position) const {
  if (problem[op].operands.empty() || isReadAfter(problem[op].operands.front(), position))
    return Frees::Nothing;
  return lastHolders[problem[op].operands.front().index()] == position ? Frees::Operand : Frees::Copy;
}

void Search::expand(OpId op, SchedulePos position) {
  Frees frees = mayFree(op, position);
  llvm::SmallVector<Layouts, 4> present;
  for (const State &state : states) {
    present.clear();
    for (ValueId value : choices.valuesOf(op))
      present.push_back(presentIn(state, value));
    for (const Choice &choice : choices.of(op, present, frees))
      tryChoice({state, op, position, choice});
  }
}

/// As it is, if that fits; else without the smallest sets of victims that make it fit.
void Search::tryChoice(const Attempt &attempt) {
  Bytes missing;
  // With everything kept the state has all that any other outcome of this choice has, in the same time. So
  // victims are looked at only where it does not fit, which is what keeps the states few.
  if (tryWithout(attempt, {}, missing))
    return;
  llvm::SmallVector<Victim> victims = victimsOf(attempt);
  if (victims.empty())
    return;
  std::vector<unsigned> found; // sets that fit, as bits
  size_t some = std::min(victims.size(), schedule.size() <= kShortProgram ? kMaxVictims : kFewVictims);
  llvm::SmallVector<Victim, 8> chosen;
  // Small sets first: a set that contains one which fits gives up more for the same time or more, and is
  // skipped.
  std::vector<unsigned> sets(size_t(1) << some);
  for (size_t i = 0; i < sets.size(); ++i)
    sets[i] = unsigned(i);
  llvm::sort(sets, [](unsigned a, unsigned b) {
    return std::tuple(std::popcount(a), a) < std::tuple(std::popcount(b), b);
  });
  for (unsigned set : llvm::ArrayRef(sets).drop_front()) {
    if (llvm::any_of(found, [&](unsigned smaller) { return (smaller & set) == smaller; }))
      continue;
    chosen.clear();
    Bytes freed, still;
    for (size_t i = 0; i < some; ++i)
      if (set & (1u << i)) {
        chosen.push_back(victims[i]);
        freed += victims[i].bytes;
      }
    // What victims free is no more than their bytes, so a sum below `missing` needs no attempt.
    if (freed >= missing && tryWithout(attempt, chosen, still))
      found.push_back(set);
  }
  if (victims.size() == some)
    return;
  dropped = true; // other sets are not looked at
  bound = std::min(bound, attempt.state.time + rest[attempt.position.index()]);
  chosen.assign(victims.begin(), victims.begin() + ptrdiff_t(some));
  // If none of the sets fits, any legal continuation is better than none: one victim after the other goes as
  // well.
  for (size_t more = some; more < victims.size() && found.empty(); ++more) {
    chosen.push_back(victims[more]);
    if (tryWithout(attempt, chosen, missing))
      return;
  }
}

/// Those that cost the least time per byte first.
llvm::SmallVector<Search::Victim> Search::victimsOf(const Attempt &attempt) {
  llvm::ArrayRef<ValueId> read = choices.valuesOf(attempt.op);
  std::vector<std::pair<double, Victim>> ranked;
  for (const Tensor &tensor : attempt.state.tensors) {
    Bytes held = bytes(tensor);
    // Neither what lies in DRAM nor an argument frees L1 by leaving.
    if (held == Bytes(0))
      continue;
    auto input = llvm::find(read, tensor.value);
    if (input != read.end()) {
      const InputChoice &choice = attempt.choice.inputs[size_t(input - read.begin())];
      if (choice.source == tensor.layout && !choice.target.valid())
        continue; // the op reads it
      // Its other copies, and those that are not read later, are gone already.
      if (!isReadAfter(tensor.value, attempt.position))
        continue;
    }
    Layouts left;
    for (LayoutId layout : presentIn(attempt.state, tensor.value))
      if (layout != tensor.layout)
        left.push_back(layout);
    Nanoseconds price;
    if (left.empty()) {
      // The last copy has to be written to DRAM first, which counts as part of its price.
      LayoutId dram = inDram(problem, tensor.value);
      price = oracle.convert(tensor.value, tensor.layout, dram).time;
      left.push_back(dram);
    }
    price += penaltyOf(tensor.value, left, attempt.position);
    ranked.push_back({price.value() / double(held.value()), {tensor, held}});
  }
  llvm::sort(ranked, [](const auto &a, const auto &b) {
    // Among equals the larger one first, as fewer have to go; then the tensor itself, so that the order is
    // total.
    return std::tuple(a.first, b.second.bytes, a.second.tensor) <
           std::tuple(b.first, a.second.bytes, b.second.tensor);
  });
  return llvm::map_to_vector(ranked, [](const auto &entry) { return entry.second; });
}

/// Follows L1 step by step through what the plan will have there: spills, conversions, the op. Adds the state that results. False if it
/// does not fit: `missing` is then what has to leave at least.
bool Search::tryWithout(const Attempt &attempt, llvm::ArrayRef<Victim> victims, Bytes &missing) {
  Trial trial{attempt,
              victims,
              choices.valuesOf(attempt.op),
              budgetAt(attempt.position),
              always,
              attempt.state.time + attempt.choice.time,
              {},
              {}};
  part(trial);
  if (!spill(trial) || !convert(trial, missing) || !hasRoom(trial, missing))
    return false;
  // Operands live until the op ends and were counted with it; what nobody reads later is no part of the next
  // state.
  Tensors &stay = trial.stay;
  llvm::erase_if(stay, [&](const Tensor &tensor) { return !isReadAfter(tensor.value, attempt.position); });
  for (auto [result, layout] :
       llvm::zip_equal(problem[attempt.op].results, oracle[attempt.choice.config].outputs))
    if (isReadAfter(result, attempt.position))
      stay.push_back({result, layout});
  llvm::sort(stay);
  add({std::move(stay), trial.time, {std::move(trial.spilled), &attempt.choice}, attempt.state.from});
  return true;
}

/// Where all copies of the value leave, the one from which it takes least time to DRAM; nullopt where one of them stays.
std::optional<Tensor> Search::spilledFrom(const Trial &trial, ValueId value) const {
  std::optional<Tensor> best;
  StepCost least;
  for (LayoutId layout : presentIn(trial.attempt.state, value)) {
    if (!trial.isVictim({value, layout}))
      return std::nullopt;
    StepCost cost = oracle.convert(value, layout, inDram(problem, value));
    // One without a way is taken only if there is no other: the spill is refused then.
    if (!best || (cost.legal && (!least.legal || cost.time < least.time))) {
      best = {value, layout};
      least = cost;
    }
  }
  return best;
}

/// What is given up, and not read from on the way, is gone since it was read last; the last copy of a value that is still read is spilled.
void Search::part(Trial &trial) const {
  const State &state = trial.attempt.state;
  auto inputOf = [&](ValueId value) -> const InputChoice * {
    auto found = llvm::find(trial.read, value);
    return found == trial.read.end() ? nullptr
                                     : &trial.attempt.choice.inputs[size_t(found - trial.read.begin())];
  };
  for (const Tensor &tensor : state.tensors) {
    const InputChoice *input = inputOf(tensor.value);
    bool isRead = input && input->source == tensor.layout;
    bool isNeeded = isReadAfter(tensor.value, trial.attempt.position);
    bool isSpilled = false;
    if (!isRead && (trial.isVictim(tensor) || !isNeeded)) {
      // A victim with another copy just goes, and so does one that the op converts anyway: the new copy is the
      // one that later readers find. Only a value that is still read and leaves altogether is spilled, from one of
      // its copies.
      isSpilled = isNeeded && !(input && input->target.valid()) && spilledFrom(trial, tensor.value) == tensor;
      if (!isSpilled)
        continue;
    }
    trial.held += bytes(tensor);
    if (isSpilled)
      trial.spilled.push_back(tensor);
    else
      trial.stay.push_back(tensor);
  }
}

/// Spills stand before the op and its conversions, with all that lives still there. So each must fit by itself, and the L1 of those
/// before it is free for the next.
bool Search::spill(Trial &trial) {
  for (const Tensor &tensor : trial.spilled) {
    LayoutId dram = inDram(problem, tensor.value);
    StepCost cost = oracle.convert(tensor.value, tensor.layout, dram);
    if (!cost.legal || !forms.mayBeCopied(tensor.value) || trial.held + cost.own > trial.budget)
      return false;
    trial.held -= bytes(tensor);
    trial.time += cost.time;
    trial.stay.push_back({tensor.value, dram});
  }
  return true;
}

/// Conversions run one after the other in the order of operands, as the plan writes them; the source of one is still there while it
/// runs, and goes afterwards if nothing reads it later.
bool Search::convert(Trial &trial, Bytes &missing) const {
  for (auto [value, input] : llvm::zip_equal(trial.read, trial.attempt.choice.inputs)) {
    if (!input.target.valid())
      continue;
    if (missing = trial.held + input.own - trial.budget; missing > Bytes(0))
      return false;
    Tensor source{value, input.source}, target{value, input.target};
    trial.held += bytes(target);
    if (!isReadAfter(value, trial.attempt.position) || trial.isVictim(source)) {
      trial.held -= bytes(source);
      llvm::erase(trial.stay, source);
    }
    trial.stay.push_back(target);
  }
  return true;
}

/// Whether the op has room beside what is there when it runs.
bool Search::hasRoom(const Trial &trial, Bytes &missing) const {
  const Choice &choice = trial.attempt.choice;
  missing = Bytes(0);
  // Nobody knows what the op needs, so it may need all: beside it may lie only what the input program has
  // there, too (PlanChecker, plan.unknown_op_pressure).
  if (choice.alone)
    for (const Tensor &tensor : trial.stay)
      if (tensor.layout != problem[tensor.value].declared)
        missing += bytes(tensor);
  missing = std::max(missing, trial.held + choice.own - trial.budget);
  return missing <= Bytes(0);
}

void Search::add(State state) {
  // Equal sets of tensors have equal futures, so only the fastest way to each of them is kept. The first found
  // stays among equals, and states come in a fixed order.
  auto [entry, isNew] = nextOf.try_emplace(state.tensors, next.size());
  if (isNew)
    next.push_back(std::move(state));
  else if (state.time < next[entry->second].time)
    next[entry->second] = std::move(state);
}

/// What the readers of the value after the position lose if it is there in these layouts only.
Nanoseconds Search::penaltyOf(ValueId value, llvm::ArrayRef<LayoutId> present, SchedulePos position) {
  std::pair<ValueId, std::vector<uint32_t>> key{value, {}};
  for (LayoutId layout : present)
    key.second.push_back(uint32_t(layout.index()));
  auto [entry, isNew] = penalties.try_emplace(std::move(key));
  if (!isNew)
    return entry->second;
  Nanoseconds sum;
  auto later = llvm::upper_bound(readers[value.index()], position);
  for (SchedulePos reader : llvm::make_range(later, readers[value.index()].end())) {
    OpId op = schedule[reader.index()];
    sum += choices.penalty(op, placeOf(problem[op], value), present);
  }
  // The function's end is a reader as well: it wants the declared layout (docs/policies, "Rules that hold for
  // all").
  LayoutId declared = problem[value].declared;
  if (problem[value].returned) {
    auto nearest = oracle.nearest(value, present, declared);
    sum += nearest ? nearest->second.time : kEndless;
  }
  return entry->second = sum;
}

Nanoseconds Search::penaltyOf(const State &state, SchedulePos position) {
  Nanoseconds sum;
  for (size_t i = 0; i < state.tensors.size();) {
    Layouts present = presentIn(state, state.tensors[i].value);
    sum += penaltyOf(state.tensors[i].value, present, position);
    i += present.size();
  }
  return sum;
}

/// Drops what others make superfluous, and all but `width` states.
void Search::keepBest(SchedulePos position) {
  for (State &state : next)
    state.penalty = penaltyOf(state, position);
  // By what each state is expected to take, which is what decides who stays. The tensors end all ties.
  llvm::sort(next, [](const State &a, const State &b) {
    return std::tuple(a.time + a.penalty, a.time, a.tensors) <
           std::tuple(b.time + b.penalty, b.time, b.tensors);
  });
  std::vector<State> kept;
  for (State &state : next) {
    // Giving up a tensor costs nothing, so a state with more tensors and no more time can do all that this one
    // can.
    bool superfluous = llvm::any_of(kept, [&](const State &other) {
      return other.time <= state.time && std::includes(other.tensors.begin(), other.tensors.end(),
                                                       state.tensors.begin(), state.tensors.end());
    });
    if (superfluous)
      continue;
    // `bound` must not be above what the dropped state could still reach. Its time is exact, and `rest` is the
    // least that the ops behind it take wherever their operands lie; the penalty is no part of it, as it may
    // count too much.
    if (kept.size() == width) {
      dropped = true;
      bound = std::min(bound, state.time + rest[position.index() + 1]);
      continue;
    }
    // Nodes are made for the states that stay only, so the tree grows with the width and not with the attempts.
    nodes.push_back({state.from, std::move(state.move)});
    state.from = nodes.size() - 1;
    kept.push_back(std::move(state));
  }
  next = std::move(kept);
}

/// What the function returns in another layout is converted at its end.
SearchResult Search::finish() {
  SearchResult result;
  // The states are complete plans but for what is returned elsewhere than it lies: so they are compared only with that.
  result.time = kEndless;
  const State *best = nullptr;
  for (const State &state : states) {
    Nanoseconds time = state.time;
    Bytes held = always;
    for (const Tensor &tensor : state.tensors)
      held += bytes(tensor);
    std::vector<Tensor> returned;
    // A value that is returned twice is converted once, and takes its room once.
    std::map<ValueId, Tensor> done;
    for (ValueId value : problem.returned) {
      if (auto known = done.find(value); known != done.end()) {
        returned.push_back(known->second);
        continue;
      }
      LayoutId declared = problem[value].declared;
      Layouts present = presentIn(state, value);
      if (!problem[value].producer.valid())
        present = {declared};
      std::optional<std::pair<StepCost, LayoutId>> least;
      for (LayoutId layout : present) {
        StepCost cost = oracle.bring(value, layout, declared);
        // Where nothing fits the state cannot be finished, whatever it took so far.
        if (cost.legal && held + cost.own <= problem.l1Budget && (!least || cost.time < least->first.time))
          least.emplace(cost, layout);
      }
      if (!least) {
        time = kEndless;
        break;
      }
      returned.push_back(done[value] = {value, least->second});
      if (least->second != declared) {
        time += least->first.time;
        held += oracle.l1Bytes(declared);
      }
    }
    if (time >= result.time)
      continue;
    result.time = time;
    result.returned = std::move(returned);
    best = &state;
  }
  if (!best)
    return {};
  for (size_t node = best->from; node != 0; node = nodes[node].parent)
    result.moves.push_back(std::move(nodes[node].move));
  std::reverse(result.moves.begin(), result.moves.end());
  // Choices that were left out could have led below any state here. What the ops take at least holds for them
  // as well.
  result.exact = !dropped && choices.complete();
  result.bound = choices.complete() ? std::min(result.time, bound) : std::min(bound, rest.front());
  return result;
}
