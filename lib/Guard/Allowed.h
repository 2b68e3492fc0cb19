//===- Allowed.h - What a plan may change ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_GUARD_ALLOWED_H
#define TESSERA_LIB_GUARD_ALLOWED_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tessera::guard {

/// How far a plan may change a property.
struct AllowedChange {
  llvm::StringLiteral property;
  /// Keys of the value that are the plan's to choose. Empty: the whole value is.
  llvm::ArrayRef<llvm::StringLiteral> keys;
};

/// What a plan may do to the property; nullptr: nothing but add keys to it.
const AllowedChange *allowedChange(llvm::StringRef property);

/// Ops that give a tensor another form and its elements as they are, unless the element types of their types differ.
bool isConversion(llvm::StringRef op);
/// Ops whose results a plan may have in the types that the backend makes, with typecasts behind them (Bridge/FitToDevice).
bool mayBeCast(llvm::StringRef op);
/// Ops that only end a tensor's life.
bool isDeallocate(llvm::StringRef op);
/// Ops that make a tensor whose elements nobody may ask for.
bool isEmptyTensor(llvm::StringRef op);
/// The op runs a function once and gives its results ever after.
inline constexpr llvm::StringLiteral kLoadCached = "ttcore.load_cached";
/// The function that it runs. A plan may put another one there, which the guard looks into.
inline constexpr llvm::StringLiteral kCallee = "callee";

/// Properties that printers leave out, as their value is the default. `op` is its name.
bool isElidedDefault(llvm::StringRef op, mlir::NamedAttribute property);

/// Properties of conversions that say again what their result's type says: tt-mlir of before 2026 has them.
bool repeatsType(llvm::StringRef property);

} // namespace tessera::guard

#endif // TESSERA_LIB_GUARD_ALLOWED_H
