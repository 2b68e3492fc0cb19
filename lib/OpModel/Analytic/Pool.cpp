//===- Pool.cpp - max_pool2d, avg_pool2d ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// From source, unconfirmed: the goldens only say "more than nothing". Buffers and
// halo as in facts/formulas 12; a pool shards its input by pixels.
//
//===----------------------------------------------------------------------===//
#include "ConversionRuntime.h"
#include "PoolShards.h"
#include "Runtime.h"
#include "tessera/OpModel/WindowPrograms.h"

namespace tessera::analytic {
namespace {

/// As tt-metal has shared pools among cores since 2026.
bool shardsAnyWay(const OpCall &call) { return call.context.version >= BackendVersion::Pinned; }

bool validWindow(const OpCall &call) { return windowOf(call, false).valid(); }

bool operandShape(const OpCall &call) {
  Window w = windowOf(call, false);
  return call.in[0].width == w.inChannels &&
         call.in[0].elements() == w.batch * w.inHeight * w.inWidth * w.inChannels;
}

bool paddingFits(const OpCall &call) {
  Window w = windowOf(call, false);
  return 2 * std::max(w.padTop, w.padBottom) <= w.kernelH && 2 * std::max(w.padLeft, w.padRight) <= w.kernelW;
}

bool floatOperand(const OpCall &call) {
  DataType dtype = call.in[0].dtype();
  return dtype == DataType::BFloat16 || dtype == DataType::BFP_BFloat8 || dtype == DataType::Float32;
}

bool kindsMatch(const OpCall &call) {
  return shardsAnyWay(call) || !call.in[0].sharded() || !call.out[0].sharded() ||
         call.in[0].layout->memory == call.out[0].layout->memory;
}

bool shardedByPixels(const OpCall &call) {
  auto fits = [](const TensorRef &tensor) {
    return !tensor.sharded() || tensor.shardedAs(MemoryLayout::HeightSharded);
  };
  return shardsAnyWay(call) || (fits(call.in[0]) && fits(call.out[0]));
}

constexpr Rule kRules[] = {
    {{"pool.window",
      "batch, image, kernel, stride, padding and dilation must be positive and the kernel must fit the "
      "padded image",
      "facts/ir 1.4"},
     validWindow},
    {{"pool.operand_shape", "the operand must hold batch x height x width sticks of the given channels",
      "facts/formulas 12"},
     operandShape},
    {{"pool.padding", "padding must be at most half the kernel", "facts/formulas 12"}, paddingFits},
    {{"pool.data_type", "the operand must be bf16, bfp_bf8 or f32", "facts/hardware 4.6, facts/ir 5.1"},
     floatOperand},
    {{"pool.kinds_match", "a sharded result needs the memory layout of a sharded operand",
      "facts/hardware 4.6"},
     kindsMatch},
    {{"pool.by_pixels", "sharded tensors must be height-sharded (this model's choice among the backend's)",
      "facts/hardware 4.6"},
     shardedByPixels},
};

struct PoolPlan {
  int64_t cores = 1, perCore = 1; ///< output sticks per core
  int64_t inShard = 0, halo = 0, outShard = 0;
};

PoolPlan planOf(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  Window w = windowOf(call, false);
  PoolPlan plan;
  plan.cores = in.sharded() ? in.shardCores() : busyCores(w.outTileRows(), call.cores());
  plan.perCore = ceilDiv(w.outSticks(), plan.cores);
  int64_t alignment = in.tiled() ? 32 : 8;
  int64_t stick = alignUp(w.inChannels, alignment) * in.scalar;
  plan.inShard = ceilDiv(w.batch * w.inHeight * w.inWidth, plan.cores) * stick;
  plan.halo = w.haloSticks(plan.perCore) * stick;
  plan.outShard = out.tiled() && out.decided() ? ceilDiv(plan.perCore, 32) * out.tileCols * out.tile
                                               : plan.perCore * alignUp(w.inChannels, 8) * out.scalar;
  return plan;
}

/// The result in the shards that the pool makes, row-major.
TensorLayout ownResult(const OpCall &call, size_t i, const PoolShards &shards) {
  TensorLayout layout = l1Sharded(*call.out[i].desc, shards.kind, shards.grid(), call.device().workerGrid,
                                  PageLayout::RowMajor);
  layout.shard = {shards.outRows, shards.outWidth};
  return layout;
}

/// An undecided result stays sharded in L1, row-major, even for an operand in DRAM.
void outputs(OpCall &call) {
  if (shardsAnyWay(call)) {
    PoolShards shards = poolShards(call, windowOf(call, false));
    for (size_t i = 0; i < call.out.size(); ++i)
      if (!call.out[i].decided())
        call.setOutput(i, ownResult(call, i, shards));
    return;
  }
  PoolPlan plan = planOf(call);
  // Cores beyond the last stick hold nothing; the backend's grid leaves them out.
  int64_t cores = ceilDiv(windowOf(call, false).outSticks(), plan.perCore);
  for (size_t i = 0; i < call.out.size(); ++i)
    if (!call.out[i].decided())
      call.setOutput(i, l1Sharded(*call.out[i].desc, MemoryLayout::HeightSharded, {cores, 1},
                                  call.device().workerGrid, PageLayout::RowMajor));
}

void memory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  Window w = windowOf(call, false);
  if (shardsAnyWay(call))
    return poolMemory(call, w, use);
  PoolPlan plan = planOf(call);
  int64_t scalar = in.scalar, tileCols = in.tileCols, window = w.kernelH * w.kernelW;
  // Windows up to 16 sticks are reduced at once, larger ones in steps of 32 (average: of half the width).
  int64_t rows = window <= 16 ? window : 32;
  int64_t widest = call.row.variant == MaxPoolWithIndices           ? 1
                   : call.row.variant == AveragePool && window > 16 ? 4
                                                                    : 8;
  use.program("pool");
  use.buffer("scaler", call.row.variant == AveragePool ? 4 : 2, 1024 * scalar);
  use.buffer("clear value", 1, 1024 * scalar);
  use.buffer("windows", 4, scalar * alignUp(std::min(tileCols, widest) * 32 * rows, 1024));
  if (call.row.variant == MaxPoolWithIndices) {
    use.buffer("indices", 10, 1024);
    use.buffer("result of one step", 1, 1024 * scalar);
  }
  if (out.tiled())
    use.buffer("result before tilize", tileCols, 1024 * scalar);
  int64_t inShard = in.sharded() ? 0 : plan.inShard;
  // The kernel itself makes height shards; anything else in L1 is a second copy.
  bool moves = out.l1() && !out.shardedAs(MemoryLayout::HeightSharded);
  use.tensors(std::max(inShard + plan.halo, plan.halo + plan.outShard + (moves ? call.perCore(out) : 0)));
}

/// Operand to shards, halo, kernel, result to where it was asked for.
OpRuntime runtime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  const DeviceSpec &device = call.device();
  Window w = windowOf(call, false);
  PoolPlan plan = planOf(call);
  int64_t alignment = in.tiled() ? 32 : 8;
  double row = double(alignUp(w.inChannels, alignment) * in.scalar);
  double rows = double(ceilDiv(w.batch * w.inHeight * w.inWidth, plan.cores)), cores = double(plan.cores);
  GridShape tiles{ceilDiv(int64_t(rows), 32), in.tileCols};
  OpRuntime time;
  if (!in.sharded()) {
    ShardMove move{in.tiled(),
                   in.tiled() ? double(tiles.volume()) : rows,
                   in.tiled() ? double(in.tile) : row,
                   double(in.bytes()),
                   double(std::min(plan.cores, device.workerGrid.rows)),
                   in.dram()};
    addTime(time, shardingTime(device, *call.parameters, move));
  }
  HaloWork halo = haloOf(w, rows, double(plan.halo) / row, row, cores, cores);
  if (in.tiled()) {
    halo.tileRows = double(tiles.rows);
    halo.tileCols = double(tiles.columns);
  }
  addTime(time, haloTime(device, *call.parameters, halo));
  PoolWork work{double(plan.perCore), double(in.tileCols), double(w.kernelH), double(w.kernelW)};
  addTime(time, poolKernelTime(device, *call.parameters, work));
  if (!out.sharded()) {
    bool tiled = out.tiled();
    double units = double(tiled ? ceilDiv(plan.perCore, 32) * out.tileCols : plan.perCore);
    ShardMove move{tiled, units,     tiled ? double(out.tile) : double(out.rowBytes()), double(out.bytes()),
                   1,     out.dram()};
    addTime(time, unshardingTime(device, *call.parameters, move));
  }
  return time;
}

constexpr llvm::StringRef kOperands[] = {"input"};
const Family kPool = {"pool", kOperands, kRules, outputs, memory, runtime, neverConfirmed};

const OpRow kRows[] = {
    {"ttnn.avg_pool2d", &kPool, 1, 1, 1, 0, AveragePool},
    {"ttnn.max_pool2d", &kPool, 1, 1, 1, 0, MaxPool},
    {"ttnn.max_pool2d_with_indices", &kPool, 1, 1, 2, 0, MaxPoolWithIndices},
};

} // namespace

Rows poolRows() { return kRows; }

} // namespace tessera::analytic
