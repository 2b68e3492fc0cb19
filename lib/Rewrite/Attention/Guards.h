//===- Guards.h - Rows of scores of which none is a number ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_ATTENTION_GUARDS_H
#define TESSERA_LIB_REWRITE_ATTENTION_GUARDS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::rewrite {

/// The ops by which `condition` says of each row of `scores` whether any of it is not minus infinity, the last one first; none if it says
/// something else.
llvm::SmallVector<mlir::Operation *> guardOf(mlir::Value condition, mlir::Value scores);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_ATTENTION_GUARDS_H
