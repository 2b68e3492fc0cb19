//===- Rearrange.cpp - concat, slice, pad --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Whole tiles are copied as they are; where a border falls inside a tile the
// tensor is untilized, copied by rows, and tilized again.
// facts/formulas 8; facts/hardware 4.4.
//
//===----------------------------------------------------------------------===//
#include "RowPrograms.h"
#include "Tilize.h"

#include <numeric>

namespace tessera::analytic {
namespace {

/// Copy by rows between an untilize of `from` and a tilize of `to`.
void rowsDetour(const OpCall &call, MemoryUse &use, const TensorRef &from, const TensorRef &to) {
  untilizeProgram(call, use, from, from.tile);
  use.program("copy rows");
  use.buffer("rows", 2, std::max(from.rowBytes(), to.rowBytes()));
  tilizeProgram(call, use, to, to.tile);
  int64_t rowsOut = rowMajorBytes(call, to, to.l1());
  use.tensors(std::max(rowMajorCopy(call, from) + rowsOut, rowsOut + call.perCore(to)));
}

void copyPages(MemoryUse &use, const TensorRef &tensor) {
  use.buffer("pages", 2, tensor.rowMajor() ? tensor.rowBytes() : tensor.tile);
}

// ---- concat ---------------------------------------------------------------------------------------------
size_t concatDim(const OpCall &call) {
  return normalizedDim(call.op().integer("dim", 0), call.out[0].rank());
}

/// The dimension counted from the end: 1 width, 2 height.
size_t concatAxis(const OpCall &call) { return call.out[0].rank() - concatDim(call); }

bool concatDimExists(const OpCall &call) { return concatDim(call) < call.out[0].rank(); }

bool concatAlike(const OpCall &call) {
  const TensorRef &first = call.in[0];
  return llvm::all_of(call.in, [&](const TensorRef &tensor) {
    return tensor.tiled() == first.tiled() && tensor.dtype() == first.dtype() &&
           tensor.sharded() == first.sharded() && (!tensor.sharded() || samePlacement(tensor, first));
  });
}

bool concatNotBlockSharded(const OpCall &call) { return !call.in[0].shardedAs(MemoryLayout::BlockSharded); }

bool concatAxisMatchesShards(const OpCall &call) {
  const TensorRef &first = call.in[0];
  if (!first.sharded())
    return true;
  size_t axis = concatAxis(call);
  return (axis == 1 && first.shardedAs(MemoryLayout::HeightSharded)) ||
         (axis == 2 && first.shardedAs(MemoryLayout::WidthSharded) && call.in.size() > 2);
}

bool concatResult(const OpCall &call) {
  const TensorRef &out = call.out[0], &first = call.in[0];
  if (!out.decided())
    return true;
  return first.sharded() ? samePlacement(out, first) : !out.sharded();
}

bool concatAligned(const OpCall &call) {
  if (!call.in[0].sharded())
    return true;
  return llvm::all_of(
      call.in, [](const TensorRef &tensor) { return tensor.height % 32 == 0 && tensor.width % 32 == 0; });
}

constexpr Rule kConcatRules[] = {
    {{"concat.dim", "the dimension must exist", "facts/ir 1.4"}, concatDimExists},
    {{"concat.alike", "operands need one data type and page layout, and all interleaved or all sharded alike",
      "facts/hardware 4.4"},
     concatAlike},
    {{"concat.same_page_layout", "the result keeps the operands' page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"concat.no_block_sharding", "block-sharded operands are not supported", "facts/hardware 4.4"},
     concatNotBlockSharded},
    {{"concat.axis",
      "height-sharded operands join along the width, three or more width-sharded ones along the height",
      "facts/hardware 4.4"},
     concatAxisMatchesShards},
    {{"concat.result", "the result must be sharded as the operands are, or interleaved if they are",
      "facts/ir 4.6 (tt-metal#41469)"},
     concatResult},
    {{"concat.aligned_shards", "sharded operands need whole tiles in height and width",
      "facts/ir 4.6 (hangs, tt-metal#41504)"},
     concatAligned},
};

bool concatByRows(const OpCall &call) {
  size_t axis = concatAxis(call);
  // Along outer dimensions whole matrices of tiles follow each other: no border falls inside a tile.
  if (axis > 2 || !call.in[0].tiled())
    return false;
  return llvm::any_of(
      call.in, [&](const TensorRef &tensor) { return (axis == 1 ? tensor.width : tensor.height) % 32 != 0; });
}

void concatMemory(const OpCall &call, MemoryUse &use) {
  if (call.in[0].sharded())
    return;
  if (!concatByRows(call))
    return copyPages(use, call.in[0]);
  const TensorRef *largest = &call.in[0];
  int64_t rowsIn = 0;
  for (const TensorRef &tensor : call.in) {
    rowsIn += rowMajorCopy(call, tensor);
    // Operands are untilized one after the other; the program with the largest buffers counts.
    if (tensor.tiles() > largest->tiles())
      largest = &tensor;
  }
  rowsDetour(call, use, *largest, call.out[0]);
  use.tensors(rowsIn + rowMajorBytes(call, call.out[0], call.out[0].l1()));
}

/// Rows are put together from where reads may begin: pieces that do not begin there are turned into whole
/// rows of the other dimension first, and the result is turned back.
bool concatUnaligned(const OpCall &call) {
  if (concatAxis(call) != 1)
    return false;
  const DeviceSpec &device = call.device();
  return llvm::any_of(call.in, [&](const TensorRef &tensor) {
    int64_t alignment = (tensor.dram() ? device.dramAlignment : device.l1Alignment).value();
    return tensor.rowBytes() % std::max<int64_t>(1, alignment) != 0;
  });
}

OpRuntime concatRowsTime(const OpCall &call) {
  Plane result = planeOf(call.out[0]);
  if (!concatUnaligned(call)) {
    // Along the width each result row is put together from a read of every operand; else from one.
    bool beside = concatAxis(call) == 1;
    return copyRows(call, result, beside ? double(call.in.size()) : 1, result.bytesOfRows());
  }
  OpRuntime time = copyRows(call, result.turned(), 1, result.bytesOfRows());
  for (const TensorRef &tensor : call.in)
    addTime(time, turnRows(call, planeOf(tensor)));
  addTime(time, turnRows(call, result.turned()));
  return time;
}

OpRuntime concatRuntime(const OpCall &call) {
  if (call.in[0].rowMajor() && !call.in[0].sharded())
    return concatRowsTime(call);
  if (!concatByRows(call))
    return streamTime(call, busiestTiles(call), kTileCopy);
  OpRuntime time = concatRowsTime(call);
  for (const TensorRef &tensor : call.in)
    addTime(time, untilizePlane(call, planeOf(tensor), tensor.dram()));
  addTime(time, tilizePlane(call, planeOf(call.out[0]), call.out[0].dram()));
  return time;
}

// ---- slice ----------------------------------------------------------------------------------------------
bool sliceBounds(const OpCall &call) {
  llvm::ArrayRef<int64_t> begins = call.op().integers("begins"), ends = call.op().integers("ends");
  if (begins.empty() && ends.empty())
    return true;
  size_t rank = call.in[0].rank();
  return begins.size() == rank && ends.size() == rank && call.out[0].rank() == rank;
}

constexpr Rule kSliceRules[] = {
    {{"slice.bounds", "begins and ends need one entry per dimension", "facts/ir 1.4"}, sliceBounds},
    {{"slice.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"slice.interleaved", "sharded operands give wrong results", "facts/ir 4.6 (tt-metal#39074)"},
     allOperandsInterleaved},
    {{"slice.result_interleaved", "the result must be interleaved", "facts/ir 4.6 (#38016)"},
     outputsInterleaved},
};

/// The slice starts inside a tile or skips rows, so that tiles cannot be copied whole.
bool sliceByRows(const OpCall &call) {
  if (!call.in[0].tiled())
    return false;
  llvm::ArrayRef<int64_t> begins = call.op().integers("begins"), step = call.op().integers("step");
  size_t rank = call.in[0].rank();
  for (size_t i = 0; i < begins.size(); ++i)
    // Ends need no look: what lies behind the end of the last tile is padding.
    if (i + 2 >= rank && begins[i] % 32 != 0)
      return true;
  return llvm::any_of(step, [](int64_t s) { return s != 1; });
}

void sliceMemory(const OpCall &call, MemoryUse &use) {
  if (sliceByRows(call))
    rowsDetour(call, use, call.in[0], call.out[0]);
  else
    copyPages(use, call.in[0]);
}

constexpr StreamCost kSliceTiles = {P::SliceStart, P::SliceDram, P::SliceL1, P::DramCopyWrite};
constexpr StickCost kSliceRows = {P::SliceRowsStart, P::SliceRowsStick, P::SliceRowsRate};

/// Pages go round the banks: a slice of every row of tiles may find all of its pages in a few of them.
double bankShare(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t banks = std::max<int64_t>(1, call.device().dramBanks);
  int64_t used = out.tileCols * (banks / std::gcd(in.tileCols, banks));
  return std::min(1.0, double(used) / double(banks));
}

/// Only the slice is read, not the whole operand.
OpRuntime sliceRuntime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  auto rows = [&](int64_t scalar) {
    double count = double(ceilDiv(out.rows(), call.cores())), bytes = double(out.elements() * scalar);
    return stickTime(call, count, double(out.width * scalar), kSliceRows, in.dram() ? bytes : 0,
                     out.dram() ? bytes : 0);
  };
  if (in.rowMajor())
    return rows(out.scalar);
  if (!sliceByRows(call)) {
    double bytes = double(out.bytes());
    return streamTime(call, call.tilesPerCore(out), kSliceTiles, 0, in.dram() ? bytes / bankShare(call) : 0,
                      out.dram() ? bytes : 0);
  }
  OpRuntime time = untilizePlane(call, planeOf(in), in.dram());
  addTime(time, rows(in.scalar));
  addTime(time, tilizePlane(call, planeOf(out), out.dram()));
  return time;
}

// ---- pad ------------------------------------------------------------------------------------------------
bool padPairs(const OpCall &call) {
  llvm::ArrayRef<int64_t> padding = call.op().integers("padding");
  return padding.size() == 2 * call.in[0].rank() &&
         llvm::all_of(padding, [](int64_t p) { return p >= 0 && p <= kMaxElements; });
}

bool padBackOnly(const OpCall &call) {
  if (!call.in[0].tiled())
    return true;
  llvm::ArrayRef<int64_t> padding = call.op().integers("padding");
  for (size_t i = 0; i < padding.size(); i += 2)
    if (padding[i] != 0)
      return false;
  return true;
}

bool padOperand(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !in.sharded() || (in.rowMajor() && in.shardedAs(MemoryLayout::HeightSharded));
}

bool padResult(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !out.decided() || out.sharded() == in.sharded();
}

constexpr Rule kPadRules[] = {
    {{"pad.pairs", "padding needs two non-negative entries per dimension", "facts/ir 1.4"}, padPairs},
    {{"pad.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"pad.back_only", "tiled tensors are padded at the end only", "facts/formulas 8"}, padBackOnly},
    {{"pad.operand", "the operand must be interleaved, or row-major and height-sharded",
      "facts/hardware 4.4, facts/ir 4.6 (tt-metal#40898)"},
     padOperand},
    {{"pad.result", "the result must be sharded exactly if the operand is", "facts/formulas 8"}, padResult},
};

/// The padding falls into what the tiles hold already.
bool padIsView(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return in.tiled() && in.tileRows == out.tileRows && in.tileCols == out.tileCols && in.batch == out.batch &&
         (!out.decided() || samePlacement(in, out));
}

void padMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  if (padIsView(call))
    return use.tensors(0);
  if (in.sharded())
    return;
  if (in.rowMajor()) {
    use.buffer("rows and padding", 3, std::max(in.rowBytes(), call.out[0].rowBytes()));
    return;
  }
  use.buffer("tiles and padding", call.op().boolean("use_multicore", false) ? 5 : 3, in.tile);
}

constexpr StreamCost kPadTiles = {P::PadTilesStart, P::CopyDram, P::CopyL1, P::DramCopyWrite};
constexpr StickCost kPadRows = {P::PadRowsStart, P::CopyRowsStick, P::CopyRowsRate};

/// Each core writes one tile of padding, element by element, before it copies tiles.
OpRuntime padRuntime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (padIsView(call))
    return noTime();
  if (in.rowMajor())
    return stickTime(call, double(ceilDiv(out.rows(), call.cores())), double(out.rowBytes()), kPadRows);
  constexpr double elements = 1024;
  double fill = elements * call[P::PadElement] * (out.scalar > 2 ? call[P::PadElementWide] : 1);
  int64_t cores = call.op().boolean("use_multicore", false) ? call.cores() : 1;
  OpRuntime time = streamTime(call, ceilDiv(out.tiles(), cores), kPadTiles);
  Nanoseconds filling(fill / clockOf(call.device()));
  time.l1 += filling;
  time.total += filling;
  return time;
}

bool concatConfirmed(const OpCall &call) { return tiledInterleaved(call) && !concatByRows(call); }
bool sliceConfirmed(const OpCall &call) {
  return call.row.name == "ttnn.slice_dynamic" && !sliceByRows(call);
}
bool padConfirmed(const OpCall &call) { return padIsView(call) || tiledInterleaved(call); }

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kConcat = {"concat",       {}, kConcatRules, outputsLikeOperand0, concatMemory, concatRuntime,
                        concatConfirmed};
const Family kSlice = {"slice",     kOperands,    kSliceRules,   outputsLikeOperand0,
                       sliceMemory, sliceRuntime, sliceConfirmed};
const Family kPad = {"pad", kOperands, kPadRules, outputsLikeOperand0, padMemory, padRuntime, padConfirmed};

constexpr unsigned kAnyNumber = 1024;
const OpRow kRows[] = {
    {"ttnn.concat", &kConcat, 1, kAnyNumber},
    {"ttnn.pad", &kPad, 1, 1},
    {"ttnn.slice_dynamic", &kSlice, 3, 3},
    {"ttnn.slice_static", &kSlice, 1, 1},
};

} // namespace

Rows rearrangeRows() { return kRows; }

} // namespace tessera::analytic
