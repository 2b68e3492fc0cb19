//===- ConstEval.h - What depends on constants alone, computed once ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_CONSTEVAL_H
#define TESSERA_LIB_REWRITE_CONSTEVAL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::rewrite {

/// Whether the value is the same in every call of its function: the result of a const-eval function, a parameter or constant among the
/// arguments, or what pure ops make of such values alone. Nothing may write it, or what is a view of it. False, too,
/// of what is made of too many others.
bool isConstant(mlir::Value value);

/// Moves ops that depend on constants alone into const-eval functions of the module, one for all that belong together, but none that
/// `mayGo` keeps. `made` is called with each op that loads results, and the ops that move, before they do.
void hoistConstants(
    mlir::func::FuncOp function, llvm::function_ref<bool(mlir::Operation *op)> mayGo,
    llvm::function_ref<void(mlir::Operation *load, llvm::ArrayRef<mlir::Operation *> were)> made);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_CONSTEVAL_H
