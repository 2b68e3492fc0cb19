//===- Runtime.cpp - From work to time ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A program keeps four resources busy: arithmetic, L1, the NoC and the DRAM. Its time is that of the one that takes
// longest, a little more where two take almost as long (smoothMax), and a start. Calls whose programs are counted are
// timed by these counts instead (Machine.h); all others by formulas of their families on what follows here.
//
//===----------------------------------------------------------------------===//
#include "Runtime.h"

#include "Family.h"
#include "Machine.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

/// GB/s of the devices that were measured: read, write. The fitted rates are theirs; a board whose spec says other
/// figures gets them in proportion.
struct DramFigures {
  double read, write;
};
constexpr DramFigures kMeasuredDevices[] = {{190, 80}, {418, 255}};

/// ns of the DRAM for all of the work; a device with less bandwidth takes longer in proportion.
double dramTime(const DeviceSpec &device, const Parameters &p, const Work &work) {
  const DramFigures &measured = kMeasuredDevices[device.arch == Arch::Blackhole ? 1 : 0];
  double read = measured.read / std::max(1.0, device.dramReadGBs),
         write = measured.write / std::max(1.0, device.dramWriteGBs);
  // Reads and writes share the pins; writes alone reach less, and small accesses are bound by their number
  // (docs/op-model.md, "Time").
  return smoothMax(6, {(work.dramRead + work.dramWrite) / p[P::DramRead] * read,
                       work.dramWrite / p[work.dramWriteRate] * write,
                       work.dramAccesses * p[P::DramAccess] * read});
}

} // namespace

