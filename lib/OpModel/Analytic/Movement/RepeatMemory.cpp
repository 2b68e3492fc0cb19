//===- RepeatMemory.cpp - repeat and repeat_interleave since 2026 ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// tt-metal 0.77: data_movement/repeat/repeat.cpp, repeat_interleave.cpp.
//
// A repeat takes a program per dimension, the last one first. Tiles are repeated as
// they are unless a repeated dimension ends inside one; rows otherwise. Shards are
// repeated where they lie only along one dimension that each core has for itself;
// otherwise they are copied to interleaved L1 first, and the result is cut into shards
// last. What a step made is freed after the next.
//
// An interleaved repeat is a concat of rows, in DRAM whatever was asked for; of the
// last dimension it works on the transposed tensor. Row-major shards of four dimensions
// are upsampled where they lie instead.
//
//===----------------------------------------------------------------------===//
#include "RepeatMemory.h"

#include "../Conversions/Tilize.h"
#include "../Shards.h"
#include "Permute.h"

#include <numeric>

namespace tessera::analytic {
namespace {

constexpr int64_t kScratch = 128; ///< bytes by which a page may be shifted

int64_t alignmentOf(const OpCall &call, bool l1) {
  return (l1 ? call.device().l1Alignment : call.device().dramAlignment).value();
}

/// L1 per core of a tensor of that shape, interleaved, in tiles or rows; 0 if not in L1.
int64_t interleavedBytes(const OpCall &call, const TensorRef &tensor, bool tiles, bool l1) {
  if (tiles)
    return l1 ? ceilDiv(tensor.tiles(), call.cores()) * tensor.tile : 0;
  return rowMajorBytes(call, tensor, l1);
}

/// The one dimension, from the end, that is repeated; 0 if there are several.
size_t onlyDim(const OpCall &call) {
  size_t only = 0;
  for (size_t d = 1; d <= call.out[0].rank(); ++d)
    if (timesOf(call, d) > 1) {
      if (only)
        return 0;
      only = d;
    }
  return only;
}

bool wholeTiles(const TensorRef &tensor) { return tensor.height % 32 == 0 && tensor.width % 32 == 0; }

/// Shards hold pages as interleaved memory does: all are full, every core of blocks has one, and rows are whole.
bool keepsPagesWhole(const TensorRef &tensor) {
  if (!tensor.sharded())
    return true;
  bool blocks = tensor.tiled() && tensor.shardedAs(MemoryLayout::BlockSharded);
  bool wholeRows = tensor.tiled() || tensor.layout->shard.columns == tensor.width;
  return wholeRows && wholeShards(tensor) && (!blocks || fillsCores(tensor));
}

bool interleavedAlike(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !in.sharded() && !out.sharded() && in.l1() == out.l1();
}

/// Since August 2026 there is a second kernel, between interleaved tensors of two to four dimensions in the same memory, which keeps
/// eight pages; since October it reads and writes other memory and shards, too, but where the first is faster (ttnn 0.81.1:
/// repeat_codegen_supported.cpp): within rows of shards on more columns of cores than rows, of pieces of rows where they lie, and of whole
/// matrices in shards on one long row of cores.
constexpr int64_t kPagesInFlight = 8;
bool leftToFirstKernel(const OpCall &call) {
  constexpr int64_t longRow = 8; // cores
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!in.sharded())
    return false;
  bool pagesWhole = keepsPagesWhole(in);
  if (in.rowMajor() && !pagesWhole)
    return repeatsShards(call);
  if (!in.shardedAs(MemoryLayout::HeightSharded) || !in.l1() || !pagesWhole)
    return false;
  CoreRange box = in.layout->cores->boundingBox();
  int64_t columns = box.end.x - box.start.x + 1, rows = box.end.y - box.start.y + 1;
  if (in.rowMajor() && onlyDim(call) == 1)
    return out.shardedAs(MemoryLayout::HeightSharded) && columns > rows;
  bool matrices = timesOf(call, 1) == 1 && timesOf(call, 2) == 1;
  bool written = in.tiled() || (out.l1() && !out.sharded());
  return in.rank() > 2 && matrices && written && rows == 1 && columns >= longRow;
}
bool takenBySecondKernel(const OpCall &call) {
  size_t rank = call.in[0].rank();
  if (rank < 2 || rank > 4)
    return false;
  return answersAsOctober2026(call) ? !leftToFirstKernel(call) : interleavedAlike(call);
}

/// Padding may lie between whole matrices, but not within one that is repeated; until October 2026 only along that dimension.
bool secondKernelOfTiles(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool width = timesOf(call, 1) > 1, height = timesOf(call, 2) > 1, october = answersAsOctober2026(call);
  bool wholeWidth = in.width % 32 == 0 || !(width || (october && height));
  bool wholeHeight = in.height % 32 == 0 || !(height || (october && width));
  return takenBySecondKernel(call) && wholeWidth && wholeHeight;
}

/// The stricter alignment of the two sides, which may lie in different memory since October 2026; shards of other than whole pages go by way
/// of DRAM then.
int64_t pagesOfRows(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool throughDram = answersAsOctober2026(call) && in.sharded() && (in.tiled() || !keepsPagesWhole(in));
  bool inL1 = in.l1() && call.out[0].l1() && !throughDram;
  return kPagesInFlight * alignUp(call.out[0].rowBytes(), alignmentOf(call, inL1));
}
bool secondKernelOfRows(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool singleBf16 = in.dtype() == DataType::BFloat16 && in.width == 1;
  return takenBySecondKernel(call) && !singleBf16 && pagesOfRows(call) <= call.usableL1();
}

/// Since October 2026: the second kernel repeats, and writes into shards by itself if these hold whole pages.
bool writesShards(const OpCall &call, bool asTiles) {
  return answersAsOctober2026(call) && keepsPagesWhole(call.out[0]) &&
         (asTiles ? secondKernelOfTiles(call) : secondKernelOfRows(call));
}

/// A repeat of one dimension, not the last, of rows of `rowBytes`.
void repeatRows(const OpCall &call, MemoryUse &use, int64_t rowBytes) {
  use.program("repeat");
  use.scratchpad(call, "row in, row out", 2, rowBytes + kScratch);
}

/// A repeat within rows: short ones are gathered until they are a multiple of 16 bytes (tt-metal 0.77:
/// data_movement/repeat/device/repeat_program_factory_last_dim.cpp).
/// Rows of 6 bytes are gathered eight at a time: 48 bytes.
void repeatWithinRows(const OpCall &call, MemoryUse &use, int64_t rowBytes) {
  constexpr int64_t unit = 16;
  repeatRows(call, use, rowBytes * (unit / std::gcd(rowBytes, unit)));
}

void repeatRowsInFlight(const OpCall &call, MemoryUse &use) {
  use.program("repeat");
  use.buffer("rows", 1, pagesOfRows(call));
}

/// Since October 2026 a tile is written to all its places in L1 at once where whole matrices are repeated.
bool writesAtOnce(const OpCall &call, size_t dim) {
  const TensorRef &out = call.out[0];
  bool last =
      true; // dimensions are repeated from the outermost on, and the result is what the last one makes
  for (size_t d = 1; d < dim; ++d)
    last &= timesOf(call, d) == 1;
  bool intoBlocks = out.shardedAs(MemoryLayout::BlockSharded) && keepsPagesWhole(out);
  bool toL1 = last ? out.l1() && !intoBlocks : call.in[0].l1();
  return answersAsOctober2026(call) && dim > 2 && toL1;
}

/// Along dimension `dim`, counted from the end.
void repeatTiles(const OpCall &call, MemoryUse &use, size_t dim) {
  int64_t tile = call.in[0].tile;
  use.program("repeat");
  if (secondKernelOfTiles(call))
    use.buffer("tiles", writesAtOnce(call, dim) ? 1 : kPagesInFlight, tile);
  else
    use.scratchpad(call, "tile", 1, tile + kScratch);
}

/// The dimensions that are repeated, counted from the end, in the order of their programs. Since October 2026 tiles begin with the outermost,
/// and the two outer dimensions of four are one program's work if the first of them is 1 (asked of ttnn 0.81.1).
llvm::SmallVector<size_t, 4> repeatedDims(const OpCall &call, bool outermostFirst) {
  llvm::SmallVector<size_t, 4> dims;
  for (size_t d = 1; d <= call.out[0].rank(); ++d)
    if (timesOf(call, d) > 1)
      dims.push_back(d);
  if (outermostFirst)
    std::reverse(dims.begin(), dims.end());
  return dims;
}

/// Dimensions one after the other, of which the outer has one element, are repeated at once: rows whichever they are, tiles by batches alone.
bool repeatsTogether(const OpCall &call, size_t dim, size_t next, bool asTiles) {
  size_t outer = std::max(dim, next), inner = std::min(dim, next);
  bool mayJoin = asTiles ? outer == 4 : inner > 1;
  return mayJoin && outer == inner + 1 && call.in[0].dim(-int64_t(outer)) == 1;
}

/// The programs of a repeat and what they leave in L1: since October 2026 up to the last one in the operand's memory, or in DRAM if
/// one of its shards is not full.
void repeatSteps(const OpCall &call, MemoryUse &use, Chain &chain, bool asTiles, bool fromL1) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool october = answersAsOctober2026(call), outermostFirst = october && asTiles && secondKernelOfTiles(call);
  bool second = (in.rowMajor() || october) && secondKernelOfRows(call);
  // The operand in the result's rank, which grows by a dimension with each program: so large is what lies between two.
  TensorDesc made = *out.desc;
  for (size_t d = out.rank(); d >= 1; --d)
    made.shape[out.rank() - d] = in.dim(-int64_t(d));
  llvm::SmallVector<size_t, 4> dims = repeatedDims(call, outermostFirst);
  for (auto [n, d] : llvm::enumerate(dims)) {
    made.shape[out.rank() - d] *= timesOf(call, d);
    // Two that are repeated together are one program, counted with the second.
    bool joins = asTiles ? outermostFirst : october && second;
    if (joins && n + 1 < dims.size() && repeatsTogether(call, d, dims[n + 1], asTiles))
      continue;
    if (asTiles)
      repeatTiles(call, use, d);
    else if (second)
      repeatRowsInFlight(call, use);
    else
      d == 1 ? repeatWithinRows(call, use, in.rowBytes()) : repeatRows(call, use, out.rowBytes());
    bool last = n + 1 == dims.size(), inShards = last && in.tiled() == asTiles && out.sharded();
    bool l1 = october && (asTiles ? outermostFirst : second) && !last ? fromL1 : out.l1();
    chain.step(inShards && writesShards(call, asTiles)
                   ? call.perCore(out)
                   : interleavedBytes(call, makeTensorRef(made, nullptr), asTiles, l1));
  }
}

