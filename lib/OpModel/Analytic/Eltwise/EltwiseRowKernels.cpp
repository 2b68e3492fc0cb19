//===- EltwiseRowKernels.cpp - Counts of element-wise kernels of rows -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The kernels of tiles, fed with 1024 elements at a time: pieces of a row, or several
// rows if they fill a tile exactly. Shards are worked on where they lie if each is a
// number of tiles; else each shard's part of a row is a row of its own.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Kernels.h"
#include "Eltwise.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

constexpr int64_t kElements = 1024; ///< of a tile

bool rowsOnDevice(const TensorRef &tensor) {
  return tensor.decided() && !tensor.tiled() && tensor.onDevice();
}

/// A tensor's rows as its memory has them.
struct RowPages {
  int64_t count, width;
};
RowPages rowPages(const TensorRef &tensor) {
  int64_t width = tensor.width;
  if (tensor.sharded() && !tensor.shardedAs(MemoryLayout::HeightSharded))
    width = std::min(width, tensor.layout->shard.columns);
  return {tensor.rows() * ceilDiv(tensor.width, width), width};
}

/// How a core goes through its rows.
struct RowTurns {
  Share share;    ///< of the rows that are worked on together
  int64_t rows;   ///< of these
  int64_t pieces; ///< that a row is cut into
  double turns() const { return double(share.most * pieces); }
  double commands() const { return double(share.most * rows * pieces); }
};
RowTurns rowTurns(const OpCall &call, const RowPages &pages) {
  // No more than there are: 100 rows of two elements do not fill a tile.
  int64_t rows = kElements % pages.width == 0 ? std::min(kElements / pages.width, pages.count) : 1;
  return {shareOut(ceilDiv(pages.count, rows), call.cores()), rows, ceilDiv(pages.width, kElements)};
}

/// Every shard is full, and full of tiles.
bool shardsOfTiles(const TensorRef &tensor) {
  if (!tensor.sharded() || !tensor.l1())
    return false;
  GridShape shard = tensor.layout->shard;
  return shard.volume() % kElements == 0 && tensor.rows() % shard.rows == 0 &&
         tensor.width % shard.columns == 0;
}

/// Bytes of `commands` rows on the busiest core.
double bytesOf(const RowTurns &turns, const RowPages &pages, const TensorRef &tensor) {
  return double(turns.share.most * turns.rows * pages.width * tensor.scalar);
}

Pages commandsOf(const TensorRef &tensor, const RowPages &pages, const RowTurns &turns) {
  double bytes = double(pages.width * tensor.scalar) / double(turns.pieces);
  Pages all{tensor.dram(), double(pages.count), bytes};
  all.times = double(turns.pieces);
  return all;
}

} // namespace

int64_t rowPieces(const OpCall &call, const TensorRef &tensor, bool inPlace) {
  if (inPlace)
    return std::max<int64_t>(1, ceilDiv(tensor.layout->shard.volume(), kElements));
  RowTurns turns = rowTurns(call, rowPages(tensor));
  return turns.share.most * turns.pieces;
}

Counted countUnaryRows(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!rowsOnDevice(in) || !rowsOnDevice(out))
    return std::nullopt;
  // The kernel counts elements, not rows: such a shard is a number of tiles to it.
  if (samePlacement(in, out) && shardsOfTiles(in) && in.layout->shard == out.layout->shard) {
    int64_t tiles = in.layout->shard.volume() / kElements;
    KernelCounts program =
        beginProgram(call, "unary rows in place", in.elements() / in.shardUnits().volume());
    program.writer.writeWaits -= 1;
    addTiles(call, program, double(tiles), eltwiseMath(call));
    programs.push_back(program);
    return OpRuntime();
  }
  RowPages pages = rowPages(in);
  RowTurns turns = rowTurns(call, pages);
  KernelCounts program = beginProgram(call, "unary rows", turns.share.cores);
  program.reader.add(turns.turns(), {.steps = 74, .readWaits = 1});
  program.reader.add(turns.commands(), {.steps = 35, .reads = 1});
  program.reader.readBytes += bytesOf(turns, pages, in);
  program.writer.add(turns.turns(), {.steps = 71});
  program.writer.add(turns.commands(), {.steps = 44, .writes = 1});
  program.writer.writeBytes += bytesOf(turns, pages, out);
  addTiles(call, program, turns.turns(), eltwiseMath(call));
  addReads(call, program, commandsOf(in, pages, turns));
  addWrites(call, program, commandsOf(out, pages, turns));
  programs.push_back(program);
  return OpRuntime();
}

/// Of interleaved rows, one number per row or a single row among the operands.
Counted countOperandRows(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &out = call.out[0];
  auto takes = [&](const TensorRef &in) {
    return rowsOnDevice(in) && !in.sharded() && (in.rows() == out.rows() || in.rows() == 1) &&
           (in.width == out.width || in.width == 1);
  };
  if (!rowsOnDevice(out) || out.sharded() || !llvm::all_of(call.in, takes))
    return std::nullopt;
  RowPages pages = rowPages(out);
  RowTurns turns = rowTurns(call, pages);
  bool repeats = llvm::any_of(call.in, [&](const TensorRef &in) { return in.rows() != out.rows(); });
  KernelCounts program = beginProgram(call, "element-wise rows", turns.share.cores);
  program.reader.add(1, {.steps = 235, .l1Loads = 18});
  program.writer.add(1, {.steps = 180, .l1Loads = 13});
  for (const TensorRef &in : call.in) {
    // Rows end where the memory's next may begin.
    int64_t alignment = in.l1() ? call.device().l1Alignment.value() : call.device().dramAlignment.value();
    bool number = in.width == 1 && out.width > 1;
    double commands = number ? double(turns.share.most * turns.rows) : turns.commands();
    double bytes = number ? double(in.scalar)
                          : double(alignUp(pages.width * in.scalar, alignment)) / double(turns.pieces);
    program.reader.add(commands, {.steps = 80, .reads = 1, .readBytes = bytes});
    // A number is spread over its row by stores.
    program.reader.steps += number ? commands * 3.3 * double(out.width) : 0;
    program.reader.readWaits += repeats ? 0 : number ? commands : turns.turns();
    Pages all{in.dram(), double(in.rows()), bytes};
    all.times = double(turns.pieces) * double(out.rows()) / double(in.rows());
    addReads(call, program, all);
  }
  program.reader.readWaits += repeats ? turns.turns() : 0;
  program.writer.writeWaits -= 1;
  program.writer.add(turns.turns(), {.steps = 60, .writeWaits = 1});
  program.writer.add(turns.commands(), {.steps = 60, .writes = 1});
  program.writer.writeBytes += bytesOf(turns, pages, out);
  addTiles(call, program, turns.turns(), eltwiseMath(call));
  addWrites(call, program, commandsOf(out, pages, turns));
  programs.push_back(program);
  return OpRuntime();
}

} // namespace tessera::analytic
