//===- Draft.cpp - A plan in the making, changed decision by decision ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Decisions, lifetimes and checks. What happens at one position is in
// DraftGroup.cpp.
//
//===----------------------------------------------------------------------===//
#include "Draft.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

/// Times are sums in changing order: differences below a picosecond are rounding.
static constexpr double kRounding = 1e-3;

static Bytes heldAlways(const Problem &problem, Oracle &oracle) {
  Bytes sum;
  for (const Value &value : problem.values)
    if (!value.producer.valid())
      sum += oracle.l1Bytes(value.declared);
  return sum;
}

Draft::Draft(const Problem &problem, Oracle &oracle, std::vector<OpId> schedule)
    : problem(problem), oracle(oracle), order(std::move(schedule)), positions(problem.ops.size()),
      copies(problem.values.size()), writtenInPlace(valuesWrittenInPlace(problem)),
      tensors(problem.values.size()), timeline(order.size(), heldAlways(problem, oracle)),
      needs(problem.ops.size()), dirty(problem.ops.size(), false) {
  for (auto [position, op] : llvm::enumerate(order))
    positions[op.index()] = position;
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    configs.push_back(oracle.base(OpId(i)));
    reads.emplace_back();
    for (size_t operand = 0; operand < problem.ops[i].operands.size(); ++operand)
      reads.back().push_back(baseRead(OpId(i), operand));
  }
  for (size_t i = 0; i < problem.values.size(); ++i)
    refresh(ValueId(i));
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
  for (ValueId result : problem[op].results)
    refresh(result);
}

void Draft::setRead(OpId op, size_t operand, Read read) {
  Read &known = reads[op.index()][operand];
  if (known == read)
    return;
  if (recording)
    journal.push_back({Change::Kind::Read, uint32_t(op.index()), uint32_t(operand), {}, known, {}});
  known = read;
  markDirty(op);
  refresh(problem[op].operands[operand]);
}

void Draft::setInterleavedCopy(ValueId value, LayoutId layout) {
  if (copies[value.index()] == layout)
    return;
  if (recording)
    journal.push_back({Change::Kind::Copy, uint32_t(value.index()), 0, {}, {}, copies[value.index()]});
  copies[value.index()] = layout;
  refresh(value);
}

Read Draft::baseRead(OpId op, size_t operand) const {
  LayoutId wanted = baseInput(problem, op, operand);
  return {Source::Home, wanted == home(problem[op].operands[operand]) ? LayoutId() : wanted};
}

bool Draft::mayReadElsewhere(OpId op, size_t operand) const {
  return problem[op].role != OpRole::Fixed && !writtenInPlace[problem[op].operands[operand].index()];
}

Outcome Draft::attempt(llvm::function_ref<void()> change, bool mayCost, llvm::function_ref<bool()> accept) {
  double before = time();
  recording = true;
  change();
  Outcome outcome = checkTouched();
  if (outcome == Outcome::Applied && !mayCost && time() > before + kRounding)
    outcome = Outcome::Slower;
  if (outcome == Outcome::Applied && !accept())
    outcome = Outcome::OutOfMemory;
  recording = false;
  if (outcome != Outcome::Applied)
    rollBack();
  journal.clear();
  touchedOps.clear();
  touchedPositions.clear();
  return outcome;
}

void Draft::rollBack() {
  for (const Change &change : llvm::reverse(journal)) {
    switch (change.kind) {
    case Change::Kind::Config:
      setConfig(OpId(change.index), change.config);
      break;
    case Change::Kind::Read:
      setRead(OpId(change.index), change.operand, change.read);
      break;
    case Change::Kind::Copy:
      setInterleavedCopy(ValueId(change.index), change.copy);
      break;
    }
  }
}

// ---- Tensors and their lifetimes -------------------------------------------------------------------------

LayoutId Draft::made(ValueId id) const {
  const Value &value = problem[id];
  return value.producer.valid() ? oracle[configs[value.producer.index()]].outputs[value.resultIndex]
                                : value.declared;
}

/// The tensor that is really read: where two have the same layout, there is only one.
Source Draft::canonical(ValueId value, Source source) const {
  if (!problem[value].producer.valid())
    return Source::Home;
  if (source == Source::Home)
    return made(value) == home(value) ? Source::Original : Source::Home;
  LayoutId copy = copies[value.index()];
  return source == Source::Interleaved && copy.valid() && copy != made(value) ? Source::Interleaved
                                                                              : Source::Original;
}

