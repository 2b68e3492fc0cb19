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

/// Whether a loop beside the function runs it. MLIR's uses of symbols do not tell: properties of an op that is not known are not looked into.
bool isLoopBody(mlir::func::FuncOp function);

/// A loop that is its body so many times. The body takes the states, then what is the same in each run, and returns the next states.
struct CountedLoop {
  mlir::func::FuncOp body;
  int64_t trips;
  size_t states;                     ///< operands that are states, the first ones
  llvm::SmallVector<size_t> outputs; ///< for each result the state that it is in the end
};

/// nullopt if the number of runs is not known, or if the loop and its body do not belong together.
std::optional<CountedLoop> countedLoop(mlir::Operation *loop);

} // namespace tessera

#endif // TESSERA_BRIDGE_LOOPS_H
