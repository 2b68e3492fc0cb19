//===- Repair.cpp - What does not fit leaves L1 ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/Repair.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace tessera;

/// Victims that are read farthest ahead, and as many of the largest others, are looked at.
static constexpr size_t kMaxVictims = 8;
/// With more edits than these, the order of victims is the specification's: the others look at more of them.
static constexpr size_t kMaxEdits = 256;
/// Positions ahead whose excess counts.
static constexpr unsigned kAhead = 32;

Repair::Repair(Draft &draft, Alternatives alternatives, VictimOrder order)
    : draft(draft), problem(draft.problem), alternatives(std::move(alternatives)), order(order),
      lastUse(lastUses(problem, draft.schedule())) {
  for (ValueId value : givenValues(problem))
    open.insert(value);
}

bool Repair::run() {
  // In schedule order, and no edit may make an earlier position exceed L1 (consider): so each is repaired once,
  // and the walk ends.
  for (SchedulePos at; (at = draft.firstConflict({at, draft.end()})) < draft.end();) {
    openUntil(at);
    while (draft.excessAt(at) > Bytes(0))
      if (!relieve(at) && !forceHome(at))
        return false;
  }
  return true;
}

void Repair::openUntil(SchedulePos position) {
  for (; opened < position; ++opened)
    for (ValueId result : problem[draft.schedule()[opened.index()]].results)
      open.insert(result);
  // Values that hold nothing here or later are never looked at again, which keeps long programs linear.
  std::erase_if(open, [&](ValueId value) {
    return llvm::none_of(draft.heldTensors(value),
                         [&](const Draft::Held &held) { return held.reservation.positions.end > position; });
  });
}

bool Repair::isBetter(const Edit &a, const Edit &b) const {
  auto rank = [this](const Edit &edit) {
    // Rounded, as times are sums in changing order; finely, as much may be freed by little time.
    constexpr double kPerMiB = 1 << 20;
    int64_t price = std::llround(edit.time.value() / double(edit.freed.value()) * kPerMiB);
    int64_t far = -int64_t(edit.lastReader.index());
    bool byUse = order == VictimOrder::FarthestLastUse;
    return std::tuple(byUse ? far : price, byUse ? price : far, -edit.freed.value());
  };
  return rank(a) < rank(b);
}

/// What is exceeded at the position and at the next ones that exceed L1.
Bytes Repair::excessFrom(SchedulePos position) const {
  constexpr Bytes kMost(int64_t(1) << 40); // an op that is not legal exceeds all, but the sum must not
  // What frees a long stretch at once is to be preferred to what frees this position alone, and leaves the next ones to
  // more edits.
  Bytes sum = std::min(kMost, draft.excessAt(position));
  for (unsigned i = 0; i < kAhead && order == VictimOrder::CheapestAhead; ++i) {
    position = draft.firstConflict({position + 1, draft.end()});
    if (position == draft.end())
      break;
    sum += std::min(kMost, draft.excessAt(position));
  }
  return sum;
}

bool Repair::relieve(SchedulePos position) {
  best.reset();
  timeBefore = draft.time();
  excess = draft.excessAt(position);
  excessAhead = excessFrom(position);
  collect(position);
  if (!best)
    return false;
  // Nothing to check: consider() has made it on this same draft.
  draft.tryOut(best->change, [] { return true; });
  ++made;
  return true;
}

void Repair::collect(SchedulePos position) {
  // The op's own results count as read last here, so by farthest last use they leave L1 after all else.
  collectAlternatives(position, draft.schedule()[position.index()], position);
  std::vector<SpillCandidate> victims = victimsAt(position);
  llvm::sort(victims, FarthestLastUseFirst());
  // Half of those that are tried are the farthest, half the largest of the rest: one large tensor may free what
  // many far ones do not.
  size_t farthest = std::min(victims.size(), kMaxVictims);
  std::sort(victims.begin() + ptrdiff_t(farthest), victims.end(),
            [](const SpillCandidate &a, const SpillCandidate &b) {
              return std::tuple(b.bytes, a.value) < std::tuple(a.bytes, b.value);
            });
  for (const SpillCandidate &victim : llvm::ArrayRef(victims).take_front(2 * kMaxVictims)) {
    collectVictim(position, victim);
    if (order == VictimOrder::FarthestLastUse && best && best->lastReader > position)
      break; // all others are read earlier
  }
}

