//===- Donated.h - Arguments that become results -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_DONATED_H
#define TESSERA_LIB_REWRITE_DONATED_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::rewrite {

/// Takes arguments that the caller gives up for a result (`tf.aliasing_output`, as JAX writes it for `donate_argnums`) in the layout of
/// that result, and written in place where a copy in it was. Only where such copies are all that reads the argument, and `mayGo`
/// lets them go. `takes` is called with them before they do. Not for functions that others of the module call.
void takeDonated(mlir::func::FuncOp function, llvm::function_ref<bool(mlir::Operation *copy)> mayGo,
                 llvm::function_ref<void(llvm::ArrayRef<mlir::Operation *> copies)> takes);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_DONATED_H
