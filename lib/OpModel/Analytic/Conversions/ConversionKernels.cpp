//===- ConversionKernels.cpp - Counts of kernels that move shards ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A core fetches its shard from interleaved memory, sends it there, or fetches it
// from other shards, of which both data-movement processors take a part.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Kernels.h"
#include "Tilize.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

/// The data-movement processor that has no work runs to its end, but waits for nothing of its own.
void idle(MoverCounts &writer) { writer.writeWaits -= 1; }

/// Extents of shards in pages: tiles, or rows of shards that are pages as they are.
struct Extents {
  int64_t rows, columns;           ///< of a full shard
  int64_t wholeRows, wholeColumns; ///< of the tensor

  explicit Extents(const TensorRef &tensor) {
    const GridShape tiles = tensor.shardTiles();
    bool tiled = tensor.tiled();
    wholeRows = tiled ? tensor.tileRows : tensor.rows();
    wholeColumns = tiled ? tensor.tileCols : tensor.width;
    rows = std::clamp<int64_t>(tiled ? tiles.rows : tensor.layout->shard.rows, 1, wholeRows);
    columns = std::clamp<int64_t>(tiled ? tiles.columns : tensor.layout->shard.columns, 1, wholeColumns);
  }
  int64_t down() const { return ceilDiv(wholeRows, rows); }
  int64_t across() const { return ceilDiv(wholeColumns, columns); }
  int64_t shards() const { return down() * across(); }
};

/// Pages between one core and interleaved memory: tiles, or parts of rows as wide as the shard.
struct ShardPages {
  double most;  ///< on the fullest core
  double lines; ///< in which these lie
  int64_t bytes;
  Pages all;
};
ShardPages pagesBetween(const TensorRef &shards, const TensorRef &interleaved) {
  Extents extents(shards);
  bool tiled = shards.tiled();
  int64_t bytes = tiled ? shards.tile : extents.columns * shards.scalar;
  double most = double(tiled ? extents.rows * extents.columns : extents.rows);
  double all = double(tiled ? shards.tiles() : shards.rows() * extents.across());
  return {most, double(extents.rows), bytes, {interleaved.dram(), all, double(bytes)}};
}

bool wholeRowsOfShards(const TensorRef &tensor) {
  return tensor.tiled() || tensor.layout->shard.columns * tensor.scalar % 16 == 0;
}

Counted toShards(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool blackhole = call.device().arch == Arch::Blackhole;
  ShardPages pages = pagesBetween(out, in);
  KernelCounts program = beginProgram(call, "to shards", Extents(out).shards());
  double commands = pages.most * packets(call, double(pages.bytes));
  program.reader.add(1, {.steps = 24, .reads = commands, .readBytes = pages.most * double(pages.bytes)});
  // All rows are waited for together; of tiles only so many may be under way on all cores as the library allows.
  double waits = 1;
  if (out.tiled()) {
    int64_t underWay = 512 / out.shardCores() * (1024 + 128) / out.tile;
    waits += std::floor(pages.most / double(std::max<int64_t>(1, underWay)));
    program.reader.add(pages.most, {.steps = blackhole ? 30.3 : 26.0});
    program.reader.add(pages.lines, {.steps = blackhole ? 9.0 : 13.0});
  } else {
    program.reader.add(pages.most, {.steps = blackhole ? 35.2 : 31.4});
  }
  program.reader.readWaits += waits;
  idle(program.writer);
  addReads(call, program, pages.all);
  programs.push_back(program);
  return OpRuntime();
}

Counted toInterleaved(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  ShardPages pages = pagesBetween(in, out);
  // Writes into DRAM, which posted ones are slower into (facts/hardware 6.6), have a formula; into L1 what is counted is all.
  KernelCounts program =
      beginProgram(call, out.dram() ? "to interleaved DRAM" : "to interleaved L1", Extents(in).shards());
  double commands = pages.most * packets(call, double(pages.bytes));
  program.reader.steps -= 45;
  program.writer.add(1, {.writes = commands, .writeBytes = pages.most * double(pages.bytes)});
  program.writer.add(pages.most, {.steps = 38});
  if (in.tiled())
    program.writer.add(pages.lines, {.steps = 24});
  addWrites(call, program, pages.all);
  programs.push_back(program);
  return OpRuntime();
}

// ---- Reshard --------------------------------------------------------------------------------------------

/// Pages of one line of a destination, cut where the sources' shards end.
llvm::SmallVector<int64_t, 8> piecesOfLine(int64_t begin, int64_t end, int64_t width) {
  llvm::SmallVector<int64_t, 8> pieces;
  while (begin < end) {
    int64_t next = std::min(end, (begin / width + 1) * width);
    pieces.push_back(next - begin);
    begin = next;
  }
  return pieces;
}

