//===- Texts.h - Attributes and types of one module as trees ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_GUARD_TEXTS_H
#define TESSERA_LIB_GUARD_TEXTS_H

#include "RawModule.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"

namespace tessera::guard {

/// Trees and signatures of what stands in one module, each made once.
class Texts {
public:
  explicit Texts(const RawModule &module) : module(module) {}

  const Node::Sequence &treeOf(mlir::Attribute attribute);
  /// Whether the text names aliases, so that equal text may mean different things in two modules.
  bool namesAliases(mlir::Attribute attribute);

  // What the next two return is valid until the next call.

  /// What a plan keeps of a type: of tensors the shape, the element type and the data type that is stored.
  const std::string &plannedSignature(mlir::Type type);
  /// Of tensors the shape only.
  const std::string &shapeSignature(mlir::Type type);

private:
  std::string tensorSignature(mlir::RankedTensorType type);
  std::string canonical(mlir::Type type);

  const RawModule &module;
  llvm::DenseMap<mlir::Attribute, std::unique_ptr<Node::Sequence>> trees;
  llvm::DenseMap<mlir::Attribute, bool> aliased;
  llvm::DenseMap<mlir::Type, std::string> planned, shapes;
};

/// Tiles, scalars and attributes name integer types differently: si32 and i32 are one, ui32 and u32 too. Narrow ones that
/// say nothing of a sign have none.
std::string plainName(llvm::StringRef type);
/// The data type that a layout stores (`bf16`, `u32`), from its text; "" if it has none.
std::string storedType(const Node::Sequence &layout);
/// Whether the layout's pages are tiles.
bool isTiled(const Node::Sequence &layout);

} // namespace tessera::guard

#endif // TESSERA_LIB_GUARD_TEXTS_H
