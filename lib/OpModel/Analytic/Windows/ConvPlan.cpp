//===- ConvPlan.cpp - How a convolution is cut into blocks ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. Kind: the input's if it is sharded, else the configured one, else the one
//      of height, block and width sharding that takes least L1.
//   2. Cores: as many as have work.
//   3. Blocks: the configured activation block height if it divides what a core
//      has; one tile if the kind was the backend's choice, until November 2025
//      (tt-metal e1b34d5de2: facts/formulas 11, VERSION).
//   4. From DRAM without a slice configuration: as few slices as fit L1.
//
// Height sharding is confirmed by goldens; block and width sharding are from
// source, unconfirmed.
//
//===----------------------------------------------------------------------===//
#include "ConvPlan.h"

#include "../Family.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

enum class SliceMode : uint8_t { None, Auto, Height, Width };

/// Without any slice configuration an input in DRAM is sliced, of transposed convolutions in newer backends
/// only (facts/formulas 11, VERSION).
SliceMode sliceMode(const OpCall &call) {
  using Slice = Conv2dConfig::Slice;
  // What the config says is done, whatever the operand's place; only the backend's own choice looks at that.
  if (const Conv2dConfig *c = convConfig(call); c && c->slice != Slice::Backend)
    return c->slice == Slice::L1Full       ? SliceMode::None
           : c->slice == Slice::DramHeight ? SliceMode::Height
                                           : SliceMode::Width;
  BackendVersion since = call.row.variant == 0 ? BackendVersion::Pinned : BackendVersion::Newest;
  bool sliceable = call.context.version >= since && call.in[0].dram() && !call.in[0].sharded();
  return sliceable ? SliceMode::Auto : SliceMode::None;
}

std::optional<MemoryLayout> fixedKind(const OpCall &call) {
  return call.in[0].sharded() ? call.in[0].layout->memory : configuredKind(call);
}

/// Channels are padded to whole tiles if the input is tiled, else to eight.
int64_t channelAlignment(const OpCall &call, bool sliced) { return call.in[0].tiled() && !sliced ? 32 : 8; }

void shareCores(const OpCall &call, ConvPlan &plan) {
  const TensorRef &in = call.in[0];
  GridShape worker = call.device().workerGrid;
  int64_t rows = plan.window.outTileRows(),
          channelTiles = ceilDiv(std::min(plan.window.inChannels, plan.window.outChannels), 32);
  // Shards stay on their cores: an exchange between cores would be another op.
  bool given = in.sharded();
  if (plan.kind == MemoryLayout::HeightSharded) {
    plan.pixelCores = given ? in.shardCores() : busyCores(rows, call.cores());
  } else if (plan.kind == MemoryLayout::WidthSharded) {
    plan.channelCores = given ? in.shardCores() : busyCores(channelTiles, call.cores());
  } else {
    plan.pixelCores = given ? in.layout->grid.rows : busyCores(rows, worker.rows);
    plan.channelCores = given ? in.layout->grid.columns : busyCores(channelTiles, worker.columns);
  }
  plan.pixelCores = std::max<int64_t>(1, plan.pixelCores);
  plan.channelCores = std::max<int64_t>(1, plan.channelCores);
}

void cutBlocks(const OpCall &call, ConvPlan &plan, bool autoSharded) {
  const Window &w = plan.window;
  plan.perCoreM = ceilDiv(w.outTileRows(), plan.pixelCores);
  plan.perCoreN = ceilDiv(ceilDiv(w.outChannels, 32), plan.channelCores);
  int64_t wanted = blockOverride(call);
  if (wanted == 0 && autoSharded && call.context.version <= BackendVersion::Pinned)
    wanted = 1;
  // A height that does not divide a core's part is ignored, not refused, as the backend does.
  plan.blockH = wanted > 0 && plan.perCoreM % wanted == 0 ? wanted : plan.perCoreM;
  plan.channels = alignUp(ceilDiv(w.inChannels, plan.channelCores), channelAlignment(call, plan.sliced));
  // A window of one pixel gathers nothing, so the matmul kernel takes its place (facts/hardware 4.6).
  plan.matmul = w.pointwise() && plan.kind != MemoryLayout::WidthSharded;
  if (plan.kind == MemoryLayout::HeightSharded) {
    plan.blockW = ceilDiv(plan.channels * w.kernelW, 32);
    plan.kBlocks = w.kernelH;
  } else {
    plan.blockW = ceilDiv(plan.channels * w.kernelW * w.kernelH, 32);
    plan.kBlocks = plan.channelCores;
  }
}

