//===- Gather.cpp - gather and scatter -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Both index along the last dimension; another one is brought to the end first.
// gather works on tiles. scatter works on rows: operand, index and source are
// untilized, the result is tilized again. Their lower bounds
// (goldens of scatter, facts/formulas 15) are met; from source, unconfirmed.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Kernels.h"
#include "../Machine.h"
#include "Permute.h"
#include "Rearrange.h"
#include "RowPrograms.h"

namespace tessera::analytic {
namespace {

/// The attribute may count from either end. A dimension that does not exist counts as the last here, and is refused
/// by its rule (dimExists).
bool overWidth(const OpCall &call) {
  return normalizedDim(call.op().integer("dim", -1), call.in[0].rank()) + 1 >= call.in[0].rank();
}

bool dimExists(const OpCall &call) {
  return normalizedDim(call.op().integer("dim", -1), call.in[0].rank()) < call.in[0].rank();
}

bool sameRank(const OpCall &call) {
  return llvm::all_of(call.in, [&](const TensorRef &operand) { return operand.rank() == call.in[0].rank(); });
}

bool integerIndex(const OpCall &call) {
  DataType type = call.in[1].dtype();
  return type == DataType::UInt32 || type == DataType::UInt16 || type == DataType::Int32;
}

/// The library's gather takes indices without a sign alone.
bool unsignedIndex(const OpCall &call) {
  return integerIndex(call) && (!answersAsNewest(call) || call.in[1].dtype() != DataType::Int32);
}

constexpr RuleInfo kDim = {"gather.dim", "the dimension must exist, and operand and index have the same rank",
                           "facts/ir 1.4"};
constexpr RuleInfo kIndex = {"gather.index_type", "the index must be si32, u32 or u16",
                             "tt-metal source, unconfirmed"};
constexpr RuleInfo kInterleaved = {"scatter.interleaved", "operands and result must be interleaved",
                                   "tt-metal source, unconfirmed"};
bool dims(const OpCall &call) { return dimExists(call) && sameRank(call); }

/// A tensor of one dimension is cut as if it had four.
bool gathersFromRows(const OpCall &call) { return !answersAsNewest(call) || call.in[0].rank() >= 2; }

/// The operand as far as there are indices: all dimensions but the last, the last two of the index filled up to tiles.
std::optional<TensorDesc> cutToIndices(const TensorDesc &operand, const TensorDesc &index) {
  TensorDesc cut = operand;
  size_t rank = cut.shape.size();
  for (size_t d = 0; d + 1 < rank; ++d)
    cut.shape[d] = d + 2 == rank ? int64_t(alignUp(index.shape[d], 32)) : index.shape[d];
  if (cut.shape == operand.shape)
    return std::nullopt;
  return cut;
}

/// Along the width the kernel reads and writes shards where they lie. Padding is filled in one matrix only, and what is cut to the indices, or
/// lies like the operand because nothing was asked for, would have its shards.
bool gathersShards(const OpCall &call) {
  if (everythingInterleaved(call))
    return true;
  const TensorRef &in = call.in[0], &index = call.in[1];
  auto fills = [](const TensorRef &tensor) {
    return !tensor.sharded() || tensor.batch == 1 || !endsInsideTile(tensor);
  };
  bool whole = !in.sharded() || (call.asked(0) && !cutToIndices(*in.desc, *index.desc));
  return answersAsNewest(call) && overWidth(call) && fills(in) && fills(index) && whole;
}

constexpr Rule kGatherRules[] = {
    {kDim, dims},
    {{"gather.rank", "operand and index must have two dimensions or more (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (shape.cpp)"},
     gathersFromRows},
    {{"gather.unsigned_index", "the index must be u32 or u16, until 2026 also si32",
      "asked of ttnn 0.77.0 and 0.81.1 (gather_device_operation.cpp)"},
     unsignedIndex},
    {{"gather.interleaved",
      "operands and result must be interleaved; since 2026 not along the width, where a sharded operand "
      "is not cut to the indices, shards of several matrices are whole tiles, and the result of a sharded "
      "operand is asked for",
      "asked of ttnn 0.77.0 and 0.81.1 (gather_device_operation.cpp, fill_pad_program_factory.cpp)"},
     gathersShards},
    {{"gather.tiled", "gather needs tiled operands", "tt-metal source, unconfirmed"}, allOperandsTiled},
};
/// Of operand and source; the index counts.
bool noTiledF32(const OpCall &call) {
  auto takes = [](const TensorRef &tensor) {
    return tensor.rowMajor() || tensor.dtype() != DataType::Float32;
  };
  return takes(call.in[0]) && (!answersAsNewest(call) || takes(call.in[2]));
}

/// Long rows of 32-bit integers are untilized wrong.
bool shortTiledIntegers(const OpCall &call) {
  constexpr int64_t longest = 256;
  int64_t dim = call.op().integer("dim", -1);
  return !answersAsNewest(call) || llvm::all_of(call.in, [&](const TensorRef &tensor) {
    bool wide = tensor.dtype() == DataType::Int32 || tensor.dtype() == DataType::UInt32;
    return tensor.rowMajor() || !wide || tensor.dim(dim) <= longest;
  });
}

/// Rows are turned back into the tiles that the operand came in, whatever is asked for.
bool scattersIntoItsPages(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return !answersAsNewest(call) || !out.decided() || out.rowMajor() == call.in[0].rowMajor();
}

/// How elements of the source meet those that are there. Of the least and the largest the library has the name only.
bool meetsAsKernelsDo(const OpCall &call) {
  llvm::StringRef reduce = call.op().string("scatter_reduce_type", "invalid");
  return !answersAsNewest(call) || reduce.contains("invalid") || reduce.contains("sum") ||
         reduce.contains("prod");
}

/// Rows are made of tiles of bfp_bf8, as bf16, and of no narrower block floats.
bool scattersFromBlockFloats(const OpCall &call) {
  auto takes = [](const TensorRef &tensor) {
    return !isBlockFloat(tensor.dtype()) || tensor.dtype() == DataType::BFP_BFloat8;
  };
  return !answersAsNewest(call) || (takes(call.in[0]) && takes(call.in[2]));
}

constexpr Rule kScatterRules[] = {
    {kDim, dims},
    {kIndex, integerIndex},
    {kInterleaved, everythingInterleaved},
    {{"scatter.tile_type", "f32 must be row-major", "ttnn 0.77.0 (scatter.cpp)"}, noTiledF32},
    {{"scatter.tile_rows", "si32 and u32 in tiles must have at most 256 elements along the dimension",
      "tt-metal 0.77 (scatter.cpp)"},
     shortTiledIntegers},
    {{"scatter.same_page_layout", "the result keeps the operand's page layout (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (scatter.cpp)"},
     scattersIntoItsPages},
    {{"scatter.reduction",
      "scatter_reduce_type must be invalid (elements are replaced), sum or prod (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (scatter.cpp)"},
     meetsAsKernelsDo},
    {{"scatter.block_floats", "operand and source of block floats must be bfp_bf8 (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (tensor_spec.cpp)"},
     scattersFromBlockFloats},
};

/// No library could be asked about other layouts: the op is in none of the public ones yet.
bool rowsInDram(const OpCall &call) {
  auto fits = [](const TensorRef &tensor) {
    return !tensor.decided() || (tensor.rowMajor() && tensor.dram() && !tensor.sharded());
  };
  return llvm::all_of(call.in, fits) && fits(call.out[0]);
}

constexpr Rule kRowsScatterRules[] = {
    {kIndex, integerIndex},
    {{"rows_scatter.rows_in_dram", "operands and result must be row-major and DRAM interleaved",
      "as the compiler of October 2026 leaves them"},
     rowsInDram},
};

/// A tensor as gather's kernel sees it: another dimension than the last is brought to the end first.
struct Lines {
  int64_t rows;   ///< of tiles
  int64_t tiles;  ///< of a row
  int64_t filled; ///< lines of a tile that hold elements
};
Lines linesOf(const OpCall &call, const TensorRef &tensor) {
  int64_t rank = tensor.rank(), dim = normalizedDim(call.op().integer("dim", -1), rank);
  auto lines = [](int64_t batch, int64_t height, int64_t width) {
    return Lines{batch * ceilDiv(height, 32), ceilDiv(width, 32), std::min<int64_t>(32, height)};
  };
  if (dim + 1 >= rank)
    return lines(tensor.batch, tensor.height, tensor.width);
  if (dim + 2 == rank)
    return lines(tensor.batch, tensor.width, tensor.height);
  // An outer dimension changes places with the width, and the height stays where it is.
  int64_t length = std::max<int64_t>(1, tensor.desc->shape[dim]);
  return lines(tensor.batch / length * tensor.width, tensor.height, length);
}

/// The library has two kernels: up to that many tiles a row of the operand lies whole in L1 of the core that looks
/// elements up in it; longer ones pass by in two tiles at a time.
bool streamsRows(const OpCall &call) {
  return std::max(linesOf(call, call.in[0]).tiles, linesOf(call, call.in[1]).tiles) > kMostTilesGathered;
}

/// A tensor on its way through a gather: interleaved tiles.
struct Gathered {
  Gathered(const OpCall &call, TensorDesc tensor, bool inL1)
      : desc(std::move(tensor)), layout(inL1 ? l1Interleaved(desc, call.device().workerGrid, PageLayout::Tile)
                                             : dramInterleaved(desc, PageLayout::Tile)),
        ref(makeTensorRef(desc, &layout)) {}
  // `ref` points to the two members before it: a copy's would point to those of the original.
  Gathered(const Gathered &) = delete;
  TensorDesc desc;
  TensorLayout layout;
  TensorRef ref;
};

/// Nothing in L1 if the tensor goes to DRAM. Interleaved whatever the call says, since the kernels around a gather
/// know no shards.
MemoryUse::Made makeGathered(const OpCall &call, MemoryUse &use, const TensorRef &tensor) {
  return use.make(tensor.l1() ? call.perCoreInterleaved(tensor) : 0);
}

/// Interleaved bf16 since October 2026: a row of operand and of result, or if there is no room for both, a part of one row and a tile.
/// `read`, `written`: tiles of a row of the operand and of the index. Rows that do not fit are cut into the fewest
/// equal parts that do: 100 tiles where 60 fit become two parts of 50, not 60 and 40.
void gatherWholeRows(const OpCall &call, MemoryUse &use, int64_t read, int64_t written) {
  constexpr int64_t fewestWritten = 4;
  int64_t tile = call.in[0].tile, index = call.in[1].tile, room = call.usableL1();
  written = std::max(written, fewestWritten);
  if ((read + written) * tile + index > room) {
    written = 1;
    read = ceilDiv(read, ceilDiv(read * tile, std::max(tile, room - index - tile)));
  }
  use.buffer("operand row", read, tile);
  use.buffer("indices", 1, index);
  use.buffer("result", written, tile);
}

void gatherProgram(const OpCall &call, MemoryUse &use) {
  int64_t read = linesOf(call, call.in[0]).tiles;
  use.program("gather");
  if (answersAsOctober2026(call) && call.in[0].dtype() == DataType::BFloat16 && everythingInterleaved(call))
    return gatherWholeRows(call, use, read, linesOf(call, call.in[1]).tiles);
  use.buffer("operand row", streamsRows(call) ? 2 : read, call.in[0].tile);
  use.buffer("indices", 1, call.in[1].tile);
  use.buffer("result", 1, call.out[0].tile);
}

/// Block floats are filled as bf16, in a copy that stays.
void fillOperand(const OpCall &call, MemoryUse &use, const TensorRef &filled) {
  const TensorRef &in = call.in[0];
  if (!endsInsideTile(filled))
    return;
  fillProgram(use, filled, rowTileOf(in));
  if (!isBlockFloat(in.dtype()) || !in.l1())
    return;
  auto bytes = [&](int64_t tile) {
    return in.sharded() ? in.shardTiles().volume() * tile : ceilDiv(filled.tiles(), call.cores()) * tile;
  };
  MemoryUse::Made wide = use.make(bytes(rowTileOf(in)));
  use.make(bytes(in.tile));
  use.free(wide);
}

/// The kernel works along the width: other dimensions are brought there and back. What its last tiles leave free is filled, in the
/// index with nought, in the operand with a small number.
void gatherAsOf2026(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &index = call.in[1], &out = call.out[0];
  bool turns = !overWidth(call);
  size_t dim = normalizedDim(call.op().integer("dim", -1), in.rank());
  auto turned = [&](const TensorRef &tensor) {
    return turns ? exchangedWithLast(*tensor.desc, dim) : *tensor.desc;
  };
  Gathered places(call, turned(index), index.l1()), operand(call, turned(in), in.l1());
  if (turns) {
    makeGathered(call, use, places.ref);
    exchangeWithLast(call, use, index, dim);
  }
  // In place, the caller's own index too: what lies beyond its rows may be no element's number.
  if (endsInsideTile(places.ref))
    fillProgram(use, places.ref, index.tile);
  MemoryUse::Made whole;
  if (turns) {
    auto copies = convertedCopies(call, use, *in.desc, dim, in.l1(), in.l1());
    whole = makeGathered(call, use, operand.ref);
    for (MemoryUse::Made copy : copies)
      use.free(copy);
    exchangeWithLast(call, use, in, dim);
  }
  std::optional<TensorDesc> part = cutToIndices(operand.desc, places.desc);
  Gathered cut(call, part.value_or(operand.desc), in.l1());
  if (part) {
    use.program("cut");
    use.buffer("tiles", 2, in.tile);
    makeGathered(call, use, cut.ref);
    use.free(whole);
  }
  fillOperand(call, use, cut.ref);
  gatherProgram(call, use);
  if (!turns)
    return;
  const TensorLayout *asked = call.asked(0);
  Gathered result(call, turned(out), asked ? asked->isL1() : in.l1());
  makeGathered(call, use, result.ref);
  exchangeWithLast(call, use, result.ref, dim);
  convertedCopies(call, use, result.desc, dim, result.layout.isL1(), out.l1());
}

void gatherMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &index = call.in[1], &out = call.out[0];
  if (answersAsNewest(call))
    return gatherAsOf2026(call, use);
  bool moves = !overWidth(call);
  if (moves) {
    use.program("transpose");
    use.buffer("operand and result", 4, std::max(in.tile, index.tile));
  }
  use.program("gather");
  use.buffer("operand row", streamsRows(call) ? 2 : linesOf(call, in).tiles, in.tile);
  use.buffer("indices", 2, index.tile);
  use.buffer("result", 2, out.tile);
  int64_t copies = moves ? call.perCore(in) + call.perCore(index) + call.perCore(out) : 0;
  use.tensors(copies + call.perCore(out));
}

/// Of another dimension than the last the result comes to lie where the indices do, whatever is asked for.
void gatherOutputs(OpCall &call) {
  if (answersAsNewest(call) && !overWidth(call)) {
    call.out[0].layout = nullptr;
    call.followIfUndecided(0, call.in[1]);
  }
  outputsLikeOperand0(call);
}

/// A tensor of a scatter as its kernel sees it: each line along the dimension is a row of its own.
struct ScatterLines {
  int64_t count, bytes;
};
/// Of 4 x 6 x 8 bf16 along dimension 1: 32 rows of 6 elements, 12 bytes each.
ScatterLines scatterLines(const OpCall &call, const TensorRef &tensor) {
  int64_t dim = normalizedDim(call.op().integer("dim", -1), tensor.rank());
  int64_t length = std::max<int64_t>(1, tensor.desc->shape[dim]);
  return {ceilDiv(tensor.elements(), length), length * tensor.scalar};
}

/// Bytes per core of these rows, if the tensor lies in L1.
/// As the allocator pads them: each row is a page, and pages are dealt out to all cores in turn.
int64_t scatterCopy(const OpCall &call, const TensorRef &tensor) {
  if (!tensor.l1())
    return 0;
  ScatterLines lines = scatterLines(call, tensor);
  return ceilDiv(lines.count, call.cores()) * alignUp(lines.bytes, call.device().l1Alignment.value());
}

/// A row of the operand, the indices, the source and the result each; what reader and writer share is the result's.
void scatterRows(const OpCall &call, MemoryUse &use, int64_t read, int64_t written) {
  // Rows that do not fit are worked off in pieces of at most half of L1.
  int64_t most = call.usableL1() / 2;
  use.program("scatter");
  use.scratchpad(call, "rows of operand, index and source", 1, std::min(read, most));
  use.buffer("row of result", 1, std::min(written, most - std::min(read, most)));
}

/// A row in a buffer, of pages of 32 bytes since 2026 (asked of ttnn 0.77.0 and 0.81.1).
int64_t rowPage(const OpCall &call, int64_t bytes) {
  return answersAsNewest(call) ? alignUp(bytes, 32) : bytes;
}

/// Tensors are untilized and turned one after the other; the result is turned back and tilized. What was turned or tilized from goes, what
/// the kernel reads stays to the end (asked of ttnn 0.77.0 and 0.81.1).
void scatterMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &out = call.out[0];
  bool turned = !overWidth(call);
  int64_t read = 0;
  for (const TensorRef &operand : call.in) {
    if (operand.tiled())
      untilizeProgram(call, use, operand, operand.tile);
    MemoryUse::Made rows = use.make(operand.tiled() ? rowMajorCopy(call, operand) : 0);
    if (turned) {
      turnRowsMemory(use, operand);
      use.make(scatterCopy(call, operand));
      use.free(rows);
    }
    read += rowPage(call, scatterLines(call, operand).bytes);
  }
  // Sums and products of bf16 are made in a row of f32 (asked of ttnn 0.77.0).
  llvm::StringRef reduce = call.op().string("scatter_reduce_type", "invalid");
  if (answersAsNewest(call) && out.dtype() == DataType::BFloat16 && !reduce.contains("invalid"))
    read += rowPage(call, scatterLines(call, out).bytes / out.scalar * int64_t(sizeof(float)));
  scatterRows(call, use, read, rowPage(call, scatterLines(call, out).bytes));
  MemoryUse::Made scattered = use.make(turned || out.tiled() ? scatterCopy(call, out) : 0);
  if (turned) {
    turnRowsMemory(use, out);
    if (out.tiled())
      use.make(rowMajorCopy(call, out));
    else
      use.makeResult(0, call.perCore(out));
    use.free(scattered);
  }
  if (out.tiled())
    tilizeProgram(call, use, out, out.tile);
}

