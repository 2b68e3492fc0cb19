//===- NormKernels.cpp - Counts of softmax and norms ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A core has whole rows of tiles and fetches a row block by block, each waited for;
// a row that does not fit once for every pass. Before the first it makes the
// constants that reductions multiply by, out of zeros that it reads in its own L1.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Family.h"
#include "../Kernels.h"
#include "Norm.h"

#include <cmath>

namespace tessera::analytic {
namespace {

constexpr double kPiecesOfConstant = 4, kBytesOfPiece = 512;

/// Makes a tile: of zeros, then of what is not zero.
void addConstants(KernelCounts &program, double count, double pieces) {
  double reads = count * pieces;
  program.reader.add(1, {.reads = reads, .readBytes = reads * kBytesOfPiece, .readWaits = count});
  program.serves += reads;
  program.servedBytes += reads * kBytesOfPiece;
}

/// Of a row of tiles, as often as it is read.
struct RowSteps {
  double readerTile, readerRow, writerTile, writerRow;
};

/// Rows of tiles in and out, in blocks.
void addRows(KernelCounts &program, const OpCall &call, const RowPlan &plan, double rows, double passes,
             const RowSteps &steps) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  double columns = double(in.tileCols), blocks = std::ceil(columns / double(plan.block));
  program.reader.add(rows * passes, {.steps = columns * steps.readerTile,
                                     .reads = columns,
                                     .readBytes = columns * double(in.tile),
                                     .readWaits = blocks});
  program.reader.steps += rows * steps.readerRow;
  program.writer.add(rows, {.steps = columns * steps.writerTile + steps.writerRow,
                            .writes = columns,
                            .writeBytes = columns * double(out.tile),
                            .writeWaits = blocks});
  // One of these waits is that at the end.
  program.writer.writeWaits -= 1;
  Pages read = pagesOf(in);
  read.times = passes;
  addReads(call, program, read);
  addWrites(call, program, pagesOf(out));
}

bool tiles(const TensorRef &tensor) { return tensor.decided() && tensor.tiled() && tensor.onDevice(); }

} // namespace

/// A core has whole columns of tiles, each waited for by itself.
static Counted countSoftmaxOfColumns(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t depth = std::max<int64_t>(1, in.tileRows / std::max<int64_t>(1, in.batch));
  Share share = shareOut(in.tiles() / depth, call.cores());
  double columns = double(share.most), most = columns * double(depth);
  KernelCounts program = beginProgram(call, "softmax of columns", share.cores);
  addConstants(program, 2, in.dtype() == DataType::Float32 ? 16.0 / 3 : kPiecesOfConstant);
  // The mask of what is padding is written element by element, even if there is none.
  program.reader.steps += 5280;
  program.reader.add(most, {.steps = 37, .reads = 1, .readBytes = double(in.tile)});
  program.reader.readWaits += columns;
  program.writer.steps += 150;
  program.writer.add(most, {.steps = 50, .writes = 1, .writeBytes = double(out.tile)});
  program.writer.writeWaits += columns - 1;
  addTiles(call, program, most, 1450);
  addReads(call, program, pagesOf(in));
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

Counted countSoftmax(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!tiles(in) || !tiles(out))
    return std::nullopt;
  if (softmaxOverHeight(call))
    return countSoftmaxOfColumns(call, programs);
  if (!softmaxOverWidth(call))
    return std::nullopt;
  RowPlan plan = softmaxRowPlan(call);
  Share share = shareOut(in.tileRows, call.cores());
  // For the maximum, for the sum and for the result, if the row does not stay.
  double rows = double(share.most), passes = plan.pieces ? 3 : 1;
  KernelCounts program = beginProgram(call, "softmax", share.cores);
  addConstants(program, 3, in.dtype() == DataType::Float32 ? 16.0 / 3 : kPiecesOfConstant);
  program.reader.readWaits -= 1;
  program.reader.steps += 630;
  program.writer.steps += 20;
  // The mask of what is padding is written element by element.
  if (in.width % 32 != 0)
    program.writer.steps += 4200;
  addRows(program, call, plan, rows, passes, {44.6, 73, 53, 92});
  addTiles(call, program, rows * double(in.tileCols), 345);
  programs.push_back(program);
  return OpRuntime();
}

