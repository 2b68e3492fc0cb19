//===- BFInterleaved.cpp - The op that adds least to L1 first ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "L1Interleaved.h"
#include "tessera/Optimizer/Problem/Schedule.h"
#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tessera;

namespace {

/// An order and a placement at once, as published (facts/ir 3.6): of all ops that could run next, the one that adds
/// least to L1 does. What it adds is known when it becomes ready, so that the next one is the first of an ordered
/// set.
class BreadthFirst {
public:
  BreadthFirst(const Problem &problem, Oracle &oracle)
      : problem(problem), oracle(oracle), precedence(problem), differences(problem.ops.size()),
        inL1(problem.values.size(), false), used(oracle.heldAlways()) {
    std::vector<bool> writtenInPlace = valuesWrittenInPlace(problem);
    for (auto [index, value] : llvm::enumerate(problem.values)) {
      readersLeft.push_back(readingOps(value).size());
      mayStay.push_back(mayBeInterleaved(problem, oracle, writtenInPlace, ValueId(index)));
    }
  }

  void run() {
    for (size_t op = 0; op < problem.ops.size(); ++op)
      waitsFor.push_back(precedence.predecessors(OpId(op)).size());
    for (size_t op = 0; op < problem.ops.size(); ++op)
      if (waitsFor[op] == 0)
        enter(OpId(op));
    while (!ready.empty()) {
      OpId op = ready.begin()->second;
      // The least first; of equals the first in the program.
      ready.erase(ready.begin());
      schedule(op);
    }
  }

  std::vector<OpId> order;
  const std::vector<bool> &valuesInL1() const { return inL1; }

private:
  void enter(OpId op) {
    // At this moment: what other ops free or keep later changes it in one case only (reenterLastReader).
    differences[op.index()] = difference(op);
    ready.insert({differences[op.index()], op});
  }

  /// The result if it may lie in L1; invalid otherwise, or if there is not just one.
  ValueId result(OpId op) const {
    llvm::ArrayRef<ValueId> results = problem[op].results;
    return results.size() == 1 && mayStay[results.front().index()] ? results.front() : ValueId();
  }

  Bytes bytesOf(ValueId value) const { return oracle.l1Bytes(interleavedLayout(problem, oracle, value)); }

  /// Operands in L1 that no op reads after this one, which has not run yet.
  Bytes freedBy(OpId op) const {
    Bytes freed;
    for (ValueId operand : distinctValues(problem[op]))
      if (inL1[operand.index()] && readersLeft[operand.index()] == 1)
        freed += bytesOf(operand);
    return freed;
  }

  /// Below zero if the op frees more than it makes.
  Bytes difference(OpId op) const {
    ValueId made = result(op);
    // Signed: the published difference wraps around where an op frees more than it makes (facts/ir 3.6).
    return (made.valid() ? bytesOf(made) : Bytes(0)) - freedBy(op);
  }

  void schedule(OpId op) {
    order.push_back(op);
    // With its operands still counted, as they are read while the result is made.
    if (ValueId made = result(op); made.valid() && fits(op)) {
      inL1[made.index()] = true;
      used += bytesOf(made);
    }
    // After the result is counted: operands and result are there at once while the op runs.
    used -= freedBy(op);
    waitsFor[op.index()] = kDone;
    for (ValueId operand : distinctValues(problem[op]))
      if (--readersLeft[operand.index()] == 1 && inL1[operand.index()])
        reenterLastReader(operand);
    for (OpId follower : precedence.followers(op))
      if (--waitsFor[follower.index()] == 0)
        enter(follower);
  }

  /// The one reader that is left would free the value: what it adds has changed. That happens once per value, and
  /// is the only change there is.
  void reenterLastReader(ValueId value) {
    auto left =
        llvm::find_if(problem[value].uses, [&](const Use &use) { return waitsFor[use.op.index()] != kDone; });
    if (ready.erase({differences[left->op.index()], left->op}))
      enter(left->op);
  }

  /// By the rule's own running sum, as published: it chooses, and what it chose is tried on a draft (planInterleaved).
  bool fits(OpId op) {
    StepCost answer = runWith(problem, oracle, op, interleavedConfig(problem, oracle, op),
                              [&](ValueId value) { return bool(inL1[value.index()]); });
    return answer.legal && used + answer.own <= problem.l1Budget;
  }

  static constexpr size_t kDone = ~size_t(0);

  const Problem &problem;
  Oracle &oracle;
  Precedence precedence;
  std::vector<size_t> waitsFor; ///< by OpId: earlier ops that have not run yet; kDone: it has run itself
  std::set<std::pair<Bytes, OpId>> ready; ///< by what they add, then in program order
  std::vector<Bytes> differences;         ///< by OpId: under which it stands in `ready`
  std::vector<size_t> readersLeft;        ///< by ValueId: ops that read it and have not run yet
  std::vector<bool> mayStay;              ///< by ValueId: mayBeInterleaved
  std::vector<bool> inL1;                 ///< by ValueId
  Bytes used;
};

} // namespace

std::optional<Plan> tessera::solveBFInterleaved(const Problem &problem, const OpCostTable &model,
                                                const PolicyOptions &options) {
  Oracle oracle(problem, model);
  BreadthFirst search(problem, oracle);
  search.run();
  return planInterleaved(problem, oracle, std::move(search.order), search.valuesInL1(), "bf-interleaved",
                         options);
}
