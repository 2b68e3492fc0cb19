//===- PermuteKernels.cpp - Counts of permute and transpose ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Of tiles there are four kernels. If the last two dimensions stay, whole tiles are
// copied; if they change places, each tile is turned by the Tensix engine. If the
// last stays and the last but one does not, tiles are read and their lines of 16
// elements sent one by one, as are lines of padding. If the last goes elsewhere,
// a block of 32 x 32 elements is turned, and its lines sent; where its rows do not lie in one tile,
// they are read line by line, too.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Kernels.h"
#include "../Machine.h"
#include "Permute.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

constexpr PageLoop kCopy = {.readerSteps = 50.5, .writerSteps = 50.5, .writerWaits = true};
constexpr PageLoop kTurn = {.readerSteps = 60, .writerSteps = 60};
constexpr double kTurnMath = 19; ///< instructions per tile
constexpr int64_t kTile = 32, kFaces = 2;

void copyTiles(const OpCall &call, ProgramCounts &programs, llvm::StringRef name, const PageLoop &loop,
               bool turns) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  Share share = shareOut(out.tiles(), call.cores());
  KernelCounts program = beginProgram(call, name, share.cores);
  addPages(program, loop, double(share.most), double(in.tile), double(out.tile));
  if (turns)
    addTiles(call, program, double(share.most), kTurnMath);
  addReads(call, program, pagesOf(in));
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
}

/// Tiles of the operand and lines of padding in the result are shared out, each by itself.
KernelCounts sendLines(const OpCall &call, const TensorRef &in, const TensorRef &out) {
  double line = 16 * double(out.scalar);
  // Profiles state padded shapes: the rows that both have are those of the tensor.
  int64_t rows = std::min(in.rows(), out.rows());
  int64_t padding = (out.tileRows * kTile - rows) * out.tileCols * kFaces;
  int64_t valid = rows * in.tileCols * kFaces;
  Share share = shareOut(in.tiles(), call.cores());
  double most = double(share.most), lines = most * double(valid) / double(in.tiles());
  double added = double(padding > 0 ? ceilDiv(padding, call.cores()) : 0);

  KernelCounts program = beginProgram(call, "permute lines", share.cores);
  program.reader.add(most, {.steps = 60, .reads = 1, .readBytes = double(in.tile), .readWaits = 1});
  program.writer.add(most, {.steps = 156, .writeWaits = 1});
  program.writer.add(lines, {.steps = 33, .writes = 1, .writeBytes = line});
  program.writer.add(added, {.steps = 25, .writes = 1, .writeBytes = line});
  addReads(call, program, pagesOf(in));
  addWrites(call, program, {.dram = out.dram(), .count = double(valid + padding), .bytes = line});
  return program;
}

/// `from`: the operand's dimension that becomes the last.
void turnBlocks(const OpCall &call, ProgramCounts &programs, size_t from) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  size_t rank = in.rank();
  int64_t length = std::max<int64_t>(1, in.desc->shape[from]);
  int64_t others = std::max<int64_t>(1, in.elements() / (length * in.width));
  int64_t blocks = others * ceilDiv(length, kTile) * in.tileCols;
  double line = 16 * double(out.scalar);
  // Lines of a block on average: edges are cut.
  double linesOut = double(kFaces * in.width) / double(in.tileCols);
  double rowsIn = double(length) / double(ceilDiv(length, kTile));
  Share share = shareOut(blocks, call.cores());
  double most = double(share.most);

  KernelCounts program = beginProgram(call, "permute blocks", share.cores);
  if (from + 2 == rank) {
    program.reader.add(most, {.steps = 62, .reads = 1, .readBytes = double(in.tile), .readWaits = 1});
    addReads(call, program, pagesOf(in));
  } else {
    program.reader.add(most, {.readWaits = 1});
    program.reader.add(most * rowsIn * kFaces, {.steps = 29.7, .reads = 1, .readBytes = line});
    program.reader.add(most * (kTile - rowsIn) * kFaces, {.steps = 27});
    addReads(call, program, {.dram = in.dram(), .count = double(blocks) * rowsIn * kFaces, .bytes = line});
  }
  addTiles(call, program, most, kTurnMath);
  program.writer.add(most, {.steps = 60, .writeWaits = 1});
  program.writer.add(most * linesOut, {.steps = 31.5, .writes = 1, .writeBytes = line});
  addWrites(call, program, {.dram = out.dram(), .count = double(blocks) * linesOut, .bytes = line});
  programs.push_back(program);
}

Counted countOrder(const OpCall &call, ProgramCounts &programs, llvm::ArrayRef<int64_t> order) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  size_t rank = order.size();
  if (rank < 2 || in.sharded() || out.sharded())
    return std::nullopt;
  auto stays = [&](size_t dim) { return order[dim] == int64_t(dim); };
  if (!in.tiled())
    return stays(rank - 1) ? countPermuteRows(call, programs) : std::nullopt;
  bool lastTwoStay = stays(rank - 1) && stays(rank - 2);
  bool lastTwoTurn = order[rank - 1] == int64_t(rank) - 2 && order[rank - 2] == int64_t(rank) - 1;
  // A height of one on both sides: every row is a tile of its own, which moves whole.
  if (lastTwoStay)
    copyTiles(call, programs, "copy tiles", kCopy, false);
  else if (lastTwoTurn)
    copyTiles(call, programs, "transpose tiles", kTurn, true);
  else if (isBlockFloat(in.dtype()))
    return std::nullopt;
  else if (stays(rank - 1))
    programs.push_back(sendLines(call, call.in[0], call.out[0]));
  else
    turnBlocks(call, programs, size_t(order[rank - 1]));
  return OpRuntime();
}

} // namespace

OpRuntime permuteLinesTime(const OpCall &call, const TensorRef &in, const TensorRef &out) {
  return machineTime(call, sendLines(call, in, out));
}

Counted countPermute(const OpCall &call, ProgramCounts &programs) {
  if (permuteIsView(call))
    return OpRuntime();
  return countOrder(call, programs, call.op().integers("permutation"));
}

Counted countTranspose(const OpCall &call, ProgramCounts &programs) {
  if (transposeIsView(call))
    return OpRuntime();
  return countOrder(call, programs, orderOfTranspose(call));
}

} // namespace tessera::analytic