/// Cores that share rows of tiles send each other what they found of a row: a part of the rows is summed up by each of them, and what
/// comes out fetched by all. Where they fill rows of the grid, first along the grid's row and then across.
static void addExchange(KernelCounts &program, const OpCall &call, int64_t rows, int64_t sharers) {
  // Means and variances of layer norm are exchanged one after the other, in f32.
  bool layer = call.row.variant == Layer;
  double rounds = layer ? 2 : 1, tile = layer ? 4096 : 2048;
  int64_t summers = std::min(rows, sharers), ofEach = ceilDiv(rows, summers);
  int64_t gridRow = call.device().workerGrid.columns;
  bool twoStages = sharers > gridRow && sharers % gridRow == 0;
  int64_t parts = twoStages ? gridRow + sharers / gridRow - 1 : sharers;
  double gathered = double(ofEach * parts);
  program.reader.add(rounds, {.steps = 60 + 40 * gathered + 50 * double(summers),
                              .reads = gathered + double(summers),
                              .readBytes = (gathered + double(rows)) * tile,
                              .readWaits = double(ofEach) * (twoStages ? 2 : 1) + 1});
  program.serves += rounds * (gathered + double(summers));
  program.servedBytes += rounds * (gathered + double(rows)) * tile;
}

/// Each core normalizes its shard where it lies.
static Counted countNormOfShards(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0];
  GridShape shard = in.shardTiles();
  int64_t sharers = ceilDiv(in.tileCols, shard.columns), parts = ceilDiv(in.tileRows, shard.rows);
  if (!in.l1() || sharers < 2)
    return std::nullopt;
  bool layer = call.row.variant == Layer;
  KernelCounts program =
      beginProgram(call, layer ? "layer norm of shards" : "rms norm of shards", sharers * parts);
  program.reader.steps += 480;
  addExchange(program, call, shard.rows, sharers);
  program.writer.writeWaits -= 1;
  program.writer.steps += 500;
  for (size_t i = 1; i < call.in.size(); ++i) {
    program.writer.steps += 40 + 30 * double(shard.columns);
    Pages pages = pagesOf(call.in[i]);
    pages.times = double(parts);
    addReads(call, program, pages);
  }
  double held = double(shard.volume());
  addTiles(call, program, held, layer ? 170 : 110);
  program.tensix.unpacks += 20 * held;
  programs.push_back(program);
  return OpRuntime();
}

Counted countNorm(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  constexpr size_t weightAndBias = 3;
  if (!llvm::all_of(call.in, tiles) || !tiles(out) || call.in.size() > weightAndBias)
    return std::nullopt;
  if (in.sharded())
    return countNormOfShards(call, programs);
  RowPlan plan = normRowPlan(call);
  bool layer = call.row.variant == Layer, masked = in.width % 32 != 0;
  Share share = shareOut(in.tileRows, call.cores());
  double rows = double(share.most), columns = double(in.tileCols);
  KernelCounts program = beginProgram(call, layer ? "layer norm" : "rms norm", share.cores);
  addConstants(program, masked ? 2 : 1, kPiecesOfConstant);
  program.reader.steps += 530;
  program.writer.steps += 110;
  // In pieces once for the mean (layer norms alone), once for the squares, once for the result. Steps are fitted to
  // evidence/kernel_counts.csv, in this file as in the others.
  addRows(program, call, plan, rows, plan.pieces ? (layer ? 3 : 2) : 1, {34, 39, 37, 33});
  // Weight and bias are fetched once, by every core; by pieces of the row with each of these.
  for (size_t i = 1; i < call.in.size(); ++i) {
    double times = plan.pieces ? rows : 1;
    program.reader.add(times, {.steps = 40 + 34 * columns,
                               .reads = columns,
                               .readBytes = columns * double(call.in[i].tile),
                               .readWaits = std::ceil(columns / double(plan.block))});
    Pages pages = pagesOf(call.in[i]);
    pages.times = double(share.cores) * times;
    addReads(call, program, pages);
  }
  addTiles(call, program, rows * columns, layer ? 160 : 110);
  program.tensix.math += rows * (layer ? 1650 : 1200);
  program.tensix.unpacks += 20 * rows * columns;
  programs.push_back(program);
  return OpRuntime();
}

/// A core adds up the squares of whole rows of tiles, each of which it waits for, and writes a tile per row.
Counted countNormStatistics(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (call.in.size() != 1 || call.row.variant != Rms || !tiles(in) || !tiles(out) || in.sharded() ||
      out.sharded())
    return std::nullopt;
  Share share = shareOut(in.tileRows, call.cores());
  double rows = double(share.most), most = rows * double(in.tileCols);
  KernelCounts program = beginProgram(call, "norm statistics", share.cores);
  addConstants(program, 1, double(in.tile) / kBytesOfPiece);
  program.reader.steps += 250;
  program.reader.add(most, {.steps = 50, .reads = 1, .readBytes = double(in.tile), .readWaits = 1});
  program.writer.add(rows, {.steps = 56, .writes = 1, .writeBytes = double(out.tile), .writeWaits = 1});
  program.writer.writeWaits -= 1;
  addTiles(call, program, most, 304);
  program.tensix.unpacks += 4 * most;
  program.tensix.unpackSteps += 94 * most;
  addReads(call, program, pagesOf(in));
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

} // namespace tessera::analytic
