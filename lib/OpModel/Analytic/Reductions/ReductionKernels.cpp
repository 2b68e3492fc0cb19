//===- ReductionKernels.cpp - Counts of reductions ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A line of tiles is one core's work: fetched a few tiles at a time, multiplied by a
// scaler that the core makes for itself, and added up. Of tensors that are sharded
// the same cores fetch the same tiles, from the cores that hold them.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Counting.h"
#include "../Kernels.h"
#include "../Machine.h"
#include "../Runtime.h"
#include "ReductionSteps.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

constexpr double kPieceBytes = 512; ///< of the zeros that a scaler is made of

/// A tile of zeros, read from the core's own L1 and waited for.
void addScaler(KernelCounts &program, double bytes) {
  double pieces = bytes / kPieceBytes;
  program.reader.add(1, {.steps = 300, .reads = pieces, .readBytes = bytes, .readWaits = 1});
  program.serves += pieces;
  program.servedBytes += bytes;
}

struct ReducedName {
  llvm::StringLiteral name;
  double unpacks, math; ///< per tile of the operand
};
// Names are those that Machine.cpp has rows for; figures were fitted to evidence/kernel_counts.csv.
ReducedName nameOf(ReductionProgram::Kind kind) {
  switch (kind) {
  case ReductionProgram::Cast:
    return {"typecast of operand", 4, 50};
  case ReductionProgram::FillPadding:
    return {"fill padding", 8, 50};
  case ReductionProgram::SumOuter:
    return {"sum outer dimension", 8, 18};
  case ReductionProgram::Width:
    return {"reduce width", 2, 27};
  case ReductionProgram::Height:
    return {"reduce height", 8, 21};
  case ReductionProgram::PartsOfHeight:
    return {"reduce parts of height", 8, 24};
  case ReductionProgram::Parts:
    return {"reduce parts", 8, 24};
  }
  return {"reduction", 4, 27};
}

/// What reads the operand: whole tiles, or rows of elements that the parts were reduced to, on a tile of zeros.
void addOperand(const OpCall &call, KernelCounts &program, const ReductionProgram &step, double lines) {
  double tiles = lines * double(step.tiles);
  Pages pages{!step.fromL1, double(step.lines * step.tiles), double(step.from)};
  if (step.kind == ReductionProgram::Parts) {
    constexpr double tileRows = 32;
    pages.bytes /= tileRows;
    double zeros = lines * std::ceil(double(step.tiles) / tileRows);
    program.reader.add(1, {.steps = 3800,
                           .reads = tiles + zeros,
                           .readBytes = tiles * pages.bytes + zeros * double(step.from),
                           .readWaits = lines});
  } else {
    program.reader.add(tiles, {.steps = 33, .reads = 1, .readBytes = pages.bytes});
    program.reader.add(std::ceil(tiles / double(step.together)), {.steps = 27, .readWaits = 1});
  }
  addReads(call, program, pages);
}

/// What the writer sends: a tile per line, or of a part a row of elements in two pieces.
void addResult(const OpCall &call, KernelCounts &program, const ReductionProgram &step, double results) {
  Pages pages{!step.toL1, double(step.results), double(step.to)};
  double pieces = 1;
  if (step.kind == ReductionProgram::PartsOfHeight) {
    constexpr double pieceOfTile = 64; ///< two pieces of a row: a face's each
    pieces = 2;
    pages.bytes /= pieceOfTile;
    pages.times = pieces;
  }
  program.writer.add(results, {.steps = 63, .writes = pieces, .writeBytes = pages.bytes * pieces});
  addWrites(call, program, pages);
}

KernelCounts countStep(const OpCall &call, const ReductionProgram &step) {
  ReducedName name = nameOf(step.kind);
  Share share = step.shards ? Share{step.shards, 1} : shareOut(step.lines, call.cores());
  KernelCounts program = beginProgram(call, name.name, share.cores);
  double lines = double(share.most), tiles = lines * double(step.tiles);
  // These give a tile for each that they take, and multiply by nothing.
  bool keepsTiles = step.kind == ReductionProgram::Cast || step.kind == ReductionProgram::FillPadding;
  if (!keepsTiles)
    addScaler(program, step.kind != ReductionProgram::SumOuter && step.from > 2048 ? 4096.0 : 2048.0);
  addOperand(call, program, step, lines);
  addResult(call, program, step, keepsTiles ? tiles : lines);
  // Masks are written element by element.
  program.writer.steps += 5100 * double(step.masks);
  if (step.kind == ReductionProgram::SumOuter)
    program.writer.writeWaits += lines - 1;
  bool wide = step.from > 2048;
  addTiles(call, program, tiles, wide ? 215 : name.math);
  // addTiles() counts four for each tile in, and packs for each: both are corrected to what this kernel does.
  program.tensix.unpacks += ((wide ? 5 : name.unpacks) - 4) * tiles;
  program.tensix.packs += 17 * ((keepsTiles ? tiles : lines) - tiles);
  return program;
}

} // namespace

ReductionProgram fillingOf(const TensorRef &tensor, int64_t tile) {
  GridShape all{tensor.tileRows, tensor.tileCols}, held = tensor.sharded() ? tensor.shardTiles() : all;
  int64_t matrices = tensor.sharded() ? 1 : tensor.batch;
  bool below = tensor.height % 32 != 0, beside = tensor.width % 32 != 0;
  int64_t edge =
      (below ? matrices * held.columns : 0) + (beside ? held.rows : 0) - (below && beside ? matrices : 0);
  ReductionProgram program{ReductionProgram::FillPadding, edge, 1, tile, tile};
  program.masks = below + beside;
  program.fromL1 = program.toL1 = tensor.l1();
  program.results = edge;
  if (!tensor.sharded())
    return program;
  // A core goes through its shard.
  std::swap(program.lines, program.tiles);
  program.shards = (below ? ceilDiv(all.columns, held.columns) : 0) +
                   (beside ? ceilDiv(all.rows, held.rows) : 0) - (below && beside ? 1 : 0);
  return program;
}

OpRuntime fillTilesTime(const OpCall &call, const TensorRef &tensor) {
  if (!endsInsideTile(tensor))
    return OpRuntime();
  return machineTime(call, countStep(call, fillingOf(tensor, rowTileOf(tensor))));
}

OpRuntime fillTime(const OpCall &call, const TensorRef &tensor) {
  OpRuntime time = fillTilesTime(call, tensor);
  if (endsInsideTile(tensor) && isBlockFloat(tensor.dtype())) {
    int64_t tile = rowTileOf(tensor);
    addTime(time, castTime(call, tensor, tensor.tile, tile));
    addTime(time, castTime(call, tensor, tile, tensor.tile));
  }
  return time;
}

Counted countReduction(const OpCall &call, ProgramCounts &programs) {
  std::optional<ReductionSteps> steps = stepsOfReduction(call);
  if (!steps || !steps->counted || isBlockFloat(call.out[0].dtype()) != isBlockFloat(call.in[0].dtype()))
    return std::nullopt;
  for (const ReductionProgram &step : steps->programs)
    programs.push_back(countStep(call, step));
  return OpRuntime();
}

} // namespace tessera::analytic
