//===- Execution.h - Traced models on simulated devices -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELGRAPH_EXECUTION_H
#define TESSERA_MODELGRAPH_EXECUTION_H

#include "tessera/ModelGraph/Trace.h"
#include "tessera/ModelRunner/WeightReader.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/Simulator/Machine.h"

namespace tessera::runner {

/// The op model's times of a function, as written and as optimized.
struct Estimate {
  Nanoseconds before, after;
};

/// Optimizes the module in place with a policy, for that board. Fails after MLIR diagnostics.
mlir::FailureOr<Estimate> optimizeTrace(mlir::ModuleOp module, const DeviceSpec &board,
                                        llvm::StringRef policy);

/// A model or module, traced as its configs say (true) or with all that they say of places and programs left open
/// (false).
using Tracer = llvm::function_ref<llvm::Expected<TracedModel>(bool asConfigured)>;

/// An error that names every op of a configured program that the op model refuses, with its place in the config.
llvm::Error checkConfigured(mlir::ModuleOp module, const DeviceSpec &board);

struct OptimizedTrace {
  TracedModel model;
  Estimate estimate; ///< before: with everything left open
};
/// The configured program is a plan like any other: it is optimized, so is the one that leaves everything open, and the
/// faster one is returned. So what is optimized is never slower than what is configured. A configured program that the
/// op model refuses, or does not know all ops of, takes no part.
llvm::Expected<OptimizedTrace> optimizedTrace(Tracer trace, const DeviceSpec &board, llvm::StringRef policy);

/// Caches of all layers, by their place in the run config; zeros until something is written.
using Caches = std::map<std::string, simulator::MeshTensor>;

/// A traced model, ready to run.
class Executable {
public:
  /// An error names the first op that the simulator cannot run.
  static llvm::Expected<Executable> make(TracedModel model, const DeviceSpec &board);

  /// Gives the inputs by name.
  using Inputs = llvm::function_ref<simulator::MeshTensor(const GraphArgument &)>;
  /// Runs once: weights come from the reader, caches are read and written. What it returns is the function's result.
  llvm::Expected<simulator::MeshTensor> run(const WeightReader &weights, Caches &caches, Inputs inputs,
                                            Bytes maxMemory) const;

private:
  Executable() = default;

  TracedModel model;
  simulator::Program program;
  const simulator::Function *function = nullptr; ///< of the program
  std::unique_ptr<LayoutPool> layouts = std::make_unique<LayoutPool>();
  std::optional<OpModelBackend> backend;
};

} // namespace tessera::runner

#endif // TESSERA_MODELGRAPH_EXECUTION_H
