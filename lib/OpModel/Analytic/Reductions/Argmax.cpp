//===- Argmax.cpp - argmax ------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two kernels find numbers of elements: one within rows (in tiles also from row to row),
// of which all cores share each, and one from matrix to matrix, tile by tile. The second
// works on tiles alone: rows become tiles before it, and its numbers rows behind.
// Its figures are those that ttnn 0.77.0 and 0.81.1 tell.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Eltwise/EltwiseTypes.h"
#include "../Family.h"
#include "../Kernels.h"
#include "../Movement/RowPrograms.h"
#include "../Runtime.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

size_t searchedDim(const OpCall &call) {
  return normalizedDim(call.op().integer("dim", -1), call.in[0].rank());
}

/// Matrix by matrix: an outer dimension is searched (since 2026).
bool overMatrices(const OpCall &call) {
  return answersAsNewest(call) && call.op().attribute("dim") && searchedDim(call) + 2 < call.in[0].rank();
}

/// Another dimension than the last: of tiles, which rows become first (since 2026).
bool turnsToTiles(const OpCall &call) {
  bool last = !call.op().attribute("dim") || searchedDim(call) + 1 >= call.in[0].rank();
  return answersAsNewest(call) && call.in[0].rowMajor() && !last;
}

// Kernels that search tiles came in 2026; before, a tiled operand had to become rows by an op of its own.
bool rowMajorOperand(const OpCall &call) { return answersAsNewest(call) || call.in[0].rowMajor(); }

bool argmaxTypes(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool rows = in.rowMajor() && !turnsToTiles(call);
  if (rows)
    return !answersAsNewest(call) || in.dtype() != DataType::UInt8;
  return in.dtype() == DataType::BFloat16 || in.dtype() == DataType::Float32;
}

bool oneDimOfTiles(const OpCall &call) { return call.in[0].rowMajor() || call.op().attribute("dim"); }

bool searchable(const OpCall &call) {
  size_t rank = call.in[0].rank(), dim = searchedDim(call);
  return !call.op().attribute("dim") || answersAsNewest(call) ? dim < rank : dim + 1 == rank;
}

constexpr Rule kArgmaxRules[] = {
    {{"argmax.row_major", "until 2026 argmax needs a row-major operand", "facts/hardware 4.4, facts/ir 4.6"},
     rowMajorOperand},
    {{"argmax.tiled_types",
      "a tiled operand, and any of which another dimension than the last is searched, must be bf16 or f32; "
      "rows must not be u8 (since 2026)",
      "facts/vendor-library 5, asked of ttnn 0.77.0 and 0.81.1"},
     argmaxTypes},
    {{"argmax.tiled_dim", "in tiles one dimension is searched", "facts/vendor-library 5"}, oneDimOfTiles},
    {{"argmax.interleaved", "argmax takes interleaved tensors only", "facts/hardware 4.4"},
     everythingInterleaved},
    {{"argmax.over_width",
      "argmax works over one dimension that exists or all of them, until 2026 over the last one only",
      "facts/formulas 5, facts/vendor-library 5, asked of ttnn 0.77.0 and 0.81.1"},
     searchable},
};

/// How many cores share a row of several that are searched at once, since October 2026: a power of two whose square grows with the bytes
/// of the row, as every core's findings are gathered by one. Zero: as many as there are pieces.
/// Example: a row of 128,000 bf16 is 256,000 bytes; 8 * 128^2 = 131,072 is less, 8 * 256^2 is more, so 256 cores
/// would share it, if there are as many.
int64_t argmaxSharers(const OpCall &call, bool single) {
  if (call.context.version < BackendVersion::October2026 || single || call.in[0].height < 2)
    return 0;
  constexpr int64_t bytesOfPair = 8;
  int64_t cores = 1;
  while (bytesOfPair * cores * cores < call.in[0].width * call.in[0].scalar)
    cores *= 2;
  return cores;
}

