//===- Repeat.cpp - repeat, repeat_interleave -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Both work on rows: a tiled operand is untilized first, the result tilized
// (facts/formulas 8). A repeat goes one dimension at a time, the last
// one first; an interleaved repeat is a concat of copies.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Kernels.h"
#include "RepeatMemory.h"
#include "RowPrograms.h"

#include <numeric>

namespace tessera::analytic {
namespace {

bool since2026(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }

bool repeatShards(const OpCall &call) {
  if (since2026(call))
    return true;
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !in.sharded() || (out.sharded() && samePlacement(in, out));
}

/// Shards of rows are cut out of interleaved ones in aligned pieces.
bool alignedShards(const OpCall &call) {
  constexpr int64_t alignment = 16;
  const TensorRef &out = call.out[0];
  return !since2026(call) || !out.rowMajor() || !out.sharded() || repeatsNothing(call) ||
         repeatsShards(call) || (answersAsOctober2026(call) && hasSecondKernel(call)) ||
         out.layout->shard.columns * out.scalar % alignment == 0;
}

/// The first dimension that is repeated, of which there is one, leaves the shape as the kernel sees it: the last two of two dimensions, or those
/// above, it, those below and the last of four.
bool keepsView(const OpCall &call) {
  const TensorRef &in = call.in[0];
  llvm::ArrayRef<int64_t> shape = in.desc->shape;
  size_t dim = shape.size();
  while (dim > 0 && timesOf(call, shape.size() - dim + 1) == 1)
    --dim;
  if (dim == 0 || call.out[0].rank() != shape.size())
    return false;
  if (dim == shape.size())
    return shape.size() == 2;
  auto product = [](llvm::ArrayRef<int64_t> of) {
    return std::accumulate(of.begin(), of.end(), int64_t(1), std::multiplies<>());
  };
  int64_t above = product(shape.take_front(dim - 1)),
          below = product(shape.slice(dim, shape.size() - dim - 1));
  return shape.equals(llvm::ArrayRef<int64_t>({above, shape[dim - 1], below, shape.back()}));
}

/// Elements of a row as far as its shards reach; 0 if they end with the row, or hold it whole.
int64_t overhungWidth(const TensorRef &in) {
  if (!in.rowMajor() || !in.sharded() || in.shardedAs(MemoryLayout::HeightSharded))
    return 0;
  int64_t padded = alignUp(in.width, in.shardUnits().columns);
  return padded == in.width ? 0 : padded;
}

/// Rows of shards that overhang the width are interleaved with what overhangs, until October 2026, and a view of those must come out even.
/// Example: 8 rows of 40 in width shards of 16 take 48 columns, of which a view makes 9 rows of 40 and a rest.
bool viewsRows(const OpCall &call) {
  int64_t padded = overhungWidth(call.in[0]);
  return !since2026(call) || answersAsOctober2026(call) || padded == 0 || repeatsNothing(call) ||
         call.in[0].rows() * padded % call.in[0].width == 0;
}

/// What is repeated where it lies is viewed with its shards, which no other shape has that overhang.
bool wholeRowShards(const OpCall &call) {
  bool viewsShards =
      since2026(call) && overhungWidth(call.in[0]) != 0 && !repeatsNothing(call) && repeatsShards(call);
  return keepsView(call) || (!viewsShards && viewsRows(call));
}

/// Images are upsampled where they lie, unless they are repeated themselves, as a view again. Until October 2026 others are joined as rows that
/// are as long as all shards of a row, which no view divides but by accident.
bool joinsWholeRowShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!upsamplesShards(call))
    return repeatsWidth(call) || viewsRows(call);
  return !since2026(call) || overhungWidth(in) == 0 || timesOf(call, 4) == 1;
}

/// A tensor of one dimension is repeated as a column, whose shards would be others.
bool flatInterleaved(const OpCall &call) {
  return !since2026(call) || call.in[0].rank() != 1 || (!call.in[0].sharded() && !call.out[0].sharded());
}

/// What is cut into shards passes a circular buffer, which counts its pages in 16 bits.
bool countablePages(const OpCall &call) {
  const TensorRef &out = call.out[0];
  if (!since2026(call) || answersAsOctober2026(call) || repeatsNothing(call) || repeatsShards(call))
    return true;
  if (out.decided() || !call.in[0].sharded())
    return shardPagesCountable(out);
  TensorLayout layout = repeatedLayout(call);
  return shardPagesCountable(makeTensorRef(*out.desc, &layout));
}

bool interleavedOperand(const OpCall &call) { return since2026(call) || allOperandsInterleaved(call); }

/// The transposed tensor would have the shards that were asked for the result.
bool interleavedWidth(const OpCall &call) {
  return !since2026(call) || !repeatsWidth(call) || call.in[0].sharded() || !call.out[0].sharded();
}

/// Block floats are converted to bf16 and back, and the library converts no interleaved tensor to shards.
bool convertsInPlace(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !since2026(call) || !isBlockFloat(in.dtype()) || in.sharded() || !call.out[0].sharded();
}

