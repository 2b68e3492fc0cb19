//===- EltwiseUnary.cpp - One operand, one result, element by element ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Circular buffers (facts/opmodel-formulas.md 4.1): two tiles of input and two
// of output; none if sharded, as both then alias the tensors' own buffers.
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned {
  Plain,
  WithTemporary, ///< keeps an intermediate: two more input tiles, or a whole shard
  Tanh, ///< had temporaries until November 2025
  Typecast,
};

bool sameMemoryLayout(const OpCall &call) {
  return !call.out[0].decided() || call.in[0].layout->memory == call.out[0].layout->memory;
}

/// Newer kernels convert between interleaved and sharded on the way (tt-metal aa301f48dc).
bool convertsPlacement(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }
bool unaryMemoryLayout(const OpCall &call) { return convertsPlacement(call) || sameMemoryLayout(call); }
bool samePageLayout(const OpCall &call) {
  return !call.out[0].decided() || call.in[0].rowMajor() == call.out[0].rowMajor();
}

bool sameShardGrid(const OpCall &call) {
  return !call.out[0].sharded() || samePlacement(call.in[0], call.out[0]);
}

bool unaryShardGrid(const OpCall &call) { return convertsPlacement(call) || sameShardGrid(call); }

constexpr Rule kRules[] = {
    {{"unary.tiled", "element-wise ops need a tiled operand", "formulas 4.1"}, allOperandsTiled},
    {{"unary.same_memory_layout", "the result needs the operand's memory layout", "formulas 4.1, hw 4.2"},
     unaryMemoryLayout},
    {{"unary.same_shard_grid", "a sharded result needs the operand's grid of cores", "formulas 4.1, hw 4.2"},
     unaryShardGrid},
};

constexpr Rule kTypecastRules[] = {
    {{"typecast.same_page_layout",
      "the result of a typecast needs the operand's page layout; to_layout changes it", "ir 1.4"},
     samePageLayout},
    {{"typecast.same_memory_layout", "the result of a typecast needs the operand's memory layout", "ir 4.6"},
     sameMemoryLayout},
    {{"typecast.same_shard_grid", "a sharded result needs the operand's grid of cores", "hw 4.2"},
     sameShardGrid},
};

/// Intermediates that the kernel keeps, each as large as an operand's buffer.
int64_t temporaries(const OpCall &call) {
  if (call.row.variant == WithTemporary)
    return 1;
  return call.row.variant == Tanh && call.context.version <= BackendVersion::EarlyNovember2025 ? 5 : 0;
}

void memory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!in.onDevice())
    return;
  if (in.sharded()) {
    if (int64_t count = temporaries(call))
      use.buffer("intermediates", count * call.tilesPerCore(in), in.tile);
    return;
  }
  int64_t inPage = in.rowMajor() ? in.rowBytes() : in.tile,
          outPage = out.rowMajor() ? out.rowBytes() : out.tile;
  use.buffer("operand", 2, inPage);
  if (int64_t count = temporaries(call))
    use.buffer("intermediates", 2 * count, inPage);
  use.buffer("result", 2, outPage);
}

/// From and to shards in place: start, ns. perf/op_traces.csv.
constexpr double kShardedStart = 246.3;
/// Otherwise. Blackhole: perf/op_traces.csv; Wormhole: starts perf/exp_interleaved_n150.csv, with the operand
/// in DRAM and in L1, cycles as on Blackhole.
constexpr StreamCost kBlackhole = {905.8, 634.4, 414};
constexpr StreamCost kWormholeDram = {2486, 634.4, 414}, kWormholeL1 = {2209, 634.4, 414};
/// Four-byte elements take the vector unit longer: perf/exp_interleaved_n150.csv.
constexpr double kWideElements = 2258.0 / 2071;
constexpr StreamCost kTypecastCost = {827.1, 596.3, 474.8};
/// To 32-bit integers the vector unit is at work: two rows of perf/op_traces.csv.
constexpr double kToIntegerCycles = 1377;

