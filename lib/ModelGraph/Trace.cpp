//===- Trace.cpp - The model as TTNN modules ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Trace.h"

#include "tessera/ModelGraph/Forward.h"
#include "tessera/ModelRunner/ConfigHelpers.h"
#include "tessera/ModelRunner/RunConfig.h"

using namespace tessera;
using namespace tessera::runner;

Item runner::modelConfigOf(const Target &target, Phase phase) {
  return phase == Phase::Prefill ? model::prefillModelConfig(target) : model::decodeModelConfig(target);
}

Config runner::runConfigOf(const Target &target, Phase phase, llvm::ArrayRef<WeightTensor> weights,
                           const Item &model) {
  Item state = model::createState(target, {"mesh", target.mesh});
  RunConfig merged = runConfig(model, weightConfig(weights), state);
  assert(merged.problems.empty() && "the three stages fit");
  return merged.config;
}

namespace {

/// Traces what `forward` makes.
TracedModel trace(mlir::MLIRContext &context, const Target &target, Phase phase, const DeviceSpec &device,
                  const Item &model, llvm::function_ref<Tensor(Graph &, const Config &)> forward) {
  std::vector<WeightTensor> weights = planWeights(target);
  Config config = runConfigOf(target, phase, weights, model);
  Graph graph(context, target, weights, device);
  Tensor result = forward(graph, config);
  return {graph.finish(result), graph.arguments().vec()};
}

} // namespace

TracedModel runner::traceModel(mlir::MLIRContext &context, const Target &target, Phase phase,
                               const DeviceSpec &device, const Item &model) {
  bool prefill = phase == Phase::Prefill;
  int64_t rows = prefill ? target.sequenceLength : kUsersPerRow;
  return trace(context, target, phase, device, model, [&](Graph &g, const Config &config) {
    Tensor ids = g.input("ids", {{1, rows * target.mesh.rows}, DataType::UInt32}, PageLayout::RowMajor);
    return prefill ? model::forwardPrefill(g, ids, config) : model::forwardDecode(g, ids, config);
  });
}

TracedModel runner::traceLayer(mlir::MLIRContext &context, const Target &target, Phase phase,
                               const DeviceSpec &device, int64_t layer) {
  bool prefill = phase == Phase::Prefill, moe = layer >= target.hf.denseLayers();
  return trace(
      context, target, phase, device, modelConfigOf(target, phase), [&](Graph &g, const Config &config) {
        // The residual stream as the embedding makes it.
        auto type = config["embedding"]["typecast"].as<TypecastConfig>();
        Tensor x =
            g.input("x", {{1, 1, prefill ? target.sequenceLength : kUsersPerRow, target.hiddenPerDevice()},
                          *type.dtype});
        Config block = moe ? config["moe_decoder_block"][size_t(layer - target.hf.denseLayers())]
                           : config["mlp_decoder_block"][size_t(layer)];
        return prefill ? decoder_block::forwardPrefill(g, x, block, rotary_setup::prefillInputs(g), moe)
                       : decoder_block::forwardDecode(g, x, block, rotary_setup::decodeInputs(g), moe);
      });
}

DeviceSpec runner::boardFor(GridShape mesh) {
  const DeviceSpec *best = nullptr;
  for (const DeviceSpec &device : builtinDevices())
    if (device.arch == Arch::WormholeB0 && (!best || best->mesh.volume() < mesh.volume()))
      best = &device;
  DeviceSpec board = *best;
  board.mesh = mesh;
  return board;
}