/// Padding of operand and index is filled, once they are turned: 1x1x32x64 by 1x1x16x64 along the height, with indices that end inside a tile
/// then, took 5.7 us longer on a p150 than whole tiles (timings/data_movement.csv).
OpRuntime gatherFillsTime(const OpCall &call) {
  OpRuntime time;
  size_t dim = normalizedDim(call.op().integer("dim", -1), call.in[0].rank());
  for (const TensorRef *tensor : {&call.in[0], &call.in[1]}) {
    TensorDesc desc = overWidth(call) ? *tensor->desc : exchangedWithLast(*tensor->desc, dim);
    // What is turned lies interleaved.
    addTime(time,
            fillTime(call,
                     makeTensorRef(desc, tensor->sharded() && !overWidth(call) ? nullptr : tensor->layout)));
  }
  return time;
}

/// A short row of tiles belongs to one core, which holds it and looks each element up by itself. Long rows come one after the
/// other: each core goes through the whole row for every tile of its indices, and asks of every element in every tile of the
/// row whether it lies there.
OpRuntime gatherRuntime(const OpCall &call) {
  const TensorRef &in = call.in[0], &index = call.in[1];
  bool width = overWidth(call);
  Lines indices = linesOf(call, index);
  // Lines of padding are not looked up.
  // Per tile of indices. Units below: cycles of the busiest core.
  double elements = double(indices.filled * 32), row = double(linesOf(call, in).tiles);
  Work work;
  addDramTraffic(call, work);
  if (streamsRows(call)) {
    // Here the tiles of a row are what is shared out, and every core goes through all rows one after the other.
    double tilesOfCore = double(indices.rows * ceilDiv(indices.tiles, call.cores()));
    work.compute = tilesOfCore * row * elements * call[P::GatherSearch];
  } else {
    // Here whole rows of tiles are shared out: a single row keeps one core busy, however many there are.
    double tilesOfCore = double(ceilDiv(indices.rows, call.cores()) * indices.tiles);
    work.compute = tilesOfCore * elements * call[P::GatherElement];
  }
  OpRuntime time = timeOf(call, work);
  if (!width)
    for (const TensorRef *tensor : {&in, &index, &call.out[0]})
      addTime(time, transposeTime(call, *tensor));
  if (answersAsNewest(call))
    addTime(time, gatherFillsTime(call));
  return time;
}

