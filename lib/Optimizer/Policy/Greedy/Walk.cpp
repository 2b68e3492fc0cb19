//===- Walk.cpp - One walk over the schedule, repeated under pressure -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Walk.h"

#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::greedy;

Walk::Walk(const Problem &problem, Oracle &oracle, Lookahead &lookahead, const PolicyOptions &options)
    : problem(problem), oracle(oracle), lookahead(lookahead), options(options),
      chooser(problem, oracle, lookahead), copyable(copyableValues(problem)),
      lastHolder(lastReaders(problem)), leavesAt(problem.values.size(), problem.end()),
      chosen(problem.ops.size()) {
  for (const Op &op : problem.ops)
    keepsDeclared.push_back(op.role == OpRole::Fixed);
  findBarriers();
}

std::optional<Plan> Walk::run() {
  for (unsigned number = 1;; ++number) {
    clear();
    Outcome outcome = walk(number);
    if (outcome == Outcome::Stuck)
      return std::nullopt;
    // A walk that marked a value placed its producer without knowing: again, until nothing is new. It ends, since marks
    // only move towards the start.
    if (outcome == Outcome::Placed && !marked)
      return narrowConversions(problem, builder->finish(), oracle.conversions());
  }
}

Walk::Outcome Walk::walk(unsigned number) {
  std::string what = number == 1 ? "placing ops" : "placing ops, walk " + std::to_string(number) + ":";
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    if (Outcome outcome = place(OpId(i)); outcome != Outcome::Placed)
      return outcome;
    reportProgress(options.progress, what, i + 1, problem.ops.size());
  }
  return Outcome::Placed;
}

/// An op of unknown circular buffers: nothing may lie in L1 beside it (PlanChecker,
/// plan.unknown_op_pressure).
bool Walk::isBarrier(OpId op) { return oracle.needs(op, baseInputs(problem, op), oracle.base(op)).alone; }

void Walk::findBarriers() {
  std::vector<SchedulePos> barriers;
  for (size_t i = 0; i < problem.ops.size(); ++i)
    if (keepsDeclared[i] && isBarrier(OpId(i)))
      barriers.push_back(problem.position(OpId(i)));
  for (auto [index, value] : llvm::enumerate(problem.values)) {
    if (!value.producer.valid() || !copyable[index])
      continue;
    // Known before the walk begins, so the producer can choose DRAM at once; spilling at the barrier would come too
    // late for that.
    auto first = llvm::upper_bound(barriers, problem.position(value.producer));
    OpId last = value.uses.empty() ? value.producer : value.uses.back().op;
    if (first != barriers.end() && *first <= problem.position(last))
      leavesAt[index] = std::min(leavesAt[index], *first);
  }
}

void Walk::clear() {
  // All but the marks (leavesAt) and what was chosen in which situation, which is what a walk learns from the one
  // before.
  builder.emplace(problem, "greedy");
  copies.assign(problem.values.size(), {});
  live.clear();
  liveBytes = Bytes(0);
  timeline = {};
  lastBarrier = StepIndex();
  marked = false;
  for (ValueId value : givenValues(problem)) {
    LayoutId layout = problem[value].declared;
    copies[value.index()].push_back({builder->original(value), layout, oracle.l1Bytes(layout), StepIndex()});
    liveBytes += oracle.l1Bytes(layout); // for good: arguments are not spilled
  }
}

// ---- One op ----------------------------------------------------------------------------------------------

/// It ends: a try that asks for another one has let a value leave L1 or has settled for the declared layouts, and
/// either is for good.
Walk::Outcome Walk::place(OpId op) {
  Outcome outcome = Outcome::Again;
  while (outcome == Outcome::Again)
    outcome = tryToPlace(op);
  return outcome;
}

Walk::Outcome Walk::tryToPlace(OpId op) {
  for (ValueId value : problem[op].operands)
    forgetUnusable(value, op);
  Situation situation = describe(op);
  std::optional<Candidate> candidate = choose(situation);
  if (!candidate)
    return giveUp(op);
  if (required(situation, *candidate) > problem.l1Budget)
    if (Outcome outcome = relieve(situation, *candidate); outcome != Outcome::Placed)
      return outcome;
  emit(situation, *candidate);
  return Outcome::Placed;
}