void cutIntoShards(const OpCall &call, MemoryUse &use) {
  const TensorRef &out = call.out[0];
  shardingProgram(call, use, out.tiled() ? out.tile : out.layout->shard.columns * out.scalar,
                  out.layout->page);
}

void repeatShards(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  use.scratchpad(call, "page", 1, (in.tiled() ? in.tile : in.rowBytes()) + kScratch);
}

/// The same tensor interleaved.
TensorRef interleavedForm(const TensorRef &tensor) { return makeTensorRef(*tensor.desc, nullptr); }

/// Rows before dimension `d` starts again: those that a core needs to repeat it by itself.
/// Of 2 x 3 x 4 x 8, rows: dimension 2 has 4, dimension 3 has 12, dimension 4 has 24.
int64_t rowsOfDim(const TensorRef &tensor, size_t d) {
  int64_t rows = 1;
  for (size_t i = 2; i <= d; ++i)
    rows *= tensor.dim(-int64_t(i));
  return rows;
}

bool keepsShards(const TensorRef &in, const TensorRef &out) {
  if (!out.sharded())
    return true;
  return out.l1() && in.layout->memory == out.layout->memory && sameCores(in, out);
}

} // namespace

bool repeatsNothing(const OpCall &call) { return call.in[0].desc->shape == call.out[0].desc->shape; }

