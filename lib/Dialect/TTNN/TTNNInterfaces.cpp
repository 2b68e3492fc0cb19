//===- TTNNInterfaces.cpp - Interfaces and traits of TTNN ops -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What passes ask of any op of the dialect, whatever its name: layout and data
// type of its results, and its effects. Effects are those of tensors as values:
// an op on tensors that nobody writes has none, so that MLIR may share it or
// drop it; as soon as an op writes one of them in place, all that read it or
// make it have effects, which keeps their order.
//
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
  if (!type || !layout)
    return failure();
  FailureOr<TensorLayout> plain = toTensorLayout(layout);
  if (failed(plain) || !checkHolds(*plain, type.getShape()).empty())
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
  // Block floats exist in tiles only.
  else if (isBlockFloat(type))
    return failure();
  // Extents of the memref count tiles or elements and not bytes, so they hold for any data type.
  auto converted = TTNNLayoutAttr::get(
      context, layout.getLinear(), layout.getGrid(),
      MemRefType::get(memref.getShape(), stored, memref.getLayout(), memref.getMemorySpace()),
      layout.getMemLayout(), layout.getTensorMesh(), layout.getCoreRangeSet(),
      layout.getIgnorePhysicalLayout());
  // tt-mlir spells a block-float tensor by its tile (facts/ir 1.1, "Data types").
  op->getResult(0).setType(
      RankedTensorType::get(tensorResult(op, 0).getShape(), isBlockFloat(type) ? stored : scalar, converted));
  return success();
}

//===- Tiles as elements ---------------------------------------------------===//

/// The element type of tensors that are stored as `memref`: the number type of what is in the tiles or scalars, but
/// block floats, which have none, stand for themselves.
static Type scalarElementType(MemRefType memref) {
  auto tile = dyn_cast<ttcore::TileType>(memref.getElementType());
  if (!tile || isBlockFloat(toDataType(tile.getDataType())))
    return memref.getElementType();
  return scalarType(memref.getContext(), toDataType(tile.getDataType()));
}

LogicalResult verifyTileElements(Operation *op) {
  for (auto [index, type] : llvm::enumerate(op->getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !isa<ttcore::TileType>(tensor.getElementType()))
      continue;
    MemRefType stored = memrefOf(tensor);
    if (!stored)
      return op->emitOpError() << "result #" << index << " has elements " << tensor.getElementType()
                               << ", so it needs a layout";
    if (Type scalar = scalarElementType(stored); scalar != tensor.getElementType())
      return op->emitOpError() << "result #" << index << " has elements " << tensor.getElementType()
                               << ", but those of its layout are " << scalar;
  }
  return success();
}

//===- Effects -------------------------------------------------------------===//

/// The use writes or frees the value, or might: its owner says nothing about its effects.
static bool mayMutate(OpOperand &use) {
  Operation *owner = use.getOwner();
  if (owner->hasTrait<OpTrait::ValueSemantics>())
    return false;
  auto interface = dyn_cast<MemoryEffectOpInterface>(owner);
  // An op that says nothing may do anything: a needless effect costs an optimization, a missing one a wrong program.
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
    // Tensors that no op writes are values: reading one is not an effect, so that ops on them can be shared and
    // dropped.
    if (isa<RankedTensorType>(operand.get().getType()) && isMutated(operand.get()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpResult result : op->getOpResults())
    if (isMutated(result))
      effects.emplace_back(MemoryEffects::Allocate::get(), result);
}

} // namespace tessera::ttnn
