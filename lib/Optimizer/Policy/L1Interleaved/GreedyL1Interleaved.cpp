//===- GreedyL1Interleaved.cpp - The most bytes in L1, op by op ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. for each op in program order: chooseL1Usage over its operands
//   2. the schedule: from each returned value down its operands, in the order
//      that was chosen; what nothing returns follows in program order
//   3. planInterleaved on what the readers chose to keep
//
//===----------------------------------------------------------------------===//
#include "L1Interleaved.h"
#include "L1Usage.h"
#include "tessera/Optimizer/Problem/Schedule.h"
#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {

class GreedyL1 {
public:
  GreedyL1(const Problem &problem, Oracle &oracle)
      : problem(problem), oracle(oracle), precedence(problem), writtenInPlace(valuesWrittenInPlace(problem)),
        required(problem.ops.size()), order(problem.ops.size()), kept(problem.values.size(), false) {}

  void chooseAll() {
    for (size_t i = 0; i < problem.ops.size(); ++i)
      choose(OpId(i));
  }

  const std::vector<bool> &keptValues() const { return kept; }

  std::vector<OpId> schedule() {
    std::vector<OpId> result;
    std::vector<bool> entered(problem.ops.size(), false);
    // What is returned and all that it needs, in the order that was chosen. What nothing returned needs, such as the filling of a
    // cache, was in nobody's account and comes where the program has it.
    for (ValueId value : problem.returned)
      if (problem[value].producer.valid())
        visit(problem[value].producer, entered, result);
    for (size_t i = 0; i < problem.ops.size(); ++i)
      visit(OpId(i), entered, result);
    return result;
  }

private:
  /// Only results with one reader qualify: their lifetime ends with it.
  bool qualifies(ValueId value) const {
    return problem[value].uses.size() == 1 && mayBeInterleaved(problem, oracle, writtenInPlace, value);
  }

  Bytes interleavedBytes(ValueId value) const {
    return oracle.l1Bytes(interleavedLayout(problem, oracle, value));
  }

  void choose(OpId id) {
    const Op &op = problem[id];
    auto values = distinctValues(op);
    // Arguments lie where the program put them, in whatever order the others are computed.
    llvm::erase_if(values, [&](ValueId value) { return !problem[value].producer.valid(); });
    llvm::SmallVector<OperandL1, 4> operands;
    for (ValueId value : values)
      operands.push_back(
          {qualifies(value) ? interleavedBytes(value) : Bytes(0), required[problem[value].producer.index()]});
    bool resultQualifies = op.results.size() == 1 && qualifies(op.results.front());
    L1Choice choice = chooseL1Usage(
        operands, resultQualifies ? interleavedBytes(op.results.front()) : Bytes(0), problem.l1Budget,
        [&](uint32_t subset, bool keepsResult) { return ownPeak(id, values, subset, keepsResult); });
    // Known for all operands already, as ops come in program order.
    required[id.index()] = choice.required;
    for (unsigned index : choice.precedence) {
      order[id.index()].push_back(problem[values[index]].producer);
      if (index < 32 && choice.kept >> index & 1)
        kept[values[index].index()] = true;
    }
  }

  std::optional<Bytes> ownPeak(OpId op, llvm::ArrayRef<ValueId> values, uint32_t subset, bool keepsResult) {
    ConfigId config = keepsResult ? interleavedConfig(problem, oracle, op) : oracle.base(op);
    StepCost answer = runWith(problem, oracle, op, config, [&](ValueId value) {
      size_t index = size_t(llvm::find(values, value) - values.begin());
      return index < std::min<size_t>(values.size(), 32) && (subset >> index & 1);
    });
    // Of an op that the model does not know nothing is asked, as long as nothing is to lie in L1 beside it.
    bool unknown = problem[op].role == OpRole::Fixed && subset == 0 && !keepsResult;
    return answer.legal || unknown ? std::optional(answer.own) : std::nullopt;
  }

  /// Everything the op needs, in the chosen order, then the op. Its own stack: programs can be deep.
  void visit(OpId root, std::vector<bool> &entered, std::vector<OpId> &result) {
    std::vector<std::pair<OpId, size_t>> stack;
    auto enter = [&](OpId op) {
      if (entered[op.index()])
        return;
      entered[op.index()] = true;
      stack.push_back({op, 0});
    };
    enter(root);
    while (!stack.empty()) {
      auto &[op, next] = stack.back();
      llvm::ArrayRef<OpId> operands = order[op.index()], before = precedence.predecessors(op);
      if (next < operands.size()) {
        enter(operands[next++]);
      } else if (next < operands.size() + before.size()) {
        // Memory effects are no operands, so nobody has chosen an order for them; they only have to come first.
        enter(before[next++ - operands.size()]);
      } else {
        result.push_back(op);
        stack.pop_back();
      }
    }
  }

  const Problem &problem;
  Oracle &oracle;
  Precedence precedence;
  std::vector<bool> writtenInPlace;
  std::vector<Bytes> required;          ///< by OpId: peak of computing it and all that only it reads
  std::vector<std::vector<OpId>> order; ///< by OpId: the ops of its operands, as they are to be computed
  std::vector<bool> kept;               ///< by ValueId: its reader is to find it in L1
};

} // namespace

std::optional<Plan> tessera::solveGreedyL1Interleaved(const Problem &problem, const OpCostTable &model,
                                                      const PolicyOptions &options) {
  Oracle oracle(problem, model);
  GreedyL1 greedy(problem, oracle);
  greedy.chooseAll();
  return planInterleaved(problem, oracle, greedy.schedule(), greedy.keptValues(), "greedy-l1-interleaved",
                         options);
}
