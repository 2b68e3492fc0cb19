//===- Trace.cpp - The model as TTNN modules ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// From configs to a module. A run config is put together of three parts (model,
// weights, state), each of them ours or the user's; each is checked by itself
// first, so that an error names the file that has it. Then a forward function
// is called with a graph, and what it wrote is the trace. The table below says
// how modules are called by themselves.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Trace.h"

#include "tessera/ModelGraph/Forward.h"
#include "tessera/ModelRunner/ConfigHelpers.h"
#include "tessera/ModelRunner/RunConfig.h"

#include "mlir/IR/Verifier.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::runner;

Item runner::modelConfigOf(const Target &target, Phase phase) {
  return phase == Phase::Prefill ? model::prefillModelConfig(target) : model::decodeModelConfig(target);
}

// ---- What a run is made of -------------------------------------------------------------------------------

namespace {

/// What each file of the plan holds on a device.
WeightFiles plannedFiles(llvm::ArrayRef<WeightTensor> plan, GridShape mesh) {
  WeightFiles files;
  for (const WeightTensor &tensor : plan)
    files[tensor.file()] = {shardDesc(tensor, mesh), tensor.layout};
  return files;
}

std::string shapeText(llvm::ArrayRef<int64_t> shape, PageLayout layout) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text + (layout == PageLayout::Tile ? " in tiles" : " in rows");
}

/// What lies in the files that the run config names, where each holds what its op takes.
WeightFiles checkFiles(const WeightReader &reader, llvm::ArrayRef<WeightTensor> plan, const Item &config,
                       std::vector<std::string> &wrong) {
  WeightFiles files;
  for (const WeightTensor &tensor : plan) {
    const Item *place = itemAt(config, tensor.place);
    const LoadedTensor *loaded = place ? place->get<LoadedTensor>() : nullptr;
    const StoredTensor *stored = loaded ? reader.find(loaded->path) : nullptr;
    if (!stored) {
      wrong.push_back(tensor.name() + ": there is no file of a weight here");
      continue;
    }
    TensorDesc needed = shardDesc(tensor, reader.mesh());
    if (llvm::ArrayRef<int64_t>(needed.shape) != llvm::ArrayRef(stored->shape) ||
        stored->layout != tensor.layout)
      wrong.push_back(tensor.name() + ": '" + loaded->path + "' holds " +
                      shapeText(stored->shape, stored->layout) + " on a device, and the model needs " +
                      shapeText(needed.shape, tensor.layout));
    // The type is the file's: a conversion may have been told another one than the plan has (`--dtype`).
    files[loaded->path] = {{needed.shape, stored->type}, stored->layout};
  }
  return files;
}

} // namespace

llvm::Expected<MergedRun> runner::mergeRun(const Target &target, Phase phase, const RunParts &parts,
                                           const std::optional<ModulePlace> &module) {
  auto failure = [](llvm::ArrayRef<std::string> wrong) {
    return llvm::createStringError(llvm::join(wrong, "; "));
  };
  std::vector<WeightTensor> plan = module ? planWeights(target, *module) : planWeights(target);
  MeshDevice device{"mesh", target.mesh};
  Item whole = modelConfigOf(target, phase), ownWeights = weightConfig(plan);
  Item ownModel = module ? modelConfigOf(target.hf, *module, whole) : whole;
  Item ownState = module ? createState(target, device, *module) : model::createState(target, device);
  auto orOwn = [](const Item &given, const Item &own) { return given.isNone() ? own : given; };
  // Each part is checked against the one that we would make ourselves before they are merged: in the merged
  // config nobody could tell which of them was wrong.
  std::vector<std::string> wrong = checkConfig(orOwn(parts.model, ownModel), ownModel);
  llvm::append_range(wrong, checkNumbers(parts.model, target));
  llvm::append_range(wrong, checkNumbers(parts.weights, target));
  if (!wrong.empty())
    return failure(wrong);
  RunConfig merged =
      runConfig(orOwn(parts.model, ownModel), orOwn(parts.weights, ownWeights), orOwn(parts.state, ownState));
  for (const MergeProblem &problem : merged.problems)
    wrong.push_back((problem.path.empty() ? "" : problem.path + ": ") + problem.message);
  // The model config is right by itself: what differs now, the state has brought.
  if (wrong.empty() && !parts.state.isNone())
    wrong = checkConfig(merged.config, runConfig(orOwn(parts.model, ownModel), ownWeights, ownState).config);
  if (!wrong.empty())
    return failure(wrong);
  WeightFiles files =
      // Without files, what the plan would write: a model can be traced before a weight exists.
      parts.files ? checkFiles(*parts.files, plan, merged.config, wrong) : plannedFiles(plan, target.mesh);
  if (!wrong.empty())
    return failure(wrong);
  return MergedRun{merged.config, std::move(files)};
}

