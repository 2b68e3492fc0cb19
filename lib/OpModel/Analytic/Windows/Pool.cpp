//===- Pool.cpp - max_pool2d, avg_pool2d ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Memory as tt-metal 0.77 answers (PoolShards.cpp); time of height shards.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/ConversionRuntime.h"
#include "../Runtime.h"
#include "../Shards.h"
#include "PoolShards.h"
#include "WindowBuffers.h"
#include "tessera/OpModel/WindowPrograms.h"

namespace tessera::analytic {
namespace {

bool validWindow(const OpCall &call) { return windowOf(call, false).valid(); }

// Images may be flattened to one row of sticks or not, so that elements are counted and channels are the width.
bool operandShape(const OpCall &call) {
  Window w = windowOf(call, false);
  return call.in[0].width == w.inChannels &&
         call.in[0].elements() == w.batch * w.inHeight * w.inWidth * w.inChannels;
}

/// More would put windows on padding alone, whose largest element is none.
bool paddingFits(const OpCall &call) {
  Window w = windowOf(call, false);
  return 2 * std::max(w.padTop, w.padBottom) <= w.kernelH && 2 * std::max(w.padLeft, w.padRight) <= w.kernelW;
}

bool floatOperand(const OpCall &call) {
  DataType dtype = call.in[0].dtype();
  return dtype == DataType::BFloat16 || dtype == DataType::BFP_BFloat8 ||
         (dtype == DataType::Float32 && call.context.version < BackendVersion::Newest);
}

/// Newer backends move the result to any shards.
bool kindsMatch(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (call.context.version >= BackendVersion::Newest || !out.sharded())
    return true;
  return out.shardedAs(in.sharded() ? *in.layout->memory : MemoryLayout::HeightSharded);
}

/// Halos are exchanged among cores that are counted from the first one.
bool firstCores(const OpCall &call) {
  return !answersAsNewest(call) || averagesImages(call, windowOf(call, false)) ||
         beginsAtFirstCore(call.in[0]);
}

/// The counters of circular buffers have 16 bits.
bool pageCount(const OpCall &call) {
  constexpr int64_t most = 65535;
  Window window = windowOf(call, false);
  // Those are a reduction, and have no shards to ask about.
  if (averagesImages(call, window))
    return true;
  PoolShards shards = poolShards(call, window);
  // A row of a shard is a page, and so is a stick of a halo; tiles are fewer by far.
  bool rows = !shards.moved || call.in[0].tiled() || shards.inRows <= most;
  bool tiles = call.out[0].decided() && call.out[0].tiled();
  bool results = tiles || !answersAsNewest(call) ||
                 shards.outRows * ceilDiv(shards.outWidth, 16) <= most; // a page is half a tile wide
  return rows && results && shards.halo <= most * shards.inWidth * call.in[0].scalar;
}

/// The channels of a width or block sharded operand are those of its shards together.
bool channelsShared(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!answersAsNewest(call) || !in.sharded() || in.layout->memory == MemoryLayout::HeightSharded)
    return true;
  int64_t shard = in.layout->shard.columns * (in.tiled() ? 32 : 1);
  return alignUp(in.width, shard) % poolShards(call, windowOf(call, false)).channelCores == 0;
}

/// The result in the shards that the pool makes, row-major.
TensorLayout ownResult(const OpCall &call, size_t i, const PoolShards &shards) {
  TensorLayout layout = l1Sharded(*call.out[i].desc, shards.kind, shards.grid(), call.device().workerGrid,
                                  PageLayout::RowMajor);
  layout.shard = {shards.outRows, shards.outWidth};
  return layout;
}

/// The shards that the pool makes go to those that were asked for.
bool keeps(const OpCall &call, bool (*kept)(const TensorRef &, const TensorRef &)) {
  Window window = windowOf(call, false);
  if (!answersAsNewest(call) || averagesImages(call, window))
    return true;
  PoolShards shards = poolShards(call, window);
  return llvm::all_of(llvm::enumerate(call.out), [&](auto result) {
    const TensorRef &out = result.value();
    if (!out.sharded() || out.tiled())
      return true;
    TensorLayout own = ownResult(call, result.index(), shards);
    return kept(makeTensorRef(*out.desc, &own), out);
  });
}
bool keepsRows(const OpCall &call) { return keeps(call, reshardKeepsRows); }
bool keepsPadding(const OpCall &call) { return keeps(call, reshardKeepsPadding); }

/// Interleaved rows stay as wide as the shards of a row were together. In DRAM, where pages hold as much, the library makes no view of
/// them until October 2026 unless the stated rows divide what is there.
bool rowsAsStated(const OpCall &call) {
  Window window = windowOf(call, false);
  if (!answersAsNewest(call) || averagesImages(call, window))
    return true;
  PoolShards shards = poolShards(call, window);
  return llvm::all_of(call.out, [&](const TensorRef &out) {
    if (!out.decided() || out.sharded() || out.tiled())
      return true;
    int64_t alignment = call.device().l1Alignment.value(), made = shards.outWidth * shards.channelCores;
    if (out.l1())
      return alignUp(made * out.scalar, alignment) == alignUp(out.rowBytes(), alignment);
    return answersAsOctober2026(call) || out.rows() * made % out.width == 0;
  });
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
    {{"pool.data_type", "the operand must be bf16 or bfp_bf8; f32 until 2026",
      "facts/hardware 4.6, tt-metal 0.77: pool_op.cpp"},
     floatOperand},
    {{"pool.kinds_match",
      "a sharded result needs the memory layout of a sharded operand, else height sharding",
      "facts/hardware 4.6"},
     kindsMatch},
    {{"pool.first_cores", "a sharded operand must begin on the first core of the grid (since 2026)",
      "ttnn 0.81.1: sliding_window.cpp", "tt-metal#60513"},
     firstCores},
    {{"pool.channels_shared",
      "the channels of a width or block sharded operand, in whole shards, must be divisible by the cores "
      "that share them",
      "tt-metal 0.77: pool_op.cpp"},
     channelsShared},
    {{"pool.page_count",
      "a shard and its halo must have at most 65535 rows, and a row-major result shard that many pieces of "
      "16 channels",
      "tt-metal 0.77: circular_buffer.cpp"},
     pageCount},
    {{"pool.keeps_rows",
      "channels that end within one of the row-major shards that the pool makes, which are whole tiles or "
      "faces, must do so on the last column of cores if those of the result are of another width",
      "ttnn 0.77.0 and 0.81.1: reshard_program_factory_generic.cpp"},
     keepsRows},
    {{"pool.keeps_padding",
      "row-major height shards of a result must be as wide as those that the pool makes, whole tiles or "
      "faces",
      "ttnn 0.81.1, executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
     keepsPadding},
    {{"pool.result_rows",
      "rows of an interleaved result in L1 must be as wide as the shards that the pool makes of them, whole "
      "tiles or faces, and until October 2026 those in DRAM divide what these take together",
      "ttnn 0.77.0 and 0.81.1", "takes more L1 than its layout says, or cannot be reshaped"},
     rowsAsStated},
};

/// What the time formula was fitted with: height shards.
struct PoolPlan {
  int64_t cores = 1, perCore = 1; ///< output sticks per core
  int64_t halo = 0;               ///< bytes per core
};

PoolPlan planOf(const OpCall &call) {
  const TensorRef &in = call.in[0];
  Window w = windowOf(call, false);
  PoolPlan plan;
  // Cores that get any rows of tiles of the result: 196 sticks are 7 rows of tiles, and keep 7 of 64 cores busy.
  plan.cores = in.sharded() ? in.shardCores() : busyCores(w.outTileRows(), call.cores());
  plan.perCore = ceilDiv(w.outSticks(), plan.cores);
  // Channels of a stick in shards: whole tiles, or for rows 16 bytes of bf16.
  int64_t alignment = in.tiled() ? 32 : 8;
  int64_t stick = alignUp(w.inChannels, alignment) * in.scalar;
  plan.halo = w.haloSticks(plan.perCore) * stick;
  return plan;
}

/// An undecided result stays sharded in L1, row-major, even for an operand in DRAM; since 2026 a decided one has the
/// pages that the call says, if it does.
void outputs(OpCall &call) {
  if (averagesImages(call, windowOf(call, false)))
    return globalPoolOutput(call);
  bool rows = answersAsNewest(call) && call.op().string("output_layout") == "row_major";
  PoolShards shards = poolShards(call, windowOf(call, false));
  for (size_t i = 0; i < call.out.size(); ++i)
    if (const TensorRef &out = call.out[i]; !out.decided())
      call.setOutput(i, ownResult(call, i, shards));
    else if (rows && out.tiled())
      call.setOutput(i, repaged(call, out, PageLayout::RowMajor));
}

void memory(const OpCall &call, MemoryUse &use) {
  Window window = windowOf(call, false);
  averagesImages(call, window) ? globalPoolMemory(call, window, use) : poolMemory(call, window, use);
}

/// Operand to shards, halo, kernel, result to where it was asked for.
OpRuntime runtime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  const DeviceSpec &device = call.device();
  Window w = windowOf(call, false);
  PoolPlan plan = planOf(call);
  int64_t alignment = in.tiled() ? 32 : 8;
  double row = double(alignUp(w.inChannels, alignment) * in.scalar);
  // Sticks of the operand per core, before halos.
  double rows = double(ceilDiv(w.batch * w.inHeight * w.inWidth, plan.cores)), cores = double(plan.cores);
  GridShape tiles{ceilDiv(int64_t(rows), 32), in.tileCols};
  OpRuntime time;
  // Each of the four steps is a device program with a launch of its own.
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
  // Tiles are untilized while halos are exchanged, which takes its own time of that program.
  if (in.tiled()) {
    halo.tileRows = double(tiles.rows);
    halo.tileCols = double(tiles.columns);
  }
  addTime(time, haloTime(device, *call.parameters, halo));
  // The time was fitted to height shards on Blackhole; other kinds are priced as if they were
  // (docs/op-model.md, "Calibration and cross-validation").
  PoolWork work{double(plan.perCore), double(in.tileCols), double(w.kernelH), double(w.kernelW)};
  addTime(time, poolKernelTime(device, *call.parameters, work));
  if (!out.sharded()) {
    bool tiled = out.tiled();
    // Of what moves: tiles, or row-major rows.
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
