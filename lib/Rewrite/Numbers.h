//===- Numbers.h - What ops make of numbers -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_NUMBERS_H
#define TESSERA_LIB_REWRITE_NUMBERS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"

#include <functional>
#include <optional>

namespace tessera::rewrite {

/// A function of one number that the device has.
struct UnaryFunction {
  llvm::StringLiteral name; ///< of the op, and in lists of activations
  double (*function)(double);
  bool isGoal = false; ///< whether it may stand for several ops
};
/// In the order in which a function is looked for among them.
llvm::ArrayRef<UnaryFunction> unaryFunctions();

/// What an op makes of one number per operand.
using NumberFunction = std::function<double(llvm::ArrayRef<double>)>;
/// nullptr of an op that is no function of elements, or of which it is not known here.
NumberFunction numberFunctionOf(mlir::Operation *op);

/// What all elements of a tensor lie between, both ends included.
struct Range {
  double low, high;
};
/// What is known of the value without running anything: of constants, of positions, and of what is computed of these. Const-eval functions
/// are looked into.
std::optional<Range> rangeOf(mlir::Value value);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_NUMBERS_H
