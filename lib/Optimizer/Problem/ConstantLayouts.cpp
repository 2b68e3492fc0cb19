//===- ConstantLayouts.cpp - In which layout ops read constants best ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/ConstantLayouts.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "tessera/OpModel/Conversions.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace tessera;

/// What a second copy of a constant in DRAM has to bring: below that the model's times tell no difference.
static constexpr double kWorthwhile = 0.95;

namespace {

class ConstantChooser {
public:
  ConstantChooser(const Problem &problem, const OpCostTable &model)
      : problem(problem), model(model), writtenInPlace(valuesWrittenInPlace(problem)) {}

  std::vector<ConstantInLayout> run() {
    for (size_t i = 0; i < problem.ops.size(); ++i)
      // A conversion of the input is a decision itself, and what is Fixed reads what it is declared to read.
      if (problem.ops[i].role == OpRole::Compute)
        chooseFor(OpId(i));
    return std::move(chosen);
  }

private:
  void chooseFor(OpId id) {
    const Op &op = problem[id];
    OperandLayouts inputs = declaredInputs(problem, id);
    for (auto [index, operand] : llvm::enumerate(op.operands)) {
      LayoutId other = inOtherPages(operand);
      // One operand after the other, each on top of what was chosen for those before: what several constants
      // bring together and none alone is not looked for.
      bool seen = llvm::is_contained(llvm::ArrayRef(op.operands).take_front(index), operand);
      if (!other.valid() || seen || !isFaster(id, inputs, operand, other))
        continue;
      setInput(op, operand, other, inputs);
      add(operand, other, id);
    }
  }

  /// Invalid if there is none, or if it is not to be decided here: others see what is returned or written in place.
  LayoutId inOtherPages(ValueId id) const {
    const Value &value = problem[id];
    const TensorLayout &declared = problem.layout(value.declared);
    if (value.kind != ValueKind::Constant || value.returned || writtenInPlace[id.index()] ||
        isBlockFloat(declared.dtype) || declared.buffer != BufferType::DRAM || declared.isSharded())
      return {};
    // DRAM in the other pages is all that is tried: weights in L1 would hold it through the whole program, and
    // no op shards an interleaved tensor into DRAM (facts/hardware 4.4).
    TensorLayout other = dramInterleaved({value.tensor.shape, declared.dtype}, otherPages(declared.page));
    other.mesh = declared.mesh;
    return checkLayoutFor(other, value.tensor.shape, problem.device).empty() ? problem.layouts->intern(other)
                                                                             : LayoutId();
  }

  bool isFaster(OpId id, llvm::ArrayRef<LayoutId> inputs, ValueId constant, LayoutId other) const {
    const Op &op = problem[id];
    OperandLayouts changed(inputs);
    setInput(op, constant, other, changed);
    // As declared but for the constant, since no policy has decided anything yet.
    StepCost now = stepCost(model, {problem.signature(id), inputs, op.declared});
    StepCost then = stepCost(model, {problem.signature(id), changed, op.declared});
    return then.legal && now.legal && then.time < now.time * kWorthwhile;
  }

  void add(ValueId constant, LayoutId layout, OpId reader) {
    // Readers that want the same copy share it: its price is DRAM, and is paid once.
    auto [entry, isNew] = indexOf.try_emplace({constant, layout}, chosen.size());
    if (isNew)
      chosen.push_back({constant, layout, {}});
    chosen[entry->second].readers.push_back(reader);
  }

  const Problem &problem;
  OpCostTable model;
  std::vector<bool> writtenInPlace; ///< by ValueId
  std::vector<ConstantInLayout> chosen;
  std::map<std::pair<ValueId, LayoutId>, size_t> indexOf;
};

} // namespace

std::vector<ConstantInLayout> tessera::chooseConstantLayouts(const Problem &problem,
                                                             const OpCostTable &model) {
  return ConstantChooser(problem, model).run();
}
