//===- Differences.h - What one op says and another does not ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_GUARD_DIFFERENCES_H
#define TESSERA_LIB_GUARD_DIFFERENCES_H

#include "Texts.h"
#include "tessera/Guard/Guard.h"

namespace tessera::guard {

/// Compares ops of two modules by their properties, attributes and locations.
class Differences {
public:
  Differences(Texts &before, Texts &after, const GuardOptions &options)
      : before(before), after(after), options(options) {}

  /// What `was` says and `is` does not, as text; "" if nothing. Operands and regions are others' business, and so are types in plans.
  std::string between(mlir::Operation *was, mlir::Operation *is);

  /// The same of the attributes that anyone may give an op, and no more.
  std::string betweenAttributes(mlir::Operation *was, mlir::Operation *is);

  /// How much an op of the first module says: of two that a third one may stand for, the larger is the better match.
  size_t weightOf(mlir::Operation *was);

  /// The attribute of that name, whether it is a property or not.
  static mlir::Attribute find(mlir::Operation *op, llvm::StringRef name);

private:
  std::string ofValues(llvm::StringRef name, mlir::Attribute was, mlir::Attribute is);
  /// A layout of the compiler's may be TTNN's now; all else of the types stays.
  std::string ofFunctionTypes(mlir::TypeAttr was, mlir::TypeAttr is);
  std::string ofTypes(llvm::ArrayRef<mlir::Type> was, llvm::ArrayRef<mlir::Type> is);
  /// Of results and of blocks, where no plan may change layouts. As trees, since a reader may add to them: layouts of before May 2026 have
  /// no core ranges.
  std::string ofWrittenTypes(mlir::Operation *was, mlir::Operation *is);
  std::string ofDictionaries(mlir::Operation *was, mlir::Operation *is, mlir::DictionaryAttr said);
  /// An activation may stand on a matmul or in its program config, and moves between them.
  std::string ofActivations(mlir::Operation *was, mlir::Operation *is);
  /// Whether a plan or a printer may leave the property out.
  bool mayBeGone(mlir::Operation *was, mlir::NamedAttribute property);
  /// As trees, whoever they belong to; each pair once.
  std::string compare(mlir::Attribute was, mlir::Attribute is);

  Texts &before, &after;
  const GuardOptions &options;
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Attribute>, std::string> known;
};

/// What stands between `<{` and `}>`, and what stands behind it.
mlir::DictionaryAttr propertiesOf(mlir::Operation *op);
/// Whether the file gave the op a location, other than where it stands.
bool hasOwnLocation(mlir::Operation *op);

} // namespace tessera::guard

#endif // TESSERA_LIB_GUARD_DIFFERENCES_H
