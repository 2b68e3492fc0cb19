//===- Runtime.cpp - From work to time ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Runtime.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

/// Kernel start-up beyond the launch, in ns: facts/hardware-and-performance.md 6.5 (t0 0.5 - 1.0 us for
/// streaming kernels on Blackhole, 1.7 - 2.2 us including the launch skew on Wormhole).
double startup(Arch arch) { return arch == Arch::Blackhole ? 500 : 800; }

/// Slowest path of any tensor of the call.
double slowestPath(const OpCall &call, const PathCycles &cycles) {
  double slowest = cycles.sharded;
  auto consider = [&](const TensorRef &tensor) {
    if (tensor.dram())
      slowest = std::max(slowest, cycles.dram);
    else if (!tensor.sharded())
      slowest = std::max(slowest, cycles.l1);
  };
  for (const TensorRef &tensor : call.in)
    consider(tensor);
  for (const TensorRef &tensor : call.out)
    consider(tensor);
  return slowest;
}

} // namespace

OpRuntime timeOf(const OpCall &call, const Work &work) {
  const DeviceSpec &device = call.device();
  double clock = std::max(0.01, device.clockGHz);
  OpRuntime time;
  time.compute = Nanoseconds(work.compute / clock);
  time.l1 = Nanoseconds(work.l1 / clock);
  time.noc = Nanoseconds(work.noc / clock);
  // GB/s are bytes per nanosecond.
  time.dram = Nanoseconds(std::max(work.dramRead / std::max(1.0, device.dramReadGBs),
                                   work.dramWrite / std::max(1.0, device.dramWriteGBs)));
  time.dispatch = Nanoseconds((device.launch.value() + startup(device.arch)) * work.programs);
  time.total = time.dispatch + std::max({time.compute, time.l1, time.noc, time.dram});
  return time;
}

OpRuntime launchOnly(const OpCall &call, int programs) {
  Work work;
  work.programs = programs;
  return timeOf(call, work);
}

OpRuntime noTime() { return OpRuntime(); }

void addDramTraffic(const OpCall &call, Work &work) {
  for (const TensorRef &tensor : call.in)
    if (tensor.dram())
      work.dramRead += double(tensor.bytes());
  for (const TensorRef &tensor : call.out)
    if (tensor.dram())
      work.dramWrite += double(tensor.bytes());
}

Work streamWork(const OpCall &call, int64_t tilesPerCore, const PathCycles &cycles) {
  Work work;
  addDramTraffic(call, work);
  work.compute = double(tilesPerCore) * cycles.sharded;
  work.noc =
      double(tilesPerCore) * (slowestPath(call, cycles) > cycles.sharded ? slowestPath(call, cycles) : 0.0);
  return work;
}

int64_t busiestTiles(const OpCall &call) {
  if (call.out.empty())
    return call.in.empty() ? 1 : call.tilesPerCore(call.in[0]);
  int64_t tiles = call.tilesPerCore(call.out[0]);
  if (!call.in.empty() && call.in[0].sharded())
    tiles = std::max(tiles, call.tilesPerCore(call.in[0]));
  return tiles;
}

} // namespace tessera::analytic
