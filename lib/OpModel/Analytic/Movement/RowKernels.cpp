//===- RowKernels.cpp - Counts of kernels that look rows up ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What look-ups read depends on values that nobody knows before the op runs. Counts are of indices that are all
// different and lie anywhere, so that each is a read of its own and no bank is asked more often than another.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Kernels.h"
#include "RowPrograms.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

constexpr int64_t kFace = 16, kTile = 32;

/// Indices in rows are shared out one by one, those in tiles by the rows of a face.
KernelCounts gatherRows(const OpCall &call) {
  const TensorRef &indices = call.in[0], &table = call.in[1], &out = call.out[0];
  int64_t group = indices.tiled() ? kFace : 1;
  Share share = shareOut(ceilDiv(out.rows(), group), call.cores());
  // The last group may have less than a whole one.
  double most = double(std::min(share.most * group, out.rows())), row = double(table.rowBytes());
  KernelCounts program = beginProgram(call, "embedding", share.cores);
  addPages(program, {.readerSteps = 57.5, .writerSteps = 57.5, .writerWaits = true}, most, row, row);
  // Indices come by the page, which a core reads once for as many of them as it holds.
  double page = double(indices.tiled() ? indices.tile : indices.rowBytes());
  program.reader.add(1, {.steps = 60, .reads = 1, .readBytes = std::min(page, 64.0), .readWaits = 1});
  addReads(call, program, {.dram = table.dram(), .count = double(out.rows()), .bytes = row});
  addWrites(call, program, {.dram = out.dram(), .count = double(out.rows()), .bytes = row});
  return program;
}

/// 32 rows are gathered at once and tilized.
KernelCounts gatherTiles(const OpCall &call) {
  const TensorRef &table = call.in[1], &out = call.out[0];
  Share share = shareOut(out.tileRows, call.cores());
  double blocks = double(share.most), rows = blocks * kTile, tiles = blocks * double(out.tileCols);
  KernelCounts program = beginProgram(call, "embedding in tiles", share.cores);
  program.reader.add(rows, {.steps = 28.5, .l1Loads = 1, .reads = 1, .readBytes = double(table.rowBytes())});
  program.reader.add(blocks, {.steps = 60, .reads = 1, .readBytes = 128, .readWaits = 2});
  program.writer.add(tiles, {.steps = 63, .writes = 1, .writeBytes = double(out.tile)});
  // A row of a tile is unpacked and packed on its own: 16 instructions each.
  program.tensix.unpackSteps += 450 + 60 * tiles;
  program.tensix.unpacks += 16 * tiles;
  program.tensix.packs += 44 + 34 * tiles;
  addReads(call, program,
           {.dram = table.dram(), .count = double(out.rows()), .bytes = double(table.rowBytes())});
  addWrites(call, program, pagesOf(out));
  return program;
}

} // namespace

Counted countEmbedding(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &indices = call.in[0], &table = call.in[1], &out = call.out[0];
  if (out.sharded() || table.sharded() || indices.sharded())
    return std::nullopt;
  // A tiled table is untilized in every call, and rows that were gathered for tiled indices are tilized afterwards.
  OpRuntime rest;
  if (table.tiled())
    addTime(rest, untilizePlane(call, planeOf(table), table.dram()));
  bool inTiles = out.tiled() && indices.rowMajor();
  programs.push_back(inTiles ? gatherTiles(call) : gatherRows(call));
  if (out.tiled() && !inTiles)
    addTime(rest, tilizePlane(call, planeOf(out), out.dram()));
  return rest;
}