std::vector<SpillCandidate> Repair::victimsAt(SchedulePos position) const {
  std::vector<SpillCandidate> victims;
  for (ValueId value : open) {
    SpillCandidate victim{value, Bytes(0), SchedulePos()};
    for (const Draft::Held &held : draft.heldTensors(value)) {
      ScheduleInterval lives = held.reservation.positions;
      // What is at home in L1 stays there in the base plan as well: there is no other place to read it from.
      bool stays = held.source == Source::Home && !held.reshard.valid();
      if (stays || !lives.contains(position))
        continue;
      victim.bytes += held.reservation.size;
      victim.lastReader = std::max(victim.lastReader, lives.end - 1);
    }
    if (victim.bytes > Bytes(0))
      victims.push_back(victim);
  }
  return victims;
}

void Repair::collectVictim(SchedulePos position, const SpillCandidate &victim) {
  // Both are measured: a reload costs a conversion and L1 at the reader, a read from DRAM costs time in it.
  for (bool reload : {true, false})
    consider(position, victim.lastReader,
             [this, position, value = victim.value, reload] { leaveFrom(position, value, reload); });
  if (OpId producer = problem[victim.value].producer; producer.valid())
    collectAlternatives(position, producer, victim.lastReader);
}

/// Readers behind the position take the value from home; those at the position too if nothing lives beyond it.
void Repair::leaveFrom(SchedulePos position, ValueId value, bool reload) {
  bool beyond = lastUse[value.index()] > position;
  for (const Use &use : problem[value].uses) {
    SchedulePos reader = draft.position(use.op);
    if (reader < position || (reader == position && beyond))
      continue;
    Read now = draft.read(use.op, use.operand);
    LayoutId layout = layoutRead(draft, use.op, value);
    // A shared reshard from home does not go on: it may be what lies in L1 across the position.
    if (now.source == Source::Home && !now.shared)
      continue;
    setReads(draft, use.op, value,
             {Source::Home, reload && layout != draft.home(value) ? layout : LayoutId()});
  }
}

void Repair::collectAlternatives(SchedulePos position, OpId op, SchedulePos lastReader) {
  if (problem[op].role == OpRole::Fixed)
    return;
  for (const Decision &decision : alternatives(draft, op))
    // Readers may be refused the new layout, or pay more for the way back to the old one: both are measured.
    for (Readers readers : {Readers::Follow, Readers::Stay})
      consider(position, lastReader, [this, op, decision, readers] { take(draft, op, decision, readers); });
}

void Repair::consider(SchedulePos position, SchedulePos lastReader, std::function<void()> change) {
  Edit edit{std::move(change), Nanoseconds(0), Bytes(0), lastReader};
  draft.tryOut(edit.change, [&] {
    if (!draft.touchedOpsAreLegal() || draft.firstConflict({SchedulePos(), position}) < position)
      return false;
    edit.time = draft.time() - timeBefore;
    if (draft.excessAt(position) < excess)
      // At least a byte, as the edit helps here even if it makes later positions worse by more.
      edit.freed = std::max(Bytes(1), excessAhead - excessFrom(position));
    return false;
  });
  if (edit.freed > Bytes(0) && (!best || isBetter(edit, *best)))
    best = std::move(edit);
}

/// The last way out: the op and all that live across it as in the base plan.
bool Repair::forceHome(SchedulePos position) {
  OpId op = draft.schedule()[position.index()];
  Bytes before = draft.excessAt(position);
  auto change = [&] {
    for (ValueId value : open)
      for (const Use &use : problem[value].uses)
        draft.setBase(use.op);
    // Makers and readers together: the base plan is known to fit, a mixture of it and the plan is not.
    for (ValueId value : open)
      if (problem[value].producer.valid())
        draft.setBase(problem[value].producer);
    draft.setBase(op);
  };
  return draft.tryOut(change, [&] {
    return draft.excessAt(position) < before && draft.firstConflict({SchedulePos(), position}) >= position;
  });
}

RepairedDraft tessera::repairedBy(llvm::ArrayRef<VictimOrder> orders, const Draft &filled,
                                  const Alternatives &alternatives) {
  RepairedDraft best;
  for (VictimOrder order : orders) {
    Draft draft = filled;
    Repair repair(draft, alternatives, order);
    // Of equal times the earlier order stays, so that orders tried behind it change nothing for nothing.
    if (!repair.run() || (best.draft && draft.time() >= best.draft->time()))
      continue;
    best.draft.emplace(std::move(draft));
    best.edits = repair.edits();
    // Without edits all orders give the same draft. With very many the other orders would take too long
    // (docs/policies, "Residency").
    if (best.edits == 0 || best.edits > kMaxEdits)
      break;
  }
  return best;
}
