//===- ModuleFile.h - A module with the places of its ops -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// MLIR's parser notes where an op stands, unless the op says loc("name"): then that is all that is known of
// it, and a diagnostic about it has no place. Here such a location becomes
//
//   fused<["tessera.place", <what the file says>]>[<what the file says>, "model.mlir":12:8]
//
// for as long as the module is worked on. Ops that are made on the way derive their locations from it, so
// diagnostics about them have a place, too.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_COMMON_MODULEFILE_H
#define TESSERA_LIB_DRIVER_COMMON_MODULEFILE_H

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace tessera {

/// What was read: the text of the module, or its bytecode.
llvm::StringRef mainFile(const llvm::SourceMgr &sources);

/// Parses the main file of `sources` and verifies it; all that has a location has a place then, unless the
/// file is bytecode. `text` tells where things stand; `resources` gets those that no dialect reads, to be printed
/// again.
/// nullptr after one error.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(const llvm::SourceMgr &sources, mlir::MLIRContext *context,
                                              mlir::AsmParserState &text,
                                              mlir::FallbackAsmResourceMap *resources = nullptr);
/// Whether the input wrote down a location of an op itself: all others are places in the text that the parser noted.
bool hasOwnLocations(mlir::ModuleOp module);
/// The module as text, with such resources, and with locations or none; in both cases with the version of the library
/// that it is for, if it says one.
std::string printModule(mlir::ModuleOp module, bool locations, mlir::FallbackAsmResourceMap &resources);

/// A module that was read, for the version of the library that it is said to be for, as text with all locations.
std::string printForVersion(mlir::ModuleOp module, llvm::StringRef version,
                            mlir::FallbackAsmResourceMap &resources);

/// The location as the file has it.
mlir::Location withoutPlace(mlir::Location location);
/// Makes all locations of the module, and of what was added to it, what they would be without places. To be
/// called before it is printed.
void dropPlaces(mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_COMMON_MODULEFILE_H
