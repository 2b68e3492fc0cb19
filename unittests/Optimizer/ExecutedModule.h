//===- ExecutedModule.h - What a module computes on the simulator ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_EXECUTEDMODULE_H
#define TESSERA_UNITTESTS_OPTIMIZER_EXECUTEDMODULE_H

#include "tessera/Simulator/Machine.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera {

/// What a run gave.
struct ExecutedModule {
  std::vector<simulator::MeshTensor> results; ///< caches that were written behind them
  std::string error;
  bool refused = false; ///< the device's allocator finds no room, or its launch check fails
};

/// One for each argument of the module's last function (const-eval functions stand in front); the same for modules of the same text.
std::vector<simulator::MeshTensor> randomArguments(mlir::ModuleOp module);

enum class Rounded : uint8_t { EachOp, Nowhere };
/// Runs the module's last function on an n150.
ExecutedModule execute(mlir::ModuleOp module, llvm::ArrayRef<simulator::MeshTensor> arguments,
                       Rounded rounded = Rounded::EachOp);

/// A context and what is said in it, as far as it tells of a defect.
struct QuietContext {
  QuietContext();
  /// Null if it does not parse.
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text);

  mlir::MLIRContext context;
  std::string defect;
  mlir::ScopedDiagnosticHandler handler;
};

/// The number in an environment variable: TESSERA_PROGRAMS says how many programs, TESSERA_SEED which is the first.
uint64_t fromEnvironment(const char *name, uint64_t otherwise);

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_EXECUTEDMODULE_H
