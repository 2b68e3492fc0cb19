//===- ConversionRuntime.cpp - Time of moving a tensor as it is ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Wormhole was measured with one tensor size only, all else nearly always on
// Blackhole; on the other architecture the figures are used with its clock and
// DRAM, unconfirmed.
//
//===----------------------------------------------------------------------===//
#include "ConversionRuntime.h"

#include "../Movement/RowPrograms.h"
#include "Tilize.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

/// Rows and bytes of a row of the shard of a row-major tensor.
double shardRows(const TensorRef &tensor) { return double(tensor.shardUnits().rows); }
double shardRowBytes(const TensorRef &tensor) { return double(tensor.shardUnits().columns * tensor.scalar); }
double shardTileCount(const TensorRef &tensor) { return double(tensor.shardTiles().volume()); }

// ---- Copy -----------------------------------------------------------------------------------------------

constexpr StickCost kCopyRows = {P::CopyRowsStart, P::CopyRowsStick, P::CopyRowsRate},
                    kCopyRowsInL1 = {P::CopyRowsStart, P::CopyRowsStickL1, P::CopyRowsRate};

OpRuntime copyTime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (in.rowMajor())
    return stickTime(call, double(ceilDiv(in.rows(), call.cores())), double(in.rowBytes()),
                     slowestPath(call) == Path::Dram ? kCopyRows : kCopyRowsInL1);
  return streamTime(call, call.tilesPerCore(call.out[0]), kTileCopy);
}

/// Shard to shard on the same core.
OpRuntime shardCopyTime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  double bytes = in.tiled() ? shardTileCount(in) * double(in.tile) : shardRows(in) * shardRowBytes(in);
  Work work;
  // No page crosses the NoC: a core copies its own L1, bytes per cycle.
  work.l1 = bytes / call[P::MoveRate];
  work.start = call[P::MoveStart];
  return timeOf(call, work);
}

// ---- Interleaved to sharded -----------------------------------------------------------------------------

OpRuntime toShardedTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  ShardMove move;
  move.tiled = !out.rowMajor();
  move.units = move.tiled ? shardTileCount(out) : shardRows(out);
  move.unitBytes = move.tiled ? double(out.tile) : shardRowBytes(out);
  move.bytes = move.units * move.unitBytes * double(out.shardCores());
  CoreRange box = out.layout->cores ? out.layout->cores->boundingBox() : CoreRange();
  // Cores of a column share the link that brings them their shards on Wormhole.
  move.coresAbove = double(std::min(box.end.y - box.start.y + 1, out.shardCores()));
  move.dram = in.dram();
  return shardingTime(call.device(), *call.parameters, move);
}

// ---- Sharded to interleaved -----------------------------------------------------------------------------

OpRuntime toInterleavedTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  ShardMove move;
  move.tiled = in.tiled();
  move.units = move.tiled ? double(call.tilesPerCore(in)) : shardRows(in);
  move.unitBytes = move.tiled ? double(in.tile) : shardRowBytes(in);
  move.bytes = double(in.bytes());
  move.dram = out.dram();
  // Until August 2025 the kernel waited for each tile to be written before the next.
  move.waits = call.context.version <= BackendVersion::August2025;
  return unshardingTime(call.device(), *call.parameters, move);
}

// ---- Reshard --------------------------------------------------------------------------------------------

/// Pieces of shards on their way over the two NoCs: the busiest link, source or destination decides.
OpRuntime reshardTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  Work work;
  work.start = call[P::ReshardStart] / clockOf(call.device());
  addDramTraffic(call, work);
  ReshardLoads loads = reshardLoads(call.device().arch, in, out);
  // Small tiles cost more by the byte at both ends, since most of what a request takes does not depend on its
  // bytes.
  double end = in.tiled() ? byteFactor(*call.parameters, in.tile) * 2048 / double(in.tile) : 1;
  work.noc = call[P::ReshardRequest] * loads.readers +
             smoothMax(4, {loads.link / call[P::ReshardLink], loads.source / call[P::ReshardSource] * end,
                           loads.destination / call[P::ReshardDestination] * end});
  return timeOf(call, work);
}

// ---- Tilize, untilize -----------------------------------------------------------------------------------

/// Rows of a shard become tiles where they lie: a row of tiles takes its start and then its tiles. Of an interleaved result tiles leave one by
/// one.
OpRuntime tilizeShardTime(const OpCall &call) {
  const TensorRef &out = call.out[0];
  GridShape shard = call.in[0].shardTiles();
  Work work;
  work.compute = double(shard.rows) * (call[P::TilizeRow] + double(shard.columns) * call[P::TilizeTile]);
  if (!out.sharded())
    work.noc = double(shard.volume()) * call[P::ToInterleavedTile] * byteFactor(*call.parameters, out.tile);
  work.start = call[P::TilizeShardedStart];
  return timeOf(call, work);
}

