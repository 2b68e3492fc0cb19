//===- TileKernels.cpp - Counts of kernels that move whole tiles ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Counting.h"
#include "Kernels.h"
#include "Rearrange.h"

#include <numeric>

namespace tessera::analytic {
namespace {

bool interleavedTiles(const TensorRef &tensor) { return tensor.tiled() && !tensor.sharded(); }

constexpr PageLoop kSlice = {.readerSteps = 67, .writerSteps = 58.5};
constexpr PageLoop kConcat = {.readerSteps = 58, .writerSteps = 58};
constexpr PageLoop kFillCache = {.readerSteps = 53, .writerSteps = 61};

/// Pages go round the banks: tile c of row r lies in bank (r * columns + c) mod banks, so down the rows a column visits
/// banks / gcd(columns, banks) of them. A slice of some columns may find all of its pages in a few banks.
double banksOfSlice(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t banks = std::max<int64_t>(1, call.device().dramBanks);
  if (in.tileCols == out.tileCols || out.tileRows == 1)
    return 1;
  int64_t used = out.tileCols * (banks / std::gcd(in.tileCols, banks));
  return std::min(1.0, double(used) / double(banks));
}

} // namespace

Counted countSlice(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!interleavedTiles(in) || !interleavedTiles(out) || sliceByRows(call))
    return std::nullopt;
  Share share = shareOut(out.tiles(), call.cores());
  KernelCounts program = beginProgram(call, "slice", share.cores);
  addPages(program, kSlice, double(share.most), double(in.tile), double(out.tile));
  program.reader.add(double(share.most), {.l1Loads = 2.1});
  Pages read = pagesOf(in);
  read.count = double(out.tiles());
  read.banks = banksOfSlice(call);
  addReads(call, program, read);
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

Counted countConcat(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &out = call.out[0];
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

} // namespace tessera::analytic
