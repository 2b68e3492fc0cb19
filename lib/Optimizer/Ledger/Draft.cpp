//===- Draft.cpp - A plan in the making, changed decision by decision ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Decisions and checks. Lifetimes are in DraftTensors.cpp, what happens at one
// position in DraftGroup.cpp.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/Draft.h"

#include "tessera/Optimizer/Problem/Schedule.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

llvm::StringRef tessera::name(Outcome outcome) {
  static constexpr llvm::StringLiteral kNames[] = {"applied", "refused", "no room", "slower", "declined"};
  return kNames[size_t(outcome)];
}

/// Times are sums in changing order: differences below a picosecond are rounding.
static constexpr Nanoseconds kRounding(1e-3);
/// What an illegal op needs of L1: more than there is.
static constexpr Bytes kEndless(int64_t(1) << 59);

/// By ValueId: some reader may hand on its memory as the reader's own result.
static std::vector<bool> viewedValues(const Problem &problem) {
  std::vector<bool> viewed;
  for (const Value &value : problem.values)
    viewed.push_back(
        llvm::any_of(value.uses, [&](const Use &use) { return mayBeView(problem, problem[use.op]); }));
  return viewed;
}

/// By OpId: it reads a value by two operands, which must agree on the layout.
static std::vector<bool> opsReadingTwice(const Problem &problem) {
  std::vector<bool> twice;
  for (const Op &op : problem.ops)
    twice.push_back(distinctValues(op).size() < op.operands.size());
  return twice;
}

Draft::Draft(const Problem &problem, Oracle &oracle, std::vector<OpId> schedule)
    : problem(problem), oracle(oracle), order(std::move(schedule)), positions(positionsIn(order)),
      copies(problem.values.size()), writtenInPlace(valuesWrittenInPlace(problem)),
      copyable(copyableValues(problem)), lastHolders(lastReaders(problem, order)),
      viewed(viewedValues(problem)), readsTwice(opsReadingTwice(problem)), readers(problem.values.size()),
      tensors(problem.values.size()), reshards(problem.values.size()), timeline(end(), oracle.heldAlways()),
      needs(problem.ops.size()), dirty(problem.ops.size(), false) {
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    configs.push_back(oracle.base(OpId(i)));
    reads.emplace_back();
    for (auto [operand, value] : llvm::enumerate(problem.ops[i].operands)) {
      reads.back().push_back(baseRead(OpId(i), operand));
      // Arguments and constants are held throughout (heldAlways), so who reads them changes no lifetime.
      if (problem[value].producer.valid())
        readers[value.index()][size_t(reads.back().back().source)].insert(positions[i]);
    }
  }
  // Tensors before needs: what an op's position costs depends on which copies of its results exist.
  for (size_t i = 0; i < problem.values.size(); ++i)
    refresh(ValueId(i));
  // What is not at home where the function returns it is brought there at its end, whatever is decided.
  for (auto [index, value] : llvm::enumerate(problem.values))
    if (value.returned && value.home != value.declared)
      total += oracle.convert(ValueId(index), value.home, value.declared).time;
  for (size_t i = 0; i < problem.ops.size(); ++i)
    markDirty(OpId(i));
  settle();
}

// ---- Decisions -------------------------------------------------------------------------------------------

void Draft::setConfig(OpId op, ConfigId config) {
  if (configs[op.index()] == config)
    return;
  if (recording)
    journal.push_back({Change::Kind::Config, uint32_t(op.index()), 0, configs[op.index()], {}, {}});
  configs[op.index()] = config;
  markDirty(op);
  // Results come out in another layout: their readers may need a conversion that they did not need, or the reverse.
  for (ValueId result : problem[op].results) {
    markReaders(result);
    refresh(result);
  }
}

void Draft::setRead(OpId op, size_t operand, Read read) {
  // Lifetimes are kept as sets of reading positions, so that moving one reader costs a logarithm, not a walk over all.
  Read &known = reads[op.index()][operand];
  if (known == read)
    return;
  if (recording)
    journal.push_back({Change::Kind::Read, uint32_t(op.index()), uint32_t(operand), {}, known, {}});
  ValueId value = problem[op].operands[operand];
  countRead(value, known, position(op), false);
  countRead(value, read, position(op), true);
  known = read;
  markDirty(op);
  refresh(value);
}

void Draft::setInterleavedCopy(ValueId value, LayoutId layout) {
  if (copies[value.index()] == layout)
    return;
  if (recording)
    journal.push_back({Change::Kind::Copy, uint32_t(value.index()), 0, {}, {}, copies[value.index()]});
  copies[value.index()] = layout;
  // All readers, not those alone that asked for the copy: without one they read the original instead (canonical).
  markReaders(value);
  refresh(value);
}

Read Draft::baseRead(OpId op, size_t operand) const {
  // Home is never named as a reshard, so that reads that mean the same compare equal.
  LayoutId wanted = baseInput(problem, op, operand);
  return {Source::Home, wanted == home(problem[op].operands[operand]) ? LayoutId() : wanted};
}

void Draft::setBase(OpId op) {
  setConfig(op, oracle.base(op));
  for (size_t operand = 0; operand < problem[op].operands.size(); ++operand)
    setRead(op, operand, baseRead(op, operand));
}

