//===- ApplyOverrides.cpp - Overrides written into the IR -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Overrides.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/Optimizer/Problem/ConfigAttributes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;

namespace {

bool isWanted(const OutputLayoutOverride &wanted, const TensorLayout &layout) {
  return (!wanted.grid || *wanted.grid == layout.grid) && (!wanted.buffer || *wanted.buffer == layout.buffer) &&
         (!wanted.memory || wanted.memory == layout.memory) && (!wanted.page || *wanted.page == layout.page) &&
         (!wanted.dtype || *wanted.dtype == layout.dtype);
}

/// An op that can do what is wanted: with these operand layouts and this configuration.
struct Pinned {
  SmallVector<LayoutId> inputs;
  OpConfig config;
  Nanoseconds time;
};

class Applier {
public:
  Applier(const BuiltProblem &built, const OpModel &model) : built(built), problem(built.problem), model(model) {}

  LogicalResult pin(OpId id, const OutputLayoutOverride &wanted) {
    const tessera::Op &op = problem[id];
    if (op.results.size() != 1)
      return irOf(id)->emitError() << "override-output-layout: '" << op.location << "' has " << op.results.size()
                                   << " tensor results; only ops with one can be overridden";
    llvm::SetVector<LayoutId, std::vector<LayoutId>, std::set<LayoutId>> legal;
    std::optional<Pinned> best;
    for (LayoutId layout : candidates(problem[op.results.front()], wanted))
      for (const OpSpecificConfig &specific :
           enumerateOpConfigs(problem.signature(id), problem.layout(layout), Conv2dSearchSpace{{0, 64, 32}, {false}}))
        if (std::optional<Pinned> way = cheapestWay(id, layout, specific)) {
          legal.insert(layout);
          if (isWanted(wanted, problem.layout(layout)) && (!best || way->time < best->time))
            best = std::move(way);
        }
    if (!best)
      return impossible(id, legal.getArrayRef());
    rewrite(id, *best);
    return success();
  }

  LogicalResult configure(OpId id, const Conv2dOverride &conv);
  LogicalResult insertConversions(OpId id, const ReshardOverride &reshard);

private:
  Operation *irOf(OpId id) const { return built.binding.ops[id.index()]; }

  /// Every layout that an op might produce for `value`, and the grid that was asked for even if a smaller one cuts the
  /// tensor into the same shards.
  std::vector<LayoutId> candidates(const tessera::Value &value, const OutputLayoutOverride &wanted) {
    std::vector<LayoutId> all;
    for (PageLayout page : {PageLayout::Tile, PageLayout::RowMajor}) {
      if (page == PageLayout::RowMajor && isBlockFloat(value.tensor.dtype))
        continue;
      if (wanted.grid && wanted.memory && *wanted.memory != MemoryLayout::Interleaved && fits(*wanted.memory, *wanted.grid))
        all.push_back(model.layouts().intern(
            l1Sharded(value.tensor, *wanted.memory, *wanted.grid, problem.device.workerGrid, page)));
      LayoutSpace space = enumerateLayouts(value.tensor, page, problem.device, model.layouts());
      llvm::append_range(all, space.interleaved);
      llvm::append_range(all, space.sharded);
    }
    return all;
  }

  bool fits(MemoryLayout memory, GridShape grid) const {
    GridShape workers = problem.device.workerGrid;
    switch (memory) {
    case MemoryLayout::HeightSharded:
      return grid.columns == 1 && grid.rows <= workers.volume();
    case MemoryLayout::WidthSharded:
      return grid.rows == 1 && grid.columns <= workers.volume();
    case MemoryLayout::BlockSharded:
      return grid.rows <= workers.rows && grid.columns <= workers.columns;
    default:
      return false;
    }
  }

  std::optional<Pinned> cheapestWay(OpId id, LayoutId layout, const OpSpecificConfig &specific) {
    OpConfig config;
    config.outputs = {layout};
    config.specific = std::holds_alternative<std::monostate>(specific) ? problem[id].declared.specific : specific;
    std::optional<Pinned> best;
    forEachPlausibleInputs(problem, id, layout, [&](ArrayRef<LayoutId> inputs) {
      OpQuery query{problem.signature(id), inputs, config};
      if (!model.query(query).ok())
        return false;
      Nanoseconds time = model.runtime(query).total;
      if (!best || time < best->time)
        best = Pinned{SmallVector<LayoutId>(inputs), config, time};
      return false;
    });
    return best;
  }

  LogicalResult impossible(OpId id, ArrayRef<LayoutId> legal) {
    InFlightDiagnostic diagnostic = irOf(id)->emitError()
                                    << "override-output-layout: '" << problem[id].location << "' cannot produce this layout; legal: ";
    SmallVector<std::string> texts;
    for (LayoutId layout : legal.take_front(12))
      texts.push_back(describe(problem.layout(layout)));
    diagnostic << (texts.empty() ? std::string("only what it has") : llvm::join(texts, "; "));
    if (legal.size() > texts.size())
      diagnostic << "; and " << legal.size() - texts.size() << " more";
    return diagnostic;
  }

