//===- Graph.cpp - Forward functions write TTNN ops -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A graph is the function that forward functions write, op by op, at its end.
// Every tensor is in DRAM, interleaved in tiles, unless the model is traced as
// it is configured: then memory configs become layouts, with a conversion where
// an op takes no shards. What cannot be placed is noted and told when the graph
// is finished, so that forward functions read like the published ones and need
// no error handling.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelGraph/Graph.h"

#include "ModuleFrame.h"
#include "Placement.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::runner;

// ---- Configs ---------------------------------------------------------------------------------------------

Config Config::operator[](llvm::StringRef key) const {
  const Dict *dict = item.get<Dict>();
  const Item *found = dict ? dict->find(key) : nullptr;
  return {found ? *found : Item(), path + (path.empty() ? "" : ".") + key.str()};
}

Config Config::operator[](size_t index) const {
  const Sequence *list = item.get<Sequence>();
  return {list && index < list->items.size() ? list->items[index] : Item(),
          path + "[" + std::to_string(index) + "]"};
}

bool Config::has(llvm::StringRef key) const {
  const Dict *dict = item.get<Dict>();
  return dict && dict->find(key);
}

// ---- Graphs ----------------------------------------------------------------------------------------------

Graph::Graph(MLIRContext &context, const Target &target, WeightFiles weights, const DeviceSpec &spec,
             bool asConfigured)
    : modelTarget(target), files(std::move(weights)), module(emptyModule(context, spec, target.mesh)),
      builder(&context), chip(spec), asConfigured(asConfigured) {
  builder.setInsertionPointToEnd(innerModule(*module).getBody());
  function = func::FuncOp::create(builder, here(), "main", builder.getFunctionType({}, {}));
  function->setAttr("tt.function_type", builder.getStringAttr("forward_device"));
  builder.setInsertionPointToStart(function.addEntryBlock());
  meshDevice =
      ttnn::GetDeviceOp::create(builder, here(), ttnn::DeviceType::get(&context),
                                ttnn::MeshShapeAttr::get(&context, target.mesh.rows, target.mesh.columns),
                                ttnn::MeshOffsetAttr::get(&context, 0, 0));
}

Graph::~Graph() = default;

Location Graph::here() { return NameLoc::get(builder.getStringAttr(location)); }

RankedTensorType Graph::typeOf(const TensorDesc &desc, const TensorLayout &layout) {
  MLIRContext *context = builder.getContext();
  // tt-mlir spells a block-float tensor by its tile (facts/ir 1.1, "Data types").
  mlir::Type element = isBlockFloat(desc.dtype) ? ttcore::memrefElementType(context, desc.dtype, layout.tile)
                                                : ttcore::scalarType(context, desc.dtype);
  return RankedTensorType::get(desc.shape, element, ttnn::toAttr(context, layout));
}

RankedTensorType Graph::typeOf(const TensorDesc &desc, PageLayout page) {
  if (fitsLayouts(desc.shape))
    return typeOf(desc, dramInterleaved(desc, page));
  // A forward function cannot fail half-way, so what is wrong is noted, and told when the graph is finished.
  if (tooLarge.empty())
    tooLarge = location;
  return RankedTensorType::get(desc.shape, builder.getBF16Type());
}

Tensor Graph::argument(GraphArgument argument, PageLayout page) {
  // Layers share tables and weights by name, and a function has one argument for each.
  for (auto [index, known] : llvm::enumerate(made))
    if (known.name == argument.name)
      return {function.getArgument(index), known.desc};
  // The attributes are those that tt-mlir reads to tell parameters, inputs and caches apart.
  TensorDesc desc = argument.desc;
  ttcore::ArgumentType kind = argument.kind == GraphArgument::Kind::Weight ? ttcore::ArgumentType::Parameter
                                                                           : ttcore::ArgumentType::Input;
  llvm::SmallVector<NamedAttribute> attributes = {
      builder.getNamedAttr("ttcore.argument_type", ttcore::ArgumentTypeAttr::get(builder.getContext(), kind)),
      builder.getNamedAttr("ttir.name", builder.getStringAttr(argument.name))};
  if (argument.kind == GraphArgument::Kind::Cache)
    attributes.push_back(builder.getNamedAttr("ttcore.kv_cache", builder.getUnitAttr()));
  made.push_back(std::move(argument));
  if (failed(function.insertArgument(function.getNumArguments(), typeOf(desc, page),
                                     builder.getDictionaryAttr(attributes), here())))
    llvm_unreachable("a function takes more arguments");
  return {function.getArguments().back(), desc};
}

Tensor Graph::input(llvm::StringRef name, TensorDesc desc, PageLayout page) {
  return argument({GraphArgument::Kind::Input, name.str(), desc}, page);
}

Tensor Graph::weight(const WeightItem &item) {
  const auto *loaded = std::get_if<LoadedTensor>(&item);
  assert(loaded && "a run config has all its weights");
  // What lies in the file decides shape and pages, as no conversion runs when weights are loaded.
  const WeightFile &file = files.at(loaded->path);
  Tensor made = argument({GraphArgument::Kind::Weight, loaded->path, file.desc}, file.layout);
  std::optional<MemoryConfig> memory = fromItem<MemoryConfig>(loaded->memoryConfig);
  // Otherwise the weight stays in DRAM interleaved, and the optimizer decides (docs/model-runner.md).
  if (!asConfigured || !memory)
    return made;
  llvm::Expected<TensorLayout> layout = placementOf(*memory, {file.desc, file.layout}, chip);
  if (layout)
    made.value.setType(typeOf(file.desc, *layout));
  else
    refuse(layout.takeError());
  return made;
}