namespace {

/// A tensor as matrices whose height is dimension `dim`, or as it lies if that is its width.
Plane alongDimension(const TensorRef &tensor, size_t dim) {
  if (dim + 1 == tensor.rank())
    return planeOf(tensor);
  int64_t length = std::max<int64_t>(1, tensor.desc->shape[dim]);
  Plane plane = planeOf(tensor);
  plane.batch = std::max<int64_t>(1, tensor.elements() / (length * tensor.width));
  plane.height = length;
  return plane;
}

Pages pagesOf(const Plane &rows) { return {rows.dram, double(rows.rows()), double(rows.rowBytes())}; }

/// A row is one core's: it copies the operand's row element by element, and puts each element of the source in its place.
KernelCounts scatterProgram(const OpCall &call, const Plane &in, const Plane &index, const Plane &source) {
  constexpr double chunkBytes = 16384; ///< that a row is read and written in
  Share share = shareOut(in.rows(), call.cores());
  double most = double(share.most), row = double(in.rowBytes());
  double chunks = std::max(1.0, std::ceil(row / chunkBytes));
  KernelCounts program = beginProgram(call, "scatter", share.cores);
  // Steps and loads in this file are fitted to evidence/kernel_counts.csv. An element of the source takes four times
  // as long as one that is copied: its index is looked at, and what stands there replaced.
  program.reader.add(most * double(in.width), {.steps = 5, .l1Loads = 1});
  program.reader.add(most * double(index.width), {.steps = 22.4, .l1Loads = 6});
  program.reader.add(most * chunks, {.reads = 1, .readBytes = row / chunks});
  program.reader.add(most,
                     {.reads = 2, .readBytes = double(index.rowBytes() + source.rowBytes()), .readWaits = 3});
  program.writer.add(most * chunks, {.steps = 40, .writes = 1, .writeBytes = row / chunks});
  for (const Plane &rows : {in, index, source})
    addReads(call, program, pagesOf(rows));
  return program;
}

} // namespace

/// What is in tiles is untilized before, and the result tilized after. Along another dimension than the last all tensors are turned, and
/// the result is turned back.
Counted countScatter(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &out = call.out[0];
  size_t rank = call.in[0].rank(), dim = normalizedDim(call.op().integer("dim", -1), rank);
  bool turns = dim + 1 != rank;
  OpRuntime rest;
  llvm::SmallVector<Plane, 3> rows;
  for (const TensorRef &operand : call.in) {
    Plane plane = alongDimension(operand, dim);
    if (operand.tiled())
      addTime(rest, untilizePlane(call, planeOf(operand), operand.dram()));
    if (turns)
      addTime(rest, turnRows(call, plane));
    rows.push_back(turns ? plane.turned() : plane);
  }
  Plane made = alongDimension(out, dim);
  KernelCounts program = scatterProgram(call, rows[0], rows[1], rows[2]);
  addWrites(call, program, pagesOf(turns ? made.turned() : made));
  programs.push_back(program);
  if (turns)
    addTime(rest, turnRows(call, made.turned()));
  if (out.tiled())
    addTime(rest, tilizePlane(call, planeOf(out), out.dram()));
  return rest;
}

namespace {

/// What a row of a padded tensor takes, beside a row of padding that each core has made for itself.
struct PaddedRow {
  int64_t together; ///< rows that are waited for at once
  bool scratch;     ///< read beside its place and then moved there, since it does not begin where a read may,
  bool byProcessor; ///< by loads and stores, as little as an element at a time
};
PaddedRow paddedRow(const OpCall &call) {
  const TensorRef &out = call.out[0];
  constexpr int64_t bytesTogether = 4096;
  PaddedRow row{1, false, false};
  // So many rows that they fit a buffer of this size are under way together, a power of two of them.
  int64_t aligned = alignUp(out.rowBytes(), call.device().l1Alignment.value());
  while (2 * row.together * aligned <= bytesTogether)
    row.together *= 2;
  llvm::ArrayRef<int64_t> padding = call.op().integers("padding");
  row.byProcessor = padding.size() >= 2 && padding[padding.size() - 2] != 0;
  row.scratch = row.byProcessor || aligned % call.device().dramAlignment.value() != 0;
  // There is one row of scratch, so that no second row may be under way.
  if (row.scratch)
    row.together = 1;
  return row;
}

} // namespace