/// Pieces of a row, none smaller than the memory's alignment in bf16, and the cores that they lie on.
struct ArgmaxPieces {
  explicit ArgmaxPieces(const OpCall &call) {
    constexpr int64_t bf16Bytes = 2;
    const DeviceSpec &device = call.device();
    piece = (call.in[0].l1() ? device.l1Alignment : device.dramAlignment).value() / bf16Bytes;
    count = ceilDiv(call.in[0].width, piece);
    cores = std::min(count, call.cores());
  }
  int64_t piece, count, cores; ///< elements of one; how many
};

/// Pieces of the row lie on all cores; each core keeps what every core found
/// (tt-metal 0.77 and 0.81: reduction/argmax/device/argmax_multi_core_program_factory.cpp). Since October 2026 two processors of a core
/// share several rows, with a part each, and fewer cores have equal parts.
void argmaxOnAllCores(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  constexpr int64_t indexBytes = 4, pageBytes = 32;
  auto [piece, pieces, cores] = ArgmaxPieces(call);
  // A result of one number per row is written by itself; else a page holds those of a whole matrix.
  bool single = call.op().boolean("keep_dim", false) || !call.op().attribute("dim") || in.rank() < 2;
  int64_t sharers = argmaxSharers(call, single), halves = sharers > 0 ? 2 : 1;
  bool equal = sharers > 0 && sharers < cores;
  cores = equal ? sharers : cores;
  int64_t results = single ? 1 : in.height;
  int64_t indices = alignUp(results * indexBytes, pageBytes);
  auto part = [&](int64_t count) { return alignUp(count * piece * in.scalar, pageBytes); };
  // Cores that have a piece less than the others have a buffer of their own size.
  use.buffer("smaller part of a row", !equal && pieces % cores ? halves : 0, part(pieces / cores));
  // So have those of equal parts that fill no rows of the grid: the full rows, and what is left.
  int64_t columns = call.device().workerGrid.columns;
  bool left = equal && cores > columns && cores % columns != 0;
  use.buffer("part of a row on full rows of cores", left ? halves : 0, part(ceilDiv(pieces, cores)));
  use.otherCores();
  use.buffer("part of a row", halves, part(ceilDiv(pieces, cores)));
  use.buffer("indices", 1, indices);
  use.buffer("each core's indices", cores, indices);
  use.buffer("each core's values", cores, alignUp(results * in.scalar, pageBytes));
}

/// Rows that are searched as tiles are made into such.
void argmaxOperand(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  if (in.tiled())
    return;
  TensorRef tiles = makeTensorRef(*in.desc, nullptr);
  tilizeProgram(call, use, tiles, tiles.tile);
  use.make(in.l1() ? call.perCoreInterleaved(tiles) : 0);
}

/// One core goes through the tiles, and collects a row of indices.
void argmaxOfTiles(const OpCall &call, MemoryUse &use) {
  constexpr int64_t indexBytes = 4;
  argmaxOperand(call, use);
  use.program("argmax");
  use.buffer("tile", 1, call.in[0].tile);
  use.scratchpad(call, "row of indices", 1, std::max<int64_t>(1, call.out[0].width) * indexBytes);
}

/// The tiles of indices that are made of matrices.
TensorDesc foundInMatrices(const OpCall &call) {
  TensorDesc numbers = *call.in[0].desc;
  numbers.dtype = DataType::UInt32;
  numbers.shape[searchedDim(call)] = 1;
  return numbers;
}

/// Rows become tiles, the matrices are compared, and the tiles of indices become rows.
void argmaxOfMatrices(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  constexpr int64_t inFlight = 2;
  TensorDesc numbers = foundInMatrices(call);
  TensorRef found = makeTensorRef(numbers, nullptr);
  argmaxOperand(call, use);
  use.program("argmax");
  use.buffer("operand", inFlight, in.tile);
  use.buffer("indices", inFlight, found.tile);
  use.make(out.l1() ? call.perCoreInterleaved(found) : 0);
  untilizeProgram(call, use, found, found.tile);
}