/// Of every call the kernel is counted.
OpRuntime scatterRuntime(const OpCall &call) {
  ProgramCounts programs;
  OpRuntime time = countScatter(call, programs).value_or(noTime());
  addTime(time, machineTime(call, programs));
  return time;
}

/// Whether all matrices get rows at one place: two calls of a published library do that (facts/dialect 10).
bool scattersToOnePlace(const OpCall &call) {
  return call.in[1].elements() == 1 && !call.op().boolean("column", false);
}

/// Rows of each matrix at places of their own, one place for each: two calls, too, of which programs (docs/programs.md) write nothing on the
/// host.
bool scattersRowsOfMatrices(const OpCall &call) {
  const TensorRef &rows = call.in[0], &index = call.in[1], &source = call.in[2];
  llvm::ArrayRef<int64_t> windows = call.op().integers("windows");
  llvm::StringRef reduce = call.op().string("reduce");
  bool whole = windows.size() == 1 && windows[0] == 1 && !call.op().boolean("column", false);
  llvm::ArrayRef<int64_t> into = rows.desc->shape, from = source.desc->shape;
  bool shapes = into.size() >= 3 && into.size() == from.size() && into[0] == from[0] &&
                into.drop_front(2) == from.drop_front(2) && index.rank() == 3 && index.dim(1) == 1;
  return whole && shapes && index.width == from[1] && (reduce.contains("sum") || reduce.contains("invalid"));
}