/// Dimensions count from the end, so that an operand of lower rank has ones in front.
int64_t timesOf(const OpCall &call, size_t d) {
  return std::max<int64_t>(1,
                           call.out[0].dim(-int64_t(d)) / std::max<int64_t>(1, call.in[0].dim(-int64_t(d))));
}

bool repeatsWidth(const OpCall &call) { return timesOf(call, 1) > 1; }

/// A core then has all that it repeats, and room for what it makes: whole rows where rows are repeated, whole
/// groups of rows where an outer dimension is.
bool repeatsShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  size_t d = onlyDim(call);
  if (!d || !in.sharded() || !in.l1() || !wholeShards(in) || (in.tiled() && !wholeTiles(in)))
    return false;

  if (!keepsShards(in, call.out[0]))
    return false;
  if (d == 1)
    return in.tiled() || in.shardedAs(MemoryLayout::HeightSharded);
  int64_t rows = in.layout->shard.rows * (in.tiled() ? 32 : 1);
  return rows % rowsOfDim(in, d) == 0;
}

namespace {

constexpr int64_t kShardAlignment = 16; ///< bytes

/// Rows, too, are cut by 32, since October 2026 blocks alone; false if their pieces would not be aligned or not fill the rows.
bool cutRows(const OpCall &call, TensorLayout &layout) {
  const TensorRef &out = call.out[0];
  bool byTiles = !answersAsOctober2026(call) || layout.memory == MemoryLayout::BlockSharded;
  int64_t aligned = std::max<int64_t>(1, kShardAlignment / out.scalar);
  if (layout.memory != MemoryLayout::WidthSharded)
    layout.shard.rows = alignUp(layout.shard.rows, byTiles ? 32 : 1);
  if (layout.memory != MemoryLayout::HeightSharded)
    layout.shard.columns = alignUp(layout.shard.columns, byTiles ? 32 : aligned);
  return layout.shard.columns * out.scalar % kShardAlignment == 0 && out.width % layout.shard.columns == 0;
}

/// Since October 2026 only as many cores as there are shards.
void leaveIdleCores(const OpCall &call, TensorLayout &layout) {
  if (!answersAsOctober2026(call))
    return;
  const TensorDesc &desc = *call.out[0].desc;
  GridShape extent = physicalShapeInUnits(layout, desc.shape), shard = layout.shard;
  GridShape grid{ceilDiv(extent.rows, shard.rows), ceilDiv(extent.columns, shard.columns)};
  layout = l1Sharded(desc, *layout.memory, grid, call.device().workerGrid, layout.page);
  layout.shard = shard;
}

} // namespace