OpRuntime runtime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!in.onDevice())
    return noTime();
  int64_t tiles = busiestTiles(call);
  bool inPlace = slowestPath(call) == Path::Sharded;
  double compute = call.row.cycles * (in.tile > 2048 ? kWideElements : 1);
  if (call.row.variant == Typecast)
    compute = out.dtype() == DataType::UInt32 || out.dtype() == DataType::Int32 ? kToIntegerCycles
                                                                                : call.row.cycles;
  if (inPlace) {
    Work work;
    work.compute = double(tiles) * compute;
    work.start = kShardedStart;
    return timeOf(call, work);
  }
  if (call.row.variant == Typecast)
    return streamTime(call, tiles, kTypecastCost, compute);
  bool wormhole = call.device().arch == Arch::WormholeB0;
  return streamTime(call, tiles, !wormhole ? kBlackhole : in.dram() ? kWormholeDram : kWormholeL1, compute);
}

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kUnary = {"eltwise_unary", kOperands, kRules, outputsLikeOperand0, memory, runtime};
const Family kTypecast = {"typecast", kOperands, kTypecastRules, outputsLikeOperand0, memory, runtime};

// Cycles per tile: exp fitted on Wormhole (hundreds of shapes), relu, neg, reciprocal and atan on Blackhole
// (1 - 19 rows), erf on one Wormhole row; the others by the length of their SFPU sequence relative to exp,
// unconfirmed.
const OpRow kRows[] = {
    {"ttnn.abs", &kUnary, 1, 1, 1, 300},
    {"ttnn.acos", &kUnary, 1, 1, 1, 2500},
    {"ttnn.asin", &kUnary, 1, 1, 1, 2500},
    {"ttnn.asinh", &kUnary, 1, 1, 1, 2500},
    {"ttnn.atan", &kUnary, 1, 1, 1, 1809},
    {"ttnn.bitwise_not", &kUnary, 1, 1, 1, 300},
    {"ttnn.cbrt", &kUnary, 1, 1, 1, 2500, WithTemporary},
    {"ttnn.ceil", &kUnary, 1, 1, 1, 400},
    {"ttnn.clamp_scalar", &kUnary, 1, 1, 1, 400},
    {"ttnn.cos", &kUnary, 1, 1, 1, 1500},
    {"ttnn.elu", &kUnary, 1, 1, 1, 2090},
    {"ttnn.erf", &kUnary, 1, 1, 1, 3600},
    {"ttnn.erfc", &kUnary, 1, 1, 1, 3600},
    {"ttnn.exp", &kUnary, 1, 1, 1, 2071},
    {"ttnn.expm1", &kUnary, 1, 1, 1, 2200},
    {"ttnn.floor", &kUnary, 1, 1, 1, 400},
    {"ttnn.gelu", &kUnary, 1, 1, 1, 1809},
    {"ttnn.hardshrink", &kUnary, 1, 1, 1, 600, WithTemporary},
    {"ttnn.hardsigmoid", &kUnary, 1, 1, 1, 500},
    {"ttnn.hardswish", &kUnary, 1, 1, 1, 600},
    {"ttnn.isfinite", &kUnary, 1, 1, 1, 400},
    {"ttnn.leaky_relu", &kUnary, 1, 1, 1, 350},
    {"ttnn.log", &kUnary, 1, 1, 1, 1500},
    {"ttnn.log1p", &kUnary, 1, 1, 1, 1600},
    {"ttnn.log2", &kUnary, 1, 1, 1, 1500},
    {"ttnn.logical_not", &kUnary, 1, 1, 1, 300},
    {"ttnn.mish", &kUnary, 1, 1, 1, 3000},
    {"ttnn.neg", &kUnary, 1, 1, 1, 284},
    {"ttnn.pow_scalar", &kUnary, 1, 1, 1, 1500},
    {"ttnn.reciprocal", &kUnary, 1, 1, 1, 284},
    {"ttnn.relu", &kUnary, 1, 1, 1, 284},
    {"ttnn.relu6", &kUnary, 1, 1, 1, 350},
    {"ttnn.round", &kUnary, 1, 1, 1, 400},
    {"ttnn.rsqrt", &kUnary, 1, 1, 1, 1000},
    {"ttnn.sigmoid", &kUnary, 1, 1, 1, 1800},
    {"ttnn.sign", &kUnary, 1, 1, 1, 300},
    {"ttnn.silu", &kUnary, 1, 1, 1, 2000},
    {"ttnn.sin", &kUnary, 1, 1, 1, 1500},
    {"ttnn.sqrt", &kUnary, 1, 1, 1, 900},
    {"ttnn.tan", &kUnary, 1, 1, 1, 1800},
    {"ttnn.tanh", &kUnary, 1, 1, 1, 1500, Tanh},
    {"ttnn.trunc", &kUnary, 1, 1, 1, 400},
    {"ttnn.typecast", &kTypecast, 1, 1, 1, 300, Typecast, true},
};

} // namespace

Rows eltwiseUnaryRows() { return kRows; }

} // namespace tessera::analytic
