//===- MatmulRuntime.cpp - Time of a block matmul ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// facts/hardware-and-performance.md 6.1. While one K block is multiplied the next
// is fetched, so that
//
//   device = start + first fetch + (blocks - 1) * max(fetch, compute) + compute + writes in between
//   wall   = device / sustained clock + last write + launch
//
//===----------------------------------------------------------------------===//
#include "Matmul.h"
#include "Runtime.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

/// Effective parameters, fitted; not physical constants. One row per architecture.
struct MatmulMachine {
  double cyclesPerPhase, cyclesPerTile; ///< per tile product: per fidelity phase, and on top
  double unpack;                        ///< bytes per cycle
  double subblock;                      ///< cycles per eight result tiles and K block
  double latency;                       ///< cycles per K block
  double readStream, perPage;           ///< one reader: bytes per cycle, and cycles per page at least
  double multicast;                     ///< bytes per cycle delivered
  double dramEdge, dramAll;             ///< bytes per cycle: few cores read (2D), all cores read (1D)
  double dramWrite;                     ///< bytes per cycle
  double start;                         ///< cycles: start-up, launch skew, tail
  double launchNs;
  double sustainedClock; ///< share of the nominal clock
};
constexpr MatmulMachine kMachines[] = {
    {16.261, 0.876, 54.8, 142, 158, 35.3, 51.3, 19.4, 130, 222, 107, 3146, 1770, 0.906}, // wormhole_b0
    {16.542, 0.463, 78.8, 82, 461, 79.3, 47.8, 50.5, 281, 300, 199, 4594, 0, 0.927},     // blackhole
};

const MatmulMachine &machine(Arch arch) { return kMachines[arch == Arch::Blackhole ? 1 : 0]; }

/// Cycles to bring one K block to every core that needs it.
double fetchCycles(const MatmulMachine &m, const MatmulPlan &plan, const MatmulTraffic &t) {
  using Kind = MatmulPlan::Kind;
  double n0 = double(plan.blockH) * double(plan.blockK), n1 = double(plan.blockW) * double(plan.blockK);
  bool twoD = plan.kind == Kind::MultiCast2D;
  bool sharesIn0 = twoD || plan.kind == Kind::MultiCast1DIn0 || plan.kind == Kind::DramSharded;
  bool sharesIn1 = twoD || plan.kind == Kind::MultiCast1DIn1;
  auto side = [&](double tiles, double tile, bool shared, bool dram) {
    return m.latency + (shared ? tiles * tile / m.multicast : 0) +
           (dram ? tiles * std::max(tile / m.readStream, m.perPage) : 0);
  };
  double d0 = t.in0Sharded && !sharesIn0 ? 0 : side(n0, double(t.tileA), sharesIn0, t.in0Dram);
  double d1 = side(n1, double(t.tileB), sharesIn1, t.in1Dram);
  double readers0 = sharesIn0 && !twoD ? 1 : double(plan.blocksM());
  double readers1 = sharesIn1 && !twoD ? 1 : double(plan.blocksN());
  double unique =
      (t.in0Dram ? n0 * double(t.tileA) * readers0 : 0) + (t.in1Dram ? n1 * double(t.tileB) * readers1 : 0);
  return std::max({d0, d1, m.latency + unique / (twoD ? m.dramEdge : m.dramAll)});
}

double productCycles(const MatmulMachine &m, const MatmulTraffic &t) {
  return std::max(m.cyclesPerPhase * t.fidelity + m.cyclesPerTile,
                  (double(t.tileB) + double(t.tileA) / 8) / m.unpack);
}

/// Operands move tile by tile from every core; nothing is shared.
OpRuntime tileByTileTime(const DeviceSpec &device, const MatmulPlan &plan, const MatmulTraffic &t) {
  const MatmulMachine &m = machine(device.arch);
  double clock = std::max(0.01, device.clockGHz) * m.sustainedClock;
  double outTiles = double(plan.m) * double(plan.n) * double(plan.batch);
  double cores = std::max<double>(1, double(device.workerGrid.volume()));
  double perCore = std::ceil(outTiles / cores) * double(plan.k);
  double pair = double(t.tileA + t.tileB);
  OpRuntime time;
  time.compute = Nanoseconds(perCore * productCycles(m, t) / clock);
  time.noc = Nanoseconds(perCore * std::max(pair / m.readStream, 2 * m.perPage) / clock);
  double bytes =
      outTiles * double(plan.k) * ((t.in0Dram ? double(t.tileA) : 0) + (t.in1Dram ? double(t.tileB) : 0));
  time.dram = Nanoseconds(bytes / m.dramAll / clock);
  time.dispatch = Nanoseconds(m.start / clock + m.launchNs);
  time.total = time.dispatch + std::max({time.compute, time.noc, time.dram});
  return time;
}

} // namespace

