//===- MatmulRuntime.cpp - Time of a matmul ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Four kernels, four formulas (docs/op-model.md, "Matmul", has their errors):
//
//   block          2D, 1D of more than one tile row, reuse: while one K block is multiplied the next is fetched
//   decode 1D      one tile row: streams the weights, all cores share the DRAM
//   DRAM-sharded   one reader and worker per DRAM bank
//   height-sharded in0 in place, one K block: nothing overlaps
//
//===----------------------------------------------------------------------===//
#include "../Runtime.h"
#include "Matmul.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

using Kind = MatmulPlan::Kind;

/// A kernel's time in ns, apart from its launch.
struct KernelTime {
  double start = 0, compute = 0, fetch = 0, write = 0;
  double total = 0; ///< with the drain of the last block
  double drain = 0;
};

// ---- Block kernel ---------------------------------------------------------------------------------------

/// Cycles to read one tile by one core.
double readCycles(const Parameters &p, double tile) {
  // A small page costs its issue, a large one its bytes (facts/hardware 1.4).
  return std::max(tile / p[P::BlockReadRate], p[P::BlockPerPage]);
}

/// Cycles to bring one K block to every core that needs it.
double fetchCycles(const Parameters &p, const MatmulPlan &plan, const MatmulTraffic &t) {
  double n0 = double(plan.blockH) * double(plan.blockK), n1 = double(plan.blockW) * double(plan.blockK);
  bool twoD = plan.kind == Kind::MultiCast2D;
  bool sharesIn0 = twoD || plan.kind == Kind::MultiCast1DIn0;
  bool sharesIn1 = twoD || plan.kind == Kind::MultiCast1DIn1;
  double tileA = double(t.tileA), tileB = double(t.tileB);
  // What lies in the core's own shard is not read, but still sent on to those that share it.
  double d0 =
      (t.in0Sharded ? 0 : n0 * readCycles(p, tileA)) + (sharesIn0 ? n0 * tileA / p[P::BlockMulticast] : 0);
  double d1 =
      (t.in1InPlace ? 0 : n1 * readCycles(p, tileB)) + (sharesIn1 ? n1 * tileB / p[P::BlockMulticast] : 0);
  // Where a block is multicast only one core reads it, which is what the DRAM sees.
  bool alone = plan.kind == Kind::Reuse;
  double readers0 = alone ? double(plan.cores()) : sharesIn0 && !twoD ? 1 : double(plan.blocksM());
  double readers1 = alone ? double(plan.cores()) : sharesIn1 && !twoD ? 1 : double(plan.blocksN());
  double bytes = (t.in0Dram ? n0 * tileA * readers0 : 0) + (t.in1Dram ? n1 * tileB * readers1 : 0);
  // Two readers, one for each operand, work side by side, and both wait for the same DRAM.
  return p[P::BlockLatency] + std::max({d0, d1, bytes / p[twoD ? P::BlockDram2D : P::BlockDram1D]});
}

/// Cycles of the product of two tiles.
double productCycles(const Parameters &p, int fidelity) {
  return p[P::BlockPhase] * fidelity + p[P::BlockProduct];
}

/// Cycles to multiply one K block.
double computeCycles(const Parameters &p, const MatmulPlan &plan, const MatmulTraffic &t) {
  // The operand that is not kept in registers is unpacked again for every tile product.
  bool streamsIn1 = plan.subblockW >= plan.subblockH;
  double unpack =
      streamsIn1 ? double(t.tileB) / p[P::BlockUnpackIn1] : double(t.tileA) / p[P::BlockUnpackIn0];
  double product = std::max(productCycles(p, t.fidelity), unpack);
  double tiles = double(plan.blockH) * double(plan.blockW);
  double pack = p[P::BlockSubblock] * (t.fp32Accumulate ? p[P::BlockFp32Pack] : 1);
  return tiles * double(plan.blockK) * product + pack * tiles / 8;
}

/// Cycles that zeroing takes: where K ends inside a tile, in the last block of in0 for each block of the result.
double paddingCycles(const Parameters &p, const MatmulPlan &plan, const MatmulTraffic &t) {
  return double(plan.outBlocks()) * double(t.in0Padding) * p[P::MachineStep];
}

