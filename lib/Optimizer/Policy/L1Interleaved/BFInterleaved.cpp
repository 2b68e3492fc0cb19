//===- BFInterleaved.cpp - The op that adds least to L1 first ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../DFSharding/ResultConfigs.h"
#include "L1Interleaved.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

namespace {

class BreadthFirst {
public:
  BreadthFirst(const Problem &problem, Oracle &oracle)
      : problem(problem), oracle(oracle), writtenInPlace(valuesWrittenInPlace(problem)),
        waitsFor(problem.ops.size(), 0), followers(problem.ops.size()), inL1(problem.values.size(), false) {
    for (const Value &value : problem.values) {
      unread.push_back(value.uses.size());
      if (!value.producer.valid())
        used += oracle.l1Bytes(value.declared);
    }
  }

  void run() {
    countDependencies();
    while (!ready.empty()) {
      auto next = std::min_element(ready.begin(), ready.end(), [&](OpId a, OpId b) {
        return std::pair(difference(a), a) < std::pair(difference(b), b);
      });
      OpId op = *next;
      ready.erase(next);
      schedule(op);
    }
  }

  std::vector<OpId> order;
  const std::vector<bool> &valuesInL1() const { return inL1; }

private:
  void countDependencies() {
    for (size_t index = 0; index < problem.ops.size(); ++index) {
      std::vector<OpId> earlier = dependenciesOf(problem, OpId(index));
      waitsFor[index] = earlier.size();
      for (OpId other : earlier)
        followers[other.index()].push_back(OpId(index));
      if (earlier.empty())
        ready.push_back(OpId(index));
    }
  }

  bool mayStay(OpId op) const {
    return problem[op].results.size() == 1 &&
           mayBeInterleaved(problem, oracle, writtenInPlace, problem[op].results.front());
  }

  Bytes bytesOf(ValueId value) const {
    return oracle.l1Bytes(
        oracle[interleavedConfig(problem, oracle, problem[value].producer)].outputs.front());
  }

  /// Operands in L1 that nobody reads after the op.
  Bytes freedBy(OpId op) const {
    Bytes freed;
    llvm::SmallVector<ValueId, 4> seen;
    for (ValueId operand : problem[op].operands) {
      if (llvm::is_contained(seen, operand) || !inL1[operand.index()])
        continue;
      seen.push_back(operand);
      if (unread[operand.index()] == size_t(llvm::count(problem[op].operands, operand)))
        freed += bytesOf(operand);
    }
    return freed;
  }

  /// Below zero if the op frees more than it makes.
  Bytes difference(OpId op) const {
    return (mayStay(op) ? bytesOf(problem[op].results.front()) : Bytes(0)) - freedBy(op);
  }

  void schedule(OpId op) {
    order.push_back(op);
    if (mayStay(op) && fits(op)) {
      inL1[problem[op].results.front().index()] = true;
      used += bytesOf(problem[op].results.front());
    }
    used -= freedBy(op);
    for (ValueId operand : problem[op].operands)
      --unread[operand.index()];
    for (OpId follower : followers[op.index()])
      if (--waitsFor[follower.index()] == 0)
        ready.push_back(follower);
  }

  bool fits(OpId op) {
    llvm::SmallVector<LayoutId, 8> inputs;
    for (auto [position, operand] : llvm::enumerate(problem[op].operands))
      inputs.push_back(
          inL1[operand.index()]
              ? oracle[interleavedConfig(problem, oracle, problem[operand].producer)].outputs.front()
              : baseInput(problem, op, position));
    Answer answer = oracle.run(op, inputs, oracle.keepingInput(interleavedConfig(problem, oracle, op)));
    return answer.legal && used + answer.own <= problem.l1Budget;
  }

  const Problem &problem;
  Oracle &oracle;
  std::vector<bool> writtenInPlace;
  std::vector<size_t> waitsFor; ///< by OpId: earlier ops that have not run yet
  std::vector<std::vector<OpId>> followers;
  std::vector<OpId> ready;
  std::vector<size_t> unread; ///< by ValueId: readings to come
  std::vector<bool> inL1;     ///< by ValueId
  Bytes used;
};

} // namespace

Plan tessera::solveBFInterleaved(const Problem &problem, const OpModel &model, const PolicyOptions &options) {
  Oracle oracle(problem, model);
  BreadthFirst search(problem, oracle);
  search.run();
  return planInterleaved(problem, model, oracle, std::move(search.order), search.valuesInL1(),
                         "bf-interleaved", options);
}
