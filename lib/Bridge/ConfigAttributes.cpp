//===- ConfigAttributes.cpp - Op-specific configuration <-> attributes ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a search may choose is read into an OpConfig, and written back onto what the op
// said before: keys that no plan chooses stay as they stand. Attributes cannot be
// changed, so each one is built with all of its keys.
//
//===----------------------------------------------------------------------===//
#include "ConfigAttributes.h"

#include "tessera/Bridge/ProblemBuilder.h"

#include "tessera/Dialect/TTNN/TTNN.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;

namespace {

/// The attribute that says how a matmul is shared out.
StringRef programConfigName(Operation *op) {
  return isa<ttnn::SparseMatmulOp>(op) ? "program_config" : "matmul_program_config";
}

CoreCoord coordOf(ttnn::CoreCoordAttr attr) { return {attr.getX(), attr.getY()}; }

/// The activation with its parameters, as the slope of a leaky relu.
Activation activationOf(ttnn::UnaryWithParamAttr attr) {
  Activation activation{attr.getOpType().str(), {}};
  for (FloatAttr param : attr.getParams())
    activation.params.push_back(param.getValueAsDouble());
  return activation;
}

/// "relu"; "" for none, which is what a config has for it.
std::string activationOrNone(ttnn::UnaryWithParamAttr attr) {
  return attr ? activationsText(activationOf(attr)) : std::string();
}

// ---- matmul: attribute -> config --------------------------------------------------------------------------

/// What all matmul configs have in common: how much a core works on, in tiles.
template <class Attr>
MatmulProgramConfig blocks(Attr attr, MatmulProgramConfig::Kind kind) {
  MatmulProgramConfig config;
  config.kind = kind;
  config.in0BlockW = int64_t(attr.getIn0BlockW());
  config.perCoreM = int64_t(attr.getPerCoreM());
  config.perCoreN = int64_t(attr.getPerCoreN());
  return config;
}

/// The same of configs that also divide the work of a core into subblocks, which the registers hold at once.
template <class Attr>
MatmulProgramConfig subblocks(Attr attr, MatmulProgramConfig::Kind kind) {
  MatmulProgramConfig config = blocks(attr, kind);
  config.grid = coordOf(attr.getComputeWithStorageGridSize());
  config.outSubblockH = int64_t(attr.getOutSubblockH());
  config.outSubblockW = int64_t(attr.getOutSubblockW());
  // A config without blocks of its own works on all that a core makes at once.
  config.outBlockH = config.perCoreM;
  config.outBlockW = config.perCoreN;
  return config;
}

template <class Attr>
MatmulProgramConfig multiCast(Attr attr, MatmulProgramConfig::Kind kind) {
  MatmulProgramConfig config = subblocks(attr, kind);
  config.outBlockH = int64_t(attr.getOutBlockH());
  config.outBlockW = int64_t(attr.getOutBlockW());
  config.fuseBatch = attr.getFuseBatch();
  config.fusedActivation = activationOrNone(attr.getFusedActivation());
  return config;
}

/// What the attribute chooses, in the terms of the search.
OpSpecificConfig matmulConfig(Attribute attribute) {
  using Kind = MatmulProgramConfig::Kind;
  // Kinds that the search does not have are read as none: the attribute stays as it stands unless a plan chooses
  // another.
  if (auto attr = dyn_cast_or_null<ttnn::MatmulMultiCoreReuseProgramConfigAttr>(attribute))
    return subblocks(attr, Kind::Reuse);
  if (auto attr = dyn_cast_or_null<ttnn::MatmulMultiCoreReuseMultiCastProgramConfigAttr>(attribute)) {
    MatmulProgramConfig config = multiCast(attr, Kind::MultiCast2D);
    config.transposeMcast = attr.getTransposeMcast();
    return config;
  }
  if (auto attr = dyn_cast_or_null<ttnn::MatmulMultiCoreReuseMultiCast1DProgramConfigAttr>(attribute)) {
    MatmulProgramConfig config = multiCast(attr, Kind::MultiCast1D);
    config.mcastIn0 = attr.getMcastIn0();
    return config;
  }
  if (auto attr =
          dyn_cast_or_null<ttnn::MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfigAttr>(attribute)) {
    MatmulProgramConfig config = blocks(attr, Kind::MultiCastDramSharded);
    config.fusedActivation = activationOrNone(attr.getFusedActivation());
    return config;
  }
  return std::monostate();
}

// ---- matmul: config -> attribute --------------------------------------------------------------------------

/// Of a text with one activation; null if it is empty.
ttnn::UnaryWithParamAttr activationAttr(MLIRContext *context, const std::string &text) {
  if (text.empty())
    return {};
  std::optional<SmallVector<Activation>> parsed = parseActivations(text);
  if (!parsed || parsed->size() != 1) // not one that was read from such an attribute
    return ttnn::UnaryWithParamAttr::get(context, text, {});
  SmallVector<FloatAttr> params;
  for (double param : parsed->front().params)
    params.push_back(FloatAttr::get(Float32Type::get(context), param));
  return ttnn::UnaryWithParamAttr::get(context, parsed->front().name, params);
}

/// The activation that a program config fuses; null if none.
ttnn::UnaryWithParamAttr fusedActivation(Attribute programConfig) {
  return TypeSwitch<Attribute, ttnn::UnaryWithParamAttr>(programConfig)
      .Case<ttnn::MatmulMultiCoreReuseMultiCastProgramConfigAttr,
            ttnn::MatmulMultiCoreReuseMultiCast1DProgramConfigAttr,
            ttnn::MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfigAttr>(
          [](auto config) { return config.getFusedActivation(); })
      .Default([](Attribute) { return ttnn::UnaryWithParamAttr(); });
}

/// The attribute of that choice, with all of its keys.
Attribute programConfigAttr(MLIRContext *context, const MatmulProgramConfig &c) {
  using Kind = MatmulProgramConfig::Kind;
  ttnn::UnaryWithParamAttr activation = activationAttr(context, c.fusedActivation);
  auto grid = ttnn::CoreCoordAttr::get(context, c.grid.x, c.grid.y);
  switch (c.kind) {
  case Kind::Reuse:
    return ttnn::MatmulMultiCoreReuseProgramConfigAttr::get(context, grid, c.in0BlockW, c.outSubblockH,
                                                            c.outSubblockW, c.perCoreM, c.perCoreN);
  case Kind::MultiCast2D:
    return ttnn::MatmulMultiCoreReuseMultiCastProgramConfigAttr::get(
        context, grid, c.in0BlockW, c.outSubblockH, c.outSubblockW, c.outBlockH, c.outBlockW, c.perCoreM,
        c.perCoreN, c.transposeMcast, activation, c.fuseBatch);
  // The keys at the end are those that no plan chooses, as the backend has them where nobody says otherwise
  // (hasUnsearchedKeys).
  case Kind::MultiCast1D:
    return ttnn::MatmulMultiCoreReuseMultiCast1DProgramConfigAttr::get(
        context, grid, c.in0BlockW, c.outSubblockH, c.outSubblockW, c.outBlockH, c.outBlockW, c.perCoreM,
        c.perCoreN, c.fuseBatch, activation, c.mcastIn0, /*gather_in0=*/false,
        /*hop_cores=*/ttnn::CoreRangeSetAttr::get(context, {}), /*num_global_cb_receivers=*/0,
        /*untilize_out=*/false);
  case Kind::MultiCastDramSharded:
    return ttnn::MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfigAttr::get(
        context, c.in0BlockW, c.perCoreM, c.perCoreN, activation);
  }
  return {};
}

/// Gives a matmul its config, whatever it had before.
void applyMatmul(Operation *op, const MatmulProgramConfig &config) {
  op->setAttr(programConfigName(op), programConfigAttr(op->getContext(), config));
  // The kernel would apply the activation twice (tt-metal #35060).
  if (!config.fusedActivation.empty())
    op->removeAttr("activation");
}

/// Leaves the kernel and its blocks to the backend.
void removeProgramConfig(Operation *op) {
  // The op still has to compute what the config fused.
  Attribute own = op->removeAttr(programConfigName(op));
  if (ttnn::UnaryWithParamAttr fused = own ? fusedActivation(own) : ttnn::UnaryWithParamAttr())
    op->setAttr("activation", StringAttr::get(op->getContext(), fused.getOpType()));
}

// ---- attention ----------------------------------------------------------------------------------------------

OpSpecificConfig attentionConfig(ttnn::SDPAProgramConfigAttr attr) {
  if (!attr)
    return std::monostate();
  return AttentionConfig{coordOf(attr.getComputeWithStorageGridSize()), int64_t(attr.getQChunkSize()),
                         int64_t(attr.getKChunkSize())};
}

void applyAttention(ttnn::ScaledDotProductAttentionOp op, const AttentionConfig &config) {
  MLIRContext *context = op.getContext();
  ttnn::SDPAProgramConfigAttr base = op.getProgramConfigAttr();
  // The mode of exponentials changes numbers and is the program's to say; cores that it left out stay left out.
  op.setProgramConfigAttr(ttnn::SDPAProgramConfigAttr::get(
      context, ttnn::CoreCoordAttr::get(context, config.grid.x, config.grid.y),
      base ? base.getSubCoreGrids() : nullptr, uint64_t(config.queryChunk), uint64_t(config.keyChunk),
      base ? base.getExpApproxMode() : nullptr,
      base ? base.getMaxCoresPerHeadBatch() : std::optional<uint64_t>()));
}

/// As the op has them without a program config (lib/OpModel/Analytic/Attention/Attention.cpp, decodeShape): the largest power of two in the
/// length, on as many cores as there are; of pages one tile on one core. But for exponentials on Blackhole, where the approximate ones, which the
/// kernel takes by itself, may not compile (tt-metal#40301: the public compiler states the others, too); the others are more exact.
template <class Op>
void stateGridOf(Op op, const DeviceSpec &device, bool paged) {
  if (op.getProgramConfigAttr())
    return;
  int64_t length = cast<RankedTensorType>(op.getKey().getType()).getDimSize(2);
  int64_t chunk = paged ? 32 : std::min<int64_t>(512, length & -length);
  MLIRContext *context = op.getContext();
  const GridShape cores = device.workerGrid;
  op.setProgramConfigAttr(ttnn::SDPAProgramConfigAttr::get(
      context, ttnn::CoreCoordAttr::get(context, cores.columns, cores.rows), /*sub_core_grids=*/nullptr,
      /*q_chunk_size=*/32, uint64_t(chunk),
      device.arch == Arch::Blackhole ? BoolAttr::get(context, false) : BoolAttr(),
      uint64_t(paged ? 1 : cores.volume())));
}

// ---- conv2d -------------------------------------------------------------------------------------------------

// Kinds of slices by both names. The backend's own choice is none of them: it is an op without the attribute.
struct SliceKind {
  Conv2dConfig::Slice slice;
  ttnn::Conv2dSliceType attr;
};
constexpr SliceKind kSliceKinds[] = {
    {Conv2dConfig::Slice::L1Full, ttnn::Conv2dSliceType::L1Full},
    {Conv2dConfig::Slice::DramHeight, ttnn::Conv2dSliceType::DramHeight},
    {Conv2dConfig::Slice::DramWidth, ttnn::Conv2dSliceType::DramWidth},
};

/// What prepares weights has both attributes as well, and no choice: it follows its convolution (PreparedWeights).
bool isConvolution(Operation *op) { return isa<ttnn::Conv2dOp, ttnn::ConvTranspose2dOp>(op); }

/// A config attribute that sets none of the searched knobs leaves all of them to the backend.
OpSpecificConfig convConfig(ttnn::Conv2dConfigAttr attr, ttnn::Conv2dSliceConfigAttr slice) {
  // Weights' types, activations and buffers are the program's to say, and no choice of where things lie.
  bool setsKnob = attr && (attr.getShardLayout() || attr.getActBlockHOverride() ||
                           attr.getDeallocateActivation() || attr.getReshardIfNotOptimal());
  if (!setsKnob && !slice)
    return std::monostate();
  Conv2dConfig config;
  if (attr) {
    if (attr.getShardLayout())
      config.shardLayout = MemoryLayout(*attr.getShardLayout());
    config.actBlockHOverride = attr.getActBlockHOverride().value_or(0);
    config.deallocateActivation = attr.getDeallocateActivation() && attr.getDeallocateActivation().getValue();
    if (attr.getReshardIfNotOptimal())
      config.reshardIfNotOptimal = attr.getReshardIfNotOptimal().getValue();
  }
  config.slice = Conv2dConfig::Slice::Backend;
  if (slice) {
    config.slice =
        llvm::find_if(kSliceKinds, [&](const SliceKind &k) { return k.attr == slice.getSliceType(); })->slice;
    config.numSlices = slice.getNumSlices();
  }
  return config;
}

/// The op's config; one without any key if it has none.
ttnn::Conv2dConfigAttr conv2dConfigOf(Operation *op) {
  if (auto config = op->getAttrOfType<ttnn::Conv2dConfigAttr>("conv2d_config"))
    return config;
  return ttnn::Conv2dConfigAttr::get(op->getContext(), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                                     {}, {});
}

/// Gives a convolution its config and, if the plan chooses how it is sliced, that as well.
void applyConv(Operation *op, const Conv2dConfig &config) {
  MLIRContext *context = op->getContext();
  ttnn::Conv2dConfigAttr base = conv2dConfigOf(op);
  // Only the knobs that are searched are set; all else stays what the program said.
  std::optional<ttnn::TensorMemoryLayout> shardLayout;
  if (config.shardLayout)
    shardLayout = ttnn::TensorMemoryLayout(*config.shardLayout);
  auto reshard = config.reshardIfNotOptimal ? BoolAttr::get(context, *config.reshardIfNotOptimal)
                                            : base.getReshardIfNotOptimal();
  op->setAttr("conv2d_config",
              ttnn::Conv2dConfigAttr::get(
                  context, base.getWeightsDtype(), base.getActivation(),
                  BoolAttr::get(context, config.deallocateActivation), base.getReallocateHaloOutput(),
                  uint32_t(config.actBlockHOverride), base.getActBlockWDiv(), reshard,
                  base.getOverrideShardingConfig(), shardLayout, base.getCoreGrid(),
                  base.getTransposeShards(), base.getOutputLayout(), base.getEnableActDoubleBuffer(),
                  base.getEnableWeightsDoubleBuffer(), base.getEnableKernelStrideFolding(),
                  base.getConfigTensorsInDram()));
  // Unsaid, the backend decides by the L1 that is free when the op runs.
  if (config.slice == Conv2dConfig::Slice::Backend) {
    op->removeAttr("conv2d_slice_config");
    return;
  }
  auto kind = llvm::find_if(kSliceKinds, [&](const SliceKind &k) { return k.slice == config.slice; })->attr;
  op->setAttr("conv2d_slice_config",
              ttnn::Conv2dSliceConfigAttr::get(context, kind, uint32_t(config.numSlices)));
}

/// All that is searched as if nobody had said a word.
void removeConvKnobs(Operation *op) {
  op->removeAttr("conv2d_slice_config");
  auto base = op->getAttrOfType<ttnn::Conv2dConfigAttr>("conv2d_config");
  if (!base)
    return;
  op->setAttr("conv2d_config", ttnn::Conv2dConfigAttr::get(
                                   op->getContext(), base.getWeightsDtype(), base.getActivation(), {},
                                   base.getReallocateHaloOutput(), {}, base.getActBlockWDiv(), {},
                                   base.getOverrideShardingConfig(), {}, base.getCoreGrid(),
                                   base.getTransposeShards(), base.getOutputLayout(),
                                   base.getEnableActDoubleBuffer(), base.getEnableWeightsDoubleBuffer(),
                                   base.getEnableKernelStrideFolding(), base.getConfigTensorsInDram()));
}

/// Gives a conv2d its config `base` with these two keys.
void setKeys(Operation *op, ttnn::Conv2dConfigAttr base, BoolAttr deallocateActivation,
             std::optional<ttnn::Layout> outputLayout) {
  op->setAttr("conv2d_config",
              ttnn::Conv2dConfigAttr::get(
                  op->getContext(), base.getWeightsDtype(), base.getActivation(), deallocateActivation,
                  base.getReallocateHaloOutput(), base.getActBlockHOverride(), base.getActBlockWDiv(),
                  base.getReshardIfNotOptimal(), base.getOverrideShardingConfig(), base.getShardLayout(),
                  base.getCoreGrid(), base.getTransposeShards(), outputLayout,
                  base.getEnableActDoubleBuffer(), base.getEnableWeightsDoubleBuffer(),
                  base.getEnableKernelStrideFolding(), base.getConfigTensorsInDram()));
}

} // namespace

