//===- PoolShards.cpp - How a pool is shared among cores -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A pool computes little and moves much, so that how it is cut decides both its time and its L1. The library weighs
// three ways of cutting by a sum of its own, which leaves parts out; that sum is followed as it is, mistakes included,
// since the question is which of the three the device will run, not which would be best.
//
//===----------------------------------------------------------------------===//
#include "PoolShards.h"

#include "../Conversions/Tilize.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

constexpr int64_t kFace = 16, kTile = 32;

bool tiledResult(const OpCall &call) { return call.out[0].decided() && call.out[0].tiled(); }

/// Sticks are shared one by one, for a tiled result by rows of tiles; channels by faces, if anything is tiled by tiles.
void chooseCores(const OpCall &call, const Window &w, PoolShards &shards) {
  bool tiles = tiledResult(call);
  GridShape worker = call.device().workerGrid;
  int64_t rows = ceilDiv(w.outSticks(), tiles ? kTile : 1);
  int64_t columns = ceilDiv(w.inChannels, tiles || call.in[0].tiled() ? kTile : kFace);
  if (shards.kind == MemoryLayout::HeightSharded) {
    shards.pixelCores = busyCores(rows, call.cores());
  } else if (shards.kind == MemoryLayout::WidthSharded) {
    // Every core has as many channels as any other, so that only divisors of their number come in question.
    shards.channelCores = commonDivisor(columns, columns, call.cores());
  } else {
    shards.pixelCores = busyCores(rows, worker.rows);
    shards.channelCores = commonDivisor(columns, ceilDiv(w.inChannels, kTile), worker.columns);
  }
}

/// Bytes that the library weighs: its buffers and a result in whole rows of tiles.
int64_t demand(const OpCall &call, const Window &w, const PoolShards &shards) {
  constexpr int64_t alignment = 32;
  // The library compares by the kernel's buffers and the result, without halo and operand: what it takes then is not
  // always the least in all.
  MemoryUse use;
  poolBuffers(call, w, shards.channelCores, use);
  bool wide = shards.kind == MemoryLayout::WidthSharded;
  int64_t rows = wide ? w.outSticks() : alignUp(w.outSticks(), shards.pixelCores * kTile) / shards.pixelCores;
  int64_t width = alignUp(w.inChannels, shards.channelCores * kTile) / shards.channelCores;
  int64_t share = w.inChannels / shards.channelCores;
  int64_t result = tiledResult(call)
                       ? rows * width / 1024 * call.out[0].tile
                       : rows * ceilDiv(std::max<int64_t>(1, share), kFace) * kFace * call.in[0].scalar;
  return use.circularBuffers() + alignUp(result, alignment);
}

PoolShards chosen(const OpCall &call, const Window &w, MemoryLayout kind) {
  PoolShards shards;
  shards.kind = kind;
  shards.moved = true;
  chooseCores(call, w, shards);
  return shards;
}

/// Height shards if nothing takes less; of width and block shards the latter only if they take less.
PoolShards leastShards(const OpCall &call, const Window &w) {
  PoolShards best = chosen(call, w, MemoryLayout::HeightSharded);
  // In this order, as the library tries them: who is as good as another does not replace it.
  for (MemoryLayout kind : {MemoryLayout::WidthSharded, MemoryLayout::BlockSharded})
    if (PoolShards shards = chosen(call, w, kind); demand(call, w, shards) < demand(call, w, best))
      best = shards;
  return best;
}

PoolShards givenShards(const TensorRef &in) {
  PoolShards shards;
  shards.kind = *in.layout->memory;
  bool block = shards.kind == MemoryLayout::BlockSharded, width = shards.kind == MemoryLayout::WidthSharded;
  shards.pixelCores = block ? in.layout->grid.rows : width ? 1 : in.shardCores();
  shards.channelCores = block ? in.layout->grid.columns : width ? in.shardCores() : 1;
  return shards;
}

/// Channels of a row-major result shard, of that many of the operand: faces if they are whole ones or a single one, else tiles.
int64_t resultChannels(int64_t channels) {
  return channels % kFace == 0 ? channels : alignUp(channels, channels < kFace ? kFace : kTile);
}

bool countsPadding(const OpCall &call) { return call.op().boolean("count_include_pad", true); }

/// Every window averages over its own number of sticks.
bool ownScalars(const OpCall &call, const Window &w) {
  bool padded = w.padTop + w.padBottom + w.padLeft + w.padRight > 0, beyond = w.ceilBottom + w.ceilRight > 0;
  return call.row.variant == AveragePool && !call.op().attribute("divisor_override") &&
         ((padded && !countsPadding(call)) || beyond);
}