/// The p-norm of the parts, with p the sharpness: two parts of 1 are 2^(1/p), at p = 6 some 12 % more than one of
/// them.
double smoothMax(double sharpness, std::initializer_list<double> parts) {
  double top = std::max(parts);
  if (top <= 0)
    return 0;
  // Most programs keep one resource busy: powers, the better part of a query's time, only of what counts.
  double sum = 0;
  for (double part : parts)
    if (part > 0)
      sum += part == top ? 1 : std::pow(part / top, sharpness);
  return sum == 1 ? top : top * std::pow(sum, 1 / sharpness);
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
  time.dram = Nanoseconds(dramTime(device, parameters, work) * work.factor);
  // Kernels that nothing was measured of start as streams do.
  double start = work.start.value_or(parameters[P::StreamStart]) * work.factor;
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

namespace {

/// Bytes of the largest shard that passes its core's link to the NoC, or of a core's pages of a result in L1: none if all tensors are
/// sharded alike, so that each core works on its own.
double largestPartThatMoves(const OpCall &call) {
  const TensorRef *first = nullptr;
  double largest = 0;
  bool alike = true;
  auto add = [&](const TensorRef &tensor) {
    first = first ? first : &tensor;
    alike &= tensor.sharded() && samePlacement(tensor, *first);
    if (tensor.sharded())
      largest = std::max(largest, double(call.perCore(tensor)));
  };
  if (!call.in.empty())
    add(call.in[0]);
  for (const TensorRef &tensor : call.out) {
    add(tensor);
    // Of an operand an op may read a part only; a result is written whole.
    largest = std::max(largest, double(call.perCore(tensor)));
  }
  return alike ? 0 : largest;
}

} // namespace

/// No kernel moves bytes faster than the DRAM's pins, whatever rate was fitted to smaller tensors.
Nanoseconds timeAtPins(const OpCall &call, double bytes) {
  return Nanoseconds(bytes / std::max(1.0, call.device().dramReadGBs) * call[P::DramPeak]);
}

namespace {

/// ns in which the largest part that moves passes a core's link.
double timeAtLink(const OpCall &call) {
  return largestPartThatMoves(call) / call[P::NocLink] / clockOf(call.device());
}

/// Counted programs have the latency of the DRAM in their waits, as most calls had whose times these were fitted to: a tensor in
/// L1 is there that much earlier. The floor holds for them, too.
std::optional<OpRuntime> countedTime(const OpCall &call) {
  ProgramCounts programs;
  if (!call.row.family->counts || !mayBeTimedByCounts(call))
    return std::nullopt;
  // Counting first, then asking: which programs a call has is known only then.
  std::optional<OpRuntime> rest = call.row.family->counts(call, programs);
  if (!rest || !timedByCounts(call, programs))
    return std::nullopt;
  OpRuntime time = machineTime(call, programs);
  addTime(time, *rest);
  // Nothing was counted: what a family leaves to its formulas is all there is.
  if (programs.empty())
    return time;
  auto inL1 = [](const TensorRef &tensor) { return tensor.l1(); };
  auto earlier = double(llvm::count_if(call.in, inL1) + llvm::count_if(call.out, inL1));
  time.total = std::max(time.total - Nanoseconds(earlier * call[P::DramLatency]),
                        call.device().launch + Nanoseconds(std::max(call[P::KernelFloor], timeAtLink(call))));
  return time;
}

} // namespace

OpRuntime runtimeOf(const OpCall &call) {
  if (std::optional<OpRuntime> counted = countedTime(call))
    return *counted;
  OpRuntime time = call.row.family->runtime(call);
  // Views cost nothing, and what touches the host is not the device's time: no floor for either.
  bool host = llvm::any_of(call.in, [](const TensorRef &tensor) { return !tensor.onDevice(); });
  if (time.total.value() <= 0 || host)
    return time;
  constexpr int mostTensors = 4; // reads of more are issued side by side
  int tensors = 0;
  double written = 0;
  for (size_t i = 0; i < call.in.size() && tensors < mostTensors; ++i)
    // A tensor that is read by two operands waits for its first page once.
    tensors += call.in[i].dram() && call.op().operands[i].sameAs == i;
  for (const TensorRef &tensor : call.out)
    if (tensor.dram()) {
      ++tensors;
      written += double(tensor.bytes());
    }
  // Whatever overlaps, these cost (docs/op-model.md, "Time"): without them a policy finds the places where a formula
  // answers with less than any kernel takes.
  Nanoseconds least(std::max({call[P::KernelFloor], timeAtPins(call, written).value(), timeAtLink(call)}));
  time.total =
      std::max(time.total, call.device().launch + least) + Nanoseconds(tensors * call[P::DramLatency]);
  return time;
}

/// Views and what the host does: no launch, and so no floor (runtimeOf).
OpRuntime noTime() { return OpRuntime(); }

void addDramTraffic(const OpCall &call, Work &work) {
  for (const TensorRef &tensor : call.in)
    if (tensor.dram())
      work.dramRead += double(tensor.bytes());
  for (const TensorRef &tensor : call.out)
    if (tensor.dram())
      work.dramWrite += double(tensor.bytes());
}

Work streamWork(const OpCall &call, int64_t tilesPerCore, const PathCost &cost) {
  Work work;
  addDramTraffic(call, work);
  work.compute = double(tilesPerCore) * call[cost.sharded];
  Path path = slowestPath(call);
  // A shard is used in place; any other path takes the latency of each tile, which hides the arithmetic if it is
  // longer.
  if (path != Path::Sharded)
    work.noc =
        double(tilesPerCore) * std::max(call[cost.sharded], call[path == Path::Dram ? cost.dram : cost.l1]);
  return work;
}

Path slowestPath(const OpCall &call) {
  Path slowest = Path::Sharded;
  auto consider = [&](const TensorRef &tensor) {
    Path path = tensor.dram() ? Path::Dram : tensor.sharded() ? Path::Sharded : Path::L1;
    // The enumerators are in the order of their latency.
    slowest = std::max(slowest, path);
  };
  for (const TensorRef &tensor : call.in)
    consider(tensor);
  for (const TensorRef &tensor : call.out)
    consider(tensor);
  return slowest;
}

/// A tile costs a fixed share, its commands, and the rest by its bytes: relative to one of bf16, of 2048.
double byteFactor(const Parameters &p, int64_t tile) {
  return p[P::TileFixed] + (1 - p[P::TileFixed]) * double(tile) / 2048;
}

OpRuntime streamTime(const OpCall &call, const StreamCost &cost, const Stream &stream) {
  Work work;
  work.dramRead = stream.dramRead;
  work.dramWrite = stream.dramWrite;
  work.dramWriteRate = cost.write;
  work.compute = double(stream.tiles) * stream.compute;
  // Shards that are not read in place are fetched over the NoC, as interleaved L1 is.
  double move = call[stream.path == Path::Dram ? cost.dram : cost.l1] + (cost.more ? call[*cost.more] : 0);
  work.noc = double(stream.tiles) * move * byteFactor(*call.parameters, stream.tileBytes);
  work.start = call[cost.start];
  work.factor = cost.factor ? call[*cost.factor] : 1;
  return timeOf(call, work);
}

OpRuntime streamTime(const OpCall &call, int64_t tiles, const StreamCost &cost, double compute,
                     double dramRead, double dramWrite) {
  int64_t tile = 0;
  for (const TensorRef &tensor : call.in)
    tile = std::max(tile, tensor.tile);
  for (const TensorRef &tensor : call.out)
    tile = std::max(tile, tensor.tile);
  return streamTime(call, cost, {tiles, tile, slowestPath(call), dramRead, dramWrite, compute});
}

OpRuntime streamTime(const OpCall &call, int64_t tiles, const StreamCost &cost, double compute) {
  Work traffic;
  addDramTraffic(call, traffic);
  return streamTime(call, tiles, cost, compute, traffic.dramRead, traffic.dramWrite);
}

OpRuntime stickTime(const OpCall &call, double sticksPerCore, double stickBytes, const StickCost &cost) {
  Work traffic;
  addDramTraffic(call, traffic);
  return stickTime(call, sticksPerCore, stickBytes, cost, traffic.dramRead, traffic.dramWrite);
}

OpRuntime stickTime(const OpCall &call, double sticksPerCore, double stickBytes, const StickCost &cost,
                    double dramRead, double dramWrite) {
  Work work;
  work.dramRead = dramRead;
  work.dramWrite = dramWrite;
  work.dramWriteRate = P::DramCopyWrite;
  // Stick by stick: a command each, and its bytes at the rate of one core.
  work.noc = sticksPerCore * (call[cost.stick] + stickBytes / call[cost.rate]);
  work.start = call[cost.start];
  return timeOf(call, work);
}

OpRuntime transposeTime(const OpCall &call, const TensorRef &tensor) {
  double bytes = tensor.dram() ? double(tensor.bytes()) : 0;
  return streamTime(call, kTransposeTiles,
                    {ceilDiv(tensor.tiles(), call.cores()), tensor.tile,
                     tensor.dram() ? Path::Dram : Path::L1, bytes, bytes});
}

OpRuntime castTime(const OpCall &call, const TensorRef &tensor, int64_t from, int64_t to) {
  double tiles = tensor.dram() ? double(tensor.tiles()) : 0;
  return streamTime(call, kTypecastTiles,
                    {call.tilesPerCore(tensor), std::max(from, to), tensor.dram() ? Path::Dram : Path::L1,
                     tiles * double(from), tiles * double(to)});
}

OpRuntime timeByWayOfBf16(const OpCall &call) {
  // Layouts and descriptions of their own, which what the call refers to must outlive.
  struct Copy {
    explicit Copy(const TensorRef &of) : desc(*of.desc), layout(*of.layout) {
      desc.dtype = layout.dtype = DataType::BFloat16;
    }
    TensorDesc desc;
    TensorLayout layout;
  };
  const TensorRef &in = call.in[0], &out = call.out[0];
  const Copy from(in), to(out);
  OpCall wide = call;
  // Their numbers stay: two that lie alike do so in any type.
  wide.in[0] = makeTensorRef(from.desc, &from.layout, in.id);
  wide.out[0] = makeTensorRef(to.desc, &to.layout, out.id);
  OpRuntime time = runtimeOf(wide);
  addTime(time, castTime(call, in, in.tile, wide.in[0].tile));
  addTime(time, castTime(call, out, wide.out[0].tile, out.tile));
  return time;
}

int64_t busiestTiles(const OpCall &call) {
  if (call.out.empty())
    return call.in.empty() ? 1 : call.tilesPerCore(call.in[0]);
  // The last shard is padded, and the core that has it computes the padding too: whole shards count.
  auto onCore = [&](const TensorRef &tensor) {
    return tensor.sharded() ? tensor.shardTiles().volume() : call.tilesPerCore(tensor);
  };
  int64_t tiles = onCore(call.out[0]);
  if (!call.in.empty() && call.in[0].sharded())
    tiles = std::max(tiles, onCore(call.in[0]));
  return tiles;
}

} // namespace tessera::analytic
