//===- Deallocate.h - ttnn.deallocate in and out --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_BRIDGE_DEALLOCATE_H
#define TESSERA_LIB_BRIDGE_DEALLOCATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera {

/// Those `ttnn.deallocate`s of a function that say more than that a tensor ends: with attributes, or with properties that
/// we do not know. They wait outside of any block.
using TellingDeallocates = llvm::SmallVector<mlir::Operation *, 0>;

/// Removes every `ttnn.deallocate` of the function: lifetimes are the optimizer's to decide. Here and below, tensors
/// without `#ttnn.ttnn_layout` are left alone: they are not TTNN's, or not yet.
TellingDeallocates stripDeallocates(mlir::func::FuncOp function);

/// Puts a `ttnn.deallocate` right after the last use of every tensor that is not returned, arguments included, as
/// tt-mlir does (facts/ir 5); an unused argument is freed after the first op. The input of a conv2d that frees it
/// itself (deallocate_activation = true) gets none, nor do the arguments of a function that another op of the module names:
/// they are the caller's. Those of `telling` come back where their tensors end; what nothing frees now is erased.
void insertDeallocates(mlir::func::FuncOp function, TellingDeallocates telling = {});

} // namespace tessera

#endif // TESSERA_LIB_BRIDGE_DEALLOCATE_H
