//===- ConvBuffers.cpp - L1 of a convolution's programs ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Of plans that stagedPlan() made: fold, shards, halo, kernel or matmul, and the
// move of the result. tt-metal 0.77: conv2d_op_program_factory_common.cpp.
//
//===----------------------------------------------------------------------===//
#include "ConvReaders.h"
#include "Tilize.h"
#include "WindowBuffers.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

bool flag(const OpCall &call, llvm::StringRef name) { return call.op().boolean(name, false); }

int64_t inputTile(const OpCall &call) { return 1024 * call.in[0].scalar; }

/// Partial sums have a buffer of their own unless they have the result's type.
int64_t partialTile(const OpCall &call, int64_t kBlocks) {
  bool l1 = flag(call, "compute_config.packer_l1_acc"), bias = call.hasOperand(2);
  if (!l1 || kBlocks <= (bias ? 1 : 2))
    return call.out[0].tile;
  return flag(call, "compute_config.fp32_dest_acc_en") ? 4096 : 2048;
}

bool writesRows(const OpCall &call) {
  return call.out[0].rowMajor() || call.op().string("conv2d_config.output_layout") == "row_major";
}

void weightBuffer(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  // Height shards read weights once and keep all K blocks for the next row of blocks.
  bool keeps = plan.kind == MemoryLayout::HeightSharded && plan.perCoreM > plan.blockH;
  int64_t depth = keeps                                                      ? plan.window.kernelH
                  : flag(call, "conv2d_config.enable_weights_double_buffer") ? 2
                                                                             : 1;
  use.buffer("weights", plan.perCoreN * plan.blockW * depth, convWeightTile(call));
}

/// Height shards: blocks as they are read, half of them by each reader if two share the work. Others: blocks for the
/// multicast, and where they are gathered unless that is the same buffer.
void activationBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  int64_t depth = flag(call, "conv2d_config.enable_act_double_buffer") ? 2 : 1, in = inputTile(call),
          out = call.out[0].tile;
  int64_t second = sharesReading(call, plan) ? plan.blockH / 2 * plan.blockW * depth : 0;
  int64_t first = plan.blockH * plan.blockW * depth - second;
  if (plan.kind == MemoryLayout::HeightSharded) {
    use.buffer("activation block", first, in);
    use.buffer("activation block of the second reader", second, in);
    return;
  }
  bool alone = plan.channelCores == 1 && plan.outCores == 1;
  use.buffer("activation block", alone ? 0 : first + second, out);
  if (plan.kind == MemoryLayout::WidthSharded) {
    use.buffer("rows of the activation", 2 * plan.blockW, in);
  } else if (alone || in != out) {
    use.buffer("rows of the activation", first, in);
    use.buffer("rows of the second reader", second, in);
  }
}

void kernelBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  int64_t out = call.out[0].tile, results = plan.perCoreM * plan.perCoreN;
  use.program("convolution");
  weightBuffer(call, plan, use);
  activationBuffers(call, plan, use);
  use.buffer("tilized activation", plan.blockH * plan.blockW, out);
  if (call.hasOperand(2))
    use.buffer("bias", plan.perCoreN, convWeightTile(call));
  int64_t partial = partialTile(call, plan.kBlocks);
  if (writesRows(call) || partial != out)
    use.buffer("partial sums", results, partial);
  if (flag(call, "conv2d_config.config_tensors_in_dram"))
    use.buffer("positions", 1, readerTable(call, plan));
  use.buffer("semaphores", 1, 64);
}

/// A matmul accumulates in fp32 whatever the result is, if told so; in bf16 if it accumulates in L1.
int64_t matmulPartialTile(const OpCall &call, const ConvPlan &plan) {
  if (flag(call, "compute_config.fp32_dest_acc_en"))
    return 4096;
  return partialTile(call, plan.channelCores);
}

/// A matmul on shards: height shards are read in place, block shards are multicast.
void matmulBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  bool block = plan.kind == MemoryLayout::BlockSharded;
  int64_t depth = plan.channelCores > 1 ? 2 : 1, k = ceilDiv(plan.channels, 32);
  use.program("matmul");
  int64_t inTile = plan.tiledShards ? call.in[0].tile : inputTile(call);
  use.buffer("activation block", block ? plan.perCoreM * k * depth : 0, inTile);
  use.buffer("weights", plan.perCoreN * k * depth, convWeightTile(call));
  if (call.hasOperand(2))
    use.buffer("bias", plan.perCoreN, convWeightTile(call));
  int64_t partial = matmulPartialTile(call, plan);
  if (partial != call.out[0].tile)
    use.buffer("partial sums", plan.perCoreM * plan.perCoreN, partial);
  use.buffer("semaphores", block && !answersAsOctober2026(call) ? 1 : 0, 64);
}

TensorDesc flatOperand(const OpCall &call, const ConvPlan &plan) {
  const Window &w = plan.window;
  DataType dtype =
      plan.tiledShards || !isBlockFloat(call.in[0].dtype()) ? call.in[0].dtype() : DataType::BFloat16;
  return {{1, 1, w.batch * w.inHeight * w.inWidth, w.inChannels}, dtype};
}