/// No published library has the op. What stands for it in programs repeats the index for each element of a row, and scatters along the second
/// of three dimensions, adding up in f32 (asked of ttnn 0.77.0). What the compiler's own library takes for other forms nobody has said.
void rowsScatterMemory(const OpCall &call, MemoryUse &use) {
  bool matrices = scattersRowsOfMatrices(call);
  if (!scattersToOnePlace(call) && !matrices)
    return;
  const TensorRef &rows = call.in[0], &index = call.in[1], &source = call.in[2];
  constexpr int64_t kPagesInFlight = 8; // of a repeat (RepeatMemory.cpp)
  int64_t page = alignUp(source.width * index.scalar, call.device().dramAlignment.value());
  use.program("repeat");
  use.buffer("indices of a row", kPagesInFlight * page <= call.usableL1() ? kPagesInFlight : 0, page);
  for (const TensorRef &operand : call.in)
    turnRowsMemory(use, operand);
  auto column = [&](const TensorRef &tensor, int64_t scalar) {
    return matrices ? rowPage(call, tensor.dim(1) * scalar) : tensor.height * scalar;
  };
  int64_t places = column(source, index.scalar), row = column(rows, rows.scalar);
  bool addsWide =
      matrices && rows.dtype() == DataType::BFloat16 && call.op().string("reduce").contains("sum");
  scatterRows(call, use, row + column(source, source.scalar) + places,
              addsWide ? row + rowPage(call, rows.dim(1) * int64_t(sizeof(float))) : row);
  turnRowsMemory(use, call.out[0]);
}

OpRuntime rowsScatterRuntime(const OpCall &call) {
  Work work;
  addDramTraffic(call, work);
  return timeOf(call, work);
}

constexpr llvm::StringRef kOperands[] = {"operand", "index", "source"};
const Family kGather = {"gather",     kOperands,     kGatherRules,   gatherOutputs,
                        gatherMemory, gatherRuntime, neverConfirmed, countGather};
const Family kScatter = {"scatter",     kOperands,      kScatterRules,  outputsLikeOperand0,
                         scatterMemory, scatterRuntime, neverConfirmed, countScatter};
const Family kRowsScatter = {"rows_scatter",    kOperands,          kRowsScatterRules, outputsInDramRowMajor,
                             rowsScatterMemory, rowsScatterRuntime, neverConfirmed};

const OpRow kRows[] = {
    {"ttnn.gather", &kGather, 2, 2},
    {"ttnn.rows_scatter", &kRowsScatter, 3, 3},
    {"ttnn.scatter", &kScatter, 3, 3},
};

} // namespace

Rows gatherRows() { return kRows; }

} // namespace tessera::analytic