bool Draft::mayReadElsewhere(OpId op, size_t operand) const {
  return problem[op].role != OpRole::Fixed && !writtenInPlace[problem[op].operands[operand].index()];
}

bool Draft::isReadFromHome(ValueId value) const {
  return llvm::any_of(problem[value].uses,
                      [&](const Use &use) { return read(use.op, use.operand).source == Source::Home; });
}

Outcome Draft::attempt(llvm::function_ref<void()> change, bool mayCost, llvm::function_ref<bool()> accept) {
  Nanoseconds before = time();
  Outcome outcome = Outcome::Applied;
  tryOut(change, [&] {
    outcome = checkTouched();
    // Legal first: the time of an illegal plan means nothing.
    if (outcome == Outcome::Applied && !mayCost && time() > before + kRounding)
      outcome = Outcome::Slower;
    if (outcome == Outcome::Applied && !accept())
      outcome = Outcome::Declined;
    return outcome == Outcome::Applied;
  });
  return outcome;
}

bool Draft::tryOut(llvm::function_ref<void()> change, llvm::function_ref<bool()> accept) {
  // Changes made before this one are priced now, so that the ops priced while recording are those of this change alone.
  settle();
  recording = true;
  change();
  bool accepted = accept();
  // Before it is taken back: that goes through the same setters, which must not write to the journal that is being
  // walked.
  recording = false;
  if (!accepted)
    rollBack();
  journal.clear();
  touchedOps.clear();
  touchedPositions.clear();
  return accepted;
}

/// Costs as much as the changes did, and not as much as a copy of the draft.
void Draft::rollBack() {
  // In reverse: a thing that was set twice ends as it was.
  for (const Change &change : llvm::reverse(journal))
    if (change.kind == Change::Kind::Config)
      setConfig(OpId(change.index), change.config);
    else if (change.kind == Change::Kind::Read)
      setRead(OpId(change.index), change.operand, change.read);
    else
      setInterleavedCopy(ValueId(change.index), change.copy);
}

// ---- Checks ----------------------------------------------------------------------------------------------

/// Priced when somebody asks: several changes at one op are one question.
void Draft::markDirty(OpId op) {
  if (dirty[op.index()])
    return;
  dirty[op.index()] = true;
  dirtyOps.push_back(op);
}

void Draft::markReaders(ValueId value) {
  for (const Use &use : problem[value].uses)
    markDirty(use.op);
}

void Draft::markReaders(const ReshardReaders &reshard) {
  for (const auto &positions : reshard.bySource)
    for (SchedulePos position : positions)
      markDirty(order[position.index()]);
}

void Draft::markLastReader(const Tensor &tensor) {
  if (tensor.exists && tensor.last < end())
    markDirty(order[tensor.last.index()]);
}

void Draft::settle() {
  for (OpId op : dirtyOps) {
    Need &need = needs[op.index()];
    // Only what changed is priced again: a draft of thousands of ops is asked for its time after every change.
    total -= need.time;
    need = evaluate(op);
    total += need.time;
    dirty[op.index()] = false;
    timeline.setNeed(position(op), {need.legal ? need.peak : kEndless, need.alone});
  }
  if (recording)
    llvm::append_range(touchedOps, dirtyOps);
  dirtyOps.clear();
}

Nanoseconds Draft::time() {
  settle();
  return total;
}

Outcome Draft::check(ScheduleInterval interval, Bytes reserve) {
  settle();
  SchedulePos conflict = timeline.firstConflict(interval, problem.l1Budget - reserve);
  if (conflict == end())
    return Outcome::Applied;
  // An illegal op stands in the timeline with an endless need, so the first conflict finds both kinds.
  return needs[order[conflict.index()].index()].legal ? Outcome::OutOfMemory : Outcome::Refused;
}

SchedulePos Draft::firstConflict(ScheduleInterval interval) {
  settle();
  return timeline.firstConflict(interval, problem.l1Budget);
}

bool Draft::touchedOpsAreLegal() {
  settle();
  return llvm::all_of(touchedOps, [&](OpId op) { return needs[op.index()].legal; });
}

Bytes Draft::excessAt(SchedulePos position) {
  settle();
  return needs[order[position.index()].index()].legal ? timeline.excessAt(position, problem.l1Budget)
                                                      : kEndless;
}

/// Bytes that the allocator cannot use at a position, since they lie in holes: the draft then counts with less.
void Draft::takeRoom(SchedulePos position, Bytes bytes) {
  settle();
  Bytes needed = timeline.demandAt(position) - timeline.activeAt(position);
  // More would make the op itself illegal, which no repair could mend.
  Bytes most = std::max(Bytes(0), problem.l1Budget - std::max(Bytes(0), needed));
  // As declared: a hole is nothing that the plan put there, so it does not count as company of an op of unknown needs.
  timeline.add({{position, position + 1}, std::min(bytes, most), /*declared=*/true});
}

Outcome Draft::checkTouched() {
  settle();
  for (OpId op : touchedOps)
    if (Outcome outcome = check({position(op), position(op) + 1}); outcome != Outcome::Applied)
      return outcome;
  // Ops that were not touched may fail, too: a tensor that lives longer takes room from all in between.
  for (ScheduleInterval interval : touchedPositions)
    if (Outcome outcome = check(interval); outcome != Outcome::Applied)
      return outcome;
  return Outcome::Applied;
}
