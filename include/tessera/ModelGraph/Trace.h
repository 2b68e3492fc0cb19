//===- Trace.h - The model as TTNN modules --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELGRAPH_TRACE_H
#define TESSERA_MODELGRAPH_TRACE_H

#include "tessera/ModelGraph/Graph.h"

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
/// Whether forward functions can follow a config that someone has changed: an error with all that they cannot, by place.
llvm::Error checkModelConfig(const Item &given, const Target &target, Phase phase);

/// The run config of a phase: model config, weight config and state merged; weights are named, not loaded.
Config runConfigOf(const Target &target, Phase phase, llvm::ArrayRef<WeightTensor> weights,
                   const Item &model);

/// An error if a tensor is larger than layouts can be. From token ids to logits: ids 1 x users or 1 x sequence, logits 1 x 1 x rows of the device x vocabulary of the device.
/// `model` is a config that checkModelConfig has accepted.
llvm::Expected<TracedModel> traceModel(mlir::MLIRContext &context, const Target &target, Phase phase,
                                       const DeviceSpec &device, const Item &model);

/// One layer, from hidden states to hidden states. Requires 0 <= layer < num_hidden_layers.
llvm::Expected<TracedModel> traceLayer(mlir::MLIRContext &context, const Target &target, Phase phase,
                                       const DeviceSpec &device, int64_t layer);

/// Whether TTNN takes the ops as they are: an error with the first that it does not, for people.
llvm::Error checkTrace(mlir::ModuleOp module);

/// A board with a mesh of that shape: a built-in one of as many chips, else the largest, with its mesh changed.
DeviceSpec boardFor(GridShape mesh);

} // namespace tessera::runner

#endif // TESSERA_MODELGRAPH_TRACE_H