LayoutId Draft::layoutOf(ValueId value, Source source) const {
  switch (source) {
  case Source::Home:
    return home(value);
  case Source::Original:
    return made(value);
  case Source::Interleaved:
    return copies[value.index()];
  }
  return home(value);
}

bool Draft::dies(ValueId value, Source source, size_t position) const {
  const Tensor &tensor = tensors[value.index()][size_t(source)];
  return tensor.exists && tensor.last == position;
}

void Draft::refresh(ValueId id) {
  const Value &value = problem[id];
  if (!value.producer.valid())
    return; // arguments are held throughout
  size_t born = position(value.producer);
  std::array<Tensor, 3> now;
  now[size_t(Source::Original)].exists = true;
  for (Tensor &tensor : now)
    tensor.last = born;
  auto readBy = [&](Source source, size_t position) {
    Tensor &tensor = now[size_t(canonical(id, source))];
    tensor.exists = true;
    tensor.last = std::max(tensor.last, position);
  };
  for (const Use &use : value.uses)
    readBy(read(use.op, use.operand).source, position(use.op));
  if (value.returned)
    readBy(Source::Home, order.size());

  std::array<Tensor, 3> &known = tensors[id.index()];
  for (Source source : {Source::Home, Source::Original, Source::Interleaved}) {
    Tensor &tensor = now[size_t(source)];
    reserve(known[size_t(source)], false);
    if (!tensor.exists)
      continue;
    tensor.reservation = {{born + 1, std::min(tensor.last + 1, order.size())},
                          oracle.l1Bytes(layoutOf(id, source)),
                          layoutOf(id, source) == value.declared};
    reserve(tensor, true);
  }
  known = now;
  markDirty(value.producer);
  for (const Use &use : value.uses)
    markDirty(use.op);
}

void Draft::reserve(Tensor &tensor, bool add) {
  const L1Reservation &reservation = tensor.reservation;
  if (reservation.positions.empty() || reservation.size == Bytes(0))
    return;
  add ? timeline.add(reservation) : timeline.remove(reservation);
  if (add && recording)
    touchedPositions.push_back(reservation.positions);
}

// ---- Checks ----------------------------------------------------------------------------------------------

void Draft::markDirty(OpId op) {
  if (dirty[op.index()])
    return;
  dirty[op.index()] = true;
  dirtyOps.push_back(op);
}

void Draft::settle() {
  for (OpId op : dirtyOps) {
    Need &need = needs[op.index()];
    total -= need.time;
    need = evaluate(op);
    total += need.time;
    dirty[op.index()] = false;
  }
  if (recording)
    llvm::append_range(touchedOps, dirtyOps);
  dirtyOps.clear();
}

double Draft::time() {
  settle();
  return total;
}

Outcome Draft::checkAt(size_t position, Bytes reserve) {
  OpId op = order[position];
  const Need &need = needs[op.index()];
  if (!need.legal)
    return Outcome::Refused;
  // PlanChecker's rule for such an op: it may need all of L1, so nothing lies there that the program has
  // elsewhere.
  if (need.unknown && mayUseCircularBuffers(problem, op) && timeline.undeclaredAt(position) > Bytes(0))
    return Outcome::OutOfMemory;
  if (!need.measured)
    return Outcome::Applied;
  bool fits = timeline.activeAt(position) + need.peak + reserve <= problem.l1Budget;
  return fits ? Outcome::Applied : Outcome::OutOfMemory;
}

Outcome Draft::check(Interval interval, Bytes reserve) {
  settle();
  for (size_t position = interval.begin; position < std::min(interval.end, order.size()); ++position)
    if (Outcome outcome = checkAt(position, reserve); outcome != Outcome::Applied)
      return outcome;
  return Outcome::Applied;
}

Outcome Draft::checkTouched() {
  settle();
  for (OpId op : touchedOps)
    if (Outcome outcome = checkAt(position(op), Bytes(0)); outcome != Outcome::Applied)
      return outcome;
  for (Interval interval : touchedPositions)
    if (Outcome outcome = check(interval); outcome != Outcome::Applied)
      return outcome;
  return Outcome::Applied;
}
