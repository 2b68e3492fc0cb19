//===- ConversionRuntime.cpp - Time of moving a tensor as it is ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Parameters: Wormhole from perf/reshard_noc_traces_wh.csv (one tensor size), all
// else from perf/op_traces.csv (Blackhole); on the other architecture they are
// used with its clock and DRAM, unconfirmed. Cycles unless said.
//
//===----------------------------------------------------------------------===//
#include "ConversionRuntime.h"

#include "Runtime.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

bool wormhole(const OpCall &call) { return call.device().arch == Arch::WormholeB0; }

/// Rows and bytes of a row of the shard of a row-major tensor.
double shardRows(const TensorRef &tensor) { return double(std::max<int64_t>(1, tensor.layout->shard.rows)); }
double shardRowBytes(const TensorRef &tensor) {
  return double(std::max<int64_t>(1, tensor.layout->shard.columns) * tensor.scalar);
}
double shardTileCount(const TensorRef &tensor) { return double(tensor.shardTiles().volume()); }

// ---- Copy -----------------------------------------------------------------------------------------------

constexpr StickCost kCopyRows = {661.1, 484.8, 10};
/// Shard to shard on the same core.
constexpr double kMoveStart = 288.1, kMoveRate = 56.25;

OpRuntime copyTime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (in.rowMajor())
    return stickTime(call, double(ceilDiv(in.rows(), call.cores())), double(in.rowBytes()), kCopyRows);
  return streamTime(call, call.tilesPerCore(call.out[0]), kTileCopy);
}

OpRuntime shardCopyTime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  double bytes = in.tiled() ? shardTileCount(in) * double(in.tile) : shardRows(in) * shardRowBytes(in);
  Work work;
  work.l1 = bytes / kMoveRate;
  work.start = kMoveStart;
  return timeOf(call, work);
}

// ---- Interleaved to sharded -----------------------------------------------------------------------------

struct ToSharded {
  double startNs, tile;                ///< per tile of 2048 bytes
  double rowStartNs, stick, stickRate; ///< row-major: one read at a time
};
constexpr ToSharded kToSharded = {982.9, 106.3, 1374, 555.2, 96.81};
/// Wormhole: per tile and core; bytes per cycle of the cores above each other, which share a column of the
/// NoC; bytes per cycle of the DRAM.
struct ToShardedWormhole {
  double startNs, tile, column, dram;
};
constexpr ToShardedWormhole kToShardedWormhole = {777.2, 123.5, 38.1, 200.8};

OpRuntime toShardedTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  Work work;
  if (out.rowMajor()) {
    work.noc = shardRows(out) * (kToSharded.stick + shardRowBytes(out) / kToSharded.stickRate);
    work.start = kToSharded.rowStartNs;
    return timeOf(call, work);
  }
  double perCore = shardTileCount(out), tile = double(out.tile);
  if (!wormhole(call)) {
    work.noc = perCore * kToSharded.tile * byteFactor(out.tile);
    work.dramRead = in.dram() ? perCore * double(out.shardCores()) * tile : 0;
    work.start = kToSharded.startNs;
    return timeOf(call, work);
  }
  CoreRange box = out.layout->cores ? out.layout->cores->boundingBox() : CoreRange();
  double rows = double(std::min(box.end.y - box.start.y + 1, out.shardCores()));
  const ToShardedWormhole &m = kToShardedWormhole;
  double all = perCore * double(out.shardCores()) * tile / m.dram;
  work.noc =
      smoothMax(8, {perCore * m.tile * tile / 2048, perCore * rows * tile / m.column, in.dram() ? all : 0});
  work.start = m.startNs;
  return timeOf(call, work);
}

// ---- Sharded to interleaved -----------------------------------------------------------------------------

struct ToInterleaved {
  double startNs, tile;    ///< per tile of 2048 bytes
  double stick, stickRate; ///< row-major
};
constexpr ToInterleaved kToInterleaved = {847, 109.1, 43.36, 45.75};
/// Posted writes from all cores at once reach less of a Wormhole's DRAM than other kernels' writes do:
/// 75 - 95 GB/s (facts/hardware-and-performance.md 6.6) against 102.
constexpr double kPostedWrites = 102.2 / 80;

OpRuntime toInterleavedTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  Work work;
  work.dramWrite = out.dram() ? double(in.bytes()) * (wormhole(call) ? kPostedWrites : 1) : 0;
  work.start = kToInterleaved.startNs;
  if (in.tiled())
    work.noc = double(call.tilesPerCore(in)) * kToInterleaved.tile * byteFactor(in.tile);
  else
    work.noc = shardRows(in) * (kToInterleaved.stick + shardRowBytes(in) / kToInterleaved.stickRate);
  return timeOf(call, work);
}

// ---- Reshard --------------------------------------------------------------------------------------------

struct ReshardWormhole {
  double startNs, link, source, destination; ///< bytes per cycle
  double request;                            ///< cycles per reader of the busiest source
};
constexpr ReshardWormhole kReshardWormhole = {439.1, 34.32, 42.69, 13.46, 91.92};
/// Blackhole: four rows only, 24 % off by cross-validation.
constexpr double kReshardStart = 910.4, kReshardTile = 49.98;

