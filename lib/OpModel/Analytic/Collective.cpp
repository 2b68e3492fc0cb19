//===- Collective.cpp - Ops across the chips of a mesh -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Time: a start, a time per hop and the bytes that cross the busiest link, fitted
// to perf/ccl.csv (252 rows). Placement in L1 makes no measurable difference.
//
// Chips along one axis of a mesh of two (a Galaxy) pass the matrices of a tensor on
// one after the other, from chip to chip:
//
//   t = start + n hop + matrices * (n - 1 steps + bytes of the matrix / rate)
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Movement/Rearrange.h"
#include "Runtime.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

enum Variant : unsigned { AllGather, ReduceScatter, AllReduce, AllToAll, Partition };

/// t = start + hop * hops + crossing bytes / rate; the rate between two chips is one of its own.
struct LinkCost {
  P start, hop, rate, pair;
};
#define TESSERA_LINK(Id) {P::Id##Start, P::Id##Hop, P::Id##Rate, P::Id##Pair}
/// By variant; a line of chips, then a ring.
constexpr LinkCost kLinks[][2] = {{TESSERA_LINK(AllGatherLine), TESSERA_LINK(AllGatherRing)},
                                  {TESSERA_LINK(ReduceScatterLine), TESSERA_LINK(ReduceScatterRing)},
                                  {TESSERA_LINK(AllReduceLine), TESSERA_LINK(AllReduceRing)},
                                  {TESSERA_LINK(AllToAllLine), TESSERA_LINK(AllToAllRing)}};
#undef TESSERA_LINK

/// Chips along the axis of the collective; the whole mesh if none is named.
int64_t chips(const OpCall &call) {
  GridShape mesh = call.device().mesh;
  int64_t axis = call.op().integer("cluster_axis", -1);
  int64_t count = axis == 0 ? mesh.rows : axis == 1 ? mesh.columns : mesh.volume();
  return std::max<int64_t>(1, count);
}

/// Share of the bytes that crosses the busiest link, by variant: of the gathered result of all_gather, of the
/// operand otherwise.
constexpr double (*kLinkShare[])(double) = {
    [](double n) { return (n - 1) / n; },
    [](double n) { return (n - 1) / n; },
    [](double n) { return 2 * (n - 1) / n; },
    [](double n) { return std::floor(n / 2) * std::ceil(n / 2) / n; },
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
    {{"collective.sharded_in_l1", "sharded tensors must lie in L1", "facts/hardware 4.7"}, shardedInL1},
    {{"collective.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.7"},
     [](const OpCall &call) { return !call.out[0].decided() || call.in[0].tiled() == call.out[0].tiled(); }},
};
constexpr Rule kPartitionRules[] = {
    {{"mesh_partition.whole_tiles",
      "each chip's part of a tiled tensor must be a multiple of 32 along the dimension", "facts/formulas 8"},
     partitionWholeTiles},
    {{"mesh_partition.interleaved", "operand and result must be interleaved", "facts/ir 4.6"},
     everythingInterleaved},
};

/// Packets on their way through a worker core. From source, unconfirmed.
void memory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t page = in.rowMajor() ? in.rowBytes() : in.tile;
  use.buffer("packets", call.row.variant == Partition ? 2 : 8, std::min(page, call.usableL1() / 16));
}

/// Of a collective by the links between the chips, as the topology has them.
const LinkCost &linkCost(const OpCall &call, unsigned variant) {
  bool ring = call.op().string("topology").contains_insensitive("ring");
  return kLinks[variant][ring];
}
/// Of `n` chips.
double linkRate(const OpCall &call, unsigned variant, double n) {
  const LinkCost &cost = linkCost(call, variant);
  return call[n == 2 ? cost.pair : cost.rate];
}

/// Chips of a mesh of two dimensions, along one of them.
bool alongGalaxy(const OpCall &call) {
  GridShape mesh = call.device().mesh;
  return mesh.rows > 1 && mesh.columns > 1 && call.op().integer("cluster_axis", -1) >= 0 &&
         (call.row.variant == AllGather || call.row.variant == ReduceScatter ||
          call.row.variant == AllReduce);
}

/// A gather, or else the scatter of sums.
OpRuntime galaxyTime(const OpCall &call, double n, bool gathers) {
  const TensorRef &whole = gathers ? call.out[0] : call.in[0];
  // Each matrix is passed on by itself, so that steps add up; bytes only share the links.
  double matrices = double(call.in[0].batch),
         step = call[gathers ? P::GalaxyGatherStep : P::GalaxyScatterStep];
  double bytes = (n - 1) / n * double(whole.bytes());
  // That of a Blackhole Galaxy, the only one that was measured, but no more than the links of the chips at hand give.
  double rate = std::min(call[gathers ? P::GalaxyGatherRate : P::GalaxyScatterRate],
                         linkRate(call, gathers ? AllGather : ReduceScatter, n));
  OpRuntime time;
  time.noc = Nanoseconds(matrices * (n - 1) * step + bytes / rate);
  time.dispatch = call.device().launch +
                  Nanoseconds(gathers ? call[P::GalaxyGatherStart] + (n - 1) * call[P::GalaxyGatherHop]
                                      : call[P::GalaxyScatterStart]);
  time.total = time.dispatch + time.noc;
  return time;
}

/// Sums for all chips are scattered, and gathered again.
OpRuntime galaxyRuntime(const OpCall &call, double n) {
  OpRuntime time;
  if (call.row.variant != AllGather)
    addTime(time, galaxyTime(call, n, false));
  if (call.row.variant != ReduceScatter)
    addTime(time, galaxyTime(call, n, true));
  return time;
}

OpRuntime runtime(const OpCall &call) {
  double n = double(chips(call));
  // Nothing crosses a link: each chip keeps a slice of what it has, or copies it.
  if (call.row.variant == Partition)
    return pagesSliceTime(call);
  if (n < 2)
    return streamTime(call, busiestTiles(call), kTileCopy);
  if (alongGalaxy(call))
    return galaxyRuntime(call, n);
  unsigned variant = call.row.variant;
  bool ring = call.op().string("topology").contains_insensitive("ring");
  const LinkCost &cost = linkCost(call, variant);
  // As the measured tables count them (facts/hardware 0).
  double bytes = double(variant == AllGather ? call.out[0].bytes() : call.in[0].bytes());
  double hops = ring ? n / 2 : n - 1;
  OpRuntime time;
  time.noc = Nanoseconds(kLinkShare[variant](n) * bytes / linkRate(call, variant, n));
  time.dispatch = call.device().launch + Nanoseconds(call[cost.start] + call[cost.hop] * hops);
  time.total = time.dispatch + time.noc;
  return time;
}

constexpr llvm::StringRef kOperands[] = {"operand"};
void partitionOutputs(OpCall &call) { call.dramIfUndecided(0, call.in[0].layout->page); }

const Family kCollective = {"collective", kOperands, kRules,        outputsLikeOperand0,
                            memory,       runtime,   neverConfirmed};
const Family kPartition = {"mesh_partition", kOperands, kPartitionRules, partitionOutputs,
                           memory,           runtime,   neverConfirmed};

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