/// A row of the result is a row of padding, copied within the core, and the operand's row over it.
Counted countPadRows(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.sharded() || out.sharded() || in.id == out.id)
    return std::nullopt;
  Share share = shareOut(out.rows(), call.cores());
  double most = double(share.most), bytes = double(out.rowBytes()), inside = double(in.rowBytes());
  PaddedRow row = paddedRow(call);
  double commands = packets(call, bytes), insideCommands = packets(call, inside);
  constexpr double wordBytes = 4, fillSteps = 2.9, moveSteps = 2.8;
  KernelCounts program = beginProgram(call, "pad rows", share.cores);
  program.reader.steps += 40 + fillSteps * bytes / wordBytes;
  program.reader.add(
      most, {.steps = 80, .reads = commands + insideCommands, .readBytes = bytes + inside, .readWaits = 1});
  program.reader.readWaits += std::ceil(most / double(row.together));
  program.serves += most * commands;
  program.servedBytes += most * bytes;
  // What does not lie as the NoC wants it comes by way of a scratch row, each waited for, and is moved on by the processor, or once more by
  // the NoC.
  if (row.scratch)
    program.reader.readWaits += most;
  if (row.byProcessor) {
    program.reader.add(most * double(in.width), {.steps = moveSteps});
    program.reader.l1Loads += most * inside / wordBytes;
  } else if (row.scratch) {
    program.reader.add(most, {.reads = insideCommands, .readBytes = inside});
    program.serves += most * insideCommands;
    program.servedBytes += most * inside;
  }
  program.writer.add(most, {.steps = 50 * commands, .writes = commands, .writeBytes = bytes});
  program.writer.writeWaits += std::ceil(most / double(row.together)) - 1;
  // Longer commands than a packet are cut, so that a channel serves more and smaller ones.
  auto cut = [](Pages pages, double pieces) {
    pages.bytes /= pieces;
    pages.times = pieces;
    return pages;
  };
  addReads(call, program, cut(pagesOf(in), insideCommands));
  addWrites(call, program, cut(pagesOf(out), commands));
  programs.push_back(program);
  return OpRuntime();
}

namespace {

/// Each tile of indices is one core's work, which goes through all tiles of the operand's row. The other processor reads these.
KernelCounts gatherTilesOfRow(const OpCall &call, const Pages &from, const Pages &indices, const Pages &to,
                              double columns) {
  bool blackhole = call.device().arch == Arch::Blackhole;
  Share share = shareOut(int64_t(indices.count), call.cores());
  double most = double(share.most);
  KernelCounts program = beginProgram(call, "gather", share.cores);
  program.reader.steps += blackhole ? 3640 : 6920;
  program.reader.add(most, {.reads = 1, .readBytes = indices.bytes, .readWaits = 1});
  program.reader.add(most * columns, {.steps = blackhole ? 6255.0 : 5770.0, .l1Loads = 1024});
  program.writer.steps += 80;
  program.writer.add(most, {.steps = 50, .writes = 1, .writeBytes = to.bytes});
  addReads(call, program, indices);
  Pages read = from;
  // Each tile of indices goes past the operand's whole row.
  read.times = indices.count * columns / from.count;
  addReads(call, program, read);
  addWrites(call, program, to);
  return program;
}

} // namespace

/// Along the last dimension; others change places with it before and after.
Counted countGather(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &index = call.in[1], &out = call.out[0];
  auto takes = [](const TensorRef &tensor) {
    return tensor.decided() && tensor.tiled() && tensor.onDevice() && !tensor.sharded();
  };
  size_t rank = in.rank();
  if (!takes(in) || !takes(index) || !takes(out) ||
      normalizedDim(call.op().integer("dim", -1), rank) + 1 != rank)
    return std::nullopt;
  programs.push_back(gatherTilesOfRow(call, pagesOf(in), pagesOf(index), pagesOf(out), double(in.tileCols)));
  return OpRuntime();
}

} // namespace tessera::analytic
