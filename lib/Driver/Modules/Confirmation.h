//===- Confirmation.h - Plans that the vendor's library accepts -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_CONFIRMATION_H
#define TESSERA_LIB_DRIVER_MODULES_CONFIRMATION_H

#include "tessera/Optimizer/Optimizer.h"

#include "mlir/IR/OwningOpRef.h"

namespace tessera {

/// What the vendor's library says of the ops that a plan decided.
struct Confirmation {
  std::string library; ///< "ttnn 0.77.0"
  size_t ops =
      0; ///< that were asked: those that the plan decided, conversions and what prepares constants among them
  size_t accepted = 0;
  size_t plans = 0; ///< made until all were accepted
  /// What the library still refuses: ops without any form that it takes. Op and message.
  std::vector<std::string> refused;
};

/// Optimizes `module`, asks the library of `version` (Library/TtnnLibrary.h) about every op that the plan decided, and
/// plans anew without what it refuses, until it accepts all. What is declared by the program itself is not asked. The
/// module becomes another one: the one of the last plan. Fails, with a diagnostic, as optimize() does, and if the
/// library is not there.
mlir::FailureOr<OptimizationResult> optimizeConfirmed(mlir::OwningOpRef<mlir::ModuleOp> &module,
                                                      OptimizerOptions options, const std::string &version,
                                                      Confirmation &confirmation);

llvm::json::Value toJson(const Confirmation &confirmation);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_CONFIRMATION_H
