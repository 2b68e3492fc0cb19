//===- ApplyOverrides.cpp - Overrides, one kind after the other -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. in the IR, for they are part of the program: conv2d configs, data types,
//      and the conversions of insert-memreconfig
//   2. in the problem that is built from it: what layouts are left to each op
//
//===----------------------------------------------------------------------===//
#include "OverrideSteps.h"

#include "../ConfigAttributes.h"
#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/Optimizer/Problem/Base.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;

namespace {

/// `key = value` as `#ttnn.conv2d_config` spells it.
std::string fieldText(StringRef key, StringRef value) {
  if (key == "activation")
    return ("activation = <op_type = " + value + ">").str();
  return (key + " = " + value).str();
}

bool hasCoreGrid(Operation *conv2d) {
  auto config = conv2d->getAttrOfType<ttnn::Conv2dConfigAttr>("conv2d_config");
  return config && config.getCoreGrid();
}

LogicalResult overrideConv2d(Operation *op, const Conv2dOverride &conv) {
  if (!isa<ttnn::Conv2dOp, ttnn::ConvTranspose2dOp>(op))
    return op->emitError() << "override-conv2d-config: '" << conv.op << "' is a " << op->getName()
                           << ", not a conv2d";
  for (const auto &[key, value] : conv.fields)
    // The kernel would take the cores from a grid that is not there.
    if (key == "override_sharding_config" && value == "true" && !hasCoreGrid(op))
      return op->emitError() << "override-conv2d-config: override_sharding_config of '" << conv.op
                             << "' means a core_grid of the op's own, and the op has none; legal: false";
  SmallVector<std::string> fields;
  // Merged as text: the attribute has many keys of several kinds, of which an override may name most. The parser then
  // checks each value as it would check it in a file.
  std::string present;
  if (auto config = op->getAttrOfType<ttnn::Conv2dConfigAttr>("conv2d_config")) {
    llvm::raw_string_ostream os(present);
    Attribute(config).print(os);
  }
  forEachField(present, [&](StringRef key, StringRef value) {
    if (llvm::none_of(conv.fields, [&](const auto &field) { return field.first == key; }))
      fields.push_back((key + " = " + value).str());
  });
  for (const auto &[key, value] : conv.fields)
    // Without the key the op applies none.
    if (!(key == "activation" && value == "none"))
      fields.push_back(fieldText(key, value));
  std::string text = "#ttnn.conv2d_config<" + llvm::join(fields, ", ") + ">";
  Attribute attribute;
  {
    // The parser's message would be about a text that the user never wrote; the error below names the op and the
    // values.
    ScopedDiagnosticHandler silence(op->getContext(), [](Diagnostic &) { return success(); });
    attribute = parseAttribute(text, op->getContext());
  }
  if (!attribute)
    return op->emitError() << "override-conv2d-config: the values for '" << conv.op
                           << "' do not form a config: " << text;
  op->setAttr("conv2d_config", attribute);
  return success();
}

class Applier {
public:
  Applier(BuiltProblem &built, const OpCostTable &model, SignaturePool &signatures,
          const AnalysisOptions &options, OverrideTargets &targets)
      : built(built), model(model), signatures(signatures), options(options), targets(targets) {}

  /// In this order: a convolution's config decides which layouts its result may have, a data type what readers accept,
  /// and a conversion is chosen for the types as they are by then. What is left to each op is asked for last, in the
  /// problem that all of that has made.
  LogicalResult run(const Overrides &overrides) {
    if (failed(configureConvs(overrides.conv2d)) || failed(changeDataTypes(overrides.outputLayouts)) ||
        failed(insertConversions(overrides)))
      return mlir::failure();
    for (Operation *conversion : inserted)
      built.problem.ops[opOf(conversion).index()].mustConvert = true;
    // What nobody may convert is known only now.
    if (!inserted.empty())
      BaseSearch(built.problem, model).settleAll();
    return restrictOps(overrides);
  }

private:
  /// The ops of this function that an override names: one of the input, or conversions that overrides put in.
  SmallVector<Operation *> named(const std::string &name) {
    // Targets are of all functions of the module; this one's ops alone are changed here.
    if (const OverrideTarget *target = targets.of(name))
      return llvm::is_contained(built.binding.ops, target->op) ? SmallVector<Operation *>{target->op}
                                                               : SmallVector<Operation *>{};
    SmallVector<Operation *> ops;
    for (Operation *op : inserted)
      if (built.problem[opOf(op)].location == name)
        ops.push_back(op);
    return ops;
  }

