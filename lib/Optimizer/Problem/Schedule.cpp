//===- Schedule.cpp - Orders in which a problem's ops can run -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// All orders are greedy: next is the least of the ops that are ready, by a key
// that ends with the op's own number. So no tie is left to the set, and an op
// whose key changes is taken out of it before and put back behind: a set of
// changed keys would not find it again. Few keys change per op that is placed.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/Schedule.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace tessera;

static constexpr llvm::StringLiteral kConcat = "ttnn.concat";

// ---- Precedence ------------------------------------------------------------------------------------------

void MemoryHistory::touch(OpId id, bool writes, std::vector<OpId> &before) {
  if (writer.valid())
    before.push_back(writer);
  if (!writes)
    return readers.push_back(id);
  // Who read the old contents has to have done so; whoever comes later reads the new ones and waits for this op. So
  // readers need not be kept.
  llvm::append_range(before, readers);
  *this = {id, {}};
}

namespace {

/// Readers and writers of each memory, where a value and what may be a view of it are one memory.
class MemoryOrder {
public:
  explicit MemoryOrder(const Problem &problem)
      : problem(problem), memory(memories(problem)), histories(problem.values.size()) {}

  /// The earlier ops that `id` must follow. To be asked in program order.
  void visit(OpId id, std::vector<OpId> &before) {
    const Op &op = problem[id];
    for (auto [index, operand] : llvm::enumerate(op.operands))
      histories[memory[operand.index()].index()].touch(id, ends(op, index), before);
  }

private:
  /// Whether the operand is not after the op what it was before.
  static bool ends(const Op &op, size_t operand) {
    return llvm::is_contained(op.writes, unsigned(operand)) || (operand == 0 && freesInput(op.declared));
  }

  const Problem &problem;
  std::vector<ValueId> memory;          ///< by ValueId: memories
  std::vector<MemoryHistory> histories; ///< by ValueId of the first value
};

} // namespace

Precedence::Precedence(const Problem &problem) : before(problem.ops.size()), after(problem.ops.size()) {
  MemoryOrder memories(problem);
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    std::vector<OpId> &earlier = before[i];
    earlier = problem.ops[i].after;
    for (ValueId operand : problem.ops[i].operands)
      if (OpId producer = problem[operand].producer; producer.valid())
        earlier.push_back(producer);
    memories.visit(OpId(i), earlier);
    llvm::sort(earlier);
    earlier.erase(std::unique(earlier.begin(), earlier.end()), earlier.end());
    // An op that reads a value twice, or writes what it reads, would else wait for itself.
    llvm::erase(earlier, OpId(i));
    for (OpId other : earlier)
      after[other.index()].push_back(OpId(i));
  }
}

std::vector<SchedulePos> tessera::positionsIn(llvm::ArrayRef<OpId> schedule) {
  std::vector<SchedulePos> positions(schedule.size());
  for (auto [position, op] : llvm::enumerate(schedule))
    positions[op.index()] = SchedulePos(position);
  return positions;
}

// ---- Orders ----------------------------------------------------------------------------------------------

OpId tessera::soleFirstReader(const Problem &problem, OpId op) {
  if (problem[op].results.size() != 1)
    return {};
  const Value &value = problem[problem[op].results.front()];
  if (value.uses.size() != 1 || value.returned || value.uses.front().operand != 0)
    return {};
  OpId reader = value.uses.front().op;
  // A concat is a chain of its own (facts/ir 3.2).
  return problem[reader].name == kConcat ? OpId() : reader;
}

namespace {

class DepthFirst {
public:
  explicit DepthFirst(const Problem &problem)
      : problem(problem), precedence(problem), waitsFor(precedence.ops()), blocked(precedence.ops(), 0),
        done(precedence.ops(), false) {
    for (size_t i = 0; i < precedence.ops(); ++i)
      waitsFor[i] = precedence.predecessors(OpId(i)).size();
    for (size_t i = 0; i < precedence.ops(); ++i)
      blocked[i] = size_t(llvm::count_if(precedence.followers(OpId(i)),
                                         [&](OpId follower) { return waitsFor[follower.index()] > 1; }));
    for (size_t i = 0; i < precedence.ops(); ++i)
      if (waitsFor[i] == 0)
        ready.insert(keyOf(OpId(i)));
  }

  Schedule run() {
    while (!ready.empty()) {
      OpId op = ready.begin()->second;
      while (op.valid())
        op = place(op);
    }
    return std::move(order);
  }

private:
  using Key = std::pair<unsigned, OpId>; ///< rank, op