void sizeTensors(const OpCall &call, ConvPlan &plan) {
  const Window &w = plan.window;
  const TensorRef &in = call.in[0];
  int64_t stick = plan.channels * in.scalar, perCore = plan.perCoreM * 32;
  int64_t inSticks = ceilDiv(w.batch * w.inHeight * w.inWidth, plan.pixelCores);
  plan.inShard = (in.tiled() ? alignUp(inSticks, 32) : inSticks) * stick;
  plan.outShard = plan.perCoreM * plan.perCoreN * call.out[0].tile;
  if (plan.matmul)
    return;
  plan.halo = w.haloSticks(perCore) * stick;
  // Then the tables take no L1.
  if (call.op().boolean("conv2d_config.config_tensors_in_dram", false))
    return;
  plan.tables =
      w.readerTableBytes(perCore, plan.blockH * 32, plan.kind == MemoryLayout::HeightSharded ? 2 : 1);
  int64_t inPerCore = in.tiled() ? alignUp(inSticks, 32) : inSticks;
  plan.exchange = w.haloTableBytes(perCore, inPerCore, in.tiled());
}

ConvPlan planFor(const OpCall &call, const Window &window, MemoryLayout kind, bool sliced, bool autoSharded) {
  ConvPlan plan;
  plan.valid = true;
  plan.window = window;
  plan.kind = kind;
  plan.sliced = sliced;
  shareCores(call, plan);
  cutBlocks(call, plan, autoSharded);
  sizeTensors(call, plan);
  return plan;
}

int64_t demand(const OpCall &call, const ConvPlan &plan) {
  MemoryUse use;
  convBuffers(call, plan, use);
  return use.circularBuffers() + convTensors(call, plan);
}

/// The cheapest kind in L1; block sharding only if more than a row of cores takes part.
ConvPlan cheapest(const OpCall &call, const Window &window, bool sliced) {
  ConvPlan best = planFor(call, window, MemoryLayout::HeightSharded, sliced, true);
  int64_t least = demand(call, best);
  for (MemoryLayout kind : {MemoryLayout::BlockSharded, MemoryLayout::WidthSharded}) {
    ConvPlan plan = planFor(call, window, kind, sliced, true);
    if (kind == MemoryLayout::BlockSharded && plan.cores() <= call.device().workerGrid.columns)
      continue;
    if (kind == MemoryLayout::WidthSharded && best.matmul)
      continue;
    // Strictly less, so that height sharding, which is tried first, stays among equals.
    if (int64_t bytes = demand(call, plan); bytes < least) {
      least = bytes;
      best = plan;
    }
  }
  return best;
}

ConvPlan planSlices(const OpCall &call, const Window &window, int64_t slices, bool alongWidth) {
  Window part = window.slice(slices, alongWidth);
  std::optional<MemoryLayout> kind = fixedKind(call);
  ConvPlan plan = kind ? planFor(call, part, *kind, true, false) : cheapest(call, part, true);
  plan.slices = slices;
  return plan;
}

/// tt-metal 0.77; a transposed convolution is a plain one of its operand with zeros in between.
bool isStaged(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }

ConvPlan makePlan(const OpCall &call) {
  Window window = windowOf(call, call.row.variant == 1);
  if (!window.valid())
    return ConvPlan();
  if (isStaged(call))
    return stagedPlan(call, window);
  SliceMode mode = sliceMode(call);
  if (mode == SliceMode::None) {
    std::optional<MemoryLayout> kind = fixedKind(call);
    return kind ? planFor(call, window, *kind, false, false) : cheapest(call, window, false);
  }
  bool alongWidth = mode == SliceMode::Width;
  int64_t extent = alongWidth ? window.outWidth : window.outHeight;
  const Conv2dConfig *c = convConfig(call);
  if (c && c->numSlices > 0)
    return planSlices(call, window, std::min(c->numSlices, extent), alongWidth);
  ConvPlan plan = planSlices(call, window, 1, alongWidth);
  // By doubling, as few programs as fit: every slice has its launches and reads its halo again.
  for (int64_t slices = 2; demand(call, plan) > call.usableL1() && slices < 2 * extent; slices *= 2)
    plan = planSlices(call, window, std::min(slices, extent), alongWidth);
  return plan;
}

} // namespace

const Conv2dConfig *convConfig(const OpCall &call) {
  return std::get_if<Conv2dConfig>(&call.query.config.specific);
}

std::optional<MemoryLayout> configuredKind(const OpCall &call) {
  if (const Conv2dConfig *c = convConfig(call); c && c->shardLayout)
    return c->shardLayout;
  std::optional<MemoryLayout> attribute = parseMemoryLayout(call.op().string("conv2d_config.shard_layout"));
  return attribute && *attribute != MemoryLayout::Interleaved ? attribute : std::nullopt;
}