/// What the destination with the most pieces fetches: pieces of so many pages, one after the other, `lines` times.
struct Pieces {
  llvm::SmallVector<int64_t, 8> line;
  int64_t lines;
};
Pieces piecesOfShard(const Extents &from, const Extents &to) {
  Pieces most{{}, to.rows};
  for (int64_t column = 0; column < to.across(); ++column) {
    int64_t begin = column * to.columns, end = std::min(to.wholeColumns, begin + to.columns);
    llvm::SmallVector<int64_t, 8> pieces = piecesOfLine(begin, end, from.columns);
    if (pieces.size() > most.line.size())
      most.line = pieces;
  }
  // Lines of the width of the source's lie one behind the other.
  if (most.line.size() == 1 && most.line[0] == from.columns)
    return {{std::min(to.rows, from.rows) * from.columns}, ceilDiv(to.rows, from.rows)};
  return most;
}

/// Pieces from `first` up to `last`, in pages of `page` bytes.
void addPieces(const OpCall &call, MoverCounts &mover, const Pieces &pieces, int64_t first, int64_t last,
               int64_t page) {
  int64_t ofLine = int64_t(pieces.line.size());
  for (int64_t i = 0; i < ofLine; ++i) {
    // The i-th of every line, as far as it is among those from `first` up to `last`.
    int64_t times =
        ceilDiv(std::max<int64_t>(0, last - i), ofLine) - ceilDiv(std::max<int64_t>(0, first - i), ofLine);
    int64_t bytes = pieces.line[size_t(i)] * page;
    mover.add(double(times),
              {.steps = 45, .l1Loads = 2, .reads = packets(call, double(bytes)), .readBytes = double(bytes)});
  }
}

/// Of one source: by the lines of all destinations that ask for part of it.
void addServed(const OpCall &call, KernelCounts &program, const Extents &from, const Extents &to,
               int64_t page) {
  double serves = 0;
  for (int64_t column = 0; column < from.across(); ++column) {
    int64_t begin = column * from.columns, end = std::min(from.wholeColumns, begin + from.columns);
    double ofLine = 0;
    for (int64_t pages : piecesOfLine(begin, end, to.columns))
      ofLine += packets(call, double(pages * page));
    serves = std::max(serves, ofLine * double(from.rows));
  }
  program.serves = serves;
  program.servedBytes = double(from.rows * from.columns * page);
}

/// The first half of a shard's pieces is fetched by the reader, the rest by the writer; up to two by the reader alone. Shards of
/// whole lines are halved by the page.
Counted toOtherShards(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  // A copy on the same core and rows are other kernels.
  if (!in.tiled() || (samePlacement(in, out) && in.layout->shard == out.layout->shard))
    return std::nullopt;
  Extents from(in), to(out);
  KernelCounts program = beginProgram(call, "reshard", to.shards());
  Pieces pieces = piecesOfShard(from, to);
  bool lines = in.shardedAs(MemoryLayout::HeightSharded) && out.shardedAs(MemoryLayout::HeightSharded);
  if (lines)
    pieces = {{ceilDiv(to.rows * to.columns, 2)}, 2};
  int64_t all = int64_t(pieces.line.size()) * pieces.lines,
          first = all <= 2 && !lines ? all : ceilDiv(all, 2);
  idle(program.writer);
  addPieces(call, program.reader, pieces, 0, first, out.tile);
  addPieces(call, program.writer, pieces, first, all, out.tile);
  program.reader.readWaits += 1;
  program.noc0Bytes = double(in.bytes()) * program.reader.readBytes /
                      std::max(1.0, program.reader.readBytes + program.writer.readBytes);
  program.noc1Bytes = double(in.bytes()) - program.noc0Bytes;
  addServed(call, program, from, to, out.tile);
  programs.push_back(program);
  return OpRuntime();
}

} // namespace

Counted countMove(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!in.onDevice() || !out.onDevice() || in.tiled() != out.tiled() || in.id == out.id)
    return std::nullopt;
  for (const TensorRef *tensor : {&in, &out})
    // Rows that are no multiple of 16 bytes are copied by another kernel.
    if (tensor->sharded() && (!tensor->l1() || !wholeRowsOfShards(*tensor)))
      return std::nullopt;
  if (in.sharded() && out.sharded())
    return toOtherShards(call, programs);
  if (out.sharded())
    return toShards(call, programs);
  return in.sharded() ? toInterleaved(call, programs) : countCopy(call, programs);
}

} // namespace tessera::analytic