TensorLayout interleavedLike(const OpCall &call, const TensorDesc &desc, PageLayout page) {
  return call.in[0].l1() ? l1Interleaved(desc, call.device().workerGrid, page) : dramInterleaved(desc, page);
}

/// The matmul of an interleaved operand is a linear of its own choice, into DRAM.
void linearBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  auto &layouts = call.context.layouts;
  const Window &w = plan.window;
  DataType weight =
      parseDataType(call.op().string("conv2d_config.weights_dtype")).value_or(call.in[1].dtype());
  TensorDesc in = flatOperand(call, plan), weights{{1, 1, alignUp(w.inChannels, 32), w.outChannels}, weight};
  OpSignature op;
  op.name = "ttnn.linear";
  op.operands = {{in, 0}, {weights, 1}};
  op.results = {{{1, 1, w.outSticks(), w.outChannels}, call.out[0].dtype()}};
  llvm::SmallVector<LayoutId, 3> ids = {layouts.intern(interleavedLike(call, in, PageLayout::Tile)),
                                        layouts.intern(dramInterleaved(weights))};
  if (call.hasOperand(2)) {
    op.operands.push_back({{{1, 1, 1, w.outChannels}, weight}, 2});
    ids.push_back(layouts.intern(dramInterleaved(op.operands.back().tensor)));
  }
  for (auto &[name, value] : call.op().attributes)
    if (llvm::StringRef(name).starts_with("compute_config."))
      op.addAttribute(name, value);
  if (!op.attribute("compute_config.math_fidelity"))
    op.addAttribute("compute_config.math_fidelity", std::string("hifi4"));
  OpConfig config;
  config.outputs = {layouts.intern(dramInterleaved(op.results[0]))};
  const OpRow &row = *findRow(op.name);
  row.family->memory(OpCall(call.context, row, OpQuery{op, ids, config, Bytes(0)}), use);
}

/// Untilizes what is to be folded, and tilizes what a matmul takes interleaved or in blocks.
void pageBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  if (plan.folded && in.tiled())
    untilizeProgram(call, use, in, inputTile(call));
  if (!plan.matmul || plan.tiledShards || (!plan.interleaved && plan.kind == MemoryLayout::HeightSharded) ||
      in.sharded())
    return;
  TensorDesc desc = flatOperand(call, plan);
  TensorLayout layout = interleavedLike(call, desc, PageLayout::Tile);
  TensorRef flat = makeTensorRef(desc, &layout);
  tilizeProgram(call, use, flat, inputTile(call));
}

/// Where the operand's shards are tiled by then.
bool tiledByThen(const ConvPlan &plan) {
  return plan.tiledShards || (plan.matmul && plan.kind != MemoryLayout::HeightSharded);
}

} // namespace

bool movesResult(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &out = call.out[0];
  if (plan.interleaved)
    return out.l1();
  return !out.shardedAs(plan.kind) || out.layout->grid != plan.outGrid();
}

void stagedBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  pageBuffers(call, plan, use);
  if (plan.moved && !plan.interleaved && !call.in[0].sharded()) {
    int64_t tile = plan.tiledShards ? call.in[0].tile : inputTile(call);
    shardingBuffers(call, use, tiledByThen(plan) ? tile : haloStick(call, plan));
  }
  if (plan.halo > 0)
    haloBuffers(use, haloStick(call, plan), plan.tiledShards ? ceilDiv(plan.channels, 32) : 0,
                inputTile(call));
  if (plan.interleaved)
    linearBuffers(call, plan, use);
  else if (plan.matmul)
    matmulBuffers(call, plan, use);
  else
    kernelBuffers(call, plan, use);
  const TensorRef &out = call.out[0];
  if (!plan.interleaved || !out.l1())
    return;
  if (out.sharded())
    return shardingBuffers(call, use, out.tile);
  use.program("copy");
  use.buffer("tiles", 2, out.tile);
}

int64_t kernelDemand(const OpCall &call, const ConvPlan &plan) {
  MemoryUse use;
  kernelBuffers(call, plan, use);
  return use.circularBuffers() + plan.outShard + (plan.halo > 0 ? plan.halo : plan.inShard);
}

int64_t stagedTensors(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t moved = !plan.sliced && movesResult(call, plan) ? allocatedBytes(call, out) : 0;
  if (plan.interleaved) {
    int64_t tilized = in.tiled() && !plan.folded ? 0 : in.l1() ? ceilDiv(in.bytes(), call.cores()) : 0;
    return tilized + moved;
  }
  int64_t own = plan.moved ? plan.inShard : 0;
  if (plan.matmul) {
    bool tilizes = !tiledByThen(plan);
    int64_t tiles = tilizes ? ceilDiv(ceilDiv(plan.window.outSticks(), 32), plan.pixelCores) *
                                  ceilDiv(plan.channels, 32) * inputTile(call)
                            : own;
    return std::max(tilizes ? own + tiles : 0, tiles + plan.outShard + moved);
  }
  int64_t held = plan.halo > 0 ? plan.halo : own;
  return std::max(
      {own + plan.halo + plan.exchange, held + plan.outShard + plan.tables, held + plan.outShard + moved});
}

} // namespace tessera::analytic
