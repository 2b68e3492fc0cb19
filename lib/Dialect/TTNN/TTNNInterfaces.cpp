//===- TTNNInterfaces.cpp - Interfaces and traits of TTNN ops -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

using namespace mlir;

#include "tessera/Dialect/TTNN/TTNNInterfaces.cpp.inc"

namespace tessera::ttnn {

//===- Layouts and data types of results -----------------------------------===//

/// The type of result `index` if it is a ranked tensor, else null.
static RankedTensorType tensorResult(Operation *op, unsigned index) {
  return index < op->getNumResults() ? dyn_cast<RankedTensorType>(op->getResult(index).getType()) : nullptr;
}

TTNNLayoutAttr getResultLayout(Operation *op, unsigned result) {
  RankedTensorType type = tensorResult(op, result);
  return type ? layoutOf(type) : nullptr;
}

LogicalResult setResultLayout(Operation *op, unsigned result, TTNNLayoutAttr layout) {
  RankedTensorType type = tensorResult(op, result);
  if (!type || !layout || layout.getLinear().getNumDims() != type.getRank())
    return failure();
  op->getResult(result).setType(type.cloneWithEncoding(layout));
  return success();
}

std::optional<DataType> getResultDataType(Operation *op) {
  TTNNLayoutAttr layout = getResultLayout(op, 0);
  return layout ? dataType(layout.getMemref().getElementType()) : std::nullopt;
}

LogicalResult setResultDataType(Operation *op, DataType type) {
  TTNNLayoutAttr layout = getResultLayout(op, 0);
  if (!layout)
    return failure();
  MLIRContext *context = op->getContext();
  MemRefType memref = layout.getMemref();
  Type scalar = scalarType(context, type), stored = scalar;
  if (auto tile = dyn_cast<ttcore::TileType>(memref.getElementType()))
    stored = ttcore::TileType::get(context, tile.getShape(), toAttrDataType(type));
  else if (isBlockFloat(type))
    return failure();
  auto converted = TTNNLayoutAttr::get(
      context, layout.getLinear(), layout.getGrid(),
      MemRefType::get(memref.getShape(), stored, memref.getLayout(), memref.getMemorySpace()),
      layout.getMemLayout(), layout.getTensorMesh(), layout.getCoreRangeSet(),
      layout.getIgnorePhysicalLayout());
  // tt-mlir spells a block-float tensor by its tile (facts/ir-and-algorithms.md 1.1, "Data types").
  op->getResult(0).setType(
      RankedTensorType::get(tensorResult(op, 0).getShape(), isBlockFloat(type) ? stored : scalar, converted));
  return success();
}

//===- Layouts fit their tensors -------------------------------------------===//

/// The expression at `index`; nullopt if it is not linear or leaves 64 bits.
static std::optional<int64_t> evaluate(AffineExpr expr, Dims index) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return index[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || (expr.getKind() != AffineExprKind::Add && expr.getKind() != AffineExprKind::Mul))
    return std::nullopt;
  std::optional<int64_t> lhs = evaluate(binary.getLHS(), index), rhs = evaluate(binary.getRHS(), index);
  if (!lhs || !rhs)
    return std::nullopt;
  return expr.getKind() == AffineExprKind::Add ? multiplyAdd(*lhs, 1, *rhs) : multiplyAdd(*lhs, *rhs, 0);
}

/// Extents of the collapsed tensor in pages' units: tiles, or elements if row-major. nullopt if the map
/// cannot be evaluated. Requires as many map dimensions as the shape has, and no empty dimension.
static std::optional<Shape> physicalUnits(TTNNLayoutAttr layout, Dims shape) {
  Shape last, units;
  for (int64_t extent : shape)
    last.push_back(extent - 1);
  auto tile = dyn_cast<ttcore::TileType>(layout.getMemref().getElementType());
  for (auto [i, expr] : llvm::enumerate(layout.getLinear().getResults())) {
    std::optional<int64_t> value = evaluate(expr, last);
    if (!value || *value < 0)
      return std::nullopt;
    units.push_back(tile && i < tile.getShape().size() ? *value / tile.getShape()[i] + 1 : *value + 1);
  }
  return units;
}