/// Tiles that are not repeated whole become rows on the way, which four bits have none of.
bool repeatsType(const OpCall &call) {
  return !since2026(call) || call.in[0].dtype() != DataType::BFP_BFloat4 || !repeatsAsRows(call);
}

constexpr Rule kRepeatRules[] = {
    {{"repeat.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"repeat.sharded_alike", "a sharded operand needs a result sharded on the same grid", "facts/ir 4.6"},
     repeatShards},
    {{"repeat.aligned_shards",
      "rows of row-major shards of the result must be multiples of 16 bytes; since October 2026 not where "
      "the kernel writes them, which are full shards of two to four dimensions",
      "asked of ttnn 0.77.0 and 0.81.1 (interleaved_to_sharded_op.cpp)"},
     alignedShards},
    {{"repeat.whole_row_shards",
      "row-major shards that overhang the rows must have as many elements as a view of whole rows (since "
      "2026, until October), and where they are repeated where they lie the shape that the kernel sees",
      "asked of ttnn 0.77.0 and 0.81.1 (tensor_ops.cpp, tensor_spec.cpp)"},
     wholeRowShards},
    {{"repeat.shard_pages",
      "until October 2026 shards of the result have at most 65535 tiles, or rows if row-major",
      "ttnn 0.77.0 (circular_buffer.cpp)"},
     countablePages},
    {{"repeat.type", "a repeat that begins or ends within tiles takes no bfp_bf4 (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (tensor_spec.cpp)"},
     repeatsType},
};
constexpr Rule kRepeatInterleaveRules[] = {
    {{"repeat_interleave.same_page_layout", "the result keeps the operand's page layout",
      "facts/hardware 4.4"},
     keepsPages},
    {{"repeat_interleave.interleaved", "the operand must be interleaved", "facts/formulas 8"},
     interleavedOperand},
    {{"repeat_interleave.width_interleaved",
      "a repeat of the last dimension of an interleaved operand needs an interleaved result", "ttnn 0.77.0"},
     interleavedWidth},
    {{"repeat_interleave.block_floats", "an interleaved operand of block floats needs an interleaved result",
      "ttnn 0.77.0"},
     convertsInPlace},
    {{"repeat_interleave.whole_row_shards",
      "row-major shards must divide the rows of images that are repeated whole, until October 2026 any rows "
      "that are not repeated themselves",
      "asked of ttnn 0.77.0 and 0.81.1 (buffer.cpp, tensor_ops.cpp)"},
     joinsWholeRowShards},
    {{"repeat_interleave.flat_interleaved",
      "a tensor of one dimension is interleaved before and after (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (tensor_spec.cpp)", "columns in shards of rows; some are accepted"},
     flatInterleaved},
};

/// Newer backends lay the result out as requested.
bool honoursRequest(const OpCall &call) { return since2026(call) && call.out[0].decided(); }

/// The result follows the operand's memory config whatever was asked for (facts/formulas 8); where nothing is repeated, it is the
/// operand, until October 2026.
void repeatOutputs(OpCall &call) {
  bool nothing = since2026(call) && repeatsNothing(call), view = nothing && !answersAsOctober2026(call);
  if (!view && (honoursRequest(call) || (call.out[0].decided() && samePlacement(call.in[0], call.out[0]))))
    return;
  // The request is dropped, since the backend takes no notice of it: the result that is answered differs from
  // it then.
  call.out[0].layout = nullptr;
  if (!nothing && since2026(call) && call.in[0].sharded() && !repeatsShards(call))
    return call.setOutput(0, repeatedLayout(call));
  call.followIfUndecided(0, call.in[0]);
}

/// The result ends in DRAM (facts/formulas 8); since 2026 where an interleaved operand lies.
void repeatInterleaveOutputs(OpCall &call) {
  if (honoursRequest(call) || (call.out[0].decided() && call.out[0].dram() && !call.out[0].sharded()))
    return;
  call.out[0].layout = nullptr;
  if (since2026(call) && upsamplesShards(call))
    return call.setOutput(0, upsampledLayout(call));
  if (since2026(call) && (!call.in[0].sharded() || repeatsNothing(call)))
    return call.followIfUndecided(0, call.in[0]);
  call.dramIfUndecided(0, call.in[0].layout->page);
}

void repeatMemory(const OpCall &call, MemoryUse &use) {
  if (since2026(call))
    return repeatMemorySince2026(call, use);
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (repeatsNothing(call))
    return use.tensors(0);
  if (in.rowMajor())
    return use.buffer("pages", 2, out.rowBytes());
  // Older backends repeat in rows only: the tiled operand is untilized, and the longer rows are tilized again.
  untilizeProgram(call, use, in, in.tile);
  tilizeProgram(call, use, out, out.tile);
  int64_t rowsOut = rowMajorBytes(call, out, out.l1());
  // The larger of two moments: rows in and rows out while it repeats, rows out and the result while it tilizes.
  use.tensors(std::max(rowMajorCopy(call, in) + rowsOut, rowsOut + call.perCore(out)));
}

void repeatInterleaveMemory(const OpCall &call, MemoryUse &use) {
  if (since2026(call))
    return interleaveMemorySince2026(call, use);
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.rowMajor())
    return use.buffer("pages", 2, out.rowBytes());
  untilizeProgram(call, use, in, in.tile);
  tilizeProgram(call, use, out, out.tile);
  use.tensors(rowMajorCopy(call, in) + rowMajorCopy(call, out) + call.perCore(out));
}

