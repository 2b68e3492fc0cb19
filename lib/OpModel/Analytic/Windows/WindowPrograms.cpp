//===- WindowPrograms.cpp - Programs that sliding windows are made of -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Fitted on Blackhole, perf/op_traces.csv; on Wormhole the same cycles at its
// clock, unconfirmed.
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/WindowPrograms.h"

#include "../Runtime.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

/// Windows of up to this many sticks are reduced at once (facts/formulas 12).
constexpr double kSmallWindow = 16;

} // namespace

OpRuntime haloTime(const DeviceSpec &device, const Parameters &p, const HaloWork &h) {
  // Where the last shards are empty, shard i starts i (shardRows - neededRows) rows before what its core
  // needs.
  double shift = std::max(0.0, h.shardRows - h.neededRows) * h.pixelCores / 2;
  double own = std::max(0.0, 1 - shift / std::max(1.0, h.shardRows)) * std::min(h.shardRows, h.outRows);
  double remote = std::max(0.0, h.outRows * h.imageShare - own);
  Work work;
  // All cores exchange at once: remote data share the whole NoC. On Wormhole a row that leaves is a command of its own.
  work.noc = h.outRows * h.rowBytes / p[P::HaloLocal] +
             remote * (h.rowBytes * h.cores / p[P::HaloRemote] + p[P::HaloStick]);
  work.compute = h.tileRows * (p[P::HaloRow] + h.tileCols * p[P::HaloTile]);
  work.start = p[P::HaloStart];
  work.sharpness = 4;
  return timeOf(device, p, work);
}

OpRuntime paddedSliceTime(const DeviceSpec &device, const Parameters &p, const PaddedSliceWork &s) {
  Work work;
  if (s.tileRows > 0)
    work.compute = s.tileRows * (p[P::PaddedSliceRow] + s.tileCols * p[P::PaddedSliceTile]) +
                   (s.narrow ? s.shardRows * p[P::PaddedSliceNarrow] : 0);
  else
    work.noc = s.shardRows * (p[P::PaddedSliceStick] + s.rowBytes / p[P::PaddedSliceRate]);
  work.dramRead = s.bytes;
  work.start = p[P::PaddedSliceStart];
  return timeOf(device, p, work);
}

OpRuntime sliceWriteTime(const DeviceSpec &device, const Parameters &p, const SliceWriteWork &s) {
  Work work;
  work.noc =
      s.units * (s.tiled ? p[P::SliceWriteUnit] : p[P::SliceWriteStick] + s.rowBytes / p[P::SliceWriteRate]);
  work.dramWrite = s.bytes;
  work.start = p[P::SliceWriteStart];
  return timeOf(device, p, work);
}

OpRuntime convKernelTime(const DeviceSpec &device, const Parameters &p, const ConvWork &c) {
  double blockRows = std::min(c.blockRows, c.rows), blocks = std::ceil(c.rows / blockRows);
  double innerBlocks = std::ceil(c.inner / c.blockInner);
  // Activation: one read per output stick and row of the kernel.
  double read = blockRows * 32 * c.kernelH * (p[P::ConvRead] + c.kernelW * c.stickBytes / p[P::ConvReadRate]);
  // Arithmetic: tilize what this core read, multiply, add up the K blocks.
  double product =
      std::max(p[P::BlockPhase] * c.fidelity + p[P::BlockProduct], c.weightTile / p[P::BlockUnpackIn1]);
  double compute = blockRows * c.inner / c.channelCores * p[P::ConvTilize] +
                   blockRows * c.columns * (c.inner * product + innerBlocks * p[P::ConvPartial]) +
                   innerBlocks * p[P::ConvBlock];
  // Height shards fetch the weights once; other kinds multicast weights and activation for every block of rows. On Wormhole a
  // tile is read before it is sent on, and both count.
  P share = c.multicast ? P::ConvWeightMulticast : P::ConvWeightShare;
  double weights =
      c.inner * c.columns * (p[P::BlockPerPage] + c.weightTile / p[P::BlockMulticast] * p[share]);
  double exchange = 0, once = weights;
  if (c.multicast) {
    exchange = weights + innerBlocks * p[P::BlockLatency] + c.inner * blockRows * 2048 / p[P::BlockMulticast];
    once = 0;
  }
  double overlapped = smoothMax(p[P::ConvSharpness], {compute, c.doubleBuffer ? read : 0, exchange});
  double each = overlapped + (c.doubleBuffer ? 0 : read), ns = 1 / clockOf(device);
  OpRuntime time;
  time.compute = Nanoseconds(blocks * compute * ns);
  time.l1 = Nanoseconds(blocks * read * ns);
  time.noc = Nanoseconds((blocks * exchange + once) * ns);
  time.dispatch = device.launch + Nanoseconds(p[P::ConvStart]);
  time.total = time.dispatch + Nanoseconds((blocks * each + once) * ns);
  return time;
}

OpRuntime poolKernelTime(const DeviceSpec &device, const Parameters &p, const PoolWork &w) {
  // The sticks of a small window that lie in one row of the image are read at once, those of a large one one
  // by one.
  double window = w.kernelH * w.kernelW;
  double reads = window <= kSmallWindow ? w.kernelH : window;
  double steps = window <= kSmallWindow ? 1 : std::ceil(window / 32);
  Work work;
  work.l1 = w.sticks * reads * p[P::PoolRead];
  work.compute = w.sticks * steps * w.tileCols * p[P::PoolReduce];
  work.start = p[P::PoolStart];
  return timeOf(device, p, work);
}

HaloWork haloOf(const Window &w, double inShardRows, double outRows, double stickBytes, double pixelCores,
                double cores) {
  HaloWork halo;
  halo.shardRows = inShardRows;
  halo.rowBytes = stickBytes;
  halo.outRows = outRows;
  halo.imageShare =
      double(w.inHeight * w.inWidth) / double(std::max<int64_t>(1, w.paddedHeight() * w.paddedWidth()));
  halo.neededRows = double(w.batch * w.inHeight * w.inWidth) / std::max(1.0, pixelCores);
  halo.pixelCores = pixelCores;
  halo.cores = cores;
  return halo;
}

} // namespace tessera::analytic
