//===- ConstantLayouts.cpp - In which layout ops read constants best ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/ConstantLayouts.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "tessera/OpModel/Conversions.h"

#include <map>

using namespace tessera;

/// What a second copy of a constant in DRAM has to bring: below that the model's times tell no difference.
static constexpr double kWorthwhile = 0.95;

/// Invalid if there is none, or if it is not to be decided here: others see what is returned.
static LayoutId inOtherPages(const Problem &problem, const Value &value) {
  const TensorLayout &declared = problem.layout(value.declared);
  if (value.kind != ValueKind::Constant || value.returned || isBlockFloat(declared.dtype) ||
      declared.buffer != BufferType::DRAM || declared.isSharded())
    return {};
  // DRAM in the other pages is all that is tried: weights in L1 would hold it through the whole program, and
  // no op shards an interleaved tensor into DRAM (facts/hardware 4.4).
  TensorLayout other = dramInterleaved({value.tensor.shape, declared.dtype}, otherPages(declared.page));
  other.mesh = declared.mesh;
  return checkLayoutFor(other, value.tensor.shape, problem.device).empty() ? problem.layouts->intern(other)
                                                                           : LayoutId();
}

static bool isFaster(const Problem &problem, const OpCostTable &model, OpId id,
                     llvm::ArrayRef<LayoutId> inputs, llvm::ArrayRef<LayoutId> changed) {
  // As declared but for the constant, since no policy has decided anything yet.
  StepCost now = stepCost(model, {problem.signature(id), inputs, problem[id].declared});
  StepCost then = stepCost(model, {problem.signature(id), changed, problem[id].declared});
  return then.legal && now.legal && then.time < now.time * kWorthwhile;
}

std::vector<ConstantInLayout> tessera::chooseConstantLayouts(const Problem &problem,
                                                             const OpCostTable &model) {
  std::vector<bool> writtenInPlace = valuesWrittenInPlace(problem);
  std::vector<ConstantInLayout> chosen;
  std::map<std::pair<ValueId, LayoutId>, size_t> indexOf; // in `chosen`
  for (OpId id : programOrder(problem)) {
    const Op &op = problem[id];
    // A conversion of the input is a decision itself, and what is Fixed reads what it is declared to read.
    if (op.role != OpRole::Compute)
      continue;
    OperandLayouts inputs = declaredInputs(problem, id);
    // One operand after the other, each on top of what was chosen for those before: what several constants
    // bring together and none alone is not looked for.
    for (ValueId operand : distinctValues(op)) {
      // Others see what is written in place.
      LayoutId other = writtenInPlace[operand.index()] ? LayoutId() : inOtherPages(problem, problem[operand]);
      OperandLayouts changed = inputs;
      setInput(op, operand, other, changed);
      if (!other.valid() || !isFaster(problem, model, id, inputs, changed))
        continue;
      inputs = std::move(changed);
      // Readers that want the same copy share it: its price is DRAM, and is paid once.
      auto [entry, isNew] = indexOf.try_emplace({operand, other}, chosen.size());
      if (isNew)
        chosen.push_back({operand, other, {}});
      chosen[entry->second].readers.push_back(id);
    }
  }
  return chosen;
}