OpRuntime reshardTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  Work work;
  if (!wormhole(call) || !in.layout->cores || !out.layout->cores) {
    double tiles = std::max(shardTileCount(in), shardTileCount(out));
    work.noc = tiles * kReshardTile * double(in.tile) / 2048;
    work.start = kReshardStart;
    addDramTraffic(call, work);
    return timeOf(call, work);
  }
  const ReshardWormhole &m = kReshardWormhole;
  ReshardLoads loads = reshardLoads(in, out);
  work.noc = m.request * loads.readers +
             smoothMax(4, {loads.link / m.link, loads.source / m.source, loads.destination / m.destination});
  work.start = m.startNs;
  addDramTraffic(call, work);
  return timeOf(call, work);
}

// ---- Tilize, untilize -----------------------------------------------------------------------------------

struct TilizeCost {
  double shardStartNs, row, tile; ///< in place: per row of tiles, per tile
  double startNs, stick, rate;    ///< interleaved: per row read, bytes per cycle
  double block;                   ///< per tile of a row of tiles
};
constexpr TilizeCost kTilize = {440.6, 5.666, 66.36, 179.7, 70.19, 8.325, 324.3};
/// Rows are read one at a time; padding is written by the data-movement core at `pad` bytes per cycle.
struct PadCost {
  double startNs, stickDram, stickL1, rate, pad, wormhole;
};
constexpr PadCost kPad = {205.8, 391.4, 298.8, 3.817, 0.9703, 1.5};

OpRuntime tilizePaddedTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t cores = call.cores(), tileRows = std::max<int64_t>(1, out.tileRows);
  double rows = double(ceilDiv(tileRows, cores));
  double split = double(std::max<int64_t>(1, std::min(cores / tileRows, out.tileCols)));
  double count = rows * double(std::min<int64_t>(32, in.height)), page = double(in.rowBytes()) / split;
  double padding = rows * 32 * double(out.tileCols) * 32 * double(in.scalar) / split - count * page;
  Work work;
  work.noc = count * ((in.dram() ? kPad.stickDram : kPad.stickL1) + page / kPad.rate) +
             std::max(0.0, padding) / kPad.pad;
  work.start = kPad.startNs;
  work.factor = wormhole(call) ? kPad.wormhole : 1;
  addDramTraffic(call, work);
  return timeOf(call, work);
}

OpRuntime tilizeKernelTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.height % 32 || in.width % 32)
    return tilizePaddedTime(call);
  Work work;
  if (in.sharded()) {
    GridShape shard = in.shardTiles();
    work.compute = double(shard.rows) * (kTilize.row + double(shard.columns) * kTilize.tile);
    work.start = kTilize.shardStartNs;
    return timeOf(call, work);
  }
  // One block = one row of tiles: read 32 rows, tilize, write. With a single block nothing overlaps.
  double blocks = double(ceilDiv(out.tileRows, call.cores()));
  addDramTraffic(call, work);
  work.dramRead *= 1 + 1 / blocks;
  work.dramWrite *= 1 + 1 / blocks;
  work.noc = blocks * 32 * (kTilize.stick + double(in.rowBytes()) / kTilize.rate) +
             double(out.tileCols) * kTilize.block;
  work.start = kTilize.startNs;
  return timeOf(call, work);
}

struct UntilizeCost {
  double shardStartNs, startNs, row, tile; ///< per row of tiles however narrow, per tile
  double stick, rate;                      ///< interleaved result: per row written, bytes per cycle
  double padStartNs, padStick, padRate;    ///< results whose size is no multiple of 32: one row at a time
};
constexpr UntilizeCost kUntilize = {622.8, 3142, 377, 63.32, 64.2, 5.668, 3747, 368.2, 42.31};

OpRuntime untilizeKernelTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  GridShape tiles{ceilDiv(in.tileRows, call.cores()), in.tileCols};
  if (in.sharded())
    tiles = in.shardTiles();
  bool padded = !out.sharded() && (out.height % 32 || out.width % 32);
  Work work;
  addDramTraffic(call, work);
  work.compute = double(tiles.rows) * (kUntilize.row + double(tiles.columns) * kUntilize.tile);
  work.start = padded ? kUntilize.padStartNs : out.sharded() ? kUntilize.shardStartNs : kUntilize.startNs;
  if (padded)
    work.noc = double(tiles.rows) * double(std::min<int64_t>(32, out.height)) *
               (kUntilize.padStick + double(out.rowBytes()) / kUntilize.padRate);
  else if (!out.sharded())
    work.noc = double(tiles.rows) * 32 * (kUntilize.stick + double(out.rowBytes()) / kUntilize.rate);
  return timeOf(call, work);
}

} // namespace

OpRuntime conversionTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.sharded() && out.sharded())
    return samePlacement(in, out) && in.layout->shard == out.layout->shard ? shardCopyTime(call)
                                                                           : reshardTime(call);
  if (out.sharded())
    return toShardedTime(call);
  return in.sharded() ? toInterleavedTime(call) : copyTime(call);
}

OpRuntime tilizeTime(const OpCall &call) {
  return call.in[0].rowMajor() ? tilizeKernelTime(call) : untilizeKernelTime(call);
}

} // namespace tessera::analytic
