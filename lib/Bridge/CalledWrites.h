//===- CalledWrites.h - What calls write of what they are given -*- C++ -*-===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_BRIDGE_CALLEDWRITES_H
#define TESSERA_LIB_BRIDGE_CALLEDWRITES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace tessera {

/// Which operands of calls, and of loops over functions, are written in place by the functions that these run. Each function is looked at once.
class CalledWrites {
public:
  /// Whether a function that the op runs writes its operand of that number, or a view of it. False of other ops, and of functions of the
  /// host, which have no body here and make what they give.
  bool writes(mlir::Operation *op, unsigned operand);

private:
  /// By the number of the argument.
  const llvm::BitVector &argumentsWrittenBy(mlir::func::FuncOp function);
  bool writesInPlace(mlir::Operation *op, mlir::OpOperand &operand);

  llvm::DenseMap<mlir::Operation *, llvm::BitVector> written; ///< only looked up
};

} // namespace tessera

#endif // TESSERA_LIB_BRIDGE_CALLEDWRITES_H