int64_t blockOverride(const OpCall &call) {
  const Conv2dConfig *c = convConfig(call);
  int64_t rows = c ? c->actBlockHOverride : call.op().integer("conv2d_config.act_block_h_override", 0);
  return rows / 32;
}

GridShape ConvPlan::outGrid() const {
  // The kernel keeps cores that get no tiles; the matmul's result lies on those that get some (asked of ttnn 0.77.0 and 0.81.1).
  if (staged && !matmul)
    return kind == MemoryLayout::WidthSharded ? GridShape{1, outCores} : GridShape{pixelCores, outCores};
  int64_t rows = ceilDiv(window.outTileRows(), perCoreM);
  int64_t columns = ceilDiv(ceilDiv(window.outChannels, 32), perCoreN);
  if (kind == MemoryLayout::HeightSharded)
    return {rows, 1};
  return kind == MemoryLayout::WidthSharded ? GridShape{1, columns} : GridShape{rows, columns};
}

bool isDepthwise1d(const OpCall &call) {
  const OpSignature &op = call.op();
  int64_t groups = op.integer("groups", 1);
  llvm::ArrayRef<int64_t> kernel = op.integers("kernel_size");
  bool row = op.integer("input_height", 0) == 1 && !kernel.empty() && kernel.front() == 1;
  bool line = call.row.name == "ttnn.conv1d" || (call.row.name == "ttnn.conv2d" && row);
  return line && groups > 1 && groups == op.integer("in_channels", 0) &&
         groups == op.integer("out_channels", 0) && !call.hasOperand(2);
}

const ConvPlan &convPlan(const OpCall &call) {
  if (!call.conv)
    call.conv = makePlan(call);
  return *call.conv;
}

int64_t convWeightTile(const OpCall &call) {
  std::optional<DataType> wanted = parseDataType(call.op().string("conv2d_config.weights_dtype"));
  if (!wanted && call.context.version >= BackendVersion::Newest)
    return call.in[1].tile;
  return wanted ? tileBytes(*wanted).value() : call.in[0].tile;
}

void convBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  const OpSignature &op = call.op();
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool fp32 = op.boolean("compute_config.fp32_dest_acc_en", false);
  bool doubleWeights = op.boolean("conv2d_config.enable_weights_double_buffer", false);
  bool doubleActivation = op.boolean("conv2d_config.enable_act_double_buffer", false);
  int64_t inTile = 1024 * in.scalar;
  int64_t weightTile = convWeightTile(call);
  bool heightSharded = plan.kind == MemoryLayout::HeightSharded;
  // Height shards read weights once and keep all K blocks for the next row of blocks; others fetch them for each.
  int64_t weightDepth = heightSharded && plan.perCoreM > plan.blockH ? plan.kBlocks : doubleWeights ? 2 : 1;
  use.program("convolution");
  use.buffer("weights", plan.perCoreN * plan.blockW * weightDepth, weightTile);
  if (!plan.matmul || !heightSharded)
    use.buffer("activation block", plan.blockH * plan.blockW * (doubleActivation ? 2 : 1), inTile);
  if (!heightSharded)
    use.buffer("activation before multicast", plan.blockH * plan.blockW, inTile);
  use.buffer("tilized activation", plan.blockH * plan.blockW, out.tile);
  if (call.hasOperand(2))
    use.buffer("bias", plan.perCoreN, weightTile);
  use.buffer("semaphores", 1, 64);
  bool rowMajorOut = out.rowMajor();
  if (fp32 && out.tile != 4096)
    use.buffer("partial sums", plan.perCoreM * plan.perCoreN, 4096);
  else if (rowMajorOut)
    use.buffer("partial sums", plan.perCoreM * plan.perCoreN, out.tile);
}

int64_t convTensors(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  const Conv2dConfig *c = convConfig(call);
  // The operand's own shards are not counted: the op model adds operands itself.
  int64_t inShard = in.sharded() ? 0 : plan.inShard;
  bool frees = c && c->deallocateActivation && in.sharded() && in.l1();
  int64_t freed = frees ? call.perCore(in) : 0;
  int64_t result = plan.halo + plan.outShard + plan.tables;
  // A result that is asked for elsewhere is made in the kernel's own shards first, and both are there while it
  // moves.
  bool moves = !plan.sliced && out.l1() && !(out.shardedAs(plan.kind) && out.layout->grid == plan.outGrid());
  if (moves)
    result = plan.halo + plan.outShard + call.perCore(out);
  if (plan.matmul)
    return inShard + plan.outShard + (moves ? call.perCore(out) : 0);
  // The moment when the halo is made of the shards, or the one when the result is made of the halo
  // (facts/formulas 11).
  return std::max(inShard + plan.halo + plan.exchange, result - freed);
}

} // namespace tessera::analytic