  mlir::Value converted(OpBuilder &builder, Location loc, mlir::Value value, LayoutId layout) {
    auto type = cast<RankedTensorType>(value.getType());
    auto target = RankedTensorType::get(type.getShape(), type.getElementType(),
                                        ttnn::toAttr(type.getContext(), problem.layout(layout)));
    if (target == type)
      return value;
    bool isTiled = cast<ttnn::TTNNLayoutAttr>(type.getEncoding()).getLayout() == ttnn::Layout::Tile;
    bool samePage = isTiled == problem.layout(layout).isTiled();
    return samePage ? ttnn::ToMemoryConfigOp::create(builder, loc, target, value).getResult()
                    : ttnn::ToLayoutOp::create(builder, loc, target, value).getResult();
  }

  Location named(OpId id, StringRef suffix) {
    MLIRContext *context = irOf(id)->getContext();
    return NameLoc::get(StringAttr::get(context, problem[id].location + suffix), irOf(id)->getLoc());
  }

  /// Conversions in front of the op and one behind it leave its neighbours as they were.
  void rewrite(OpId id, const Pinned &pinned) {
    Operation *op = irOf(id);
    OpBuilder builder(op);
    for (auto [index, layout] : llvm::enumerate(pinned.inputs)) {
      unsigned number = built.binding.operandNumbers[id.index()][index];
      op->setOperand(number, converted(builder, named(id, "_mem_reconfig"), op->getOperand(number), layout));
    }
    ValueId resultId = problem[id].results.front();
    mlir::Value result = built.binding.values[resultId.index()];
    auto type = cast<RankedTensorType>(result.getType());
    result.setType(RankedTensorType::get(type.getShape(), type.getElementType(),
                                         ttnn::toAttr(type.getContext(), problem.layout(pinned.config.outputs.front()))));
    if (pinned.config.specific != problem[id].declared.specific)
      applyConfig(op, pinned.config.specific);
    op->setAttr(kPinAttribute, builder.getUnitAttr());
    builder.setInsertionPointAfter(op);
    mlir::Value back = converted(builder, named(id, "_mem_reconfig"), result, problem[resultId].declared);
    if (back != result)
      result.replaceAllUsesExcept(back, back.getDefiningOp());
  }

  const BuiltProblem &built;
  const Problem &problem;
  const OpModel &model;
};

/// `key = value` as `#ttnn.conv2d_config` spells it.
std::string fieldText(StringRef key, StringRef value) {
  if (key == "activation")
    return ("activation = <op_type = " + value + ">").str();
  return (key + " = " + value).str();
}

LogicalResult Applier::configure(OpId id, const Conv2dOverride &conv) {
  Operation *op = irOf(id);
  if (!isa<ttnn::Conv2dOp, ttnn::ConvTranspose2dOp>(op))
    return op->emitError() << "override-conv2d-config: '" << conv.op << "' is a " << op->getName() << ", not a conv2d";
  SmallVector<std::string> fields;
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
    if (!(key == "activation" && value == "none"))
      fields.push_back(fieldText(key, value));
  std::string text = "#ttnn.conv2d_config<" + llvm::join(fields, ", ") + ">";
  Attribute attribute;
  {
    ScopedDiagnosticHandler silence(op->getContext(), [](Diagnostic &) { return success(); });
    attribute = parseAttribute(text, op->getContext());
  }
  if (!attribute)
    return op->emitError() << "override-conv2d-config: the values for '" << conv.op << "' make no config: " << text;
  op->setAttr("conv2d_config", attribute);
  return success();
}

LogicalResult Applier::insertConversions(OpId id, const ReshardOverride &reshard) {
  Operation *op = irOf(id);
  ArrayRef<unsigned> numbers = built.binding.operandNumbers[id.index()];
  OpBuilder builder(op);
  for (unsigned operand : reshard.operands) {
    if (operand >= numbers.size())
      return op->emitError() << "insert-memreconfig: '" << reshard.op << "' has " << numbers.size()
                             << " tensor operands; there is no operand " << operand;
    mlir::Value value = op->getOperand(numbers[operand]);
    op->setOperand(numbers[operand],
                   ttnn::ToMemoryConfigOp::create(builder, named(id, "_mem_reconfig"), value.getType(), value).getResult());
  }
  return success();
}

} // namespace

LogicalResult tessera::applyOverrides(const BuiltProblem &built, const OpModel &model, const Overrides &overrides,
                                      std::set<std::string> &found) {
  Applier applier(built, model);
  auto apply = [&](const auto &list, auto &&action) -> LogicalResult {
    for (const auto &entry : list)
      for (size_t i = 0; i < built.problem.ops.size(); ++i)
        if (built.problem.ops[i].location == entry.op) {
          found.insert(entry.op);
          if (failed(action(OpId(i), entry)))
            return failure();
        }
    return success();
  };
  return success(
      succeeded(apply(overrides.conv2d, [&](OpId id, const Conv2dOverride &o) { return applier.configure(id, o); })) &&
      succeeded(apply(overrides.reshards, [&](OpId id, const ReshardOverride &o) { return applier.insertConversions(id, o); })) &&
      succeeded(apply(overrides.outputLayouts, [&](OpId id, const OutputLayoutOverride &o) { return applier.pin(id, o); })));
}