OpSpecificConfig tessera::configOf(Operation *op) {
  if (auto attention = dyn_cast<ttnn::ScaledDotProductAttentionOp>(op))
    return attentionConfig(attention.getProgramConfigAttr());
  if (isConvolution(op))
    return convConfig(op->getAttrOfType<ttnn::Conv2dConfigAttr>("conv2d_config"),
                      op->getAttrOfType<ttnn::Conv2dSliceConfigAttr>("conv2d_slice_config"));
  return matmulConfig(op->getAttr(programConfigName(op)));
}

/// Keys of a 1-D config that MatmulProgramConfig does not have: written back from it they would get their defaults, so
/// an op that sets any of them is not decided at all (isDecidable). Nor is one that has an activation of its own behind the fused one: a chosen
/// config fuses one, and the other would be lost.
bool tessera::hasUnsearchedKeys(Operation *op) {
  Attribute own = op->getAttr(programConfigName(op));
  // A sparse matmul has nowhere else to say what its config fuses.
  if (own && fusedActivation(own) && (op->getAttr("activation") || isa<ttnn::SparseMatmulOp>(op)))
    return true;
  auto config = dyn_cast_or_null<ttnn::MatmulMultiCoreReuseMultiCast1DProgramConfigAttr>(own);
  return config &&
         (config.getGatherIn0() || config.getUntilizeOut() || config.getNumGlobalCbReceivers() != 0 ||
          (config.getHopCores() && !config.getHopCores().getCoreRanges().empty()));
}