  Key keyOf(OpId op) const {
    // The op ends every tie: the order must not depend on the set.
    return {problem[op].role == OpRole::Conversion ? 0u : blocked[op.index()] > 0 ? 1u : 2u, op};
  }

  /// Returns the op that follows depth first; invalid if none does.
  OpId place(OpId op) {
    ready.erase(keyOf(op));
    done[op.index()] = true;
    order.push_back(op);
    for (OpId follower : precedence.followers(op)) {
      size_t left = --waitsFor[follower.index()];
      if (left == 0)
        ready.insert(keyOf(follower));
      else if (left == 1)
        unblock(follower);
    }
    // Straight on to the one op that reads it, whatever else is ready: so chains stay together.
    OpId next = soleFirstReader(problem, op);
    return next.valid() && waitsFor[next.index()] == 0 ? next : OpId();
  }

  /// The op waits for one other only, which would not leave it blocked any more. Once per op.
  void unblock(OpId op) {
    OpId last = *llvm::find_if(precedence.predecessors(op), [&](OpId other) { return !done[other.index()]; });
    // The key changes, so the op is taken out before and put back after; a set does not notice by itself.
    bool wasReady = ready.erase(keyOf(last)) > 0;
    --blocked[last.index()];
    if (wasReady)
      ready.insert(keyOf(last));
  }

  const Problem &problem;
  Precedence precedence;
  std::vector<size_t> waitsFor; ///< by OpId: predecessors that have not run yet
  std::vector<size_t> blocked;  ///< by OpId: followers that wait for others, too
  std::vector<bool> done;       ///< by OpId
  std::set<Key> ready;
  Schedule order;
};

/// Bytes over all cores of what the function makes; what is there anyway counts nothing.
Bytes liveBytes(const Problem &problem, ValueId id) {
  const Value &value = problem[id];
  if (value.kind != ValueKind::Activation)
    return Bytes(0);
  return totalBytes(problem.layout(value.declared), value.tensor.shape);
}

/// From the last op to the first. Seen from behind, an op ends its results and makes its operands live; the ready op
/// that adds the fewest bytes comes next. A value is paid for once, by whichever of its readers comes last in the
/// program that results: its other readers then have it for nothing, and their keys fall.
class LeastMemory {
public:
  explicit LeastMemory(const Problem &problem)
      : problem(problem), precedence(problem), waitsFor(precedence.ops()), adds(precedence.ops()),
        live(problem.values.size(), false), done(precedence.ops(), false) {
    for (size_t i = 0; i < problem.values.size(); ++i)
      bytes.push_back(liveBytes(problem, ValueId(i)));
    for (size_t i = 0; i < precedence.ops(); ++i) {
      // Backwards: an op may be placed when all that follow it are.
      waitsFor[i] = precedence.followers(OpId(i)).size();
      for (ValueId operand : distinctValues(problem.ops[i]))
        adds[i] += bytes[operand.index()];
      for (ValueId result : problem.ops[i].results)
        // Seen from behind an op ends the life of its results and begins that of its operands.
        adds[i] -= bytes[result.index()];
    }
    for (size_t i = 0; i < precedence.ops(); ++i)
      if (waitsFor[i] == 0)
        ready.insert(keyOf(OpId(i)));
    for (ValueId returned : problem.returned)
      makeLive(returned);
  }

  Schedule run() {
    while (!ready.empty())
      // Equal bytes: the latest in program order, which backwards keeps the program's order where nothing is to
      // be gained.
      place(OpId(problem.ops.size() - 1 - ready.begin()->second));
    std::reverse(order.begin(), order.end());
    return std::move(order);
  }

private:
  using Key = std::pair<Bytes, size_t>; ///< bytes that get live before the op, distance from the last op

  Key keyOf(OpId op) const { return {adds[op.index()], problem.ops.size() - 1 - op.index()}; }

  void place(OpId op) {
    ready.erase(keyOf(op));
    done[op.index()] = true;
    order.push_back(op);
    for (ValueId operand : distinctValues(problem[op]))
      makeLive(operand);
    // Behind makeLive, so that ops enter with what they add by now.
    for (OpId other : precedence.predecessors(op))
      if (--waitsFor[other.index()] == 0)
        ready.insert(keyOf(other));
  }

  /// From the value's last reader on; its other readers cost nothing for it. Once per value.
  void makeLive(ValueId value) {
    if (live[value.index()])
      return;
    live[value.index()] = true;
    for (OpId reader : readingOps(problem[value])) {
      if (done[reader.index()])
        continue;
      bool wasReady = ready.erase(keyOf(reader)) > 0;
      adds[reader.index()] -= bytes[value.index()];
      if (wasReady)
        ready.insert(keyOf(reader));
    }
  }