  /// Calls `action(op, override)` for each op that an override of the list names.
  template <class Override>
  LogicalResult forEachNamed(const std::vector<Override> &list,
                             llvm::function_ref<LogicalResult(OpId, const Override &)> action) {
    for (const Override &entry : list)
      for (Operation *op : named(entry.op)) // the action may add ops
        if (failed(action(opOf(op), entry)))
          return mlir::failure();
    return success();
  }

  void rebuild() { built = rebuiltProblem(built.binding.function, model, signatures, options); }

  OpId opOf(Operation *op) const {
    return OpId(llvm::find(built.binding.ops, op) - built.binding.ops.begin());
  }

  LogicalResult configureConvs(const std::vector<Conv2dOverride> &list) {
    LogicalResult done = forEachNamed<Conv2dOverride>(list, [&](OpId id, const Conv2dOverride &conv) {
      return overrideConv2d(built.binding.ops[id.index()], conv);
    });
    // Once for all of them: configs of convolutions say nothing of each other.
    if (!list.empty())
      rebuild();
    return done;
  }

  /// What a reader of one op accepts depends on the data types of the others, so each is seen by the next.
  LogicalResult changeDataTypes(const std::vector<OutputLayoutOverride> &list) {
    return forEachNamed<OutputLayoutOverride>(
        list, [&](OpId id, const OutputLayoutOverride &wanted) -> LogicalResult {
          bool changed = false;
          if (!wanted.layout.dtype)
            return success();
          if (failed(overrideDataType(built, id, *wanted.layout.dtype, model, changed)))
            return mlir::failure();
          if (changed)
            rebuild();
          return success();
        });
  }

  /// What one operand may be converted to depends on where the others lie, so each conversion is seen by the next.
  LogicalResult insertConversions(const Overrides &overrides) {
    return forEachNamed<ReshardOverride>(
        overrides.reshards, [&](OpId id, const ReshardOverride &reshard) -> LogicalResult {
          Operation *op = built.binding.ops[id.index()];
          // Noted, or an override of the conversion's own layout would be told that no op has the name.
          std::string name = built.problem[id].location + kReshardSuffix.str();
          targets.add(name);
          LayoutWords wanted = wantedOf(overrides.outputLayouts, name);
          FailureOr<WantedResults> results = wantedResults(overrides.outputLayouts, op);
          if (failed(results))
            return mlir::failure();
          for (unsigned operand : reshard.operands) {
            FailureOr<Operation *> conversion =
                insertConversion(built, opOf(op), operand, wanted, *results, model, options);
            if (failed(conversion))
              return mlir::failure();
            inserted.push_back(*conversion);
            rebuild();
          }
          readers.push_back(op);
          return success();
        });
  }

  /// The override of that name; one that asks for nothing if there is none.
  static LayoutWords wantedOf(const std::vector<OutputLayoutOverride> &list, const std::string &name) {
    auto entry = llvm::find_if(list, [&](const OutputLayoutOverride &layout) { return layout.op == name; });
    return entry == list.end() ? LayoutWords() : entry->layout;
  }

  /// What the overrides of the op's results ask for together.
  FailureOr<WantedResults> wantedResults(const std::vector<OutputLayoutOverride> &list, Operation *op) {
    WantedResults wanted;
    const tessera::Op &data = built.problem[opOf(op)];
    for (const OutputLayoutOverride &entry : list) {
      // Several overrides may be of one op: one for each of its results.
      if (!llvm::is_contained(named(entry.op), op))
        continue;
      const OverrideTarget *target = targets.of(entry.op);
      std::optional<unsigned> result = target ? target->result : std::nullopt;
      if (!result && data.results.size() == 1)
        result = 0;
      if (!result || *result >= data.results.size())
        return op->emitError() << "override-output-layout: '" << data.location << "' has "
                               << data.results.size() << " tensor results; " << resultNames(data);
      if (!wanted.try_emplace(*result, entry.layout).second)
        return op->emitError() << "override-output-layout: result " << *result << " of '" << data.location
                               << "' is named twice";
    }
    return wanted;
  }