void tessera::applyConfig(Operation *op, const OpSpecificConfig &config) {
  // Where a plan chooses none, what is searched is taken off, by the kind of the op.
  if (const auto *matmul = std::get_if<MatmulProgramConfig>(&config))
    applyMatmul(op, *matmul);
  else if (const auto *conv = std::get_if<Conv2dConfig>(&config))
    applyConv(op, *conv);
  else if (const auto *attention = std::get_if<AttentionConfig>(&config))
    applyAttention(cast<ttnn::ScaledDotProductAttentionOp>(op), *attention);
  else if (isa<ttnn::MatmulOp, ttnn::LinearOp, ttnn::SparseMatmulOp>(op))
    removeProgramConfig(op);
  else if (auto attention = dyn_cast<ttnn::ScaledDotProductAttentionOp>(op))
    attention.removeProgramConfigAttr();
  else if (isConvolution(op))
    removeConvKnobs(op);
}

void tessera::stateGrid(Operation *op, const DeviceSpec &device) {
  if (auto attention = dyn_cast<ttnn::ScaledDotProductAttentionDecodeOp>(op))
    stateGridOf(attention, device, /*paged=*/false);
  else if (auto paged = dyn_cast<ttnn::PagedScaledDotProductAttentionDecodeOp>(op))
    stateGridOf(paged, device, /*paged=*/true);
}

