//===- Collective.cpp - Ops across the chips of a mesh -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Time: facts/hardware-and-performance.md 1.8, published formulas for Wormhole,
// fits for Blackhole; chips in a line. Placement in L1 makes no measurable difference.
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned { AllGather, ReduceScatter, AllReduce, AllToAll, Partition };

/// t = start + hop * (chips - 1) + share(chips) * bytes / rate, in microseconds and GB/s, on a line.
struct LineCost {
  double start, hop, rate;
};
constexpr LineCost kWormhole[] = {
    {4.47, 1.91, 11.8}, {3.23, 3.97, 11.1}, {9.07, 5.82, 10.9}, {2.99, 2.14, 7.6}};
constexpr LineCost kBlackhole[] = {{3.6, 1.23, 43.5}, {1.7, 3.6, 33.9}, {5.1, 5.6, 39.0}, {2.0, 1.2, 39.1}};

/// Chips along the axis of the collective; the whole mesh if none is named.
int64_t chips(const OpCall &call) {
  GridShape mesh = call.device().mesh;
  int64_t axis = call.op().integer("cluster_axis", -1);
  int64_t count = axis == 0 ? mesh.rows : axis == 1 ? mesh.columns : mesh.volume();
  return std::max<int64_t>(1, count);
}

/// Share of the operand that crosses the busiest link, by variant.
constexpr double (*kLinkShare[])(double) = {
    [](double n) { return n - 1; },
    [](double n) { return (n - 1) / n; },
    [](double n) { return 2 * (n - 1) / n; },
    [](double n) { return n / 4; },
};

bool shardedInL1(const OpCall &call) {
  auto fits = [](const TensorRef &tensor) { return !tensor.sharded() || tensor.l1(); };
  return llvm::all_of(call.in, fits) && llvm::all_of(call.out, fits);
}

bool partitionWholeTiles(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!in.tiled())
    return true;
  size_t rank = in.rank(), dim = normalizedDim(call.op().integer("dim", 0), rank);
  // A slice must not cut a tile, which only the last two dimensions can.
  return dim + 2 < rank || dim >= rank || out.dim(int64_t(dim)) % 32 == 0;
}

constexpr Rule kRules[] = {
    {{"collective.sharded_in_l1", "sharded tensors must lie in L1", "hw 4.7"}, shardedInL1},
};
constexpr Rule kPartitionRules[] = {
    {{"mesh_partition.whole_tiles",
      "each chip's part of a tiled tensor must be a multiple of 32 along the dimension", "formulas 8"},
     partitionWholeTiles},
    {{"mesh_partition.interleaved", "operand and result must be interleaved", "ir 4.6"},
     everythingInterleaved},
};

/// Packets on their way through a worker core. From source, unconfirmed.
void memory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t page = in.rowMajor() ? in.rowBytes() : in.tile;
  use.buffer("packets", call.row.variant == Partition ? 2 : 8, std::min(page, call.usableL1() / 16));
}

OpRuntime runtime(const OpCall &call) {
  Work local = streamWork(call, busiestTiles(call), {60, 503, 666});
  double n = double(chips(call));
  if (call.row.variant == Partition || n < 2)
    return timeOf(call, local);
  const LineCost &cost = (call.device().arch == Arch::Blackhole ? kBlackhole : kWormhole)[call.row.variant];
  double kilobytes = double(call.in[0].bytes()) / 1000;
  OpRuntime time;
  time.noc = Nanoseconds(1000 * kLinkShare[call.row.variant](n) * kilobytes / cost.rate);
  time.dispatch = call.device().launch + Nanoseconds(1000 * (cost.start + cost.hop * (n - 1)));
  time.total = time.dispatch + time.noc;
  return time;
}

constexpr llvm::StringRef kOperands[] = {"operand"};
void partitionOutputs(OpCall &call) { call.dramIfUndecided(0, call.in[0].layout->page); }

const Family kCollective = {"collective", kOperands, kRules, outputsLikeOperand0, memory, runtime};
const Family kPartition = {"mesh_partition", kOperands, kPartitionRules, partitionOutputs, memory, runtime};

const OpRow kRows[] = {
    {"ttnn.all_gather", &kCollective, 1, 1, 1, 0, AllGather},
    {"ttnn.all_reduce", &kCollective, 1, 1, 1, 0, AllReduce},
    {"ttnn.all_to_all", &kCollective, 1, 1, 1, 0, AllToAll},
    {"ttnn.collective_permute", &kCollective, 1, 1, 1, 0, AllToAll},
    {"ttnn.mesh_partition", &kPartition, 1, 1, 1, 0, Partition},
    {"ttnn.reduce_scatter", &kCollective, 1, 1, 1, 0, ReduceScatter},
};

} // namespace

Rows collectiveRows() { return kRows; }

} // namespace tessera::analytic
