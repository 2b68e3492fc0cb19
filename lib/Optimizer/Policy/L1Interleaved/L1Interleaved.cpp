//===- L1Interleaved.cpp - What both policies share ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "L1Interleaved.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "tessera/Optimizer/Ledger/DirectReads.h"
#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

bool tessera::mayBeInterleaved(const Problem &problem, const Oracle &oracle,
                               const std::vector<bool> &writtenInPlace, ValueId id) {
  const Value &value = problem[id];
  // Arguments stay where they are, what is returned leaves in its declared layout, what nobody reads has no life to
  // hold, and what is written in place has one place.
  if (!value.producer.valid() || value.uses.empty() || value.returned || writtenInPlace[id.index()])
    return false;
  const Op &producer = problem[value.producer];
  bool decided = producer.role == OpRole::Compute && producer.results.size() == 1;
  // One reader that keeps its layouts would need a copy elsewhere, and these policies make none.
  auto isFixed = [&](const Use &use) { return problem[use.op].role == OpRole::Fixed; };
  return decided && llvm::none_of(value.uses, isFixed) &&
         interleavedConfig(problem, oracle, value.producer).valid();
}

LayoutId tessera::interleavedLayout(const Problem &problem, const Oracle &oracle, ValueId value) {
  return oracle[interleavedConfig(problem, oracle, problem[value].producer)].outputs.front();
}

/// In L1 read interleaved, all else as in the base plan.
StepCost tessera::runWith(const Problem &problem, Oracle &oracle, OpId op, ConfigId config,
                          llvm::function_ref<bool(ValueId)> inL1) {
  OperandLayouts inputs = baseInputs(problem, op);
  for (auto [operand, input] : llvm::zip_equal(problem[op].operands, inputs))
    if (inL1(operand))
      input = interleavedLayout(problem, oracle, operand);
  // Who reads an operand last is not known before there is an order, so nothing is freed.
  return oracle.run(op, inputs, oracle.keepingInput(config));
}

/// The draft takes it only if it is legal, fits beside all that lives, and makes the program no slower; else all is
/// as before.
static Outcome keepInL1(Draft &draft, ValueId id) {
  const Value &value = draft.problem[id];
  return draft.attempt([&] {
    draft.setConfig(value.producer, interleavedConfig(draft.problem, draft.oracle, value.producer));
    // All readers, or the value would lie at home as well.
    for (const Use &use : value.uses)
      draft.setRead(use.op, use.operand, {Source::Original, LayoutId()});
  });
}

/// What the rule `wanted` is tried value by value, in the order of the schedule: early ones win where two do not
/// fit together.
std::optional<Plan> tessera::planInterleaved(const Problem &problem, Oracle &oracle,
                                             std::vector<OpId> schedule, const std::vector<bool> &wanted,
                                             llvm::StringRef policy, const PolicyOptions &options) {
  Draft draft(problem, oracle, std::move(schedule));
  if (draft.checkAll() != Outcome::Applied)
    return std::nullopt; // the program holds L1 itself, and this order holds it for too long
  for (auto [position, op] : llvm::enumerate(draft.schedule())) {
    for (ValueId result : problem[op].results)
      if (Outcome outcome = wanted[result.index()] ? keepInL1(draft, result) : Outcome::Applied;
          outcome != Outcome::Applied && options.log)
        options.log->reasons[result] = name(outcome).str();
    reportProgress(options.progress, "placing ops", position + 1, problem.ops.size());
  }
  readDirectly(draft);
  return draft.write(policy);
}
