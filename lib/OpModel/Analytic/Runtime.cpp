//===- Runtime.cpp - From work to time ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Runtime.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

/// Kernel start-up beyond the launch, in ns: facts/hardware-and-performance.md 6.5 (t0 0.5 - 1.0 us for
/// streaming kernels on Blackhole, 1.7 - 2.2 us including the launch skew on Wormhole).
double startup(Arch arch) { return arch == Arch::Blackhole ? 500 : 800; }

/// GB/s of the devices that were measured: read, write.
struct DramFigures {
  double read, write;
};
constexpr DramFigures kMeasuredDevices[] = {{190, 80}, {418, 255}};

/// ns of reading and writing so many bytes; a device with less bandwidth takes longer in proportion.
double dramTime(const DeviceSpec &device, const Parameters &p, double read, double write) {
  const DramFigures &measured = kMeasuredDevices[device.arch == Arch::Blackhole ? 1 : 0];
  return read / p[P::DramRead] * measured.read / std::max(1.0, device.dramReadGBs) +
         write / p[P::DramWrite] * measured.write / std::max(1.0, device.dramWriteGBs);
}

} // namespace

double smoothMax(double sharpness, std::initializer_list<double> parts) {
  double top = std::max(parts);
  if (top <= 0)
    return 0;
  double sum = 0;
  for (double part : parts)
    sum += std::pow(std::max(0.0, part) / top, sharpness);
  return top * std::pow(sum, 1 / sharpness);
}

double clockOf(const DeviceSpec &device) { return std::max(0.01, device.clockGHz); }

OpRuntime timeOf(const OpCall &call, const Work &work) {
  return timeOf(call.device(), *call.parameters, work);
}

OpRuntime timeOf(const DeviceSpec &device, const Parameters &parameters, const Work &work) {
  double clock = clockOf(device);
  OpRuntime time;
  time.compute = Nanoseconds(work.compute * work.factor / clock);
  time.l1 = Nanoseconds(work.l1 * work.factor / clock);
  time.noc = Nanoseconds(work.noc * work.factor / clock);
  time.dram = Nanoseconds(dramTime(device, parameters, work.dramRead, work.dramWrite) * work.factor);
  double start = work.start.value_or(startup(device.arch)) * work.factor;
  time.dispatch = Nanoseconds((device.launch.value() + start) * work.programs);
  time.total = time.dispatch + Nanoseconds(smoothMax(work.sharpness, {time.compute.value(), time.l1.value(),
                                                                      time.noc.value(), time.dram.value()}));
  return time;
}

void addTime(OpRuntime &sum, const OpRuntime &more, double times) {
  sum.compute += more.compute * times;
  sum.l1 += more.l1 * times;
  sum.noc += more.noc * times;
  sum.dram += more.dram * times;
  sum.dispatch += more.dispatch * times;
  sum.total += more.total * times;
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
  Path path = slowestPath(call);
  if (path != Path::Sharded)
    work.noc = double(tilesPerCore) * std::max(cycles.sharded, path == Path::Dram ? cycles.dram : cycles.l1);
  return work;
}

Path slowestPath(const OpCall &call) {
  Path slowest = Path::Sharded;
  auto consider = [&](const TensorRef &tensor) {
    Path path = tensor.dram() ? Path::Dram : tensor.sharded() ? Path::Sharded : Path::L1;
    slowest = std::max(slowest, path);
  };
  for (const TensorRef &tensor : call.in)
    consider(tensor);
  for (const TensorRef &tensor : call.out)
    consider(tensor);
  return slowest;
}

double byteFactor(int64_t tile) { return 0.68 + 0.32 * double(tile) / 2048; }

OpRuntime streamTime(const OpCall &call, int64_t tiles, const StreamCost &cost, double compute,
                     double dramRead, double dramWrite) {
  int64_t tile = 0;
  for (const TensorRef &tensor : call.in)
    tile = std::max(tile, tensor.tile);
  for (const TensorRef &tensor : call.out)
    tile = std::max(tile, tensor.tile);
  Work work;
  work.dramRead = dramRead;
  work.dramWrite = dramWrite;
  work.compute = double(tiles) * compute;
  double move =
      call[slowestPath(call) == Path::Dram ? cost.dram : cost.l1] + (cost.more ? call[*cost.more] : 0);
  work.noc = double(tiles) * move * byteFactor(tile);
  work.start = call[cost.start];
  work.factor = cost.factor ? call[*cost.factor] : 1;
  return timeOf(call, work);
}

OpRuntime streamTime(const OpCall &call, int64_t tiles, const StreamCost &cost, double compute) {
  Work traffic;
  addDramTraffic(call, traffic);
  return streamTime(call, tiles, cost, compute, traffic.dramRead, traffic.dramWrite);
}

OpRuntime stickTime(const OpCall &call, double sticksPerCore, double stickBytes, const StickCost &cost) {
  Work work;
  addDramTraffic(call, work);
  work.noc = sticksPerCore * (call[cost.stick] + stickBytes / call[cost.rate]);
  work.start = call[cost.start];
  return timeOf(call, work);
}

int64_t busiestTiles(const OpCall &call) {
  if (call.out.empty())
    return call.in.empty() ? 1 : call.tilesPerCore(call.in[0]);
  auto onCore = [&](const TensorRef &tensor) {
    return tensor.sharded() ? tensor.shardTiles().volume() : call.tilesPerCore(tensor);
  };
  int64_t tiles = onCore(call.out[0]);
  if (!call.in.empty() && call.in[0].sharded())
    tiles = std::max(tiles, onCore(call.in[0]));
  return tiles;
}

} // namespace tessera::analytic
