//===- TilizeKernels.cpp - Counts of tilize and untilize ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Between interleaved tensors, and in place on shards. A core has whole rows of
// tiles, a block of a wide tensor (each row of which is waited for), or, where a
// kernel shares out columns as well, a part of each of its rows of tiles.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Kernels.h"
#include "TilePlan.h"
#include "Tilize.h"

namespace tessera::analytic {
namespace {

constexpr int64_t kTile = 32;

/// What the busiest core has, and how many have any.
struct TileShare {
  int64_t cores;
  int64_t rows, columns; ///< tiles: down, over all matrices, and across
  int64_t across;        ///< cores side by side
  bool blocks = false;

  double tiles() const { return double(rows * columns); }
};

TileShare wholeRows(const TilePlan &plan) {
  Share share = shareOut(plan.rows, plan.cores);
  return {share.cores, share.most, plan.columns, 1};
}

/// A block of every matrix is one core's.
TileShare blocksOf(const TilePlan &plan) {
  int64_t side = plan.sideOfBlocks();
  int64_t matrices = std::max<int64_t>(1, plan.rows / plan.height);
  return {plan.blocks(side, plan.height), std::min(side, plan.height) * matrices,
          std::min(side, plan.columns), ceilDiv(plan.columns, side), true};
}

TileShare columnsToo(const TilePlan &plan) {
  int64_t columns = plan.columnsPerCore(), across = ceilDiv(plan.columns, columns);
  Share share = shareOut(plan.rows, plan.cores / across);
  return {share.cores * across, share.most, columns, across};
}

/// There are no other cores for its rows of tiles: a kernel of its own.
bool onOneCore(const TilePlan &plan) { return plan.cores == 1 && plan.rows > 1; }

/// Rows of the tensor in interleaved memory, each in as many pieces as cores lie side by side.
Pages rowsOf(const TensorRef &tensor, const TileShare &share) {
  return {tensor.dram(), double(tensor.rows()), double(tensor.rowBytes()) / double(share.across),
          double(share.across)};
}

/// Rows of the tensor in a row of tiles: fewer in matrices that are less than a tile high.
double rowsInTile(const TensorRef &tensor) { return double(std::min(kTile, tensor.height)); }

// ---- Tilize ---------------------------------------------------------------------------------------------

/// Steps of the reader per row, the writer per tile; the words of padding are stored one by one.
struct TilizeSteps {
  double row, paddedRow, blockRow, word, tile, blockTile;
};
constexpr TilizeSteps kTilizeWormhole = {28, 61, 77, 3.05, 63, 53},
                      kTilizeBlackhole = {23, 54.5, 68.8, 3.02, 55.5, 51};

KernelCounts tilizeRows(const OpCall &call, const TilePlan &plan) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  const TilizeSteps &steps = call.device().arch == Arch::Blackhole ? kTilizeBlackhole : kTilizeWormhole;
  TileShare share = plan.tilizesBlocks(out.height * out.width) ? blocksOf(plan) : wholeRows(plan);
  bool padded = endsInsideTile(in);
  KernelCounts program = beginProgram(call, share.blocks ? "tilize blocks" : "tilize", share.cores);
  double rows = double(share.rows) * rowsInTile(in);
  double bytes = double(std::min(in.rowBytes(), share.columns * kTile * in.scalar));
  double step = share.blocks ? steps.blockRow : padded ? steps.paddedRow : steps.row;
  program.reader.add(rows, {.steps = step, .reads = 1, .readBytes = bytes});
  // In blocks each row is waited for, else a row of tiles at once, once more if there is padding beside it.
  bool beside = in.width % kTile != 0;
  program.reader.readWaits += share.blocks ? rows : double(share.rows * (beside ? 2 : 1));
  if (padded) {
    double words = (share.tiles() * kTile * kTile * double(in.scalar) - rows * bytes) / 4;
    program.reader.steps += words * steps.word;
  }
  program.writer.add(
      share.tiles(),
      {.steps = share.blocks ? steps.blockTile : steps.tile, .writes = 1, .writeBytes = double(out.tile)});
  addTiles(call, program, share.tiles(), 10);
  addReads(call, program, rowsOf(in, share));
  addWrites(call, program, pagesOf(out));
  return program;
}

/// Without other cores tiles are filled one by one, also side by side. Each row of one is waited for, and words of padding below
/// take ten instructions, since what the loop compares and stores is loaded anew every time (tt-metal: reader_unary_pad_dims_split_rows).
/// Those beside a row are stored while it is under way.
KernelCounts tilizeOneCore(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  KernelCounts program = beginProgram(call, "tilize on one core", 1);
  double rows = double(in.batch * in.height), pieces = rows * double(out.tileCols);
  program.reader.add(
      pieces,
      {.steps = 45, .reads = 1, .readBytes = double(in.rowBytes()) / double(out.tileCols), .readWaits = 1});
  double below = double(out.tileRows * kTile) - rows;
  program.reader.steps += 10 * below * double(out.tileCols * kTile * in.scalar) / 4;
  program.writer.add(double(out.tiles()), {.steps = 60, .writes = 1, .writeBytes = double(out.tile)});
  addTiles(call, program, double(out.tiles()), 10);
  addReads(call, program, pagesOf(in));
  addWrites(call, program, pagesOf(out));
  return program;
}

// ---- Untilize -------------------------------------------------------------------------------------------

/// Interleaved, by the kernel of bfloat16 and bfp8, or by the others, which wait for every tile and every row.
KernelCounts untilizeRows(const OpCall &call, const TilePlan &plan) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool blackhole = call.device().arch == Arch::Blackhole, cut = endsInsideTile(in);
  bool own = !cut && plan.hasOwnKernel(in);
  bool blocks = !own && (cut ? plan.unpadsBlocks() : plan.untilizesBlocks());
  TileShare share = own ? columnsToo(plan) : blocks ? blocksOf(plan) : wholeRows(plan);
  // On one core a row into L1 waits for L1 alone, and into DRAM longer, as a formula says.
  bool alone = onOneCore(plan) && out.l1();
  KernelCounts program = beginProgram(call,
                                      alone ? "untilize on one core"
                                      : own ? "untilize"
                                            : "untilize row by row",
                                      share.cores);
  double rows = double(share.rows) * rowsInTile(out);
  double bytes = double(std::min(out.rowBytes(), share.columns * kTile * out.scalar));
  program.reader.add(share.tiles(), {.reads = 1, .readBytes = double(in.tile)});
  program.writer.add(rows, {.writes = 1, .writeBytes = bytes});
  // The wait at the end is one of these.
  program.writer.writeWaits += (own ? double(share.rows) : rows) - 1;
  if (own) {
    program.reader.steps += 62 + 22 * double(share.rows) + (blackhole ? 29.5 : 32) * share.tiles();
    program.reader.readWaits += double(share.rows);
    program.writer.steps += 40.5 * rows;
  } else {
    program.reader.steps += 35 + (blackhole ? 50.5 : 56) * share.tiles();
    program.reader.readWaits += share.tiles();
    program.writer.steps += (blocks ? 47 : 38) * rows;
    program.writer.writeWaits += 1;
  }
  addTiles(call, program, share.tiles(), 14);
  addReads(call, program, pagesOf(in));
  addWrites(call, program, rowsOf(out, share));
  return program;
}

