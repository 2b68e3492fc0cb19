//===- HeadsKernels.cpp - Counts of kernels that move heads ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Joined or split, a head that is whole tiles wide is moved as it is, by pages; else elements cross from tile to tile,
// which other programs do. So what ends inside a tile is not counted here.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Kernels.h"

namespace tessera::analytic {
namespace {

bool interleavedTiles(const TensorRef &tensor) {
  return tensor.decided() && tensor.tiled() && tensor.onDevice() && !tensor.sharded();
}

/// A head's part of a row of tiles is a block: read, waited for, and written.
KernelCounts moveBlocks(const OpCall &call, int64_t tiles, int64_t tilesOfBlock) {
  Share share = shareOut(tiles / std::max<int64_t>(1, tilesOfBlock), call.cores());
  double blocks = double(share.most), most = blocks * double(tilesOfBlock);
  double tile = double(call.in[0].tile);
  KernelCounts program = beginProgram(call, "heads", share.cores);
  program.reader.add(most, {.steps = 31, .reads = 1, .readBytes = tile});
  program.reader.add(blocks, {.steps = 42, .readWaits = 1});
  program.writer.add(most, {.steps = 60, .writes = 1, .writeBytes = tile});
  return program;
}

} // namespace

Counted countConcatHeads(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  // Heads that end inside a tile are permuted as rows.
  if (!interleavedTiles(in) || !interleavedTiles(out) || in.width % 32 != 0)
    return std::nullopt;
  KernelCounts program = moveBlocks(call, in.tiles(), in.tileCols);
  addReads(call, program, pagesOf(in));
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

Counted countSplitHeads(const OpCall &call, ProgramCounts &programs) {
  // Keys that come out transposed pass through the engine.
  if (call.in.size() != 1 || !interleavedTiles(call.in[0]) || !llvm::all_of(call.out, interleavedTiles) ||
      call.out[0].width % 32 != 0 || call.op().boolean("transpose_key", false))
    return std::nullopt;
  KernelCounts program = moveBlocks(call, call.in[0].tiles(), call.out[0].tileCols);
  addReads(call, program, pagesOf(call.in[0]));
  for (const TensorRef &out : call.out)
    addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

/// A core is a user's: both processors fetch half of the lines of its row, and wait once per head unless the operand is sharded. Blackhole's
/// DRAM is read from where 64 bytes begin: twice as much arrives in a buffer, is waited for, and half of it copied within the core.
Counted countCreateHeadsDecode(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &query = call.out[0];
  bool blackhole = call.device().arch == Arch::Blackhole;
  if (call.in.size() != 1 || !in.tiled() || (blackhole && !in.dram()) || query.width % 32 != 0)
    return std::nullopt;
  constexpr double lineBytes = 32; ///< of the sixteen elements that a row has in a face
  double tiles = double(in.tileCols), heads = tiles / double(query.tileCols), users = double(in.height);
  double steps = blackhole ? 91 : 22, read = blackhole ? 2 * lineBytes : lineBytes;
  KernelCounts program = beginProgram(call, "create heads, decode", in.height);
  program.reader.add(tiles, {.steps = steps, .reads = 1, .readBytes = read});
  program.reader.add(heads, {.steps = 20, .readWaits = in.sharded() ? 0.0 : 1.0});
  program.reader.readWaits += 1;
  if (blackhole) {
    program.reader.add(tiles, {.reads = 1, .readBytes = lineBytes});
    program.reader.readWaits += heads;
    // Copies within the core pass its own L1, once for each processor's half.
    program.serves += 2 * tiles;
    program.servedBytes += 2 * tiles * lineBytes;
  }
  program.writer.steps += steps * tiles + 20 * heads + 100;
  // Nothing is written on the NoC: pieces are read to where the result lies.
  program.writer.writeWaits -= 1;
  addReads(call, program, {.dram = in.dram(), .count = tiles, .bytes = read, .times = 2 * users});
  programs.push_back(program);
  return OpRuntime();
}

/// A tile, that of the other half of its row, and those of both tables, each waited for.
Counted countRotary(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!llvm::all_of(call.in, interleavedTiles) || !interleavedTiles(out))
    return std::nullopt;
  constexpr double fetched = 4;
  Share share = shareOut(in.tileRows, call.cores());
  double tiles = double(share.most * in.tileCols);
  KernelCounts program = beginProgram(call, "rotary embedding", share.cores);
  program.reader.steps += 245;
  program.reader.add(
      tiles, {.steps = 186, .reads = fetched, .readBytes = fetched * double(in.tile), .readWaits = fetched});
  program.writer.steps += 170;
  // beginProgram() counts a wait at the end, which is here that for the last tile.
  program.writer.writeWaits -= 1;
  program.writer.add(tiles, {.steps = 60, .writes = 1, .writeBytes = double(out.tile), .writeWaits = 1});
  addTiles(call, program, tiles, 120);
  Pages operand = pagesOf(in);
  // Every tile twice: as itself, and as the other half of another one.
  operand.times = 2;
  addReads(call, program, operand);
  for (size_t i = 1; i < 3; ++i) {
    Pages table = pagesOf(call.in[i]);
    // Fetched again for each tile of the operand; a table of one user and head is asked for by all of them.
    table.times = std::max(1.0, double(in.tiles()) / table.count);
    addReads(call, program, table);
  }
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

} // namespace tessera::analytic
