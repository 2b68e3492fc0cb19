//===- ModuleFrame.h - What stands around a graph's function --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_MODELGRAPH_MODULEFRAME_H
#define TESSERA_LIB_MODELGRAPH_MODULEFRAME_H

#include "tessera/Device/DeviceSpec.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::runner {

/// A module as tt-mlir writes it, empty: the description of a system of `mesh` chips, and the mesh that runs it.
mlir::OwningOpRef<mlir::ModuleOp> emptyModule(mlir::MLIRContext &context, const DeviceSpec &device,
                                              GridShape mesh);
/// The module within, that functions belong to.
mlir::ModuleOp innerModule(mlir::ModuleOp module);

} // namespace tessera::runner

#endif // TESSERA_LIB_MODELGRAPH_MODULEFRAME_H