void sizeShards(const OpCall &call, const Window &w, PoolShards &shards) {
  // Elements that a read of L1 has (16 bytes of bf16), to which channels of rows are filled up (facts/formulas 11);
  // bytes of a buffer's unit.
  constexpr int64_t access = 8, buffer = 16;
  const TensorRef &in = call.in[0];
  bool tiles = tiledResult(call);
  int64_t sticks = w.batch * w.inHeight * w.inWidth;
  auto share = [](int64_t extent, int64_t cores, int64_t unit) {
    return alignUp(extent, cores * unit) / cores;
  };
  shards.inRows = share(sticks, shards.pixelCores, in.tiled() ? kTile : 1);
  shards.inWidth = share(w.inChannels, shards.channelCores, in.tiled() ? kTile : access);
  shards.outRows = share(w.outSticks(), shards.pixelCores, tiles ? kTile : 1);
  shards.outWidth = tiles ? share(w.inChannels, shards.channelCores, kTile)
                          : resultChannels(ceilDiv(w.inChannels, shards.channelCores));
  int64_t stick = shards.inWidth * in.scalar;
  shards.inShard =
      in.tiled() ? shards.inRows / kTile * (shards.inWidth / kTile) * in.tile : shards.inRows * stick;
  shards.halo = w.haloSticks(shards.outRows) * stick;
  int64_t elements = shards.outRows * shards.outWidth;
  shards.outShard = tiles ? elements / 1024 * call.out[0].tile : elements * in.scalar;
  // Lists are sorted by the places of cores, of which only height shards have several in a row.
  int64_t columns = shards.kind == MemoryLayout::HeightSharded ? call.device().workerGrid.columns : 1;
  Window::Split split{shards.outRows, shards.inRows, shards.pixelCores, columns, in.tiled()};
  shards.exchange = haloTables(call, w.haloLists(split), "");
  // Tables in DRAM take circular buffers instead (facts/vendor-library 4).
  if (!shards.exchange.inDram)
    shards.tables = alignUp(w.readerTableBytes(shards.outRows, shards.outRows, 1), buffer);
  if (ownScalars(call, w) && !shards.exchange.inDram)
    shards.tables += alignUp(w.divisorTableBytes(shards.outRows, countsPadding(call)), buffer);
}

} // namespace

GridShape PoolShards::grid() const {
  return kind == MemoryLayout::WidthSharded ? GridShape{1, channelCores}
                                            : GridShape{pixelCores, channelCores};
}

bool PoolShards::liesAs(const TensorRef &result) const {
  if (!result.shardedAs(kind) || result.layout->grid != grid())
    return false;
  // Shards of tiles are counted in tiles, ours in elements.
  int64_t unit = result.tiled() ? kTile : 1;
  return result.layout->shard == GridShape{outRows / unit, outWidth / unit};
}

PoolShards poolShards(const OpCall &call, const Window &window) {
  // A pool keeps shards that it is given, whatever they take; only what it cuts itself is chosen by L1.
  PoolShards shards = call.in[0].sharded() ? givenShards(call.in[0]) : leastShards(call, window);
  sizeShards(call, window, shards);
  return shards;
}

void poolBuffers(const OpCall &call, const Window &w, int64_t channelCores, MemoryUse &use) {
  int64_t tile = 1024 * call.in[0].scalar, window = w.kernelH * w.kernelW;
  int64_t columns = ceilDiv(w.inChannels, channelCores * kTile);
  // Windows of up to 16 sticks are reduced as they are, larger ones in whole tiles.
  int64_t rows = window <= kFace ? window : kTile;
  bool indices = call.row.variant == MaxPoolWithIndices;
  // Columns of tiles that are reduced at once (facts/formulas 12).
  int64_t widest = indices ? 1 : call.row.variant == AveragePool && window > kTile ? 4 : 8;
  int64_t elements = indices ? 1024 : alignUp(std::min(columns, widest) * kTile * rows, 1024);
  use.program("pool");
  use.buffer("scaler", ownScalars(call, w) ? 4 : 2, tile);
  use.buffer("clear value", 1, tile);
  use.buffer("windows", 2 * 2, elements * call.in[0].scalar);
  if (indices) {
    use.buffer("indices", 5, 2048);
    use.buffer("result of one step", 1, tile);
  }
  if (tiledResult(call))
    use.buffer("result before tilize", columns, tile);
}

namespace {

/// What the operand was cut into goes with its halo only if the operand lies in DRAM. The halo is made anew, further up, if the call
/// says so, and stays to the end. Results that go elsewhere follow one by one.
void poolTensorsInOrder(const OpCall &call, const PoolShards &shards, bool moves, MemoryUse &use) {
  MemoryUse::Made own = use.make(shards.moved ? shards.inShard : 0), halo = use.make(shards.halo);
  if (call.in[0].dram())
    use.free(own);
  if (call.op().boolean("reallocate_halo_output", false)) {
    use.free(halo);
    use.make(shards.halo);
  }
  if (!moves)
    return;
  llvm::SmallVector<MemoryUse::Made, 2> results;
  for (size_t i = 0; i < call.out.size(); ++i)
    results.push_back(use.make(shards.outShard));
  for (size_t i = 0; i + 1 < call.out.size(); ++i) {
    use.makeResult(i, call.perCore(call.out[i]));
    use.free(results[i]);
  }
}

} // namespace

void poolMemory(const OpCall &call, const Window &window, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  PoolShards shards = poolShards(call, window);
  int64_t stick = shards.inWidth * in.scalar;
  if (shards.moved)
    shardingProgram(call, use, in.tiled() ? in.tile : stick, in.layout->page);
  haloBuffers(use, stick, in.tiled() ? shards.inWidth / kTile : 0, 1024 * in.scalar, shards.exchange);
  poolBuffers(call, window, shards.channelCores, use);
  if (shards.exchange.inDram)
    use.buffer("positions", 1, window.readerTableBytes(shards.outRows, shards.outRows, 1));
  bool moves = !shards.liesAs(out);
  poolTensorsInOrder(call, shards, moves, use);
  int64_t own = shards.moved ? shards.inShard : 0, kept = in.l1() ? own : 0;
  int64_t results = shards.outShard * int64_t(call.out.size());
  use.tensors(
      // Three moments: the halo is made, the kernel runs, the result moves to where it was asked for.
      std::max({own + shards.halo + shards.exchange.tensors(), kept + shards.halo + results + shards.tables,
                kept + shards.halo + results + (moves ? allocatedBytes(call, out) : 0)}));
}

} // namespace tessera::analytic
