//===- Trace.cpp - The model as TTNN modules ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Trace.h"

#include "tessera/ModelGraph/Forward.h"
#include "tessera/ModelRunner/ConfigHelpers.h"
#include "tessera/ModelRunner/RunConfig.h"

#include "mlir/IR/Verifier.h"

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
llvm::Expected<TracedModel> trace(mlir::MLIRContext &context, const Target &target, Phase phase,
                                  const DeviceSpec &device, const Item &model,
                                  llvm::function_ref<Tensor(Graph &, const Config &)> forward) {
  std::vector<WeightTensor> weights = planWeights(target);
  Config config = runConfigOf(target, phase, weights, model);
  Graph graph(context, target, weights, device);
  Tensor result = forward(graph, config);
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = graph.finish(result);
  if (!module)
    return module.takeError();
  return TracedModel{std::move(*module), graph.arguments().vec()};
}

} // namespace

llvm::Expected<TracedModel> runner::traceModel(mlir::MLIRContext &context, const Target &target, Phase phase,
                                               const DeviceSpec &device, const Item &model) {
  bool prefill = phase == Phase::Prefill;
  int64_t rows = prefill ? target.sequenceLength : kUsersPerRow;
  return trace(context, target, phase, device, model, [&](Graph &g, const Config &config) {
    Tensor ids = g.input("ids", {{1, rows * target.mesh.rows}, DataType::UInt32}, PageLayout::RowMajor);
    return prefill ? model::forwardPrefill(g, ids, config) : model::forwardDecode(g, ids, config);
  });
}

llvm::Expected<TracedModel> runner::traceLayer(mlir::MLIRContext &context, const Target &target, Phase phase,
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

llvm::Error runner::checkTrace(mlir::ModuleOp module) {
  std::string wrong;
  mlir::ScopedDiagnosticHandler first(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (wrong.empty())
      wrong = diagnostic.str();
    return mlir::success();
  });
  if (mlir::succeeded(mlir::verify(module)))
    return llvm::Error::success();
  return llvm::createStringError("TTNN does not take the model as its config has it: " + wrong);
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