namespace {

/// Traces what `forward` makes.
llvm::Expected<TracedModel> trace(mlir::MLIRContext &context, const Target &target, Phase phase,
                                  const DeviceSpec &device, const RunParts &parts,
                                  llvm::function_ref<Tensor(Graph &, const Config &)> forward,
                                  const std::optional<ModulePlace> &module = std::nullopt) {
  llvm::Expected<MergedRun> run = mergeRun(target, phase, parts, module);
  if (!run)
    return run.takeError();
  Graph graph(context, target, run->files, device, parts.asConfigured);
  Tensor result = forward(graph, run->config);
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> made = graph.finish(result);
  if (!made)
    return made.takeError();
  return TracedModel{std::move(*made), graph.arguments().vec()};
}

} // namespace

llvm::Expected<TracedModel> runner::traceModel(mlir::MLIRContext &context, const Target &target, Phase phase,
                                               const DeviceSpec &device, const RunParts &parts) {
  bool prefill = phase == Phase::Prefill;
  int64_t rows = prefill ? target.sequenceLength : kUsersPerRow;
  return trace(context, target, phase, device, parts, [&](Graph &g, const Config &config) {
    Tensor ids = g.input("ids", {{1, rows * target.mesh.rows}, DataType::UInt32}, PageLayout::RowMajor);
    return prefill ? model::forwardPrefill(g, ids, config) : model::forwardDecode(g, ids, config);
  });
}

llvm::Expected<TracedModel> runner::traceLayer(mlir::MLIRContext &context, const Target &target, Phase phase,
                                               const DeviceSpec &device, int64_t layer,
                                               const RunParts &parts) {
  bool prefill = phase == Phase::Prefill, moe = layer >= target.hf.denseLayers();
  return trace(context, target, phase, device, parts, [&](Graph &g, const Config &config) {
    // The residual stream as the embedding makes it.
    auto type = config["embedding"]["typecast"].as<TypecastConfig>();
    Tensor x = g.input(
        "x", {{1, 1, prefill ? target.sequenceLength : kUsersPerRow, target.hiddenPerDevice()}, *type.dtype});
    Config block = moe ? config["moe_decoder_block"][size_t(layer - target.hf.denseLayers())]
                       : config["mlp_decoder_block"][size_t(layer)];
    return prefill ? decoder_block::forwardPrefill(g, x, block, rotary_setup::prefillInputs(g), moe)
                   : decoder_block::forwardDecode(g, x, block, rotary_setup::decodeInputs(g), moe);
  });
}

// ---- Modules by themselves -------------------------------------------------------------------------------

