//===- WalkPressure.cpp - What an op needs, and who makes room for it -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::greedy;

const ReadableCopy &Walk::sourceOf(const Situation &situation, const Candidate &candidate,
                                   size_t value) const {
  return situation.sources[value][candidate.choices[value].source];
}

Walk::Copy &Walk::copyOf(const Situation &situation, const Candidate &candidate, size_t value) {
  return copies[situation.values[value].index()][sourceOf(situation, candidate, value).copy];
}

/// The tensors that hold L1 up to `op` and no longer: no live one ends earlier, so they are the last.
template <class Visit>
void Walk::forEachDying(OpId op, Visit visit) const {
  for (auto tensor = live.rbegin(); tensor != live.rend() && tensor->lastReader == problem.position(op);
       ++tensor)
    visit(*tensor);
}

bool Walk::diesWith(ValueId value, OpId op) const {
  bool found = false;
  forEachDying(op, [&](const SpillCandidate &tensor) { found |= tensor.value == value; });
  return found;
}

/// Calls visit(resident, own) for each step that the candidate takes, in order: L1 that other tensors hold,
/// and what the step needs beside them. The sum is what PlanChecker finds at that step.
void Walk::forEachStep(const Situation &situation, const Candidate &candidate, StepVisitor visit) {
  OpId op = situation.op;
  Bytes held = liveBytes, dying;
  forEachDying(op, [&](const SpillCandidate &tensor) { dying += tensor.bytes; });
  for (size_t value = 0; value < situation.values.size(); ++value)
    // Later copies of a value are no part of liveBytes: they hold L1 only if a later op reads them, which this
    // one is about to.
    if (sourceOf(situation, candidate, value).copy > 0)
      held += copyOf(situation, candidate, value).bytes;

  llvm::SmallVector<LayoutId, 4> layouts; // that the op reads, by position in values
  for (auto [index, value] : llvm::enumerate(situation.values)) {
    const Copy &source = copyOf(situation, candidate, index);
    LayoutId target = candidate.choices[index].target;
    layouts.push_back(target.valid() ? target : source.layout);
    if (!target.valid())
      continue;
    visit(held, oracle.convert(value, source.layout, target).own);
    held += oracle.l1Bytes(target);
    if (sourceOf(situation, candidate, index).copy > 0 || diesWith(value, op))
      held -= source.bytes;
  }
  visit(held, oracle.run(op, byOperand<LayoutId>(problem[op], layouts), candidate.config).own);

  // Behind the op its dying operands are gone and its results are there, with which what follows it has to fit.
  held = liveBytes - dying;
  const OpConfig &config = oracle[candidate.config];
  for (LayoutId output : config.outputs)
    held += oracle.l1Bytes(output);
  for (auto [result, output] : llvm::zip_equal(problem[op].results, config.outputs))
    if (LayoutId target = conversionAfter(result, output); target.valid()) {
      visit(held, oracle.convert(result, output, target).own);
      held += oracle.l1Bytes(target);
    }
}

Bytes Walk::required(const Situation &situation, const Candidate &candidate) {
  Bytes peak;
  forEachStep(situation, candidate, [&](Bytes held, Bytes own) { peak = std::max(peak, held + own); });
  // Copies that are kept for this op held L1 in between as well; each alone was found to fit.
  Bytes kept;
  StepIndex since = timeline.end();
  for (size_t value = 0; value < situation.values.size(); ++value) {
    const Copy &copy = copyOf(situation, candidate, value);
    if (sourceOf(situation, candidate, value).copy == 0 || copy.bytes == Bytes(0))
      continue;
    kept += copy.bytes;
    since = std::min(since, copy.lastStep + 1);
  }
  return kept == Bytes(0) ? peak : std::max(peak, timeline.peak({since, timeline.end()}) + kept);
}

Walk::Outcome Walk::relieve(const Situation &situation, Candidate &candidate) {
  if (evict(situation.op, required(situation, candidate) - problem.l1Budget, /*includeOperands=*/false))
    return Outcome::Again;
  if (!keepsDeclared[situation.op.index()])
    // Nothing can make room for the best candidate, so a worse one that fits comes before operands that would
    // have to leave.
    for (Candidate &other : chooser.all(situation))
      if (required(situation, other) <= problem.l1Budget) {
        candidate = std::move(other);
        return Outcome::Placed;
      }
  // Not even in DRAM: the operands themselves are in the way.
  return evict(situation.op, Bytes(1), /*includeOperands=*/true) ? Outcome::Again : giveUp(situation.op);
}

/// The op has to run as the input program has it. That is for good, so it is not decided on a state that the next walk
/// may improve.
Walk::Outcome Walk::giveUp(OpId op) {
  if (marked)
    return Outcome::Repeat;
  if (keepsDeclared[op.index()])
    return Outcome::Stuck;
  keepsDeclared[op.index()] = true;
  if (!isBarrier(op))
    return Outcome::Again;
  // What lives across it has to leave L1 before it, which its producers, long placed, have to know: so the walk
  // begins again.
  findBarriers();
  return Outcome::Repeat;
}

/// Makes values leave L1 before `op` until `excess` bytes are free, the longest remaining lifetime first.
/// False, and nothing is spilled, if that is impossible.
bool Walk::evict(OpId op, Bytes excess, bool includeOperands) {
  std::vector<SpillCandidate> victims;
  Bytes missing = excess;
  for (const SpillCandidate &tensor : live) {
    // The farthest last reader comes first, so from here on all are operands of this op.
    if (missing <= Bytes(0) || (tensor.lastReader == problem.position(op) && !includeOperands))
      break;
    if (!copyable[tensor.value.index()])
      continue;
    victims.push_back(tensor);
    missing -= tensor.bytes;
  }
  if (missing > Bytes(0))
    return false;
  markVictims(victims, op, excess);
  return true;
}

/// Small values that had to go before a large one was reached may stay after all if the rest frees enough.
void Walk::markVictims(llvm::ArrayRef<SpillCandidate> victims, OpId op, Bytes excess) {
  Bytes freed;
  for (const SpillCandidate &victim : victims)
    freed += victim.bytes;
  for (const SpillCandidate &victim : victims)
    if (freed - victim.bytes >= excess) {
      freed -= victim.bytes;
    } else {
      leavesAt[victim.value.index()] = problem.position(op);
      if (options.log)
        options.log->evictions.push_back({victim.value, op, victim.bytes, excess});
      leave(victim);
    }
}

/// Goes on as if the value's producer had known: it made the copy to leave for, and nothing held L1 after the last
/// step that read the original.
void Walk::leave(const SpillCandidate &victim) {
  marked = true;
  liveBytes -= victim.bytes;
  // Equal entries are equal in all that counts, so any one of them may go.
  auto [begin, end] = live.equal_range(victim);
  live.erase(begin);
  llvm::SmallVector<Copy, 2> &list = copies[victim.value.index()];
  Copy original = list.front();
  timeline.reserve({original.lastStep + 1, timeline.end()}, victim.bytes * -1);
  LayoutId target = conversionAfter(victim.value, original.layout);
  if (target.valid() && llvm::none_of(list, [&](const Copy &copy) { return copy.layout == target; }))
    list.push_back({original.tensor, target, oracle.l1Bytes(target), original.lastStep});
}