  static std::string resultNames(const tessera::Op &op) {
    SmallVector<std::string> names;
    for (size_t result = 0; result < op.results.size(); ++result)
      names.push_back(op.results.size() == 1 ? "'" + op.location + "'"
                                             : "'" + op.location + "#" + std::to_string(result) + "'");
    return names.empty() ? "there is nothing to lay out" : "name " + llvm::join(names, " or ");
  }

  LogicalResult restrictOps(const Overrides &overrides) {
    // Readers first: an override of their own results has the last word.
    restrictReaders();
    llvm::SmallPtrSet<Operation *, 4> done; // of several results
    if (failed(forEachNamed<OutputLayoutOverride>(
            overrides.outputLayouts, [&](OpId id, const OutputLayoutOverride &entry) -> LogicalResult {
              Operation *op = built.binding.ops[id.index()];
              if (!done.insert(op).second)
                return success();
              FailureOr<WantedResults> wanted = wantedResults(overrides.outputLayouts, op);
              return failed(wanted)
                         ? mlir::failure()
                         : overrideLayouts(built, id, entry.op, *wanted, model, optionsFor(id, overrides));
            })))
      return mlir::failure();
    return forEachNamed<Conv2dOverride>(overrides.conv2d, [&](OpId id, const Conv2dOverride &) {
      return restrictConv(id, optionsFor(id, overrides));
    });
  }

  /// A height of blocks that the program names is none of slices, whose blocks may be higher; one that an override names is.
  AnalysisOptions optionsFor(OpId id, const Overrides &overrides) const {
    AnalysisOptions own = options;
    for (const Conv2dOverride &conv : overrides.conv2d) {
      const OverrideTarget *target = targets.of(conv.op);
      bool namesBlocks =
          llvm::any_of(conv.fields, [](const auto &field) { return field.first == "act_block_h_override"; });
      if (namesBlocks && target && target->op == built.binding.ops[id.index()])
        own.conv2d.actBlockHOverride = {
            built.problem.signature(id).integer("conv2d_config.act_block_h_override", 0)};
    }
    return own;
  }

  /// An op that does not read what was converted as it is declared: only configurations that do are left, however many
  /// a search would try.
  void restrictReaders() {
    AnalysisOptions all = options;
    all.maxLegalLayouts = std::numeric_limits<int64_t>::max();
    for (Operation *reader : readers)
      if (OpId id = opOf(reader); isUnjudged(declaredAnswer(built.problem, id, model)))
        restrictOp(built, id, {}, model, all);
  }

  /// The config is the op's own by now; what it does not agree with is out.
  LogicalResult restrictConv(OpId id, const AnalysisOptions &own) {
    const Problem &problem = built.problem;
    if (problem[id].restricted || restrictOp(built, id, {}, model, own))
      return success();
    // Asked again for its message alone: the restriction only said that nothing is left.
    OperandLayouts inputs = declaredInputs(problem, id);
    ValidationResult answer = model.query({problem.signature(id), inputs, problem[id].declared});
    return built.binding.ops[id.index()]->emitError()
           << "override-conv2d-config: '" << problem[id].location << "' cannot run so: " << answer.message;
  }

  BuiltProblem &built;
  const OpCostTable &model;
  SignaturePool &signatures;
  const AnalysisOptions &options;
  OverrideTargets &targets;
  std::vector<Operation *> inserted, readers; ///< conversions of insert-memreconfig, and the ops behind them
};

} // namespace

LogicalResult tessera::applyOverrides(BuiltProblem &built, const OpCostTable &model,
                                      SignaturePool &signatures, const AnalysisOptions &options,
                                      const Overrides &overrides, OverrideTargets &targets) {
  return Applier(built, model, signatures, options, targets).run(overrides);
}