void tessera::applyComputeConfig(Operation *op, const ComputeConfig &config) {
  MLIRContext *context = op->getContext();
  auto flag = [&](bool on) { return BoolAttr::get(context, on); };
  cast<ttnn::TTNNComputeKernelConfigOpInterface>(op).setComputeConfigAttr(
      ttnn::DeviceComputeKernelConfigAttr::get(
          context, ttnn::symbolizeMathFidelity(mathFidelities()[config.fidelity - 1]),
          flag(config.approximate), flag(config.fp32Accumulate), flag(config.packerL1Accumulate), {}));
}

/// The library makes a convolution's result in the pages that its config says, whatever the type of the IR's result. A
/// plan that chooses other pages for the result has to say it in both places.
void tessera::agreeOnOutputLayout(Operation *op) {
  if (!isa<ttnn::Conv1dOp, ttnn::Conv2dOp, ttnn::ConvTranspose2dOp>(op))
    return;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto placed = dyn_cast_or_null<ttnn::TTNNLayoutAttr>(type.getEncoding());
  if (!placed)
    return;
  ttnn::Layout layout = placed.getLayout();
  ttnn::Conv2dConfigAttr base = conv2dConfigOf(op);
  // Left as it stands where it says the same, or says nothing and means it: an unchanged program prints unchanged.
  if (base.getOutputLayout().value_or(ttnn::Layout::Tile) == layout)
    return;
  setKeys(op, base, base.getDeallocateActivation(), layout);
}