KernelTime blockTime(const DeviceSpec &device, const Parameters &p, const MatmulPlan &plan,
                     const MatmulTraffic &t) {
  double outBlocks = double(plan.outBlocks());
  double blocks = double(plan.kBlocks()) * outBlocks;
  double compute = computeCycles(p, plan, t), fetch = fetchCycles(p, plan, t);
  double tiles = double(plan.blockH) * double(plan.blockW);
  double write = t.outDram ? tiles * double(t.tileOut) * double(plan.cores()) / p[P::BlockDramWrite] : 0;
  // The last block is written when nothing is left to compute; writes of all earlier ones overlap with the next.
  double drain = t.outInterleaved ? std::max(write, tiles * p[P::BlockWriteTile]) : 0;
  double bias = t.bias ? tiles * p[P::BlockBias] : 0;
  // The first block cannot be computed before it is there, nor the last one fetched while something is
  // computed: one fetch and one product stand alone, and all between overlap.
  double cycles = p[P::BlockStart] + fetch +
                  (blocks - 1) * smoothMax(p[P::BlockSharpness], {fetch, compute}) + compute +
                  (outBlocks - 1) * write + outBlocks * bias + paddingCycles(p, plan, t) + drain;
  double ns = 1 / clockOf(device);
  return {p[P::BlockStart] * ns,  blocks * compute * ns, blocks * fetch * ns,
          outBlocks * write * ns, cycles * ns,           drain * ns};
}

// ---- One tile row ---------------------------------------------------------------------------------------

KernelTime decodeTime(const DeviceSpec &device, const Parameters &p, const MatmulPlan &plan,
                      const MatmulTraffic &t) {
  double clock = clockOf(device), perCore = double(plan.perCoreN);
  // What a core makes in several parts takes as many rounds through K.
  double n1 = double(plan.blockK) * double(plan.blockW),
         blocks = double(plan.k) / double(plan.blockK) * double(plan.outBlocks());
  double issue = n1 * p[P::DecodePerTile] / clock;
  if (!t.in0Sharded)
    issue =
        std::max(issue, double(plan.blockK) * p[P::DecodePerTile] / clock); // the sender reads in0 meanwhile
  // Wide parts per core keep more reads in flight, which disturb each other at the banks.
  double crowd = 1 + p[P::DecodeSpread] * perCore / (perCore + 12);
  double page = double(t.tileB) / p[P::DecodeDram] + p[P::DecodePage];
  double dram = t.in1Dram ? n1 * double(plan.blocksN()) * page * crowd : 0;
  dram += t.in0Dram ? double(plan.blockK) * (double(t.tileA) / p[P::DecodeDram] + p[P::DecodePage]) : 0;
  double compute = n1 * 16 * t.fidelity / clock;
  // While one core waits for its pages the others use the DRAM.
  // A block is multicast when the last core has said that it has room for it.
  double latency = (p[P::DecodeLatency] + p[P::DecodeCore] * double(plan.blocksN())) / clock;
  // So it has not begun to read the next one, if in0 is not there in shards; alone it reads in0 while it reads in1.
  latency += !t.in0Sharded && plan.blocksN() > 1 ? p[P::DecodeUnsharded] : 0;
  double each = smoothMax(p[P::DecodeSharpness], {latency + issue, dram, compute});
  // All cores write the last part of the result when nothing is left to read.
  double written = t.outInterleaved && t.outDram ? double(plan.blockW * t.tileOut * plan.cores()) : 0;
  double drain = written / p[P::BlockDramWrite] / clock, padding = paddingCycles(p, plan, t) / clock;
  double start = p[P::DecodeStart], loop = (blocks + p[P::DecodeFill]) * each;
  return {start, blocks * compute, blocks * std::max(issue, dram), drain, start + loop + padding + drain,
          drain};
}

KernelTime dramShardedTime(const DeviceSpec &device, const Parameters &p, const MatmulPlan &plan,
                           const MatmulTraffic &t) {
  double banks = double(std::max<int64_t>(1, device.dramBanks)), clock = clockOf(device);
  // Columns are dealt over banks in whole tiles, and the fullest bank decides.
  double perBank = std::ceil(double(plan.n) / banks), k = double(plan.k), rows = double(plan.m);
  double read = k * perBank * banks * double(t.tileB) / p[P::BankDram];
  double compute = rows * k * perBank * (p[P::BankPhase] * t.fidelity + p[P::BankProduct]) / clock;
  double waits = k / double(plan.blockK) * p[P::BankLatency] / clock, start = p[P::BankStart];
  return {start, compute, read, 0, start + waits + smoothMax(p[P::BankSharpness], {read, compute}), 0};
}

