//===- CopyKernels.cpp - Counts of kernels that pass pages through --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A core reads page after page, waits for each, and writes it, or what becomes of
// it, once or several times. Pages are rows or tiles.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Kernels.h"

#include <cmath>

namespace tessera::analytic {
namespace {

/// What one page takes; `fixed` is what there is once.
struct Passing {
  double readerFixed, readerPage, writerFixed, writerPage;
  double copies = 1; ///< that are written of each page
  double pieces = 1; ///< that are read for each
};

bool interleavedOnDevice(const TensorRef &tensor) {
  return tensor.decided() && tensor.onDevice() && !tensor.sharded();
}

/// `most` pages on the busiest of `cores`, read as `bytes` and written as `written` bytes, `waited` for at a time.
KernelCounts passPages(const OpCall &call, llvm::StringRef name, const Share &share, const Passing &passing,
                       double bytes, double written, double waited = 1) {
  double most = double(share.most), turns = std::ceil(most / waited);
  KernelCounts program = beginProgram(call, name, share.cores);
  double reads = passing.pieces * packets(call, bytes / passing.pieces);
  program.reader.add(most, {.steps = passing.readerPage, .reads = reads, .readBytes = bytes});
  program.reader.steps += passing.readerFixed;
  program.reader.readWaits += turns;
  double writes = passing.copies * packets(call, written);
  program.writer.add(most, {.steps = passing.writerPage * passing.copies,
                            .writes = writes,
                            .writeBytes = written * passing.copies});
  program.writer.steps += passing.writerFixed;
  // The wait at the end is one of these.
  program.writer.writeWaits += turns - 1;
  return program;
}

} // namespace

/// Each column of tiles along the dimension is one core's.
Counted countCumulative(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!interleavedOnDevice(in) || !out.decided() || !in.tiled() || !out.tiled())
    return std::nullopt;
  size_t rank = in.rank(), dim = normalizedDim(call.op().integer("dim", 0), rank);
  if (dim >= rank)
    return std::nullopt;
  int64_t depth = std::max<int64_t>(1, in.desc->shape[dim]);
  if (dim + 2 >= rank)
    depth = ceilDiv(depth, 32);
  Share lines = shareOut(in.tiles() / depth, call.cores());
  KernelCounts program = passPages(call, "cumulative", {lines.cores, lines.most * depth}, {50, 61, 90, 60},
                                   double(in.tile), double(out.tile));
  addTiles(call, program, double(lines.most * depth), 60);
  addReads(call, program, pagesOf(in));
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

/// A pixel is a row, and written as often as it is repeated.
Counted countUpsample(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!interleavedOnDevice(in) || !interleavedOnDevice(out) || in.tiled() || out.tiled())
    return std::nullopt;
  Share share = shareOut(in.rows(), call.cores());
  double copies = double(out.rows()) / double(in.rows()), bytes = double(in.rowBytes());
  KernelCounts program = passPages(call, "upsample", share, {0, 53, 0, 40, copies}, bytes, bytes);
  addReads(call, program, pagesOf(in));
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

/// Between interleaved places.
Counted countCopy(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!interleavedOnDevice(in) || !interleavedOnDevice(out) || in.tiled() != out.tiled())
    return std::nullopt;
  Pages pages = pagesOf(in);
  Share share = shareOut(int64_t(pages.count), call.cores());
  Passing passing = in.tiled() ? Passing{0, 51, 0, 54} : Passing{0, 59.5, 0, 62.5};
  KernelCounts program = passPages(call, "copy", share, passing, pages.bytes, double(pagesOf(out).bytes));
  if (in.tiled())
    program.reader.readWaits += 1;
  addReads(call, program, pages);
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

/// Rows keep their last dimension: each row of the result looks its place up, a step per dimension.
Counted countPermuteRows(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  Share share = shareOut(out.rows(), call.cores());
  double bytes = double(in.rowBytes()), steps = 45 * double(in.rank()) - 66;
  KernelCounts program = passPages(call, "permute rows", share, {0, 50, 0, steps}, bytes, bytes);
  addReads(call, program, pagesOf(in));
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

/// Rows one after the other, or joined side by side out of as many pieces.
Counted countConcatRows(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &out = call.out[0];
  bool wide = call.in[0].width != out.width;
  // Pieces that do not begin where reads may are turned first.
  constexpr int64_t alignment = 32;
  if (wide && llvm::any_of(call.in, [](const TensorRef &in) { return in.rowBytes() % alignment != 0; }))
    return std::nullopt;
  Share share = shareOut(out.rows(), call.cores());
  double pieces = wide ? double(call.in.size()) : 1, bytes = double(out.rowBytes());
  Passing passing{0, wide ? 40 * pieces : 53, 0, 60, 1, pieces};
  KernelCounts program = passPages(call, "concat rows", share, passing, bytes, bytes);
  for (const TensorRef &in : call.in)
    addReads(call, program, pagesOf(in));
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

/// Whole rows, or parts that begin where a read may; as many at a time as a buffer holds.
Counted countSliceRows(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  llvm::ArrayRef<int64_t> begins = call.op().integers("begins");
  constexpr int64_t alignment = 64;
  int64_t begin = begins.empty() ? 0 : begins.back() * out.scalar;
  if (begin % alignment != 0 && in.width != out.width)
    return std::nullopt;
  constexpr double together = 8;
  Share share = shareOut(out.rows(), call.cores());
  double bytes = double(out.rowBytes());
  KernelCounts program = passPages(call, "slice rows", share, {170, 92, 0, 54}, bytes, bytes, together);
  Pages read = pagesOf(out);
  read.dram = in.dram();
  addReads(call, program, read);
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

} // namespace tessera::analytic