/// The library cuts the result anew, over all cores, in the operand's kind of shards.
TensorLayout repeatedLayout(const OpCall &call) {
  const TensorRef &in = call.in[0];
  GridShape workers = call.device().workerGrid, grid = workers;
  if (!in.shardedAs(MemoryLayout::BlockSharded))
    grid = in.shardedAs(MemoryLayout::HeightSharded) ? GridShape{workers.volume(), 1}
                                                     : GridShape{1, workers.volume()};
  const TensorDesc &desc = *call.out[0].desc;
  TensorLayout layout = l1Sharded(desc, *in.layout->memory, grid, workers, in.layout->page);
  // What cannot be cut so the library leaves interleaved, without a word.
  if (!layout.isTiled() && !cutRows(call, layout))
    return l1Interleaved(desc, workers, PageLayout::RowMajor);
  leaveIdleCores(call, layout);
  return layout;
}

namespace {

void untilizeForRepeat(const OpCall &call, MemoryUse &use) {
  TensorRef tiles = interleavedForm(call.in[0]);
  if (!answersAsOctober2026(call))
    return untilizeProgram(call, use, tiles, rowTileOf(tiles));
  if (!untilizeWholeRows(call, use, tiles, rowTileOf(tiles)))
    unpadProgram(call, use, tiles, rowTileOf(tiles));
}

} // namespace