/// Copies that there was no room for are gone for good. (Programs with one value that thousands of ops read would
/// otherwise collect thousands of them.)
void Walk::forgetUnusable(ValueId value, OpId op) {
  llvm::SmallVector<Copy, 2> &list = copies[value.index()];
  // The original stays: it is what a value is read from if nothing else is left.
  size_t kept = 1;
  for (size_t copy = 1; copy < list.size(); ++copy)
    if (isUsable(value, copy, op))
      std::swap(list[kept++], list[copy]);
  list.truncate(std::min(kept, list.size()));
}

Situation Walk::describe(OpId op) const {
  Situation situation;
  situation.op = op;
  // By value, not by operand: an op that reads a value twice reads one tensor.
  for (ValueId value : distinctValues(problem[op])) {
    situation.values.push_back(value);
    situation.pinned.push_back(!copyable[value.index()]);
    std::vector<ReadableCopy> &sources = situation.sources.emplace_back();
    bool last = lastHolder[value.index()] <= problem.position(op);
    for (auto [index, copy] : llvm::enumerate(copies[value.index()]))
      if (isUsable(value, index, op))
        sources.push_back({copy.layout, index, last});
    // Something must be there to choose from; whether it fits is asked of the candidate.
    if (sources.empty())
      sources.push_back({copies[value.index()].front().layout, 0, last});
    // A value that is written in place, or that an override asks for as it is, has one copy that is right.
    if (situation.pinned.back())
      sources.resize(1);
  }
  for (ValueId result : problem[op].results)
    situation.leavesAt.push_back(leavesAt[result.index()]);
  return situation;
}

/// `index` 0 is the original, whose L1 is counted in liveBytes as long as it stays; all others are copies that were
/// made on the way and whose L1 is only reserved once somebody reads them again.
bool Walk::isUsable(ValueId value, size_t index, OpId op) const {
  const Copy &copy = copies[value.index()][index];
  // In DRAM a copy is there for ever, and costs nothing that is counted.
  if (copy.bytes == Bytes(0))
    return true;
  if (index == 0)
    return leavesAt[value.index()] > problem.position(op);
  // An L1 copy made for an earlier op lives on if there was room for it all the time since.
  return copy.lastStep >= lastBarrier &&
         timeline.peak({copy.lastStep + 1, timeline.end()}) + copy.bytes <= problem.l1Budget;
}

std::optional<Candidate> Walk::choose(const Situation &situation) {
  if (keepsDeclared[situation.op.index()])
    return inBaseConfig(situation);
  auto &memo = chosen[situation.op.index()];
  // Most ops of a repeated walk see what they saw before, and what was noted of them stands.
  if (!memo || memo->first != situation) {
    memo.emplace(situation, best(situation));
    if (options.log && options.log->listsCandidates)
      chooser.note(situation, *options.log);
  }
  return memo->second;
}

/// Most ops of a layer see what the same op of the layer before saw.
std::optional<Candidate> Walk::best(const Situation &situation) {
  // When a value leaves L1 is told by its place in the program.
  if (llvm::any_of(situation.leavesAt, [&](SchedulePos at) { return at < problem.end(); }))
    return chooser.best(situation);
  Words words;
  words.add(lookahead.kindOf(situation.op));
  for (auto [sources, pinned] : llvm::zip_equal(situation.sources, situation.pinned)) {
    words.add(bool(pinned), sources.size());
    for (const ReadableCopy &source : sources)
      words.add(source.layout, source.copy, source.dies);
  }
  auto [entry, isNew] = answers.try_emplace(std::move(words));
  if (isNew)
    entry->second = chooser.best(situation);
  return entry->second;
}

std::optional<Candidate> Walk::inBaseConfig(const Situation &situation) {
  // There is one way to run it, so no score is asked: each operand comes from the copy from which that is cheapest.
  Candidate candidate;
  candidate.config = oracle.base(situation.op);
  for (auto [index, value] : llvm::enumerate(situation.values)) {
    LayoutId wanted = baseInput(problem, situation.op, value);
    auto nearest = oracle.nearest(value, situation.layoutsOf(index), wanted);
    if (!nearest)
      return std::nullopt;
    bool isThere = situation.sources[index][nearest->first].layout == wanted;
    candidate.choices.push_back({nearest->first, isThere ? LayoutId() : wanted});
  }
  return candidate;
}

// ---- Writing the plan ------------------------------------------------------------------------------------

/// What the result becomes as soon as it is made; invalid: it stays as it is.
LayoutId Walk::conversionAfter(ValueId result, LayoutId layout) {
  const Value &value = problem[result];
  // At once, so that L1 is not held to the end of the function (docs/policies, "Rules that hold for all").
  if (value.returned && layout != value.home)
    return value.home;
  bool leaves = leavesAt[result.index()] < problem.end() && oracle.l1Bytes(layout) > Bytes(0);
  return leaves && oracle.dram(result) != layout ? oracle.dram(result) : LayoutId();
}

