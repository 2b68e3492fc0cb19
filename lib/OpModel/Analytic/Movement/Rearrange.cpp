//===- Rearrange.cpp - concat, slice, pad --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Whole tiles are copied as they are; where a border falls inside a tile the
// tensor is untilized, copied by rows, and tilized again.
// facts/formulas 8; facts/hardware 4.4.
//
//===----------------------------------------------------------------------===//
#include "Rearrange.h"

#include "../Conversions/ConversionRuntime.h"
#include "../Kernels.h"

#include "../Conversions/Tilize.h"
#include "RowPrograms.h"

#include <numeric>

namespace tessera::analytic {
namespace {

// ---- concat ---------------------------------------------------------------------------------------------
bool concatDimExists(const OpCall &call) { return concatDim(call) < call.out[0].rank(); }

bool concatAlike(const OpCall &call) {
  const TensorRef &first = call.in[0];
  // Since October 2026 all must be sharded where all are made interleaved.
  bool unshards = concatUnshards(call);
  return llvm::all_of(call.in, [&](const TensorRef &tensor) {
    bool placedAlike =
        tensor.sharded() == first.sharded() && (!tensor.sharded() || samePlacement(tensor, first));
    bool unsharded = unshards && (tensor.sharded() || !answersAsOctober2026(call));
    return tensor.tiled() == first.tiled() && tensor.dtype() == first.dtype() && (unsharded || placedAlike);
  });
}

bool concatNotBlockSharded(const OpCall &call) {
  return answersAsNewest(call) || !call.in[0].shardedAs(MemoryLayout::BlockSharded);
}

bool concatAxisMatchesShards(const OpCall &call) {
  const TensorRef &first = call.in[0];
  // Results that are left to the backend are interleaved, along any dimension.
  if (!first.sharded() || (answersAsNewest(call) && !call.out[0].decided()) || concatUnshards(call))
    return true;
  size_t axis = concatAxis(call);
  if (answersAsNewest(call))
    return (axis == 1 && !first.shardedAs(MemoryLayout::WidthSharded)) ||
           (axis == 2 && !first.shardedAs(MemoryLayout::HeightSharded));
  return (axis == 1 && first.shardedAs(MemoryLayout::HeightSharded)) ||
         (axis == 2 && first.shardedAs(MemoryLayout::WidthSharded) && call.in.size() > 2);
}

// Strict on purpose: shards of interleaved operands fail when the kernel is compiled (tt-metal#41469), not when it is
// asked for.
bool concatResult(const OpCall &call) {
  const TensorRef &out = call.out[0], &first = call.in[0];
  if (!out.decided() || concatUnshards(call))
    return true;
  return first.sharded() ? samePlacement(out, first) : !out.sharded();
}

bool concatAligned(const OpCall &call) {
  if (!call.in[0].sharded())
    return true;
  return llvm::all_of(
      call.in, [](const TensorRef &tensor) { return tensor.height % 32 == 0 && tensor.width % 32 == 0; });
}

/// A circular buffer counts its pages in 16 bits. Over row-major block shards it has a page per element, also for the result.
bool concatPagesCountable(const OpCall &call) {
  constexpr int64_t most = 65535;
  int64_t elements = 0;
  for (const TensorRef &tensor : call.in) {
    if (answersAsNewest(call) && !shardPagesCountable(tensor))
      return false;
    if (tensor.rowMajor() && tensor.shardedAs(MemoryLayout::BlockSharded))
      elements += tensor.layout->shard.volume();
  }
  return !answersAsNewest(call) || elements <= most;
}

bool concatBlockRowsAligned(const OpCall &call) {
  return !answersAsNewest(call) || llvm::all_of(call.in, [](const TensorRef &tensor) {
    return tensor.tiled() || !tensor.shardedAs(MemoryLayout::BlockSharded) ||
           tensor.layout->shard.columns * tensor.scalar % 16 == 0;
  });
}

/// What became rows on the way comes back in tiles of bf16, which is more than the result has in L1.
bool staysBlockFloats(const OpCall &call, bool byRows) {
  const TensorRef &out = call.out[0];
  return !answersAsNewest(call) || !byRows || !out.l1() || !isBlockFloat(out.dtype());
}
bool joinsBlockFloats(const OpCall &call) { return staysBlockFloats(call, concatByRows(call)); }
bool cutsBlockFloats(const OpCall &call) { return staysBlockFloats(call, sliceByRows(call)); }

constexpr Rule kConcatRules[] = {
    {{"concat.dim", "the dimension must exist", "facts/ir 1.4"}, concatDimExists},
    {{"concat.alike",
      "operands need one data type and page layout, and all interleaved or all sharded alike, unless the "
      "first is sharded along another dimension and the result is interleaved or left to the backend",
      "facts/hardware 4.4"},
     concatAlike},
    {{"concat.same_page_layout", "the result keeps the operands' page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"concat.no_block_sharding", "until 2026 block-sharded operands are not supported",
      "facts/hardware 4.4"},
     concatNotBlockSharded},
    {{"concat.axis",
      "height-sharded operands join along the width, width-sharded ones (until 2026 three or more) along the "
      "height, block-sharded ones along either, unless the result is interleaved (since 2026)",
      "facts/hardware 4.4"},
     concatAxisMatchesShards},
    {{"concat.result", "the result must be sharded as the operands are, or interleaved if they are",
      "facts/ir 4.6", "tt-metal#41469"},
     concatResult},
    {{"concat.aligned_shards", "sharded operands need whole tiles in height and width",
      "facts/ir 4.6 (hangs)", "tt-metal#41504"},
     concatAligned},
    {{"concat.shard_pages",
      "shards have at most 65535 tiles, or rows if row-major; row-major block shards of all operands as many "
      "elements",
      "tt-metal 0.77: circular_buffer.cpp"},
     concatPagesCountable},
    {{"concat.block_row_alignment", "rows of row-major block shards must be multiples of 16 bytes",
      "tt-metal 0.77: concat_block_sharded_program_factory.cpp"},
     concatBlockRowsAligned},
    {{"concat.block_floats",
      "block floats that are not joined in whole tiles give no result in L1 (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1", "tiles of bf16 that take more L1 than their layout says"},
     joinsBlockFloats},
};

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
  double dramRead = 0;
  for (const TensorRef &tensor : call.in)
    dramRead += tensor.dram() ? planeOf(tensor).bytesOfRows() : 0;
  if (!concatUnaligned(call)) {
    // Along the width each result row is put together from a read of every operand; else from one.
    bool beside = concatAxis(call) == 1;
    return copyRows(call, result, beside ? double(call.in.size()) : 1, dramRead);
  }
  OpRuntime time = copyRows(call, result.turned(), 1, dramRead);
  for (const TensorRef &tensor : call.in)
    if (!turnsIntoItself(tensor))
      addTime(time, turnRows(call, planeOf(tensor)));
  // The result has been put together turned, and is turned back.
  addTime(time, turnRows(call, result.turned()));
  return time;
}

/// What lies in shards is laid out before it is joined.
OpRuntime unshardTime(const OpCall &call) {
  OpRuntime time;
  for (const TensorRef &tensor : call.in) {
    if (!tensor.sharded())
      continue;
    bool tiled = tensor.tiled();
    double rowBytes = tiled ? 0 : double(tensor.layout->shard.columns * tensor.scalar);
    ShardMove move{tiled,
                   double(tiled ? call.tilesPerCore(tensor) : tensor.layout->shard.rows),
                   tiled ? double(tensor.tile) : rowBytes,
                   double(tensor.bytes()),
                   1,
                   !call.out[0].l1()};
    addTime(time, unshardingTime(call.device(), *call.parameters, move));
  }
  return time;
}

OpRuntime concatRuntime(const OpCall &call) {
  if (concatUnshards(call)) {
    OpRuntime time = unshardTime(call);
    addTime(time, call.in[0].rowMajor() ? concatRowsTime(call)
                                        : streamTime(call, call.tilesPerCore(call.out[0]), kTileCopy));
    return time;
  }
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

/// Where a slice of tiles begins is known to its kernel alone, which rounds it down to whole tiles. So height and width stay, or nobody could
/// tell whether the bounds are such.
bool dynamicSliceKeepsMatrices(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool same = out.height == in.height && out.width == in.width && out.height % 32 == 0 && out.width % 32 == 0;
  return call.row.name != "ttnn.slice_dynamic" || !in.tiled() || same;
}

bool stepsOverElements(const OpCall &call) {
  bool steps = llvm::any_of(call.op().integers("step"), [](int64_t step) { return step != 1; });
  return !answersAsNewest(call) || !steps || !isBlockFloat(call.in[0].dtype());
}

/// Tiles that are not copied whole become rows on the way, of bf16 if they are of 8 bits.
bool rowsOfElements(const OpCall &call) {
  return !answersAsNewest(call) || call.in[0].dtype() != DataType::BFP_BFloat4 || !sliceByRows(call);
}

constexpr Rule kSliceRules[] = {
    {{"slice.bounds", "begins and ends need one entry per dimension", "facts/ir 1.4"}, sliceBounds},
    {{"slice.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"slice.interleaved", "sharded operands give wrong results", "facts/ir 4.6", "tt-metal#39074"},
     allOperandsInterleaved},
    {{"slice.result_interleaved", "the result must be interleaved", "facts/ir 4.6", "tt-metal#38016"},
     outputsInterleaved},
    {{"slice.dynamic_matrices",
      "a slice_dynamic of tiles keeps height and width, which are multiples of 32: it begins at whole tiles "
      "only",
      "tt-metal 0.81: slice_device_operation.cpp"},
     dynamicSliceKeepsMatrices},
    {{"slice.steps", "a slice with steps takes no block floats", "tt-metal 0.77: slice.cpp"},
     stepsOverElements},
    {{"slice.type", "a slice that begins or ends within tiles takes no bfp_bf4", "tt-metal 0.77 (slice.cpp)"},
     rowsOfElements},
    {{"slice.block_floats", "block floats that are not cut in whole tiles give no result in L1 (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1", "tiles of bf16 that take more L1 than their layout says"},
     cutsBlockFloats},
};

constexpr StreamCost kSliceTiles = {P::SliceStart, P::SliceDram, P::SliceL1, P::DramCopyWrite};
constexpr StickCost kSliceRows = {P::SliceRowsStart, P::SliceRowsStick, P::SliceRowsRate};

/// Only the slice is read, not the whole operand: rows with so many bytes per element.
OpRuntime sliceRowsTime(const OpCall &call, int64_t scalar) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  double count = double(ceilDiv(out.rows(), call.cores())), bytes = double(out.elements() * scalar);
  return stickTime(call, count, double(out.width * scalar), kSliceRows, in.dram() ? bytes : 0,
                   out.dram() ? bytes : 0);
}

OpRuntime sliceRuntime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.rowMajor() || !sliceByRows(call))
    return pagesSliceTime(call);
  OpRuntime time = untilizePlane(call, planeOf(in), in.dram());
  addTime(time, sliceRowsTime(call, in.scalar));
  addTime(time, tilizePlane(call, planeOf(out), out.dram()));
  return time;
}