bool hasSecondKernel(const OpCall &call) { return takenBySecondKernel(call); }

static bool repeatsInTiles(const OpCall &call) {
  return call.in[0].tiled() && (wholeTiles(call.in[0]) || secondKernelOfTiles(call));
}
bool repeatsAsRows(const OpCall &call) {
  return call.in[0].tiled() && !repeatsNothing(call) && !repeatsInTiles(call);
}

/// Step by step: shards are laid out interleaved, tiles that end within the tensor untilized, then a program for
/// each dimension, then back. `direct`: the last program writes the result's shards by itself.
void repeatMemorySince2026(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  // Since October 2026 the operand, where nothing is repeated, is moved to where the result was asked for.
  if (repeatsNothing(call))
    return moveMemory(call, use);
  bool tiles = repeatsInTiles(call), inL1 = in.l1(), rowsOfTiles = in.tiled() && !tiles;
  bool direct = writesShards(call, tiles) && !rowsOfTiles;
  bool second = answersAsOctober2026(call) &&
                (tiles ? secondKernelOfTiles(call) : secondKernelOfRows(call)) &&
                !(rowsOfTiles && isBlockFloat(in.dtype()));
  if (repeatsShards(call) && !second)
    return repeatShards(call, use);
  Chain chain(use);
  // The second kernel reads shards of whole pages where they lie, and others by way of DRAM.
  bool unshards = in.sharded() && (!second || rowsOfTiles || !keepsPagesWhole(in)),
       throughDram = unshards && second;
  if (unshards)
    chain.step(throughDram     ? 0
               : in.rowMajor() ? unshardedBytes(call, in)
                               : interleavedBytes(call, in, true, true));
  if (rowsOfTiles) {
    untilizeForRepeat(call, use);
    chain.step(rowMajorBytes(call, in, inL1 && !throughDram));
  }
  repeatSteps(call, use, chain, tiles, inL1 && !throughDram);
  if (rowsOfTiles) {
    tilizeProgram(call, use, interleavedForm(out), rowTileOf(out));
    chain.step(interleavedBytes(call, out, true, out.l1()));
  }
  if (!out.sharded() || direct)
    return;
  cutIntoShards(call, use);
  chain.step(call.perCore(out));
}