/// Nothing crosses the NoC. Where padding is cut off, the writer copies rows within the core.
KernelCounts inPlace(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  GridShape shard = in.shardTiles();
  int64_t shards = ceilDiv(in.tileRows, shard.rows) * ceilDiv(in.tileCols, shard.columns);
  KernelCounts program =
      beginProgram(call, in.tiled() ? "untilize shards" : "tilize shards", std::min(shards, in.shardCores()));
  program.reader.steps -= 30;
  program.writer.steps += double(shard.volume());
  program.writer.writeWaits -= 1;
  if (in.tiled() && endsInsideTile(in))
    program.writer.steps += 21.4 * double(out.layout->shard.rows);
  addTiles(call, program, double(shard.volume()), in.tiled() ? 5 : 6);
  return program;
}

} // namespace

Counted countLayout(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!in.onDevice() || !out.onDevice())
    return std::nullopt;
  if (in.tiled() == out.tiled())
    return countMove(call, programs);
  if (tilizesInPlace(in, out)) {
    programs.push_back(inPlace(call));
    return OpRuntime();
  }
  if (in.sharded() || out.sharded())
    return std::nullopt;
  TilePlan plan(call, in.tiled() ? in : out, in.tiled() ? out.tile : in.tile);
  if (in.tiled()) {
    programs.push_back(untilizeRows(call, plan));
  } else if (onOneCore(plan)) {
    programs.push_back(tilizeOneCore(call));
  } else {
    // Before the kernel is chosen: the staging row counts where it is asked whether a row fits.
    plan.staging = answersAsNewest(call);
    programs.push_back(tilizeRows(call, plan));
  }
  return OpRuntime();
}

} // namespace tessera::analytic