  const Problem &problem;
  Precedence precedence;
  std::vector<size_t> waitsFor; ///< by OpId: followers that are not placed yet
  std::vector<Bytes> adds;      ///< by OpId: operands that are not live yet, less results
  std::vector<bool> live;       ///< by ValueId: read by an op that is placed, or returned
  std::vector<bool> done;       ///< by OpId
  std::vector<Bytes> bytes;     ///< by ValueId
  std::set<Key> ready;
  Schedule order; ///< last op first
};

} // namespace

/// The order that was found stays what it is, but that some ops go to the front, in program order. `first` by OpId.
static Schedule moved(const Schedule &schedule, const std::vector<bool> &first) {
  Schedule front, others;
  for (OpId op : schedule)
    (first[op.index()] ? front : others).push_back(op);
  // In the program's order, whatever order they were found in: it keeps every precedence among them.
  llvm::sort(front);
  llvm::append_range(front, others);
  return front;
}

/// What makes constants from arguments and constants alone goes to the front: the load of one that is not cached yet runs a const-eval
/// function, which needs L1 of its own and would find what this function holds by then (the simulated device refused it).
static Schedule constantsFirst(const Problem &problem, const Schedule &schedule) {
  Precedence precedence(problem);
  std::vector<bool> first(problem.ops.size()); // by OpId
  for (auto [index, op] : llvm::enumerate(problem.ops))
    first[index] = !op.results.empty() && llvm::all_of(op.results, [&](ValueId id) {
      return problem[id].kind == ValueKind::Constant;
    }) && llvm::all_of(precedence.predecessors(OpId(index)), [&](OpId before) {
      return first[before.index()];
    });
  return moved(schedule, first);
}

Schedule tessera::depthFirstOrder(const Problem &problem) {
  return constantsFirst(problem, DepthFirst(problem).run());
}

Schedule tessera::leastMemoryOrder(const Problem &problem) {
  return constantsFirst(problem, LeastMemory(problem).run());
}

Schedule tessera::unknownFirstOrder(const Problem &problem) {
  Precedence precedence(problem);
  std::vector<bool> first(problem.ops.size()); // by OpId
  for (size_t op = problem.ops.size(); op-- > 0;)
    first[op] =
        (problem.ops[op].role == OpRole::Fixed && mayUseCircularBuffers(problem, OpId(op))) ||
        llvm::any_of(precedence.followers(OpId(op)), [&](OpId after) { return first[after.index()]; });
  Schedule order = programOrder(problem);
  // Without such ops it is no order of its own.
  return llvm::is_contained(first, true) ? constantsFirst(problem, moved(order, first)) : order;
}

// ---- A problem in another order --------------------------------------------------------------------------

ScheduledProblem tessera::inOrder(const Problem &problem, const Schedule &schedule) {
  ScheduledProblem made{problem, schedule, {}};
  std::vector<ValueId> values(problem.values.size()); // by ValueId of the original
  std::vector<OpId> ops(problem.ops.size());          // by OpId of the original
  auto number = [&](ValueId id) {
    values[id.index()] = ValueId(made.values.size());
    made.values.push_back(id);
  };
  // Arguments first and results as ops make them, which is how ids are given everywhere: equal orders give equal problems.
  llvm::for_each(givenValues(problem), number);
  for (auto [position, op] : llvm::enumerate(schedule)) {
    ops[op.index()] = OpId(position);
    llvm::for_each(problem[op].results, number);
  }
  auto renumber = [&](std::vector<ValueId> &ids) {
    for (ValueId &id : ids)
      id = values[id.index()];
  };
  for (auto [index, original] : llvm::enumerate(made.values)) {
    Value &value = made.problem.values[index] = problem[original];
    // Entered anew below, in the new order.
    value.uses.clear();
    if (value.producer.valid())
      value.producer = ops[value.producer.index()];
  }
  for (auto [position, original] : llvm::enumerate(schedule)) {
    Op &op = made.problem.ops[position] = problem[original];
    renumber(op.operands);
    renumber(op.results);
    for (OpId &other : op.after)
      other = ops[other.index()];
    llvm::sort(op.after);
    for (auto [index, operand] : llvm::enumerate(op.operands))
      made.problem.values[operand.index()].uses.push_back({OpId(position), unsigned(index)});
  }
  renumber(made.problem.returned);
  return made;
}