// ---- pad ------------------------------------------------------------------------------------------------
bool padPairs(const OpCall &call) {
  llvm::ArrayRef<int64_t> padding = call.op().integers("padding");
  // Bounded like tensors themselves, since sizes are added to extents.
  return padding.size() == 2 * call.in[0].rank() &&
         llvm::all_of(padding, [](int64_t p) { return p >= 0 && p <= kMaxElements; });
}

// The kernel moves whole tiles: padding in front would shift elements within them.
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
  return !out.decided() || answersAsNewest(call) || out.sharded() == in.sharded();
}

/// Row-major shards on both sides begin and end where L1 can be read.
bool padRowsAligned(const OpCall &call) {
  auto aligned = [](const TensorRef &tensor) {
    return tensor.tiled() || !tensor.sharded() || tensor.layout->shard.columns * tensor.scalar % 16 == 0;
  };
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!answersAsNewest(call) || padsNothing(call))
    return true;
  // Without a wish the result of height shards has rows as long as the tensor's.
  bool result = out.decided() || !in.sharded() ? aligned(out) : out.rowBytes() % 16 == 0;
  return aligned(in) && result;
}

/// Shards of another width get a layout of their own; rows that are added must fit the shards there are.
bool padShardsSuffice(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!answersAsNewest(call) || !in.sharded() || out.decided() || in.width != out.width)
    return true;
  return out.rows() <= in.layout->shard.rows * in.shardCores();
}