Tensor Graph::cache(const Config &cache) {
  auto config = cache.as<KvCacheConfig>();
  TensorDesc desc{Shape(config.kv_cache_shape->begin(), config.kv_cache_shape->end()),
                  config.dtype.value_or(DataType::BFP_BFloat8)};
  return argument({GraphArgument::Kind::Cache, cache.name(), desc}, PageLayout::Tile);
}

llvm::SmallVector<Tensor> Graph::add(llvm::StringRef op, llvm::ArrayRef<Tensor> operands,
                                     llvm::ArrayRef<TensorDesc> results, Attributes attributes,
                                     PageLayout page) {
  // What has a config in its op's name takes shards; the config says so, or the op model refuses it.
  static const llvm::StringSet<> kTakesShards = {"ttnn.linear",
                                                 "ttnn.multiply",
                                                 "ttnn.add",
                                                 "ttnn.silu",
                                                 "ttnn.rms_norm",
                                                 "ttnn.distributed_rms_norm",
                                                 "ttnn.to_memory_config",
                                                 "ttnn.all_gather",
                                                 "ttnn.reduce_scatter",
                                                 "ttnn.paged_update_cache",
                                                 "ttnn.paged_flash_multi_latent_attention_decode"};
  llvm::SmallVector<mlir::Value> values;
  for (const Tensor &operand : operands)
    values.push_back(asConfigured && !kTakesShards.contains(op) ? interleaved(operand).value : operand.value);
  OperationState state(here(), op);
  state.addOperands(values);
  for (const TensorDesc &result : results)
    state.types.push_back(typeOf(result, page));
  state.addAttributes(attributes);
  Operation *made = builder.create(state);
  llvm::SmallVector<Tensor> tensors;
  for (auto [value, desc] : llvm::zip_equal(made->getResults(), results))
    tensors.push_back({value, desc});
  return tensors;
}

Tensor Graph::add(llvm::StringRef op, llvm::ArrayRef<Tensor> operands, const TensorDesc &result,
                  const TensorLayout &layout, Attributes attributes) {
  Tensor made = add(op, operands, result, attributes).front();
  made.value.setType(typeOf(result, layout));
  return made;
}

// ---- Where configs put tensors ---------------------------------------------------------------------------

std::optional<TensorLayout> Graph::layoutOf(mlir::Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto attr = type ? dyn_cast_or_null<ttnn::TTNNLayoutAttr>(type.getEncoding()) : ttnn::TTNNLayoutAttr();
  FailureOr<TensorLayout> layout = attr ? ttnn::toTensorLayout(attr) : FailureOr<TensorLayout>(failure());
  return succeeded(layout) ? std::optional(*layout) : std::nullopt;
}

void Graph::refuse(llvm::Error error) {
  refused.push_back(location + ": " + llvm::toString(std::move(error)));
}

Tensor Graph::interleaved(const Tensor &x) {
  std::optional<TensorLayout> layout = layoutOf(x.value);
  // Shards in DRAM are weights, which their op reads as they are.
  if (!layout || !layout->isSharded() || !layout->isL1())
    return x;
  return add("ttnn.to_memory_config", x, x.desc, l1Interleaved(x.desc, chip.workerGrid, layout->page), {});
}

Tensor Graph::placed(Tensor made, const std::optional<MemoryConfig> &memory, int64_t cores) {
  // A tensor that is too large is told of when the graph is finished; no layout can be made for it.
  if (!asConfigured || !memory || !fitsLayouts(made.desc.shape))
    return made;
  Operation *op = made.value.getDefiningOp();
  // A memory config without a shard spec means shards like the operand's.
  std::optional<TensorLayout> like = op && op->getNumOperands() ? layoutOf(op->getOperand(0)) : std::nullopt;
  llvm::Expected<TensorLayout> layout =
      placementOf(*memory, {made.desc, PageLayout::Tile, like ? &*like : nullptr, cores}, chip);
  if (layout)
    made.value.setType(typeOf(made.desc, *layout));
  else
    refuse(layout.takeError());
  return made;
}

Tensor Graph::moved(const Tensor &x, const std::optional<MemoryConfig> &memory) {
  if (!asConfigured || !memory || !fitsLayouts(x.desc.shape))
    return x;
  std::optional<TensorLayout> from = layoutOf(x.value);
  llvm::Expected<TensorLayout> layout =
      placementOf(*memory, {x.desc, from ? from->page : PageLayout::Tile, from ? &*from : nullptr}, chip);
  if (layout)
    // A move to where the tensor lies would be a launch for nothing.
    return from == *layout ? x : add("ttnn.to_memory_config", x, x.desc, *layout, {});
  refuse(layout.takeError());
  return x;
}

Tensor Graph::full(TensorDesc desc, double value) {
  return add("ttnn.full", device(), desc,
             {builder.getNamedAttr("shape", ttnn::ShapeAttr::get(builder.getContext(), desc.shape)),
              builder.getNamedAttr("fill_value", builder.getF32FloatAttr(float(value)))})
      .front();
}

llvm::Expected<OwningOpRef<ModuleOp>> Graph::finish(llvm::ArrayRef<Tensor> results) {
  if (!tooLarge.empty())
    return llvm::createStringError("a tensor of " + tooLarge + " is larger than a device can hold");
  if (!refused.empty())
    return llvm::createStringError(llvm::join(refused, "; "));
  llvm::SmallVector<mlir::Value> values;
  for (const Tensor &result : results)
    values.push_back(result.value);
  func::ReturnOp::create(builder, here(), values);
  function.setFunctionType(
      // Only the finished body tells argument types: configs that place a weight change the type of its
      // argument.
      builder.getFunctionType(function.getBody().getArgumentTypes(), ValueRange(values).getTypes()));
  return std::move(module);
}
