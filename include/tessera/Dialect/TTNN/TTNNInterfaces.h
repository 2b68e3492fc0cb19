//===- TTNNInterfaces.h - Interfaces and traits of TTNN ops ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Passes ask ops through these interfaces and never by name. The traits hold
// what all ops of a family share: one verifier or one effect rule each, so that
// a new op of the family is one line of ODS.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_TTNNINTERFACES_H
#define TESSERA_DIALECT_TTNN_TTNNINTERFACES_H

#include "tessera/Dialect/TTNN/TTNNAttrs.h"
#include "tessera/Layout/DataType.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace tessera::ttnn {

// ---- Default implementations of the interfaces (see TTNNInterfaces.td) -----------------------------------

/// Null if result number `result` is not a tensor or has no layout.
TTNNLayoutAttr getResultLayout(mlir::Operation *op, unsigned result);
/// Fails, and changes nothing, if there is no such tensor or it does not fit into the layout.
llvm::LogicalResult setResultLayout(mlir::Operation *op, unsigned result, TTNNLayoutAttr layout);
std::optional<DataType> getResultDataType(mlir::Operation *op);
llvm::LogicalResult setResultDataType(mlir::Operation *op, DataType type);

// ---- What the traits do ----------------------------------------------------------------------------------

/// Emits an error unless each result with tiles as elements has a layout with those tiles, and the tiles are block
/// floats: other formats have scalars as elements (facts/dialect 5).
llvm::LogicalResult verifyTileElements(mlir::Operation *op);

using EffectList = llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>;
/// The effects of an op that computes new tensors from old ones. None, as long as no op mutates them. An
/// operand that some op frees or writes in place is memory, so reading it is a read effect; likewise a result
/// that is freed or written has an identity of its own, so making it is an allocation and it must not be
/// merged with another.
void getValueSemanticEffects(mlir::Operation *op, EffectList &effects);

namespace OpTrait {

template <class ConcreteOp>
class TileElementsFit : public mlir::OpTrait::TraitBase<ConcreteOp, TileElementsFit> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return verifyTileElements(op); }
};

/// The types of operands or results depend on each other, layouts included: none may be changed by itself.
template <class ConcreteOp>
class TypesAreTied : public mlir::OpTrait::TraitBase<ConcreteOp, TypesAreTied> {};

/// Implements MemoryEffectsOpInterface by getValueSemanticEffects.
template <class ConcreteOp>
class ValueSemantics : public mlir::OpTrait::TraitBase<ConcreteOp, ValueSemantics> {
public:
  void getEffects(EffectList &effects) { getValueSemanticEffects(this->getOperation(), effects); }
};

/// MLIR's generated ops skip keys that they do not know between `<{` and `}>`, but an op without any
/// attributes refuses to have that dictionary at all. tt-mlir's older files have keys there that are gone by
/// now, such as `dtype` (facts/ir 1.2). So such an op gets a property storage of its own,
/// which takes any key and keeps none. Members of ops with attributes hide the ones below;
/// TTNN_IgnoresUnknownKeys selects the storage.
template <class ConcreteOp>
class IgnoresUnknownKeys : public mlir::OpTrait::TraitBase<ConcreteOp, IgnoresUnknownKeys> {
public:
  struct NoProperties : mlir::EmptyProperties {};
  using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;
  template <class Op>
  using PropertiesOf = std::conditional_t<std::is_same_v<typename Op::Properties, mlir::EmptyProperties>,
                                          NoProperties, typename Op::Properties>;

  static llvm::LogicalResult setPropertiesFromAttr(mlir::EmptyProperties &, mlir::Attribute, EmitError) {
    return llvm::success();
  }
  static mlir::Attribute getPropertiesAsAttr(mlir::MLIRContext *, const mlir::EmptyProperties &) {
    return {};
  }
  static llvm::hash_code computePropertiesHash(const mlir::EmptyProperties &) { return llvm::hash_code(0); }
  static std::optional<mlir::Attribute> getInherentAttr(mlir::MLIRContext *, const mlir::EmptyProperties &,
                                                        llvm::StringRef) {
    return std::nullopt;
  }
  static llvm::LogicalResult readProperties(mlir::DialectBytecodeReader &, mlir::OperationState &) {
    return llvm::success();
  }
  void writeProperties(mlir::DialectBytecodeWriter &) {}
  static void setInherentAttr(mlir::EmptyProperties &, llvm::StringRef, mlir::Attribute) {}
  static void populateInherentAttrs(mlir::MLIRContext *, const mlir::EmptyProperties &,
                                    mlir::NamedAttrList &) {}
  static llvm::LogicalResult verifyInherentAttrs(mlir::OperationName, mlir::NamedAttrList &, EmitError) {
    return llvm::success();
  }
};

} // namespace OpTrait
} // namespace tessera::ttnn

#include "tessera/Dialect/TTNN/TTNNInterfaces.h.inc"

#endif // TESSERA_DIALECT_TTNN_TTNNINTERFACES_H