/// In place, or from shards to where the rows are asked for: there they are written one by one. Padding is cut off on the way from a shard to
/// the one on the same core.
OpRuntime untilizeShardTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  GridShape tiles = in.shardTiles();
  bool cut = endsInsideTile(out), inPlace = cut ? samePlacement(in, out) : tilizesInPlace(in, out);
  Work work;
  addDramTraffic(call, work);
  work.compute = double(tiles.rows) * (call[P::UntilizeRow] + double(tiles.columns) * call[P::UntilizeTile]);
  work.start = call[P::UntilizeShardedStart];
  if (!inPlace)
    work.start = std::max(*work.start, call[P::UntilizeStart]);
  double rowBytes = double(std::min(out.rowBytes(), tiles.columns * 32 * out.scalar));
  if (!inPlace && cut)
    work.noc = double(tiles.rows) * double(std::min<int64_t>(32, out.height)) *
               (call[P::UnpadStick] + rowBytes / call[P::UnpadRate]);
  else if (!inPlace)
    work.noc = double(tiles.rows) * 32 * (call[P::UntilizeStick] + rowBytes / call[P::UntilizeRate]);
  return timeOf(call, work);
}

/// Rows in shards, without padding. Tilize.cpp says which kernel it is: those that lie as the tiles will, and rows that are whole, become
/// tiles where they are; else cores fetch whole rows from wherever these lie.
OpRuntime tilizeOfShards(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool leaves = in.l1() && in.shardedAs(MemoryLayout::HeightSharded) && out.l1() && !out.sharded();
  return leaves || tilizesInPlace(in, out) ? tilizeShardTime(call)
                                           : tilizeWholeRows(call, planeOf(in, out.tile), out.dram());
}

} // namespace

/// Also asked by pools and convolutions, whose operands are cut into shards first: so it takes figures and no call.
OpRuntime shardingTime(const DeviceSpec &device, const Parameters &p, const ShardMove &move) {
  Work work;
  if (!move.tiled) {
    // From DRAM each row waits for the one before.
    work.noc = move.units * (p[move.dram ? P::ToShardedStick : P::ToShardedStickL1] +
                             move.unitBytes / p[P::ToShardedRate]);
    work.start = p[P::ToShardedRowsStart];
    work.dramRead = move.dram ? move.bytes : 0;
    return timeOf(device, p, work);
  }
  work.start = p[move.dram ? P::ToShardedStart : P::ToShardedStartL1];
  work.dramRead = move.dram ? move.bytes : 0;
  double tile = p[move.dram ? P::ToShardedTile : P::ToShardedTileL1], perCore = move.units * move.unitBytes;
  // Wormhole's figure is of tiles of bf16; other sizes are scaled by their bytes there, and by what commands take
  // on Blackhole.
  if (device.arch != Arch::WormholeB0)
    work.noc = move.units * tile * byteFactor(p, int64_t(move.unitBytes));
  else
    work.noc = smoothMax(8, {perCore / 2048 * tile, perCore * move.coresAbove / p[P::ToShardedColumn]});
  return timeOf(device, p, work);
}

OpRuntime unshardingTime(const DeviceSpec &device, const Parameters &p, const ShardMove &move) {
  Work work;
  // Writes are posted: the kernel ends before all of them have arrived.
  work.dramWrite = move.dram ? move.bytes * p[P::ToInterleavedPosted] : 0;
  work.start = p[P::ToInterleavedStart];
  double tile = p[P::ToInterleavedTile] * byteFactor(p, int64_t(move.unitBytes));
  if (move.waits)
    tile += p[P::ToInterleavedWait] * move.unitBytes / 2048;
  work.noc =
      move.units * (move.tiled ? tile : p[P::ToInterleavedStick] + move.unitBytes / p[P::ToInterleavedRate]);
  return timeOf(device, p, work);
}

OpRuntime conversionTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.sharded() && out.sharded())
    return samePlacement(in, out) && in.layout->shard == out.layout->shard ? shardCopyTime(call)
                                                                           : reshardTime(call);
  if (out.sharded())
    return toShardedTime(call);
  return in.sharded() ? toInterleavedTime(call) : copyTime(call);
}

/// Both directions: rows to tiles if the operand is in rows, else tiles to rows.
OpRuntime tilizeTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.rowMajor())
    return in.sharded() && !endsInsideTile(in) ? tilizeOfShards(call)
                                               : tilizePlane(call, planeOf(in, out.tile), out.dram());
  return in.sharded() ? untilizeShardTime(call)
                      : untilizePlane(call, planeOf(in, in.tile, out.scalar), out.dram());
}

} // namespace tessera::analytic