/// A height-sharded in0 is read in place; in1 is fetched again for every result block.
KernelTime heightShardedTime(const Parameters &p, const MatmulPlan &plan, const MatmulTraffic &t) {
  double rows = double(plan.perCoreM), k = double(plan.k), n = double(plan.perCoreN);
  double width = plan.blockW == plan.perCoreN && n <= 8 ? n : 1;
  double product = width > 1 ? p[P::HeightWide] + p[P::HeightSubblock] / width : p[P::HeightNarrow];
  double slower = std::max(1.0, double(t.fidelity) / 2); // fitted at the default fidelity of bf16
  double outBlocks = double(ceilDiv(plan.perCoreM, plan.blockH) * ceilDiv(plan.perCoreN, plan.blockW));
  double tile = p[P::HeightIn1Tile] * std::max(0.5, double(t.tileB) / 2048);
  double fetch = outBlocks * double(plan.blockW) * k * tile;
  double compute = rows * k * n * product * slower, pack = rows * n * p[P::HeightOutTile];
  // A bias is read and sent while the first block is multiplied, which takes a turn of reading and sending as for weights of a single row.
  double turn = p[P::DecodeLatency] + p[P::DecodeCore] * double(plan.cores()) + n * tile;
  double bias = t.bias ? std::max(0.0, turn - compute / outBlocks) : 0;
  double each = fetch + compute + bias + pack, times = double(plan.batch);
  double start = p[P::HeightStart]; // cycles = ns on Wormhole
  return {start, times * (compute + pack), times * fetch, 0, start + times * each, 0};
}

KernelTime kernelTime(const DeviceSpec &device, const Parameters &p, const MatmulPlan &plan,
                      const MatmulTraffic &t) {
  if (plan.kind == Kind::DramSharded)
    return dramShardedTime(device, p, plan, t);
  // One row of tiles streams the weights: with rates of the block kernel it comes out 60 % too slow on Wormhole, as all
  // cores read.
  if (plan.kind == Kind::MultiCast1DIn0 && plan.m == 1)
    return decodeTime(device, p, plan, t);
  bool oneKBlock = plan.kind == Kind::MultiCast1DIn1 && t.in0Sharded && plan.kBlocks() == 1;
  // Only Wormhole was measured (matmul_height_sharded_n150).
  if (oneKBlock && device.arch == Arch::WormholeB0)
    return heightShardedTime(p, plan, t);
  return blockTime(device, p, plan, t);
}

/// Operands move tile by tile from every core; nothing is shared.
OpRuntime tileByTileTime(const DeviceSpec &device, const Parameters &p, const MatmulPlan &plan,
                         const MatmulTraffic &t) {
  double clock = clockOf(device);
  double outTiles = double(plan.m) * double(plan.n) * double(plan.batch);
  double cores = std::max<double>(1, double(device.workerGrid.volume()));
  double perCore = std::ceil(outTiles / cores) * double(plan.k);
  OpRuntime time;
  double unpack = double(t.tileA + t.tileB) / p[P::BlockUnpackIn1];
  time.compute = Nanoseconds(perCore * std::max(productCycles(p, t.fidelity), unpack) / clock);
  // One page at a time, each waits for the previous one.
  time.noc = Nanoseconds(perCore * (readCycles(p, double(t.tileA)) + readCycles(p, double(t.tileB))) / clock);
  double bytes =
      outTiles * double(plan.k) * ((t.in0Dram ? double(t.tileA) : 0) + (t.in1Dram ? double(t.tileB) : 0));
  double written = t.outDram ? outTiles * double(t.tileOut) / p[P::BlockDramWrite] : 0;
  time.dram = Nanoseconds((bytes / p[P::BlockDram1D] + written) / clock);
  time.dispatch = Nanoseconds(p[P::BlockStart] / clock) + device.launch;
  time.total =
      time.dispatch + Nanoseconds(smoothMax(p[P::BlockSharpness],
                                            {time.compute.value(), time.noc.value(), time.dram.value()}));
  return time;
}

} // namespace