/// Shards times grid cover the tensor. Pages of L1-interleaved tensors are spread over the grid one by one,
/// so only their number counts (facts/ir-and-algorithms.md 1.1 "convention clash").
static bool covers(TTNNLayoutAttr layout, Dims units) {
  Dims shard = layout.getMemref().getShape(), grid = layout.getGrid().getShape();
  if (shard.size() != units.size() || grid.size() != units.size())
    return false;
  if (!layout.isSharded() && layout.getBufferType() == BufferType::L1) {
    Shape all(shard);
    all.append(grid.begin(), grid.end());
    std::optional<int64_t> room = product(all), pages = product(units);
    return pages && (!room || *room >= *pages);
  }
  return llvm::all_of(llvm::zip(shard, grid, units), [](auto dims) {
    auto [extent, count, needed] = dims;
    std::optional<int64_t> room = product({extent, count});
    return !room || *room >= needed;
  });
}

/// What is wrong with the encoding of a tensor of that type; "" if nothing.
static std::string checkEncoding(RankedTensorType type) {
  if (!type.getEncoding())
    return "";
  TTNNLayoutAttr layout = layoutOf(type);
  if (!layout)
    return "tensor encoding must be a #ttnn.ttnn_layout";
  if (layout.getLinear().getNumDims() != type.getRank() || layout.getLinear().getNumSymbols() != 0)
    return "layout is for tensors of rank " + std::to_string(layout.getLinear().getNumDims()) +
           ", but the tensor has rank " + std::to_string(type.getRank());
  if (layout.getIgnorePhysicalLayout() || llvm::is_contained(type.getShape(), 0))
    return "";
  std::optional<Shape> units = physicalUnits(layout, type.getShape());
  if (!units)
    return "layout has a map that is not linear or leaves 64 bits";
  if (covers(layout, *units))
    return "";
  return "layout is too small: shards of " + toText(layout.getMemref().getShape()) + " over a grid of " +
         toText(layout.getGrid().getShape()) + " do not hold the tensor's " + toText(*units) +
         (layout.getLayout() == Layout::Tile ? " tiles" : " elements");
}

LogicalResult verifyTensorLayouts(Operation *op) {
  auto check = [&](TypeRange types, StringRef what) -> LogicalResult {
    for (auto [index, type] : llvm::enumerate(types))
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (std::string problem = checkEncoding(tensor); !problem.empty())
          return op->emitOpError() << what << " #" << index << ": " << problem;
    return success();
  };
  return failure(failed(check(op->getOperandTypes(), "operand")) ||
                 failed(check(op->getResultTypes(), "result")));
}

//===- Effects -------------------------------------------------------------===//

/// The use writes or frees the value, or might: its owner says nothing about its effects.
static bool mayMutate(OpOperand &use) {
  Operation *owner = use.getOwner();
  if (owner->hasTrait<OpTrait::ValueSemantics>())
    return false;
  auto interface = dyn_cast<MemoryEffectOpInterface>(owner);
  if (!interface)
    return true;
  SmallVector<SideEffects::EffectInstance<MemoryEffects::Effect>> effects;
  interface.getEffectsOnValue(use.get(), effects);
  return llvm::any_of(
      effects, [](const auto &e) { return isa<MemoryEffects::Write, MemoryEffects::Free>(e.getEffect()); });
}

static bool isMutated(Value value) { return llvm::any_of(value.getUses(), mayMutate); }

void getValueSemanticEffects(Operation *op, EffectList &effects) {
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()) && isMutated(operand.get()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpResult result : op->getOpResults())
    if (isMutated(result))
      effects.emplace_back(MemoryEffects::Allocate::get(), result);
}

} // namespace tessera::ttnn