/// The library makes indices of 32 bits without sign in rows, where it was asked for or where the operand lies. Compilers call such rows
/// si32, which is as good a name: no index has the upper bit.
void argmaxOutputs(OpCall &call) {
  if (!answersAsNewest(call))
    return outputsInDramRowMajor(call);
  const TensorRef &asked = call.out[0];
  if (asked.rowMajor() && (asked.dtype() == DataType::UInt32 || asked.dtype() == DataType::Int32))
    return;
  TensorDesc indices{asked.desc->shape, DataType::UInt32};
  bool l1 = (asked.decided() ? asked : call.in[0]).l1();
  call.setOutput(0, l1 ? l1Interleaved(indices, call.device().workerGrid, PageLayout::RowMajor)
                       : dramInterleaved(indices, PageLayout::RowMajor));
}

void argmaxMemory(const OpCall &call, MemoryUse &use) {
  if (overMatrices(call))
    return argmaxOfMatrices(call, use);
  if (answersAsNewest(call))
    return call.in[0].tiled() || turnsToTiles(call) ? argmaxOfTiles(call, use) : argmaxOnAllCores(call, use);
  const TensorRef &in = call.in[0];
  constexpr int64_t indexBytes = 4, pageBytes = 32;
  int64_t indices = call.op().boolean("keep_dim", false) ? 1 : in.height;
  // Both are rows of a tensor; until October 2025 they were aligned like the pages of one.
  auto row = [&](int64_t bytes) {
    return call.context.version <= BackendVersion::September2025 ? alignUp(bytes, pageBytes) : bytes;
  };
  use.buffer("row", 1, row(in.rowBytes()));
  use.buffer("indices", 1, row(indices * indexBytes));
}

/// One row after the other: each core searches its part of it, says what it found, and one core searches that. Elements are compared by
/// the core's RISC-V, which takes tens of cycles for each. In tiles, that is one core's work.
OpRuntime argmaxSharedRuntime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  Work work;
  addDramTraffic(call, work);
  // Of tiles one core searches all, so that nothing is found by others.
  double rows = double(in.rows()), width = double(in.width), found = 0;
  if (in.rowMajor() && !turnsToTiles(call)) {
    ArgmaxPieces of(call);
    width = double(std::min(in.width, ceilDiv(of.count, of.cores) * of.piece));
    found = double(of.cores);
  }
  work.noc = rows * ((width + found) * call[P::ArgmaxShare] + call[P::ArgmaxRow] * clockOf(call.device()));
  return timeOf(call, work);
}

/// Every tile of the operand is compared once by the vector unit, like an element-wise op's.
OpRuntime argmaxOfMatricesRuntime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  Work work;
  addDramTraffic(call, work);
  int64_t length = std::max<int64_t>(1, in.dim(int64_t(searchedDim(call)))), found = in.tiles() / length;
  work.compute = double(ceilDiv(std::max<int64_t>(1, found), call.cores()) * length) * call[P::ReduceTile];
  OpRuntime time = timeOf(call, work);
  TensorDesc numbers = foundInMatrices(call);
  Plane indices = planeOf(makeTensorRef(numbers, nullptr));
  indices.dram = call.out[0].dram();
  addTime(time, untilizePlane(call, indices, indices.dram));
  return time;
}

OpRuntime argmaxRuntime(const OpCall &call) {
  if (answersAsNewest(call)) {
    OpRuntime time = overMatrices(call) ? argmaxOfMatricesRuntime(call) : argmaxSharedRuntime(call);
    if (turnsToTiles(call))
      addTime(time, tilizePlane(call, planeOf(call.in[0]), call.in[0].dram()));
    return time;
  }
  // Rows are shared out among the cores.
  Work work;
  addDramTraffic(call, work);
  work.compute =
      double(ceilDiv(call.in[0].rows(), call.cores())) * double(call.in[0].width) * call[P::ArgmaxElement];
  return timeOf(call, work);
}

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kArgmax = {"argmax", kOperands, kArgmaxRules, argmaxOutputs, argmaxMemory, argmaxRuntime};

const OpRow kRows[] = {{"ttnn.argmax", &kArgmax, 1, 1}};

} // namespace

Rows argmaxRows() { return kRows; }

} // namespace tessera::analytic