/// Height shards whose rows grow stay where they are, whatever other shards are wished.
bool padKeepsShards(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!answersAsNewest(call) || !in.sharded() || !out.decided() || !out.sharded() || in.width == out.width)
    return true;
  return out.shardedAs(MemoryLayout::HeightSharded) && out.layout->shard.rows == in.layout->shard.rows &&
         out.shardCores() == in.shardCores();
}

/// The library pads four dimensions. A result of fewer or more is a view of that, which has no room for what the last shard of a row has behind it.
bool padRowsAreWhole(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return !answersAsNewest(call) || !out.decided() || !out.sharded() || out.tiled() || out.rank() == 4 ||
         out.width % out.shardUnits().columns == 0;
}

/// The library makes the result of a vector in tiles as large as the operand.
bool vectorsWithinTiles(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !answersAsNewest(call) || in.rowMajor() || in.rank() >= 2 || in.tileCols == call.out[0].tileCols;
}

/// The kernel that adds tiles writes bf16, 32 bits and block floats of eight; none writes bytes.
bool padsType(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool grows = in.tileRows != out.tileRows || in.tileCols != out.tileCols || in.batch != out.batch;
  if (!answersAsNewest(call) || padIsView(call))
    return true;
  return in.dtype() != DataType::UInt8 && (in.dtype() != DataType::BFP_BFloat4 || !grows);
}