namespace {

/// Buffers of a transpose of the last two dimensions.
void transposeProgram(MemoryUse &use, const TensorRef &tensor) {
  use.program("transpose");
  use.buffer("tiles in and out", tensor.rowMajor() ? 6 : 4, tensor.tile);
}

/// A copy into L1, of pages of `page` bytes if in rows.
void copyToL1(const OpCall &call, MemoryUse &use, int64_t page, int64_t resultPage) {
  const TensorRef &out = call.out[0];
  if (out.rowMajor())
    return copyRowsProgram(call, use, page, resultPage, true);
  use.program("copy");
  use.buffer("tiles", 2, out.tile);
}

int64_t shardRowBytes(const TensorRef &tensor) { return tensor.layout->shard.columns * tensor.scalar; }

/// From DRAM to where it was asked for. Rows that are not aligned are not cut into shards but copied.
void moveResult(const OpCall &call, MemoryUse &use) {
  const TensorRef &out = call.out[0];
  if (!out.l1())
    return;
  if (!out.sharded())
    return copyToL1(call, use, out.rowBytes(), out.rowBytes());
  if (out.rowMajor() && shardRowBytes(out) % alignmentOf(call, true) != 0)
    return copyToL1(call, use, out.rowBytes(), shardRowBytes(out));
  cutIntoShards(call, use);
}

/// A program that changes the type of tiles.
void convertProgram(MemoryUse &use, int64_t from, int64_t to) {
  use.program("convert");
  use.buffer("tiles in", 2, from);
  use.buffer("tiles out", 2, to);
}

/// Rows of `from` become those of `to`: untilize, concat, tilize.
void interleaveRows(const OpCall &call, MemoryUse &use, const TensorRef &from, const TensorRef &to,
                    bool tiled) {
  if (tiled)
    untilizeProgram(call, use, from, from.tile);
  use.program("concat");
  use.buffer("rows", 2, alignUp(from.rowBytes(), alignmentOf(call, false)));
  if (tiled)
    tilizeProgram(call, use, to, to.tile);
}

TensorDesc turned(const TensorDesc &desc) {
  TensorDesc result = desc;
  size_t rank = desc.shape.size();
  if (rank >= 2)
    std::swap(result.shape[rank - 1], result.shape[rank - 2]);
  return result;
}

} // namespace

bool upsamplesShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return in.rowMajor() && in.sharded() && in.l1() && in.rank() == 4 && !repeatsNothing(call);
}

namespace {

/// The dimension of an image N H W C that is repeated, and how often. Of its channels the library turns the image before and after.
struct Repeated {
  size_t dim;
  int64_t times;
};
Repeated repeatedOf(const OpCall &call) {
  size_t dim = onlyDim(call);
  return {dim == 1 ? 2 : 4 - dim, timesOf(call, dim)};
}

/// Every core keeps what its own rows become.
MadeTensor upsampled(const OpCall &call, const MadeTensor &from, Repeated repeated) {
  MadeTensor made = from;
  made.desc.shape[repeated.dim] *= repeated.times;
  made.layout = withTensor(from.layout, made.desc, call.device().workerGrid);
  if (!from.layout.isSharded())
    return made;
  made.layout.shard = {from.layout.shard.rows * repeated.times, from.layout.shard.columns};
  made.layout.cores = from.layout.cores;
  return made;
}

/// What the program has beside its result: shards by height and blocks a list of the rows to copy.
MemoryUse::Made upsampleProgram(const OpCall &call, MemoryUse &use, const TensorRef &from,
                                Repeated repeated) {
  constexpr int64_t pages = 4;
  use.program("upsample");
  if (!from.sharded()) {
    use.buffer("rows", from.rows() > call.cores() ? 2 : 1,
               alignUp(from.rowBytes(), alignmentOf(call, false)));
    return std::nullopt;
  }
  if (from.shardedAs(MemoryLayout::WidthSharded)) {
    use.buffer("rows", pages, alignUp(from.layout->shard.columns * from.scalar, alignmentOf(call, true)));
    return std::nullopt;
  }
  // Whole images are rows of their pixels, of which a core repeats each; pixels within a row are written again and again.
  int64_t width = repeated.dim == 0 ? from.dim(1) * from.dim(2) : from.dim(2);
  return use.make(upsampleTableBytes(from, width, repeated.dim == 2 ? 1 : repeated.times));
}

void upsampleMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  MadeTensor image{*in.desc, *in.layout};
  Repeated repeated = repeatedOf(call);
  MemoryUse::Made turned, repeatedImage;
  if (repeatsWidth(call)) {
    MadeTensor columns = turnedShards(call, image);
    turnShards(call, use, image, columns);
    turned = use.make(call.perCore(columns.ref()));
    image = columns;
  }
  MemoryUse::Made table = upsampleProgram(call, use, image.ref(), repeated);
  image = upsampled(call, image, repeated);
  if (repeatsWidth(call)) {
    repeatedImage = use.make(call.perCore(image.ref()));
    use.free(table);
    MadeTensor rows = turnedShards(call, image);
    turnShards(call, use, image, rows);
    image = rows;
  }
  OpCall moves = call;
  moves.in[0] = image.ref();
  if (sameLayout(moves.in[0], out))
    return;
  use.make(call.perCore(moves.in[0]));
  for (MemoryUse::Made each : {table, turned, repeatedImage})
    use.free(each);
  moveMemory(moves, use);
}

} // namespace

