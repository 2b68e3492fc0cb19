//===- Trace.h - The model as TTNN modules --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELGRAPH_TRACE_H
#define TESSERA_MODELGRAPH_TRACE_H

#include "tessera/ModelGraph/Graph.h"
#include "tessera/ModelRunner/ModuleTable.h"
#include "tessera/ModelRunner/WeightReader.h"

namespace tessera::runner {

/// A module and what its function is called with.
struct TracedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<GraphArgument> arguments;
};

/// What forward functions are called in.
enum class Phase : uint8_t { Prefill, Decode };
inline Phase phaseOf(const model::Mode &mode) {
  return mode.config == model::prefillModelConfig ? Phase::Prefill : Phase::Decode;
}

/// What the model's ops are called with.
Item modelConfigOf(const Target &target, Phase phase);
/// What forward functions cannot follow of a config that someone has changed, with its place. `own` is what the module
/// makes itself.
std::vector<std::string> checkConfig(const Item &given, const Item &own);

/// Program configs, memory configs and links of a model or weight config that no device of the target can follow, with
/// their places.
std::vector<std::string> checkNumbers(const Item &config, const Target &target);

/// What a run is made of, as files have it. None: as the model's own functions make it.
struct RunParts {
  Item model, weights, state;
  const WeightReader *files = nullptr; ///< what lies in the files of `weights`; none: what the model needs
  /// Ops get the layouts, program configs and links of their configs; else where tensors lie is left to the optimizer.
  bool asConfigured = false;
};

/// A run config, and what lies in the files of its weights.
struct MergedRun {
  Config config;
  WeightFiles files;
};

/// The run config of a phase: model config, weight config and state merged; weights are named, not loaded. An error
/// says by place all that does not merge, that forward functions cannot follow, and which file holds another shape than
/// its op takes.
llvm::Expected<MergedRun> mergeRun(const Target &target, Phase phase, const RunParts &parts = {},
                                   const std::optional<ModulePlace> &module = std::nullopt);

/// From token ids to logits: ids 1 x users or 1 x sequence, logits 1 x 1 x rows of the device x vocabulary of the
/// device. An error is one of mergeRun, or names a tensor that is larger than layouts can be.
llvm::Expected<TracedModel> traceModel(mlir::MLIRContext &context, const Target &target, Phase phase,
                                       const DeviceSpec &device, const RunParts &parts = {});

/// One layer, from hidden states to hidden states. Requires 0 <= layer < num_hidden_layers.
llvm::Expected<TracedModel> traceLayer(mlir::MLIRContext &context, const Target &target, Phase phase,
                                       const DeviceSpec &device, int64_t layer, const RunParts &parts = {});

/// What the op model says to a module whose layouts and programs are decided.
struct ConfiguredCost {
  Nanoseconds time;                 ///< of the ops that it knows and accepts
  std::vector<std::string> refused; ///< "place: why (rule)"
  std::vector<std::string> unknown; ///< ops whose time nobody knows, by kind
};
llvm::Expected<ConfiguredCost> configuredCost(mlir::ModuleOp module, const DeviceSpec &board);

/// A module by itself, from its input "x" ("ids" for the embedding) to its output.
llvm::Expected<TracedModel> traceModule(mlir::MLIRContext &context, const Target &target, Phase phase,
                                        const DeviceSpec &device, const ModulePlace &module,
                                        const RunParts &parts = {});
/// Whether the columns of the mesh each hold a part of the module's input or output, or each the whole.
struct CutOver {
  bool input, output;
};
CutOver columnsOf(const ModuleInfo &module);

/// Whether TTNN takes the ops as they are: an error with the first that it does not, for people.
llvm::Error checkTrace(mlir::ModuleOp module);

/// A board with a mesh of that shape: a built-in one of as many chips, else the largest, with its mesh changed.
DeviceSpec boardFor(GridShape mesh);

} // namespace tessera::runner

#endif // TESSERA_MODELGRAPH_TRACE_H