/// The flag is about an input's L1: of one that lies in DRAM it frees nothing. It is taken off there, as it would only
/// mislead whoever reads the module.
void tessera::clearIdleDeallocateActivation(Operation *root) {
  root->walk([](Operation *op) {
    if (!isa<ttnn::Conv2dOp, ttnn::ConvTranspose2dOp>(op) || ttnn::unreadProperties(op))
      return;
    auto layout = dyn_cast_or_null<ttnn::TTNNLayoutAttr>(
        cast<RankedTensorType>(op->getOperand(0).getType()).getEncoding());
    ttnn::Conv2dConfigAttr base = conv2dConfigOf(op);
    bool frees = base.getDeallocateActivation() && base.getDeallocateActivation().getValue();
    if (frees && layout && layout.getBufferType() == ttnn::BufferType::DRAM)
      setKeys(op, base, {}, base.getOutputLayout());
  });
}

std::string tessera::activationsText(ArrayAttr list) {
  SmallVector<Activation> activations;
  for (Attribute element : list)
    if (auto activation = dyn_cast<ttnn::UnaryWithParamAttr>(element))
      activations.push_back(activationOf(activation));
  return activationsText(activations);
}

bool tessera::forEachField(StringRef text, llvm::function_ref<void(StringRef, StringRef)> visit) {
  size_t open = text.find('<');
  if (open == StringRef::npos || !text.ends_with(">"))
    return false;
  StringRef body = text.substr(open + 1).drop_back();
  SmallVector<std::pair<StringRef, StringRef>> fields;
  while (!body.empty()) {
    // The next comma outside of brackets, or the end.
    size_t end = 0, depth = 0;
    for (; end < body.size() && (depth > 0 || body[end] != ','); ++end) {
      // A comma within brackets parts no fields: `grid = <8, 8>` is one.
      if (StringRef("<([{").contains(body[end]))
        ++depth;
      else if (StringRef(">)]}").contains(body[end]) && depth > 0)
        --depth;
    }
    // Fields are visited only if all of them are fields: half a struct would be a wrong signature.
    auto [key, value] = body.take_front(end).split(" = ");
    if (value.empty())
      return false;
    fields.emplace_back(key.trim(), value.trim());
    body = body.drop_front(std::min(end + 1, body.size()));
  }
  for (auto [key, value] : fields)
    visit(key, value);
  return true;
}
