//===- ModuleVersion.h - The version of the library that a module is for --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What one version of the vendor's library takes another one may refuse, so a module that was imported or planned for
// a version says so: then whoever reads it later asks for the same version without being told.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BRIDGE_MODULEVERSION_H
#define TESSERA_BRIDGE_MODULEVERSION_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// "0.81.1", or another name of a version of the backend; "" if the module does not say.
llvm::StringRef versionOfModule(mlir::ModuleOp module);
/// Has the module say it, in place of what it said.
void setVersionOfModule(mlir::ModuleOp module, llvm::StringRef version);

} // namespace tessera

#endif // TESSERA_BRIDGE_MODULEVERSION_H