OpRuntime matmulKernelTime(const DeviceSpec &device, const MatmulPlan &plan, const MatmulTraffic &t) {
  if (plan.kind == MatmulPlan::Kind::MultiCore)
    return tileByTileTime(device, plan, t);
  const MatmulMachine &m = machine(device.arch);
  double clock = std::max(0.01, device.clockGHz);
  double outBlocks =
      double(ceilDiv(plan.perCoreM, plan.blockH) * ceilDiv(plan.perCoreN, plan.blockW)) * double(plan.batch);
  double blocks = double(plan.kBlocks()) * outBlocks;
  double products = double(plan.blockH) * double(plan.blockW) * double(plan.blockK);
  double compute =
      products * productCycles(m, t) + m.subblock * std::ceil(double(plan.blockH) * double(plan.blockW) / 8);
  double fetch = fetchCycles(m, plan, t);
  double outBytes = double(plan.m) * double(plan.n) * double(plan.batch) * double(t.tileOut);
  double writeBlock = t.outDram ? outBytes / outBlocks / m.dramWrite : 0;
  double deviceCycles =
      m.start + fetch + (blocks - 1) * std::max(fetch, compute) + compute + (outBlocks - 1) * writeBlock;

  OpRuntime time;
  double sustained = clock * m.sustainedClock;
  bool fromDram = t.in0Dram || t.in1Dram;
  time.compute = Nanoseconds(blocks * compute / sustained);
  (fromDram ? time.dram : time.noc) = Nanoseconds(blocks * fetch / sustained);
  time.dram += Nanoseconds(outBlocks * writeBlock / clock);
  time.dispatch = Nanoseconds(m.start / sustained + m.launchNs);
  time.total = Nanoseconds(deviceCycles / sustained + writeBlock / clock + m.launchNs);
  return time;
}

int mathFidelity(const OpCall &call) {
  llvm::StringRef fidelity = call.op().string("compute_config.math_fidelity");
  static constexpr llvm::StringLiteral kNames[] = {"lofi", "hifi2", "hifi3", "hifi4"};
  for (int i = 0; i < 4; ++i)
    if (fidelity == kNames[i])
      return i + 1;
  // facts/hardware-and-performance.md 4.1: bf16 HiFi2, block formats LoFi by default; f32 needs all phases.
  if (call.in.size() > 1 && isBlockFloat(call.in[0].dtype()) && isBlockFloat(call.in[1].dtype()))
    return 1;
  return !call.in.empty() && call.in[0].dtype() == DataType::Float32 ? 4 : 2;
}

OpRuntime matmulRuntime(const OpCall &call) {
  const TensorRef &a = call.in[0], &b = call.in[1], &out = call.out[0];
  MatmulTraffic traffic{a.tile,   b.tile,     out.tile,    a.dram(),
                        b.dram(), out.dram(), a.sharded(), mathFidelity(call)};
  OpRuntime time = matmulKernelTime(call.device(), matmulPlan(call), traffic);
  auto append = [&](const Work &work) {
    OpRuntime more = timeOf(call, work);
    time.compute += more.compute;
    time.noc += more.noc;
    time.dram += more.dram;
    time.dispatch += more.dispatch;
    time.total += more.total;
  };
  for (size_t i = 0; i < 2; ++i)
    if (transposes(call, i)) {
      double bytes = double(call.in[i].bytes()), tiles = double(ceilDiv(call.in[i].tiles(), call.cores()));
      append({call.in[i].dram() ? bytes : 0, call.in[i].dram() ? bytes : 0, 0, 0, tiles * 517});
    }
  double resultBytes = out.dram() ? double(out.bytes()) : 0, resultTiles = double(call.tilesPerCore(out));
  if (call.hasOperand(2) && !biasFused(call))
    append({resultBytes, resultBytes, 0, 0, resultTiles * 1700}); // a row broadcast over the accessor path
  if (activationFollows(call))
    append({resultBytes, resultBytes, 0, 0, resultTiles * (out.sharded() ? 300 : 650)});
  return time;
}

} // namespace tessera::analytic
