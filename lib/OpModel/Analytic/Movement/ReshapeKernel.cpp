//===- ReshapeKernel.cpp - Counts of a tiled reshape ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The host writes for every result tile a list of pieces: runs of at most 16
// elements that lie together in a face of both tensors. The reader fetches the
// list and, one by one and waiting for each, the operand tiles that it names; the
// writer puts the pieces in their places, by the NoC where both ends begin at the
// same offset within 16 bytes, else by its own loads and stores, and sends the tile.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Kernels.h"
#include "../Machine.h"
#include "Reshape.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

constexpr int64_t kFace = 16, kTile = 32;

/// What one result tile takes, on average.
struct TilePieces {
  double pages = 0;  ///< operand tiles that its pieces lie in
  double pieces = 0; ///< runs of elements
  double sent = 0;   ///< of these, by the NoC
};

/// Walks the rows of one result tile, `index` counted from the first.
TilePieces walkPieces(const TensorRef &in, const TensorRef &out, int64_t index) {
  int64_t tilesDown = ceilDiv(out.height, kTile), perMatrix = tilesDown * out.tileCols;
  int64_t matrix = index / perMatrix, row0 = index % perMatrix / out.tileCols * kTile,
          col0 = index % out.tileCols * kTile;
  TilePieces work;
  llvm::SmallVector<int64_t, 32> seen;
  for (int64_t row = row0; row < std::min(out.height, row0 + kTile); ++row)
    for (int64_t face = col0; face < std::min(out.width, col0 + kTile); face += kFace)
      for (int64_t col = face, end = std::min(out.width, face + kFace); col < end;) {
        int64_t at = (matrix * out.height + row) * out.width + col;
        int64_t inRow = at / in.width, inCol = at % in.width;
        int64_t from =
            (inRow / in.height * ceilDiv(in.height, kTile) + inRow % in.height / kTile) * in.tileCols +
            inCol / kTile;
        int64_t run = std::min({end - col, kFace - inCol % kFace, in.width - inCol});
        // Runs come in order, so that most lie in the page before.
        if (seen.empty() || (seen.back() != from && !llvm::is_contained(seen, from)))
          seen.push_back(from);
        work.pieces += 1;
        work.sent += (inCol % kFace - col % kFace) * out.scalar % 16 == 0;
        col += run;
      }
  work.pages = double(seen.size());
  return work;
}

/// The pattern repeats: eight tiles spread over the result tell the average, and large reshapes cost no more than small ones.
TilePieces averageTile(const TensorRef &in, const TensorRef &out) {
  constexpr int64_t samples = 8;
  int64_t count = std::min(samples, out.tiles());
  TilePieces sum;
  for (int64_t i = 0; i < count; ++i) {
    TilePieces one = walkPieces(in, out, i * out.tiles() / count);
    sum.pages += one.pages / double(count);
    sum.pieces += one.pieces / double(count);
    sum.sent += one.sent / double(count);
  }
  return sum;
}

KernelCounts reshapeProgram(const OpCall &call, const TensorRef &in, const TensorRef &out) {
  constexpr double entryBytes = 16, listAlignment = 64;
  Share share = shareOut(out.tiles(), call.cores());
  TilePieces tile = averageTile(in, out);
  double most = double(share.most), page = double(in.tile);
  double list = double(alignUp(int64_t(tile.pieces * entryBytes), int64_t(listAlignment)));

  KernelCounts program = beginProgram(call, "reshape", share.cores);
  // A tile of the result is put together from pieces of several pages, by a list of them that is read first: so what a
  // tile costs grows with both.
  program.reader.add(most, {.steps = 71, .l1Loads = 2.4, .reads = 1, .readBytes = list, .readWaits = 1});
  program.reader.add(most * tile.pages, {.steps = 51, .reads = 1, .readBytes = page, .readWaits = 1});
  program.reader.add(most * tile.pieces, {.steps = 12.8, .l1Loads = 2.2});
  program.writer.add(most, {.steps = 84, .writes = 1, .writeBytes = page, .writeWaits = 2});
  program.writer.add(most * tile.pages, {.steps = 16, .writeWaits = 1});
  program.writer.add(most * tile.pieces, {.steps = 47.7, .l1Loads = 6.6});
  double sentBytes = double(out.elements() * out.scalar) / double(out.tiles()) / std::max(1.0, tile.pieces);
  program.writer.add(most * tile.sent, {.writes = 1, .writeBytes = sentBytes});

  double tiles = double(out.tiles());
  addReads(call, program, {.dram = true, .count = tiles, .bytes = list});
  addReads(call, program,
           {.dram = in.dram(),
            .count = double(in.tiles()),
            .bytes = page,
            .times = tiles * tile.pages / double(in.tiles())});
  addWrites(call, program, pagesOf(out));
  return program;
}

} // namespace

OpRuntime reshapeTilesTime(const OpCall &call, const TensorRef &in, const TensorRef &out) {
  return machineTime(call, reshapeProgram(call, in, out));
}

Counted countReshape(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (reshapeIsView(call))
    return OpRuntime();
  if (reshapeIsMove(call))
    return countMove(call, programs);
  if (!in.tiled() || in.sharded() || out.sharded() || isBlockFloat(in.dtype()))
    return std::nullopt;
  programs.push_back(reshapeProgram(call, in, out));
  return OpRuntime();
}

} // namespace tessera::analytic
