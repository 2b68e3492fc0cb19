//===- InsertConversion.cpp - insert-memreconfig --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// 1  The layouts that the operand could be converted to, in the pages that it has.
// 2  For each the fastest of the op's configurations, with the conversion in front and
//    those of its results home: what the readers behind it want is not decided yet.
// 3  Of those that are as wanted the fastest, written into the IR.
//
//===----------------------------------------------------------------------===//
#include "OverrideSteps.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/OpModel/Conversions.h"

using namespace mlir;
using namespace tessera;

namespace {

/// A search over two choices: the layout that the operand is converted to, and the configuration of the op behind it.
/// The first is what the override is about; the second is tried for each, since how fast the op is depends on what it
/// reads.
class Insertion {
public:
  Insertion(const BuiltProblem &built, OpId id, unsigned operand, const WantedResults &results,
            const OpCostTable &model, const AnalysisOptions &options)
      : built(built), problem(built.problem), id(id), operand(operand),
        valueId(problem[id].operands[operand]), model(model), conversions(model), configs(problem[id].legal) {
    if (problem[id].results.empty() || problem[id].role == OpRole::Fixed)
      return;
    // The first result that anything is wanted of: its layouts are tried, and the others follow from the
    // configurations.
    auto [number, words] = results.empty() ? WantedResults::value_type() : *results.begin();
    const tessera::Value &result = problem[problem[id].results[number]];
    std::vector<LayoutId> layouts =
        candidateLayouts(problem, result, words, words.page.value_or(problem.layout(result.declared).page));
    // All that there are, and not the few that a search tries: what the override asks for may need one of the others.
    llvm::append_range(configs, legalConfigsIn(problem, id, number, layouts,
                                               std::numeric_limits<int64_t>::max(), model, options));
    // The override has the last word on the op's results; a conversion that it cannot follow is of no use.
    llvm::erase_if(configs,
                   [&](const OpConfig &config) { return !areWanted(problem, results, config.outputs); });
  }

  FailureOr<Operation *> insert(const LayoutWords &wanted) {
    std::vector<LayoutId> legal;
    std::optional<LayoutId> best;
    Nanoseconds bestTime;
    for (LayoutId layout : targets(wanted)) {
      std::optional<Nanoseconds> time = timeWith(layout);
      if (!time)
        continue;
      legal.push_back(layout);
      // Of several that the user leaves open, the fastest.
      if (isWanted(wanted, problem.layout(layout)) && (!best || *time < bestTime)) {
        best = layout;
        bestTime = *time;
      }
    }
    if (best)
      return write(*best);
    return ir()->emitError() << "insert-memreconfig: '" << problem[id].location << "' cannot read operand "
                             << operand << " from such a conversion; legal: " << listLayouts(problem, legal);
  }

private:
  Operation *ir() const { return built.binding.ops[id.index()]; }
  const tessera::Value &value() const { return problem[valueId]; }

  /// A `to_memory_config` keeps the page layout. None for an op that keeps its layouts, and for a value that an op
  /// writes in place: a copy would miss the write.
  std::vector<LayoutId> targets(const LayoutWords &wanted) const {
    const TensorLayout &declared = problem.layout(value().declared);
    if (problem[id].role == OpRole::Fixed || valuesWrittenInPlace(problem)[valueId.index()] ||
        !declared.onDevice())
      return {};
    std::vector<LayoutId> all = candidateLayouts(problem, value(), wanted, declared.page);
    llvm::erase(all, value().declared);
    // A conversion of the program makes its result of what this one makes, and changes one thing (facts/dialect 4): behind another place a
    // to_layout would have to move its tensor as well.
    if (problem[id].role == OpRole::Conversion)
      llvm::erase_if(all, [&](LayoutId layout) {
        return !narrowConversion(problem.layout(layout),
                                 problem.layout(problem[id].declared.outputs.front()));
      });
    return all;
  }

  /// Nanoseconds of the conversion, the op, and a conversion of its results home; nullopt if none of the op's
  /// configurations makes all of them legal.
  std::optional<Nanoseconds> timeWith(LayoutId layout) {
    StepCost conversion = conversions.find(value().tensor, value().declared, layout).cost;
    OpSignature signature = problem.signature(id);
    // After the conversion the operand is a tensor of its own, even where the op reads the value twice.
    signature.operands[operand].sameAs = operand;
    SmallVector<LayoutId> inputs;
    // All other operands as declared: a conversion is put in for one operand, and the others have overrides of their
    // own.
    for (ValueId other : problem[id].operands)
      inputs.push_back(problem[other].declared);
    inputs[operand] = layout;
    std::optional<Nanoseconds> best;
    for (const OpConfig &config : configs) {
      OpQuery query{signature, inputs, config};
      std::optional<Nanoseconds> home = timeHome(config);
      if (!conversion.legal || !home || !model.query(query).ok())
        continue;
      // The way home counts too: a layout that makes the op fast is no use if its result has to come back expensively.
      Nanoseconds time = conversion.time + model.runtime(query).total + *home;
      best = best ? std::min(*best, time) : time;
    }
    return best;
  }

  std::optional<Nanoseconds> timeHome(const OpConfig &config) {
    Nanoseconds time;
    for (auto [result, layout] : llvm::zip_equal(problem[id].results, config.outputs)) {
      // Where the backend chooses, nobody knows the way home.
      if (!layout.valid())
        return std::nullopt;
      if (layout == problem[result].declared)
        continue;
      const StepCost &conversion =
          conversions.find(problem[result].tensor, layout, problem[result].declared).cost;
      if (!conversion.legal)
        return std::nullopt;
      time += conversion.time;
    }
    return time;
  }

  Operation *write(LayoutId layout) {
    OpBuilder builder(ir());
    // The op alone gets the converted tensor: other readers have not been asked about.
    unsigned number = built.binding.operandNumbers[id.index()][operand];
    mlir::Value source = ir()->getOperand(number);
    auto type = cast<RankedTensorType>(source.getType());
    auto target = type.cloneWithEncoding(ttnn::toAttr(type.getContext(), problem.layout(layout)));
    auto name = NameLoc::get(builder.getStringAttr(problem[id].location + kReshardSuffix), ir()->getLoc());
    auto conversion = ttnn::ToMemoryConfigOp::create(builder, name, target, source);
    ir()->setOperand(number, conversion.getResult());
    return conversion;
  }

  const BuiltProblem &built;
  const Problem &problem;
  OpId id;
  unsigned operand;
  ValueId valueId;
  const OpCostTable &model;
  Conversions conversions;
  std::vector<OpConfig> configs; ///< of the op, however many a search would try
};

} // namespace

FailureOr<Operation *> tessera::insertConversion(const BuiltProblem &built, OpId id, unsigned operand,
                                                 const LayoutWords &wanted, const WantedResults &results,
                                                 const OpCostTable &model, const AnalysisOptions &options) {
  const tessera::Op &op = built.problem[id];
  if (operand >= op.operands.size())
    return built.binding.ops[id.index()]->emitError()
           << "insert-memreconfig: '" << op.location << "' has " << op.operands.size()
           << " tensor operands; there is no operand " << operand;
  return Insertion(built, id, operand, results, model, options).insert(wanted);
}
