//===- RawModule.h - A module read without knowing its ops -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_GUARD_RAWMODULE_H
#define TESSERA_LIB_GUARD_RAWMODULE_H

#include "TokenTree.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <memory>

namespace tessera::guard {

/// A context in which no op, attribute or type of ttnn or ttcore is known. What has a syntax of its own is read into
/// dictionaries (RawDialects.cpp); func and llvm are MLIR's.
std::unique_ptr<mlir::MLIRContext> makeRawContext();

/// What a text says.
struct RawModule {
  mlir::Block top; ///< what stands outermost
  Aliases aliases;
  llvm::DenseMap<mlir::Operation *, std::string> places; ///< of ops whose loc(...) says something else
  std::string resources;                                 ///< what stands between `{-#` and `#-}`, or ""
};

/// Fails with the parser's first message, its place in front.
llvm::Expected<std::unique_ptr<RawModule>> readRaw(llvm::MemoryBufferRef text, mlir::MLIRContext *context);

/// Ends the file name of places that the parser notes, which files that the text names in loc(...) lack.
inline constexpr llvm::StringLiteral kPlaceMark = "\t";

/// The op's name in whichever form it was written.
std::string nameOf(mlir::Operation *op);
/// The op's place in the text, file:line:column.
std::string placeOf(RawModule &module, mlir::Operation *op);

} // namespace tessera::guard

#endif // TESSERA_LIB_GUARD_RAWMODULE_H
