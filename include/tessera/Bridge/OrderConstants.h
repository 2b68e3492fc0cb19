//===- OrderConstants.h - Const-eval functions -----------------*- C++ -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BRIDGE_ORDERCONSTANTS_H
#define TESSERA_BRIDGE_ORDERCONSTANTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera {

/// Whether the function is run once and its results are kept (`ttcore.load_cached`).
bool isConstEval(mlir::func::FuncOp function);

/// Erases those of the functions, all of one symbol table, that nothing in it refers to; none if something in it may have symbols that are not
/// known.
void eraseUnused(llvm::ArrayRef<mlir::func::FuncOp> functions);

/// Puts the ops of a const-eval function into an order in which less lies in the device's memories at once, and frees each tensor at
/// its end: an op that frees at least as much as it makes runs as soon as it can; else the order is as it was. A function that would
/// not hold less, that writes a tensor in place, or has an op that nobody knows, stays as it is. The public compiler first makes all folded weights of a
/// network, in tiles (512x1024 weights of 1x1 take 1 GiB so), and then takes each out of its tiles: a ResNet-50 does not fit into the
/// DRAM of an n150 like that.
void orderConstEval(mlir::func::FuncOp function);

} // namespace tessera

#endif // TESSERA_BRIDGE_ORDERCONSTANTS_H