/// The last op that reads the value's original, in `layout`, from L1; its producer if none does.
SchedulePos Walk::lastReaderInL1(ValueId value, LayoutId layout) const {
  const Value &data = problem[value];
  if (data.returned && layout == data.home)
    return problem.end();
  auto end = llvm::partition_point(
      data.uses, [&](const Use &use) { return problem.position(use.op) < leavesAt[value.index()]; });
  return problem.position(end == data.uses.begin() ? data.producer : std::prev(end)->op);
}

void Walk::hold(ValueId value, Bytes bytes, SchedulePos lastReader) {
  liveBytes += bytes;
  // What lasts to the end is returned where it lies: it cannot be spilled.
  if (lastReader < problem.end())
    live.insert({value, bytes, lastReader});
}

void Walk::emit(const Situation &situation, const Candidate &candidate) {
  OpId op = situation.op;
  llvm::SmallVector<Bytes> needs;
  // Before anything is written: the account is of the state in which the candidate was chosen.
  forEachStep(situation, candidate, [&](Bytes held, Bytes own) { needs.push_back(held + own); });

  std::vector<TensorId> tensors;
  for (size_t value = 0; value < situation.values.size(); ++value)
    tensors.push_back(read(situation, candidate, value));
  auto reads = byOperand<TensorId>(problem[op], tensors);
  builder->run(op, {reads.begin(), reads.end()}, oracle[candidate.config]);
  StepIndex step = builder->plan().end() - 1;
  for (size_t value = 0; value < situation.values.size(); ++value)
    for (Copy &copy : copies[situation.values[value].index()])
      if (copy.tensor == tensors[value])
        copy.lastStep = step;
  // Such an op frees its input: what is left of the value is elsewhere.
  if (freesInput(oracle[candidate.config]))
    llvm::erase_if(copies[problem[op].operands.front().index()],
                   [&](const Copy &copy) { return copy.tensor == tensors.front(); });
  // Copies made before a barrier are gone behind it.
  if (keepsDeclared[op.index()] && isBarrier(op))
    lastBarrier = step + 1;

  // `live` is ordered by its last reader, those that are read soonest at the back: what this op read last is all
  // there.
  while (!live.empty() && live.rbegin()->lastReader == problem.position(op)) {
    liveBytes -= live.rbegin()->bytes;
    live.erase(std::prev(live.end()));
  }
  for (auto [result, layout] : llvm::zip_equal(problem[op].results, oracle[candidate.config].outputs))
    registerResult(op, result, layout);
  for (Bytes need : needs)
    timeline.append(need);
}

/// The tensor that the op reads `value` from; makes it if need be.
TensorId Walk::read(const Situation &situation, const Candidate &candidate, size_t value) {
  Copy source = copyOf(situation, candidate, value);
  ValueId id = situation.values[value];
  StepIndex now = builder->plan().end();
  // The copy held L1 since it was last read; that is only known now that somebody reads it again.
  if (sourceOf(situation, candidate, value).copy > 0) {
    timeline.reserve({source.lastStep + 1, timeline.end()}, source.bytes);
    copyOf(situation, candidate, value).lastStep = now;
  }
  LayoutId target = candidate.choices[value].target;
  if (!target.valid())
    return source.tensor;
  TensorId made = builder->convert(source.tensor, target, situation.op);
  copies[id.index()].push_back({made, target, oracle.l1Bytes(target), now});
  return made;
}

void Walk::registerResult(OpId op, ValueId result, LayoutId layout) {
  Bytes bytes = oracle.l1Bytes(layout);
  TensorId tensor = builder->original(result);
  StepIndex step = builder->plan().end() - 1;
  copies[result.index()].push_back({tensor, layout, bytes, step});
  SchedulePos last = lastReaderInL1(result, layout);
  if (bytes > Bytes(0) && last > problem.position(op))
    hold(result, bytes, last);
  LayoutId target = conversionAfter(result, layout);
  if (!target.valid())
    return;
  TensorId made = builder->convert(tensor, target, op);
  copies[result.index()].push_back({made, target, oracle.l1Bytes(target), step + 1});
  if (oracle.l1Bytes(target) > Bytes(0))
    // Brought home for the caller: it stays to the end.
    hold(result, oracle.l1Bytes(target), problem.end());
}
