//===- Trace.cpp - The model as TTNN modules ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
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

/// The item at a place of the weight config.
const Item *itemAt(const Item &tree, llvm::ArrayRef<std::string> place) {
  if (place.empty())
    return &tree;
  size_t index = 0;
  const auto *list = tree.get<Sequence>();
  bool isIndex = !llvm::StringRef(place[0]).drop_front().drop_back().getAsInteger(10, index);
  const Item *next = nullptr;
  if (const auto *dict = tree.get<Dict>())
    next = dict->find(place[0]);
  else if (const Object *object = tree.opConfig())
    next = object->type->find(place[0]) != object->fields.size()
               ? &object->fields[object->type->find(place[0])]
               : nullptr;
  else if (list && isIndex && index < list->items.size())
    next = &list->items[index];
  return next ? itemAt(*next, place.drop_front()) : nullptr;
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
    files[loaded->path] = {{needed.shape, stored->type}, stored->layout};
  }
  return files;
}

} // namespace

llvm::Expected<MergedRun> runner::mergeRun(const Target &target, Phase phase, const RunParts &parts) {
  auto failure = [](llvm::ArrayRef<std::string> wrong) {
    return llvm::createStringError(llvm::join(wrong, "; "));
  };
  std::vector<WeightTensor> plan = planWeights(target);
  Item ownModel = modelConfigOf(target, phase), ownWeights = weightConfig(plan),
       ownState = model::createState(target, {"mesh", target.mesh});
  auto orOwn = [](const Item &given, const Item &own) { return given.isNone() ? own : given; };
  std::vector<std::string> wrong = checkConfig(orOwn(parts.model, ownModel), ownModel);
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
      parts.files ? checkFiles(*parts.files, plan, merged.config, wrong) : plannedFiles(plan, target.mesh);
  if (!wrong.empty())
    return failure(wrong);
  return MergedRun{merged.config, std::move(files)};
}

namespace {

/// Traces what `forward` makes.
llvm::Expected<TracedModel> trace(mlir::MLIRContext &context, const Target &target, Phase phase,
                                  const DeviceSpec &device, const RunParts &parts,
                                  llvm::function_ref<Tensor(Graph &, const Config &)> forward) {
  llvm::Expected<MergedRun> run = mergeRun(target, phase, parts);
  if (!run)
    return run.takeError();
  Graph graph(context, target, run->files, device);
  Tensor result = forward(graph, run->config);
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = graph.finish(result);
  if (!module)
    return module.takeError();
  return TracedModel{std::move(*module), graph.arguments().vec()};
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
                                               const DeviceSpec &device, int64_t layer) {
  bool prefill = phase == Phase::Prefill, moe = layer >= target.hf.denseLayers();
  return trace(context, target, phase, device, {}, [&](Graph &g, const Config &config) {
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