TensorLayout upsampledLayout(const OpCall &call) {
  MadeTensor image{*call.in[0].desc, *call.in[0].layout};
  if (!repeatsWidth(call))
    return upsampled(call, image, repeatedOf(call)).layout;
  return turnedShards(call, upsampled(call, turnedShards(call, image), repeatedOf(call))).layout;
}

/// Since October 2026: whole pages of interleaved tensors are repeated in one go, up to eight in flight (repeat_interleave/codegen).
bool interleavesPages(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool shape =
      in.rank() >= 2 && in.rank() <= 4 && !repeatsWidth(call) && (in.rowMajor() || timesOf(call, 2) == 1);
  bool type =
      in.dtype() == DataType::BFloat16 || in.dtype() == DataType::Float32 || in.dtype() == DataType::Int32;
  return answersAsOctober2026(call) && shape && type && !in.sharded() && !out.sharded();
}

void interleavePages(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t page = in.tiled() ? in.tile : pagesOfRows(call) / kPagesInFlight;
  // Pairs of pages, as many as fit: where one pair does not, the call is out of memory.
  int64_t pairs = std::max<int64_t>(1, call.usableL1() / page / 2);
  use.program("repeat");
  use.buffer("pages", std::min(kPagesInFlight, 2 * pairs), page);
}

void interleaveMemorySince2026(const OpCall &call, MemoryUse &use) {
  if (repeatsNothing(call))
    return moveMemory(call, use);
  if (upsamplesShards(call))
    return upsampleMemory(call, use);
  if (interleavesPages(call))
    return interleavePages(call, use);
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool width = repeatsWidth(call), toL1 = out.l1() && !in.sharded(), fromL1 = in.l1() && !in.sharded();
  TensorDesc inDesc = width ? turned(*in.desc) : *in.desc, outDesc = width ? turned(*out.desc) : *out.desc;
  TensorDesc turnedDesc = inDesc;
  // Rows are of bf16 if tiles are of block floats.
  bool converts = isBlockFloat(in.dtype());
  if (converts)
    inDesc.dtype = outDesc.dtype = DataType::BFloat16;
  TensorRef from = makeTensorRef(inDesc, nullptr), to = makeTensorRef(outDesc, nullptr);
  if (width)
    transposeProgram(use, in);
  if (converts)
    convertProgram(use, in.tile, from.tile);
  interleaveRows(call, use, from, to, in.tiled());
  if (converts)
    convertProgram(use, from.tile, out.tile);
  if (width && toL1)
    copyToL1(call, use, to.rowBytes(), to.rowBytes());
  if (width)
    transposeProgram(use, in);
  if (!width || in.sharded())
    moveResult(call, use);
  bool tiled = in.tiled();
  use.make(width ? interleavedBytes(call, makeTensorRef(turnedDesc, nullptr), tiled, toL1) : 0);
  // What is turned or converted lies where the result will.
  bool inL1 = width || converts ? toL1 : fromL1;
  MemoryUse::Made converted = use.make(converts ? interleavedBytes(call, from, tiled, inL1) : 0);
  MemoryUse::Made rows = use.make(tiled ? rowMajorBytes(call, from, inL1) : 0);
  use.free(converted);
  if (!width)
    return;
  outDesc.dtype = out.dtype();
  use.make(interleavedBytes(call, makeTensorRef(outDesc, nullptr), tiled, toL1));
  use.free(rows);
}

} // namespace tessera::analytic
