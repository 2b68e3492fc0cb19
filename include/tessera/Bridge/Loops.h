//===- Loops.h - Loops over a function -----------------------*- C++ -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_BRIDGE_LOOPS_H
#define TESSERA_BRIDGE_LOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace tessera {

/// Whether the op is the loop over a function of the compiler of October 2026, which the dialect lets pass (facts/dialect 10).
bool isLoop(mlir::Operation *op);
/// How often a loop runs its body; nullopt where its end depends on values.
std::optional<int64_t> tripsOf(mlir::Operation *loop);
/// The function that the loop runs; null if it names none.
mlir::FlatSymbolRefAttr bodyOf(mlir::Operation *loop);

/// Whether a loop beside the function runs it, as its body or its condition. MLIR's uses of symbols do not tell: properties of an op that is not known are not looked into.
bool isLoopBody(mlir::func::FuncOp function);

/// A number of a loop: this one, or that of an operand.
struct LoopBound {
  int64_t value;
  std::optional<size_t> operand;
};

/// A loop that is its body again and again. The body takes the states, then what is the same in each run, and returns the next states.
struct FunctionLoop {
  mlir::func::FuncOp body;
  mlir::func::FuncOp condition; ///< says of the same operands whether it goes on; null if it is counted:
  llvm::SmallVector<LoopBound, 3> bounds; ///< from, to (exclusive) and step
  size_t states;                          ///< operands that are states, the first ones
  llvm::SmallVector<size_t> outputs;      ///< for each result the state that it is in the end
};

/// nullopt if the loop, its body and its condition or bounds do not belong together.
std::optional<FunctionLoop> functionLoop(mlir::Operation *loop);

} // namespace tessera

#endif // TESSERA_BRIDGE_LOOPS_H