/// Block floats that grow within their tiles stay where they are, whatever is asked for.
bool blockFloatsStay(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool grows = in.tileRows != out.tileRows || in.tileCols != out.tileCols || in.batch != out.batch;
  return !answersAsNewest(call) || !isBlockFloat(in.dtype()) || grows || padsNothing(call) || padIsView(call);
}

/// What has more than four dimensions is folded to four, of which the first stands for all that are left out.
bool padsLastThree(const OpCall &call) {
  llvm::ArrayRef<int64_t> padding = call.op().integers("padding");
  if (!answersAsNewest(call) || answersAsOctober2026(call) || call.in[0].rank() <= 4)
    return true;
  return llvm::all_of(padding.drop_back(6), [](int64_t p) { return p == 0; });
}

constexpr Rule kPadRules[] = {
    {{"pad.pairs", "padding needs two non-negative entries per dimension", "facts/ir 1.4"}, padPairs},
    {{"pad.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"pad.back_only", "tiled tensors are padded at the end only", "facts/formulas 8"}, padBackOnly},
    {{"pad.operand", "the operand must be interleaved, or row-major and height-sharded",
      "facts/hardware 4.4, facts/ir 4.6", "tt-metal#40898"},
     padOperand},
    {{"pad.result", "until 2026 the result must be sharded exactly if the operand is", "facts/formulas 8"},
     padResult},
    {{"pad.row_alignment", "rows of row-major shards must be multiples of 16 bytes",
      "tt-metal 0.77: pad_device_operation.cpp"},
     padRowsAligned},
    {{"pad.shard_rows", "without a wish for the result its rows must fit the operand's shards",
      "tt-metal 0.77: tensor_spec.cpp"},
     padShardsSuffice},
    {{"pad.keeps_shards", "shards whose rows grow must give shards of as many rows on as many cores",
      "ttnn 0.77.0 and 0.81.1"},
     padKeepsShards},
    {{"pad.whole_rows",
      "row-major shards of a result that has not four dimensions must share its rows without rest",
      "ttnn 0.77.0 and 0.81.1"},
     padRowsAreWhole},
    {{"pad.vector", "a tiled tensor of one dimension grows within its tiles only", "ttnn 0.77.0 and 0.81.1"},
     vectorsWithinTiles},
    {{"pad.last_three",
      "a tensor of more than four dimensions is padded in its last three only (until October 2026)",
      "asked of ttnn 0.77.0 (pad.cpp)"},
     padsLastThree},
    {{"pad.block_floats", "block floats that grow within their tiles stay where they are",
      "asked of ttnn 0.77.0 and 0.81.1"},
     blockFloatsStay},
    {{"pad.type", "padding takes no u8, and beyond the tiles that there are no bfp_bf4 (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (pad_device_operation.cpp)"},
     padsType},
};

/// What is added within the tiles that there are is written into them, whichever memory is wished; shards are made of that
/// (asked of ttnn 0.77.0 and 0.81.1).
bool padsInPlace(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool sameTiles = in.tileRows == out.tileRows && in.tileCols == out.tileCols && in.batch == out.batch;
  return answersAsNewest(call) && in.tiled() && !in.sharded() && !isBlockFloat(in.dtype()) && sameTiles &&
         !(out.decided() && out.sharded());
}

/// Nothing added: the operand itself, whatever is wished.
void padOutputs(OpCall &call) {
  const TensorRef &in = call.in[0];
  if (answersAsNewest(call) && padsNothing(call))
    return call.setOutput(0, in.id);
  if (padsInPlace(call))
    return call.setOutput(0, in.l1() ? l1Interleaved(*call.out[0].desc, call.device().workerGrid)
                                     : dramInterleaved(*call.out[0].desc));
  outputsLikeOperand0(call);
}

constexpr StreamCost kPadTiles = {P::PadTilesStart, P::CopyDram, P::CopyL1, P::DramCopyWrite};
constexpr StickCost kPadRows = {P::PadRowsStart, P::CopyRowsStick, P::CopyRowsRate};

/// One core fetches the operand's tiles one by one and waits for each; tiles of padding it only sends, at the rate of a link
/// (tt-metal: writer_unary_pad_dims_interleaved).
OpRuntime padOnOneCore(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  constexpr double stepsPerTile = 60;
  Work work;
  work.noc = double(in.tiles()) *
                 (call[P::MachineReadWait] * clockOf(call.device()) + stepsPerTile * call[P::MachineStep]) +
             double((out.tiles() - in.tiles()) * out.tile) / call[P::ReshardLink];
  work.start = call[P::PadTilesStart];
  work.dramRead = in.dram() ? double(in.bytes()) : 0;
  work.dramWrite = out.dram() ? double(out.bytes()) : 0;
  return timeOf(call, work);
}

/// Each core writes one tile of padding, element by element, before it copies tiles.
OpRuntime padTilesTime(const OpCall &call) {
  const TensorRef &out = call.out[0];
  constexpr double elements = 1024;
  // Elements of four bytes take a slower loop.
  double fill = elements * call[P::PadElement] * (out.scalar > 2 ? call[P::PadElementWide] : 1);
  bool several = call.op().boolean("use_multicore", false) || answersAsOctober2026(call);
  OpRuntime time =
      several ? streamTime(call, ceilDiv(out.tiles(), call.cores()), kPadTiles) : padOnOneCore(call);
  Nanoseconds filling(fill / clockOf(call.device()));
  time.l1 += filling;
  time.total += filling;
  return time;
}

OpRuntime padRuntime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (padsNothing(call) || (padIsView(call) && !answersAsNewest(call)))
    return noTime();
  if (in.rowMajor())
    return stickTime(call, double(ceilDiv(out.rows(), call.cores())), double(out.rowBytes()), kPadRows);
  bool grows = in.tiles() != out.tiles();
  OpRuntime time = grows ? padTilesTime(call) : noTime();
  if (!answersAsNewest(call))
    return time;
  // The programs of padTilesMemory: padding within the tiles that there are is filled first, and block floats grow as bf16.
  addTime(time, fillTime(call, in));
  if (grows && isBlockFloat(in.dtype())) {
    addTime(time, castTime(call, in, in.tile, rowTileOf(in)));
    addTime(time, castTime(call, out, rowTileOf(out), out.tile));
  }
  return time;
}

/// Undecided results lie in DRAM since 2026, else where the operand lies.
void concatOutputs(OpCall &call) {
  if (answersAsNewest(call))
    return call.dramIfUndecided(0, call.in[0].layout->page);
  outputsLikeOperand0(call);
}

bool concatConfirmed(const OpCall &call) { return tiledInterleaved(call) && !concatByRows(call); }
bool sliceConfirmed(const OpCall &call) {
  return call.row.name == "ttnn.slice_dynamic" && !sliceByRows(call);
}
bool padConfirmed(const OpCall &call) { return padIsView(call) || tiledInterleaved(call); }

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kConcat = {"concat",        {},         kConcatRules, concatOutputs, concatMemory, concatRuntime,
                        concatConfirmed, countConcat};
const Family kSlice = {"slice",     kOperands,    kSliceRules,    outputsLikeOperand0,
                       sliceMemory, sliceRuntime, sliceConfirmed, countSlice};
const Family kPad = {"pad", kOperands, kPadRules, padOutputs, padMemory, padRuntime, padConfirmed, countPad};

// A bound for the table's sake: nothing depends on how many there are.
constexpr unsigned kAnyNumber = 1024;
const OpRow kRows[] = {
    {"ttnn.concat", &kConcat, 1, kAnyNumber},
    {"ttnn.pad", &kPad, 1, 1},
    {"ttnn.slice_dynamic", &kSlice, 3, 3},
    {"ttnn.slice_static", &kSlice, 1, 1},
};

} // namespace

/// Tile c of row r lies in bank (r * columns + c) mod banks, so down the rows a column visits banks / gcd(columns, banks)
/// of them.
double banksOfSlice(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t banks = std::max<int64_t>(1, call.device().dramBanks);
  // Whole rows of tiles, or a single one, lie one behind the other, over all banks.
  if (in.tileCols == out.tileCols || out.tileRows == 1)
    return 1;
  int64_t used = out.tileCols * (banks / std::gcd(in.tileCols, banks));
  return std::min(1.0, double(used) / double(banks));
}

OpRuntime pagesSliceTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.rowMajor())
    return sliceRowsTime(call, out.scalar);
  double bytes = double(out.bytes());
  // Few banks have a share of the DRAM's rate: as if so many more bytes were read from all.
  return streamTime(call, call.tilesPerCore(out), kSliceTiles, 0, in.dram() ? bytes / banksOfSlice(call) : 0,
                    out.dram() ? bytes : 0);
}

Rows rearrangeRows() { return kRows; }

} // namespace tessera::analytic
