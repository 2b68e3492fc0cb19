//===- TileKernels.cpp - Counts of kernels that move whole pages ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Where the engine has no part in it a program is a reader and a writer that hand over pages: how many pages the
// busiest core has, and what each of the two executes for one, is all there is to count.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Family.h"
#include "../Kernels.h"
#include "Rearrange.h"

#include <cmath>

namespace tessera::analytic {
namespace {

bool interleavedTiles(const TensorRef &tensor) { return tensor.tiled() && !tensor.sharded(); }

// Instructions for each page, fitted to evidence/kernel_counts.csv, as all steps and loads in this file are; commands,
// waits and cores are how the kernels are written.
constexpr PageLoop kSlice = {.readerSteps = 67, .writerSteps = 58.5};
constexpr PageLoop kConcat = {.readerSteps = 58, .writerSteps = 58};
constexpr PageLoop kFillCache = {.readerSteps = 53, .writerSteps = 61};

} // namespace

Counted countSlice(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.rowMajor() && out.rowMajor() && !in.sharded() && !out.sharded())
    return countSliceRows(call, programs);
  if (!interleavedTiles(in) || !interleavedTiles(out) || sliceByRows(call))
    return std::nullopt;
  Share share = shareOut(out.tiles(), call.cores());
  KernelCounts program = beginProgram(call, "slice", share.cores);
  addPages(program, kSlice, double(share.most), double(in.tile), double(out.tile));
  program.reader.add(double(share.most), {.l1Loads = 2.1});
  Pages read = pagesOf(in);
  // Of the operand only what becomes the result is read.
  read.count = double(out.tiles());
  read.banks = banksOfSlice(call);
  addReads(call, program, read);
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

Counted countConcat(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &out = call.out[0];
  auto rows = [](const TensorRef &tensor) { return tensor.rowMajor() && !tensor.sharded(); };
  if (rows(out) && llvm::all_of(call.in, rows))
    return countConcatRows(call, programs);
  if (!interleavedTiles(out) || !llvm::all_of(call.in, interleavedTiles) || concatByRows(call))
    return std::nullopt;
  Share share = shareOut(out.tiles(), call.cores());
  KernelCounts program = beginProgram(call, "concat", share.cores);
  addPages(program, kConcat, double(share.most), double(out.tile), double(out.tile));
  for (const TensorRef &tensor : call.in)
    addReads(call, program, pagesOf(tensor));
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

/// A row of tiles of the new values is one core's.
Counted countFillCache(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &cache = call.in[0], &input = call.in[1];
  if (!interleavedTiles(cache) || !interleavedTiles(input))
    return std::nullopt;
  Share share = shareOut(input.tileRows, call.cores());
  KernelCounts program = beginProgram(call, "fill cache", share.cores);
  addPages(program, kFillCache, double(share.most * input.tileCols), double(input.tile), double(cache.tile));
  addReads(call, program, pagesOf(input));
  addWrites(call, program,
            {.dram = cache.dram(), .count = double(input.tiles()), .bytes = double(cache.tile)});
  programs.push_back(program);
  return OpRuntime();
}

/// A core has a user's new rows: it reads where they go, and of each head the tiles that they fall into, which the engine turns into
/// rows and back.
Counted countPagedUpdate(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &cache = call.in[0], &input = call.in[1], &index = call.in[2];
  // With a page table every core reads where its user's pages are, which is not counted.
  if (call.in.size() != 3 || !interleavedTiles(cache) || !input.sharded() || !input.l1() || index.sharded())
    return std::nullopt;
  double users = double(input.dim(1)), heads = double(cache.dim(1)), tiles = heads * double(cache.tileCols);
  KernelCounts program = beginProgram(call, "update cache", input.dim(1));
  // Each core reads the whole list of positions, and finds its user's in it.
  program.reader.add(1, {.steps = 130, .reads = 1, .readBytes = double(index.rowBytes()), .readWaits = 1});
  program.reader.add(tiles, {.steps = 40, .reads = 1, .readBytes = double(cache.tile)});
  program.reader.add(heads, {.steps = 40, .readWaits = 1});
  program.writer.add(tiles, {.steps = 71, .writes = 1, .writeBytes = double(cache.tile)});
  program.writer.add(heads, {.steps = 160, .writeWaits = 1});
  program.writer.writeWaits -= 1; // that at the end
  constexpr double turns = 4;     // each tile in and out of the engine, and the new row's beside it
  addTiles(call, program, turns * tiles, 11);
  addReads(call, program,
           {.dram = index.dram(), .count = 1, .bytes = double(index.rowBytes()), .times = users});
  Pages changed{.dram = cache.dram(), .count = users * tiles, .bytes = double(cache.tile)};
  addReads(call, program, changed);
  addWrites(call, program, changed);
  programs.push_back(program);
  return OpRuntime();
}

/// Pages are shared out and waited for four at a time. A dimension within pages takes other programs, as several dimensions do.
Counted countRepeat(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  size_t rank = out.rank();
  if (in.sharded() || out.sharded() || in.rank() != rank || rank < 2 || in.tiled() != out.tiled())
    return std::nullopt;
  unsigned repeated = 0;
  for (size_t i = 0; i < rank; ++i)
    repeated += in.desc->shape[i] != out.desc->shape[i];
  bool within = in.width != out.width || (in.tiled() && in.height != out.height && in.height % 32 != 0);
  if (repeated != 1 || within)
    return std::nullopt;
  constexpr double together = 4;
  bool blackhole = call.device().arch == Arch::Blackhole;
  Pages to = pagesOf(out), from = pagesOf(in);
  Share share = shareOut(int64_t(to.count), call.cores());
  double most = double(share.most);
  KernelCounts program = beginProgram(call, "repeat", share.cores);
  program.reader.add(most, {.steps = 41, .reads = 1, .readBytes = to.bytes});
  program.reader.steps += blackhole ? 0 : 30;
  program.reader.readWaits += std::ceil(most / together);
  program.writer.add(most, {.steps = 41.5, .writes = 1, .writeBytes = to.bytes});
  // Every page is read anew for each of its copies.
  from.times = to.count / from.count;
  addReads(call, program, from);
  addWrites(call, program, to);
  programs.push_back(program);
  return OpRuntime();
}

namespace {

/// A tile of padding is stored word by word, in types of four bytes by a slower loop, and sent for every tile of padding.
double fillSteps(const OpCall &call) {
  bool blackhole = call.device().arch == Arch::Blackhole, wide = call.out[0].scalar > 2;
  return wide ? (blackhole ? 23600 : 27700) : (blackhole ? 7070 : 8300);
}

/// Every tile of the result by itself, be it of the operand or of padding.
KernelCounts padCores(const OpCall &call) {
  const TensorRef &out = call.out[0];
  Share share = shareOut(out.tiles(), call.cores());
  double most = double(share.most);
  KernelCounts program = beginProgram(call, "pad", share.cores);
  program.reader.steps += 45;
  program.reader.add(most, {.steps = 93, .reads = 1, .readBytes = double(out.tile), .readWaits = 1});
  program.writer.steps += fillSteps(call);
  program.writer.writeWaits -= 1;
  program.writer.add(most, {.steps = 88, .writes = 1, .writeBytes = double(out.tile), .writeWaits = 1});
  return program;
}

} // namespace

Counted countPad(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.rowMajor() && out.rowMajor())
    return countPadRows(call, programs);
  // What adds no tile is a view, or is filled in place by another kernel.
  if (!interleavedTiles(in) || !interleavedTiles(out) || in.id == out.id || in.tiles() == out.tiles())
    return std::nullopt;
  // ttnn 0.81.1 takes all cores whatever it is told; before it did as it was.
  if (!call.op().boolean("use_multicore", false) && !answersAsOctober2026(call))
    return std::nullopt;
  KernelCounts program = padCores(call);
  addReads(call, program, pagesOf(in));
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

} // namespace tessera::analytic
