//===- MatmulKernels.cpp - Counts of matmuls ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One processor brings blocks of in0: it reads them, or sends the other cores of its
// row those that its shard holds. The other reads in1, tile by tile, and writes the
// result over the same NoC. What is counted as reads are in1's, as writes what is
// sent of in0, as evidence/kernel_counts.csv has them.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Kernels.h"
#include "Matmul.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

using Kind = MatmulPlan::Kind;

/// Blocks of in0 that one core sends, and the commands of each: packets, and the flag that says they are there.
void addMulticast(const OpCall &call, KernelCounts &program, const MatmulPlan &plan, int64_t tile) {
  int64_t blocks = plan.kBlocks() * plan.batch, senders = 1;
  // Shards have a part of K each, or, where blocks go along rows, as many parts as there are columns.
  if (call.in[0].sharded())
    senders = plan.kind == Kind::MultiCast2D ? std::max<int64_t>(1, call.in[0].layout->grid.columns)
                                             : call.in[0].shardCores();
  double sent = double(ceilDiv(blocks, std::max<int64_t>(1, senders)));
  int64_t bytes = plan.perCoreM * plan.blockK * tile;
  program.writer.add(sent, {.writes = packets(call, double(bytes)) + 1, .writeBytes = double(bytes)});
}

/// Commands of a DRAM-sharded in1 are as long as packets allow: whole tiles, of which a block has a multiple.
double streamReads(const OpCall &call, int64_t blockTiles, int64_t tile) {
  int64_t tiles = std::max<int64_t>(1, packetBytes(call) / tile);
  while (blockTiles % tiles != 0)
    --tiles;
  int64_t commands = blockTiles / tiles;
  return double(commands);
}

/// in1 comes from one bank per core, which sends on no wait but one in flight for each.
KernelCounts dramSharded(const OpCall &call, const MatmulPlan &plan, const MatmulTraffic &traffic) {
  int64_t banks = std::max<int64_t>(1, call.device().dramBanks);
  // Cores of the shards, and those next to the banks.
  int64_t cores = std::max(call.in[0].shardCores(), call.out[0].shardCores()) + banks - 1;
  KernelCounts program = beginProgram(call, "matmul from DRAM shards", std::min(cores, call.cores()));
  int64_t blockTiles = plan.blockK * ceilDiv(plan.n, banks);
  double blocks = double(plan.kBlocks()), reads = streamReads(call, blockTiles, traffic.tileB);
  program.reader.readWaits += 1;
  program.writer.writeWaits -= 1;
  program.reader.add(blocks, {.steps = 70, .reads = reads, .readBytes = double(blockTiles * traffic.tileB)});
  program.writer.add(blocks, {.steps = 48 + 26.5 * reads});
  addMulticast(call, program, plan, traffic.tileA);
  double ofBank = double(plan.k * ceilDiv(plan.n, banks));
  program.channelCommands = reads * blocks;
  program.channelBytes = ofBank * double(traffic.tileB);
  program.noc0Bytes = program.channelBytes * double(banks);
  return program;
}

/// Each core reads its own slice of in1, or one of a column does for all.
KernelCounts multicast(const OpCall &call, const MatmulPlan &plan, const MatmulTraffic &traffic) {
  const TensorRef &in0 = call.in[0], &in1 = call.in[1];
  bool blackhole = call.device().arch == Arch::Blackhole, sends = plan.kind != Kind::MultiCast1DIn1;
  KernelCounts program = beginProgram(call, "matmul with multicast", plan.cores());
  double blocks = double(plan.kBlocks() * plan.batch), columns = double(plan.perCoreN);
  double reads = double(plan.k * plan.batch) * columns;
  // in0: sent by those that hold it, or read block by block.
  if (!in0.sharded())
    program.reader.add(blocks, {.steps = 100 + 33 * double(plan.perCoreM * plan.blockK)});
  else if (sends)
    program.reader.add(blocks, {.steps = blackhole ? 86.0 : 68.0});
  if (sends && plan.cores() > 1)
    addMulticast(call, program, plan, traffic.tileA);
  program.reader.add(1, {.reads = reads, .readBytes = reads * double(traffic.tileB), .readWaits = blocks});
  program.writer.add(reads, {.steps = 36.5});
  program.writer.steps += 150 + 25 * blocks;
  program.writer.writeWaits -= blackhole ? 1 : 0;
  if (traffic.bias)
    program.reader.add(1, {.reads = columns, .readBytes = columns * double(call.in[2].tile), .readWaits = 1});
  Pages pages = pagesOf(in1);
  addReads(call, program, pages);
  if (!in0.sharded())
    addReads(call, program, pagesOf(in0));
  if (traffic.bias)
    addReads(call, program, pagesOf(call.in[2]));
  return program;
}

/// Cores share nothing; in0 lies in their shards, and in1 comes over the other NoC.
KernelCounts reuse(const OpCall &call, const MatmulPlan &plan) {
  KernelCounts program = beginProgram(call, "matmul without multicast", plan.cores());
  program.writer.steps += 250;
  program.writer.writeWaits -= 1;
  Pages pages = pagesOf(call.in[1]);
  addReads(call, program, pages);
  return program;
}

} // namespace

Counted countMatmul(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in0 = call.in[0], &in1 = call.in[1], &out = call.out[0];
  const MatmulPlan &plan = matmulPlan(call);
  // Transposed operands, a bias or an activation that follows are programs of their own.
  bool several = transposes(call, 0) || transposes(call, 1) || activationFollows(call) ||
                 (call.in.size() > 2 && !biasFused(call));
  if (!plan.possible || several || !in0.tiled() || !in1.tiled() || !out.decided() || !out.tiled())
    return std::nullopt;
  MatmulTraffic traffic = matmulTraffic(call);
  KernelCounts program;
  if (plan.kind == Kind::DramSharded)
    program = dramSharded(call, plan, traffic);
  else if (multicasts(plan) && !in1.sharded())
    program = multicast(call, plan, traffic);
  else if (plan.kind == Kind::Reuse && in0.sharded() && out.sharded())
    program = reuse(call, plan);
  else
    return std::nullopt;
  // Products of a tile with a tile, sixteen instructions each and pass.
  double products = double(plan.perCoreM * plan.perCoreN * plan.k * plan.batch) * 16 * traffic.fidelity;
  program.tensix.math += products;
  program.tensix.products += products;
  if (!out.sharded())
    addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

} // namespace tessera::analytic
