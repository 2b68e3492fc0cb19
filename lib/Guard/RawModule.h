//===- RawModule.h - A module read without knowing its ops -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_GUARD_RAWMODULE_H
#define TESSERA_LIB_GUARD_RAWMODULE_H

#include "TokenTree.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"

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
  llvm::StringSet<> usedResources;                       ///< names that stand in `dense_resource<...>`
};

/// In front of the name of a resource that an attribute is made of.
inline constexpr llvm::StringLiteral kResourceUse = "dense_resource<";

/// An attribute or a type as MLIR writes it; nothing has a text, too.
template <class Printed>
std::string textOf(Printed what) {
  std::string text;
  llvm::raw_string_ostream(text) << what;
  return text;
}

/// The text of an attribute or a type with the maps in it as MLIR writes them: it simplifies what it reads, `d0 * 1` to `d0`,
/// and names the dimensions by their places, d0, d1.
std::string withPlainMaps(std::string text, mlir::MLIRContext *context);

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