/// The row is put together by the core: word by word, or byte by byte if it begins within sixteen bytes.
OpRuntime repeatWithinRows(const OpCall &call, int64_t rows, int64_t rowBytes, int64_t times) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  double written = double(rows * rowBytes * times);
  Work work;
  double perByte = call[rowBytes % 16 ? P::RepeatLooseByte : P::RepeatByte];
  work.noc =
      double(ceilDiv(rows, call.cores())) * (call[P::CopyRowsStick] + double(rowBytes * times) * perByte);
  work.start = call[P::RepeatStart];
  work.dramRead = in.dram() ? double(rows * rowBytes) : 0;
  work.dramWrite = out.dram() ? written : 0;
  return timeOf(call, work);
}

/// Rows of a dimension above: `outer` groups of `own` rows of `inner` rows each. The cores share the groups
/// or the inner rows, whichever are more; each writes all copies of its rows, one after the other.
/// Example: a repeat of the first of 4 x 8 x 64 three times has one group of 4 rows of 8 each: the 8 inner rows are
/// shared out, and each core writes its four rows three times.
OpRuntime repeatAbove(const OpCall &call, int64_t outer, int64_t own, int64_t inner, int64_t rowBytes,
                      int64_t times) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t shared = std::max(outer, inner), rest = std::min(outer, inner) * own;
  double rows = double(ceilDiv(shared, call.cores()) * rest), bytes = double(outer * own * inner * rowBytes);
  Work work;
  work.noc = rows * double(times) * (call[P::RepeatWrite] + double(rowBytes) / call[P::RepeatRate]);
  work.start = call[P::RepeatStart];
  work.dramRead = in.dram() ? bytes : 0;
  work.dramWrite = out.dram() ? bytes * double(times) : 0;
  return timeOf(call, work);
}

/// Every repeated dimension takes a program.
/// From the last dimension to the first, as the library goes: rows that were made longer are what the next program
/// repeats.
OpRuntime repeatRowsTime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  OpRuntime time;
  int64_t rowBytes = in.rowBytes(), rows = in.rows();
  if (int64_t times = timesOf(call, 1); times > 1) {
    time = repeatWithinRows(call, rows, rowBytes, times);
    rowBytes *= times;
  }
  int64_t inner = 1; // rows below the dimension, already repeated
  for (size_t d = 2; d <= out.rank(); ++d) {
    int64_t own = in.dim(-int64_t(d)), times = timesOf(call, d);
    // Groups of rows above this dimension.
    rows /= std::max<int64_t>(1, own);
    if (times > 1)
      addTime(time, repeatAbove(call, rows, own, inner, rowBytes, times));
    inner *= own * times;
  }
  return time;
}

/// `rows`, between an untilize and a tilize if the tensors are tiled.
OpRuntime onRows(const OpCall &call, OpRuntime rows) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.tiled()) {
    addTime(rows, untilizePlane(call, planeOf(in), in.dram()));
    addTime(rows, tilizePlane(call, planeOf(out), out.dram()));
  }
  return rows;
}

OpRuntime repeatRuntime(const OpCall &call) {
  return repeatsNothing(call) ? noTime() : onRows(call, repeatRowsTime(call));
}

OpRuntime repeatInterleaveRuntime(const OpCall &call) {
  if (repeatsNothing(call))
    return noTime();
  Plane result = planeOf(call.out[0]);
  return onRows(call, copyRows(call, result, 1, call.in[0].dram() ? result.bytesOfRows() : 0));
}

bool confirmed(const OpCall &call) { return repeatsNothing(call) || tiledInterleaved(call); }

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kRepeat = {"repeat",     kOperands,     kRepeatRules, repeatOutputs,
                        repeatMemory, repeatRuntime, confirmed,    countRepeat};
const Family kRepeatInterleave = {"repeat_interleave",
                                  kOperands,
                                  kRepeatInterleaveRules,
                                  repeatInterleaveOutputs,
                                  repeatInterleaveMemory,
                                  repeatInterleaveRuntime,
                                  confirmed,
                                  countRepeat};

const OpRow kRows[] = {
    {"ttnn.repeat", &kRepeat, 1, 1},
    {"ttnn.repeat_interleave", &kRepeatInterleave, 1, 1},
};

} // namespace

Rows repeatRows() { return kRows; }

} // namespace tessera::analytic
