//===- Counting.cpp - Pieces that counts of kernels are made of -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Counting.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

/// Pages of the busiest channel. They go round the banks, and Wormhole's twelve lie two to a channel, Blackhole's eight one by
/// one (facts/hardware 1.5).
double pagesOfChannel(const DeviceSpec &device, const Pages &pages) {
  double banks = double(std::max<int64_t>(1, device.dramBanks));
  double perChannel = device.arch == Arch::Blackhole ? 1 : std::min(2.0, banks);
  if (pages.banks < 1) {
    // Some banks only, as of a slice of a few columns: their share of the channels, to the nearest.
    double channels = std::max(1.0, std::floor(banks / perChannel * pages.banks + 0.5));
    return std::ceil(pages.count / channels);
  }
  // Whole rounds give each bank one page. What is left lies in the first banks, of which the first channel has its own
  // full.
  return perChannel * std::floor(pages.count / banks) + std::min(perChannel, std::fmod(pages.count, banks));
}

void addPagesOf(const OpCall &call, KernelCounts &program, const Pages &pages) {
  if (!pages.dram)
    return;
  double ofChannel = pagesOfChannel(call.device(), pages) * pages.times;
  program.channelCommands += ofChannel;
  program.channelBytes += ofChannel * pages.bytes;
}

} // namespace

Share shareOut(int64_t items, int64_t cores) {
  items = std::max<int64_t>(1, items);
  cores = std::max<int64_t>(1, std::min(items, cores));
  return {cores, ceilDiv(items, cores)};
}

KernelCounts beginProgram(const OpCall &call, llvm::StringRef name, int64_t cores) {
  KernelCounts program;
  program.name = name;
  program.cores = cores;
  // Means over all kernels of evidence/kernel_counts.csv; they differ by some 40 instructions.
  bool blackhole = call.device().arch == Arch::Blackhole;
  program.reader.steps = blackhole ? 215 : 305;
  program.writer.steps = blackhole ? 355 : 375;
  program.reader.l1Loads = 40;
  program.writer.l1Loads = blackhole ? 47 : 55;
  program.reader.readWaits = 1;
  program.writer.writeWaits = blackhole ? 3 : 2;
  return program;
}

int64_t packetBytes(const OpCall &call) { return call.device().arch == Arch::Blackhole ? 16384 : 8192; }
double packets(const OpCall &call, double bytes) {
  return std::max(1.0, std::ceil(bytes / double(packetBytes(call))));
}

Pages pagesOf(const TensorRef &tensor) {
  double bytes = double(tensor.tiled() ? tensor.tile : tensor.rowBytes());
  return {tensor.dram(), double(tensor.tiled() ? tensor.tiles() : tensor.rows()), bytes};
}

void addReads(const OpCall &call, KernelCounts &program, const Pages &pages) {
  addPagesOf(call, program, pages);
  // Over the whole chip, in DRAM or not: every page crosses the network to who reads it.
  program.noc0Bytes += pages.count * pages.times * pages.bytes;
  if (pages.dram)
    return;
  // Interleaved, a core has its share of the pages and serves each of them to all that ask.
  double ofCore = std::ceil(pages.count / double(call.cores())) * pages.times;
  program.serves += ofCore;
  program.servedBytes += ofCore * pages.bytes;
}

void addWrites(const OpCall &call, KernelCounts &program, const Pages &pages) {
  addPagesOf(call, program, pages);
  program.noc1Bytes += pages.count * pages.times * pages.bytes;
}

void addPages(KernelCounts &program, const PageLoop &loop, double most, double readBytes, double writeBytes) {
  program.reader.add(most, {.steps = loop.readerSteps, .reads = 1, .readBytes = readBytes, .readWaits = 1});
  program.writer.add(most, {.steps = loop.writerSteps,
                            .writes = 1,
                            .writeBytes = writeBytes,
                            .writeWaits = loop.writerWaits ? 1.0 : 0.0});
}

void addTiles(const OpCall &call, KernelCounts &program, double most, double math) {
  bool blackhole = call.device().arch == Arch::Blackhole;
  // Fitted to evidence/kernel_counts.csv: what starts the engine, and what a tile takes.
  program.tensix.unpackSteps += (blackhole ? 570 : 450) + 48 * most;
  program.tensix.unpacks += 4 * most;
  program.tensix.math += 26 + math * most;
  program.tensix.packs += 44 + (blackhole ? 34 : 17) * most;
}

} // namespace tessera::analytic
