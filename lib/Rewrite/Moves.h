//===- Moves.h - Tensors that only lie elsewhere --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_MOVES_H
#define TESSERA_LIB_REWRITE_MOVES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::rewrite {

/// Lets ops read what `to_memory_config` and `to_layout` only moved where it was before, and drops moves that nothing reads then: where
/// tensors lie is the plan's to say, and no row has to look through them. So a program that another compiler has placed shows its graph.
/// What a function returns is moved still; what is written in place is, too, for its copy may be meant.
void readBeforeMoves(mlir::func::FuncOp function, llvm::function_ref<bool(mlir::Operation *)> mayGo);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_MOVES_H