namespace {

/// How a module is called, and what with.
struct StandAlone {
  llvm::StringLiteral name;
  TensorDesc (*input)(const Target &target, int64_t rows); ///< of a device
  CutOver cut;
  Tensor (*forward)(Graph &g, const Tensor &x, const Config &config, bool prefill);
};

TensorDesc rowsOf(int64_t rows, int64_t width) { return {{1, 1, rows, width}, DataType::BFloat16}; }
TensorDesc hidden(const Target &target, int64_t rows) { return rowsOf(rows, target.hiddenPerDevice()); }
TensorDesc wholeHidden(const Target &target, int64_t rows) { return rowsOf(rows, target.hf.hidden_size); }

AttentionInputs attentionInputs(Graph &g, bool prefill) {
  return prefill ? rotary_setup::prefillInputs(g) : rotary_setup::decodeInputs(g);
}
Tensor runNorm(Graph &g, const Tensor &x, const Config &config, bool) {
  return rms_norm::forward(g, x, config);
}
Tensor runDistributedNorm(Graph &g, const Tensor &x, const Config &config, bool) {
  return distributed_rms_norm::forward(g, x, config);
}
Tensor runMla(Graph &g, const Tensor &x, const Config &config, bool prefill) {
  AttentionInputs inputs = attentionInputs(g, prefill);
  return prefill ? mla2d::forwardPrefill(g, x, config, inputs) : mla2d::forwardDecode(g, x, config, inputs);
}
Tensor runMlp(Graph &g, const Tensor &x, const Config &config, bool prefill) {
  return prefill ? mlp::forwardPrefill(g, x, config) : mlp::forwardDecode(g, x, config);
}
Tensor runMoe(Graph &g, const Tensor &x, const Config &config, bool prefill) {
  return prefill ? moe::forwardPrefill(g, x, config) : moe::forwardDecode(g, x, config);
}
Tensor runBlock(Graph &g, const Tensor &x, const Config &config, bool prefill) {
  AttentionInputs inputs = attentionInputs(g, prefill);
  bool moe = config["mlp"].has("moe");
  return prefill ? decoder_block::forwardPrefill(g, x, config, inputs, moe)
                 : decoder_block::forwardDecode(g, x, config, inputs, moe);
}

/// By name as in ModuleTable. `cut` tells who calls a module alone whether its input and output are parts of the hidden
/// dimension, a column's each, or whole on every device: the norms of latents, the gate and the experts work on whole
/// rows.
const StandAlone kStandAlone[] = {
    {"embedding",
     [](const Target &target, int64_t rows) {
       return TensorDesc{{1, rows * target.mesh.rows}, DataType::UInt32};
     },
     {false, true},
     [](Graph &g, const Tensor &ids, const Config &config, bool) {
       return embedding::forward(g, ids, config);
     }},
    {"mla_norm", hidden, {true, true}, runDistributedNorm},
    {"mla", hidden, {true, true}, runMla},
    {"q_norm",
     [](const Target &target, int64_t rows) { return rowsOf(rows, target.hf.q_lora_rank); },
     {false, false},
     runNorm},
    {"kv_norm",
     [](const Target &target, int64_t rows) { return rowsOf(rows, target.hf.kv_lora_rank); },
     {false, false},
     runNorm},
    {"mlp_norm", hidden, {true, true}, runDistributedNorm},
    {"mlp", hidden, {true, true}, runMlp},
    {"moe", hidden, {true, true}, runMoe},
    {"moe_gate",
     wholeHidden,
     {false, false},
     [](Graph &g, const Tensor &x, const Config &config, bool) {
       return moe_gate::forward(g, x, config).weights;
     }},
    {"experts",
     [](const Target &target, int64_t rows) {
       return TensorDesc{{1, target.hf.n_routed_experts / target.mesh.volume(), rows, target.hf.hidden_size},
                         DataType::BFloat16};
     },
     {false, false},
     [](Graph &g, const Tensor &x, const Config &config, bool) { return experts::forward(g, x, config); }},
    {"shared_experts", hidden, {true, true}, runMlp},
    {"block", hidden, {true, true}, runBlock},
    {"norm", hidden, {true, true}, runDistributedNorm},
    {"lm_head",
     hidden,
     {true, true},
     [](Graph &g, const Tensor &x, const Config &config, bool) { return lm_head::forward(g, x, config); }},
};

/// Every module of the table in ModuleTable.cpp has an entry above.
const StandAlone &standAlone(const ModuleInfo &module) {
  return *llvm::find_if(kStandAlone, [&](const StandAlone &each) { return each.name == module.name; });
}

} // namespace

CutOver runner::columnsOf(const ModuleInfo &module) { return standAlone(module).cut; }

llvm::Expected<TracedModel> runner::traceModule(mlir::MLIRContext &context, const Target &target, Phase phase,
                                                const DeviceSpec &device, const ModulePlace &module,
                                                const RunParts &parts) {
  const StandAlone &alone = standAlone(*module.module);
  bool prefill = phase == Phase::Prefill;
  TensorDesc desc = alone.input(target, prefill ? target.sequenceLength : kUsersPerRow);
  bool ids = desc.dtype == DataType::UInt32;
  return trace(
      context, target, phase, device, parts,
      [&](Graph &g, const Config &config) {
        Tensor x = g.input(ids ? "ids" : "x", desc, ids ? PageLayout::RowMajor : PageLayout::Tile);
        return alone.forward(g, x, config, prefill);
      },
      module);
}

llvm::Error runner::checkTrace(mlir::ModuleOp module) {
  std::string wrong;
  mlir::ScopedDiagnosticHandler first(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (wrong.empty())
      // The first: what a verifier says afterwards follows from it mostly.
      wrong = diagnostic.str();
    return mlir::success();
  });
  if (mlir::succeeded(mlir::verify(module)))
    return llvm::Error::success();
  return llvm::createStringError("TTNN does not take the model as its config has it: " + wrong);
}

DeviceSpec runner::boardFor(GridShape mesh) {
  const DeviceSpec *best = nullptr;
  // The table of devices ascends in chips, and boards of later versions stand behind: this is the first Wormhole system with as many as the mesh
  // needs, or the largest there is.
  for (const DeviceSpec &device : builtinDevices())
    if (device.arch == Arch::WormholeB0 &&
        (!best || (best->mesh.volume() < mesh.volume() && best->mesh.volume() < device.mesh.volume())))
      best = &device;
  DeviceSpec board = *best;
  board.mesh = mesh;
  return board;
}