OpRuntime matmulKernelTime(const DeviceSpec &device, const Parameters &p, const MatmulPlan &plan,
                           const MatmulTraffic &t) {
  if (plan.kind == Kind::MultiCore)
    return tileByTileTime(device, p, plan, t);
  KernelTime kernel = kernelTime(device, p, plan, t);
  OpRuntime time;
  time.compute = Nanoseconds(kernel.compute);
  (t.in0Dram || t.in1Dram ? time.dram : time.noc) = Nanoseconds(kernel.fetch);
  time.dram += Nanoseconds(kernel.write);
  time.dispatch = Nanoseconds(kernel.start) + device.launch;
  time.total = Nanoseconds(kernel.total) + device.launch;
  return time;
}

Nanoseconds matmulMathTime(const OpCall &call) {
  const DeviceSpec &device = call.device();
  const Parameters &p = *call.parameters;
  const MatmulPlan &plan = matmulPlan(call);
  MatmulTraffic t = matmulTraffic(call);
  if (plan.kind == Kind::MultiCore)
    return tileByTileTime(device, p, plan, t).total - device.launch;
  KernelTime kernel = kernelTime(device, p, plan, t);
  return Nanoseconds(kernel.total - kernel.drain);
}

ComputeConfig matmulComputeConfig(const OpCall &call) {
  // Other ops that multiply as a matmul does take what it takes.
  ComputeConfig config =
      computeConfigOf(call.op(), call.query.config.specific, call.device().arch, call.context.version)
          .value_or(ComputeConfig{2, false, false, true});
  if (call.row.family->name == "matmul" && !statesComputeConfig(call.op())) {
    config.fp32Accumulate = resultType(call) == DataType::Float32;
    config.packerL1Accumulate = !config.fp32Accumulate;
  }
  return config;
}

int mathFidelity(const OpCall &call) { return matmulComputeConfig(call).fidelity; }

namespace {

/// Of a block of in0, if K ends inside a tile: since 2026 its sender zeroes what is behind (kernel_helper_functions/pad_tile.hpp).
int64_t in0Padding(const OpCall &call) {
  const TensorRef &in0 = call.in[0];
  int64_t inside = (transposes(call, 0) ? in0.height : in0.width) % 32;
  bool zeroes = answersAsNewest(call) && inside != 0 && !in0.sharded();
  return zeroes ? matmulPlan(call).blockH * 32 * (32 - inside) : 0;
}

} // namespace

MatmulTraffic matmulTraffic(const OpCall &call) {
  const TensorRef &a = call.in[0], &b = call.in[1], &out = call.out[0];
  return {a.tile,
          b.tile,
          out.tile,
          a.dram(),
          b.dram(),
          out.dram(),
          a.sharded(),
          mathFidelity(call),
          matmulComputeConfig(call).fp32Accumulate,
          out.interleaved(),
          call.hasOperand(2) && biasFused(call),
          b.sharded() && b.l1(),
          in0Padding(call)};
}

OpRuntime matmulRuntime(const OpCall &call) {
  const TensorRef &out = call.out[0];
  OpRuntime time = matmulKernelTime(call.device(), *call.parameters, matmulPlan(call), matmulTraffic(call));
  // Rates were fitted to smaller weights: all of them pass the pins of the DRAM.
  double read = 0;
  for (const TensorRef &operand : llvm::ArrayRef(call.in).take_front(2))
    read += operand.dram() ? double(operand.bytes()) : 0;
  time.total = std::max(time.total, call.device().launch +
                                        timeAtPins(call, read + (out.dram() ? double(out.bytes()) : 0)));
  // A transposed operand is a program of its own before the matmul.
  for (size_t i = 0; i < 2; ++i)
    if (transposes(call, i))
      addTime(time, transposeTime(call, call.in[i]));
  // What follows reads and writes the result.
  auto append = [&](double cyclesPerTile) {
    Work work;
    work.dramRead = work.dramWrite = out.dram() ? double(out.bytes()) : 0;
    work.noc = double(call.tilesPerCore(out)) * cyclesPerTile;
    addTime(time, timeOf(call, work));
  };
  if (call.hasOperand(2) && !biasFused(call))
    append(call[P::MatmulBias]);
  if (activationFollows(call))
    append(call[out.sharded() ? P::UnarySimple : P::UnaryDram]);
  return time;
}

} // namespace tessera::analytic
