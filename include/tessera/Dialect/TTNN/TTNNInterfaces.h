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
/// Of the first result, as it is stored; nullopt if that is no tensor or has no layout.
std::optional<DataType> getResultDataType(mlir::Operation *op);
/// Changes element type and layout of the first result together, the shard's extents as they are. Fails, and changes
/// nothing, without a layout, and for block floats in a row-major one.
llvm::LogicalResult setResultDataType(mlir::Operation *op, DataType type);

// ---- Properties that nobody knows ------------------------------------------------------------------------
//
// MLIR's generated reader of `<{...}>` skips keys that the op does not have. tt-mlir adds properties from month to
// month, and to skip one is to change what the program says. So the rest of the dictionary is kept in the property
// `unread` and printed in its old place; clones and bytecode have it, and ops that differ in it are not equal.

/// What of `op` was kept, null if nothing was. Such an op is to be left as it is: what it does depends on things that
/// are not understood.
mlir::DictionaryAttr unreadProperties(mlir::Operation *op);
/// One of them in messages: `new_key`, or `compute_config.new_key` of a struct that has such a key.
std::string nameOfUnread(mlir::NamedAttribute property);
/// Whether a conversion or deallocate holds what its kind and its types do not tell: properties that were kept, or
/// discardable attributes. Another op must not stand in for it.
bool saysMore(mlir::Operation *op);
/// Drops what tt-mlir's older files say twice, if it is what the types of the op's results say: `dtype`, `layout`,
/// `memory_config` (facts/ir 1.2). Today's tt-mlir has no such keys on most ops and refuses them.
void dropRetiredProperties(mlir::Operation *op);

/// The properties of an op as the hooks see them: the same storage under another type, so that overloads which take it
/// are chosen before the generated ones.
template <class Properties>
struct Keeping : Properties {};

/// What of the dictionary `all` has keys in `known`, and in `unread` the rest (null: none). What is no dictionary stays
/// as it is, to be refused.
mlir::Attribute splitKnown(mlir::Attribute all, llvm::ArrayRef<llvm::StringRef> known,
                           mlir::DictionaryAttr &unread);
/// `known`, as generated, with what is in `unread` instead of the property that holds it. Null if both are empty.
mlir::Attribute joinUnread(mlir::MLIRContext *context, mlir::Attribute known, mlir::DictionaryAttr unread);

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

/// Properties that the op does not have are kept (TTNN_KeepsUnread).
template <class ConcreteOp>
class KeepsUnread : public mlir::OpTrait::TraitBase<ConcreteOp, KeepsUnread> {};

} // namespace OpTrait
} // namespace tessera::ttnn

#include "tessera/Dialect/TTNN/TTNNInterfaces.h.inc"

#endif // TESSERA_DIALECT_TTNN_TTNNINTERFACES_H
