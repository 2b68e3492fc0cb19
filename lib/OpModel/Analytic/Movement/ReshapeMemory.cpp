//===- ReshapeMemory.cpp - Circular buffers of a reshape -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// tt-metal 0.77: data_movement/reshape_view. Tiles are put together by a map of
// pieces, rows are cut and joined; both by kernels for interleaved tensors, the
// first also for shards.
//
//===----------------------------------------------------------------------===//
#include "Reshape.h"

#include "../Conversions/Tilize.h"
#include "../Shards.h"

#include "llvm/ADT/DenseSet.h"

#include <array>

namespace tessera::analytic {
namespace {

bool reshapeMovesNothing(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.width != out.width)
    return false;
  return in.rowMajor() || in.height == out.height || (in.height % 32 == 0 && out.height % 32 == 0);
}

/// Where the result was wished, which need not be where it comes to lie; without a wish where the operand lies.
const TensorLayout &wishOf(const OpCall &call) {
  llvm::ArrayRef<LayoutId> wishes = call.query.config.outputs;
  return wishes.empty() || !wishes[0].valid() ? *call.in[0].layout : call.context.layouts[wishes[0]];
}

/// The shape stays, and the kernel does not see that tiles are padded: to it that is another shape.
bool keepsShape(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return in.desc->shape == call.out[0].desc->shape && (in.rowMajor() || !endsInsideTile(in));
}

/// Since 2026 only the memory and whether it is sharded are compared, not how. A shape that stays was a view whatever was wished
/// until October 2026, and is one since then where nothing else was wished.
bool staysInMemory(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!answersAsNewest(call))
    return sharesBuffer(call);
  const TensorLayout &wish = wishOf(call);
  if (keepsShape(call))
    return !reshapeIsMove(call);
  return in.layout->buffer == wish.buffer && in.sharded() == wish.isSharded();
}

/// Where an element lies within a tile: four faces of 16 x 16 elements follow each other.
int64_t offsetInTile(int64_t row, int64_t col) {
  row %= 32, col %= 32;
  return (row / 16 * 2 + col / 16) * 256 + row % 16 * 16 + col % 16;
}

/// Pieces of elements that are contiguous both where they come from and where they go, of which one tile of the result is put
/// together: the number of source tiles times the most pieces that one of them gives.
class TileSegments {
public:
  TileSegments(const TensorRef &in, const TensorRef &out) : in(in), out(out) {}

  int64_t count(int64_t tileRow, int64_t tileCol) {
    sources.clear();
    last = {-1, 0, 0};
    int64_t blocks = ceilDiv(out.height, 32);
    int64_t batch = tileRow / blocks, firstRow = tileRow % blocks * 32, firstCol = tileCol * 32;
    for (int64_t row = firstRow; row < std::min(firstRow + 32, out.height); ++row)
      for (int64_t col = firstCol; col < std::min(firstCol + 32, out.width); col += 16)
        addFaceRow((batch * out.height + row) * out.width + col, std::min<int64_t>(16, out.width - col),
                   offsetInTile(row, col));
    int64_t most = 0;
    for (const Source &source : sources)
      most = std::max(most, source.pieces);
    // The kernel's map has as many places for each source tile as the worst of them needs (facts/formulas 8).
    return int64_t(sources.size()) * most;
  }

private:
  struct Source {
    int64_t tile, pieces;
  };
  /// Where a piece begins or ends.
  struct Place {
    int64_t tile, from, to;
    bool operator==(const Place &) const = default;
  };

  void addFaceRow(int64_t start, int64_t length, int64_t to) {
    for (int64_t end = start + length; start < end;) {
      int64_t row = start / in.width, col = start % in.width, height = row % in.height;
      int64_t piece = std::min({end - start, in.width - col, 16 - col % 16});
      int64_t tile = (row / in.height * ceilDiv(in.height, 32) + height / 32) * in.tileCols + col / 32;
      Place begin{tile, offsetInTile(height, col), to};
      // What goes on where the last piece ended, on both sides, is part of it.
      if (begin != last)
        addPiece(tile);
      last = {tile, begin.from + piece, to + piece};
      start += piece;
      to += piece;
    }
  }

  void addPiece(int64_t tile) {
    auto it = llvm::find_if(sources, [&](const Source &source) { return source.tile == tile; });
    if (it == sources.end())
      sources.push_back({tile, 1});
    else
      ++it->pieces;
  }

  const TensorRef &in, &out;
  llvm::SmallVector<Source, 64> sources;
  Place last{-1, 0, 0};
};

/// The largest count over the result's tiles. Tiles that begin alike among the operand's tiles, and end alike, have the same; if
/// rows stay whole all but the last of a row begin alike.
int64_t mostSegments(const TensorRef &in, const TensorRef &out) {
  TileSegments segments(in, out);
  bool wholeRows = in.width == out.width;
  int64_t blocks = ceilDiv(out.height, 32), period = in.width * (in.height % 32 ? in.height : 32);
  int64_t columns = wholeRows ? std::min<int64_t>(2, out.tileCols) : out.tileCols,
          tiles = out.tileRows * columns;
  // Large results are looked at in steps that fall on all columns and heights in turn.
  constexpr int64_t mostTiles = 1 << 14, mostPatterns = 1 << 13;
  int64_t step = tiles > mostTiles ? tiles / mostTiles | 1 : 1;
  llvm::DenseSet<std::pair<int64_t, int64_t>> seen;
  int64_t most = 0;
  for (int64_t tile = 0; tile < tiles && int64_t(seen.size()) < mostPatterns; tile += step) {
    int64_t tileRow = tile / columns, tileCol = tile % columns, down = tileRow % blocks;
    if (wholeRows && tileCol == 1)
      tileCol = out.tileCols - 1;
    int64_t start = (tileRow / blocks * out.height + down * 32) * out.width + tileCol * 32;
    int64_t ends = (down + 1 == blocks ? 2 : 0) + (tileCol + 1 == out.tileCols ? 1 : 0);
    if (seen.insert({start % period, ends}).second)
      most = std::max(most, segments.count(tileRow, tileCol));
  }
  return most + most % 16; // as the kernel rounds
}

/// The same; a planner asks for one pair of shapes many times in a row.
int64_t knownSegments(const TensorRef &in, const TensorRef &out) {
  using Shapes = std::array<int64_t, 6>;
  thread_local std::pair<Shapes, int64_t> known;
  Shapes shapes{in.batch, in.height, in.width, out.batch, out.height, out.width};
  if (known.first != shapes)
    known = {shapes, mostSegments(in, out)};
  return known.second;
}

// ---- Tiles ----------------------------------------------------------------------------------------------

void mapProgram(const OpCall &call, MemoryUse &use, int64_t tile) {
  constexpr int64_t segmentBytes = 16;
  use.program("reshape");
  use.buffer("operand", 1, tile);
  use.scratchpad(call, "result", 1, tile);
  use.buffer("map of segments", knownSegments(call.in[0], call.out[0]), segmentBytes);
}

/// L1 per core of the tensor in interleaved tiles of so many bytes, where it lies in L1.
int64_t interleavedTiles(const OpCall &call, const TensorRef &tensor, int64_t tile) {
  return tensor.l1() ? ceilDiv(tensor.tiles(), call.cores()) * tile : 0;
}

/// Block floats are reshaped as bfloat16, what the borders leave free in the tiles is filled, and the result is converted, and sharded,
/// in the end. The operand as bfloat16 stays until then: interleaved if a sharded result was wished, else in the operand's shards.
void reshapeBlockFloats(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  constexpr int64_t tile = 2048;
  use.program("convert");
  use.buffer("tiles in", 2, in.tile);
  use.buffer("tiles out", 2, tile);
  mapProgram(call, use, tile);
  if (endsInsideTile(out)) {
    use.program("fill");
    use.buffer("tiles in and out", 4, tile);
    use.buffer("masks", (out.width % 32 != 0) + (out.height % 32 != 0), tile);
  }
  bool inShards = in.sharded() && in.l1() && !wishOf(call).isSharded();
  MemoryUse::Made unsharded = use.make(in.sharded() && !inShards ? interleavedTiles(call, in, in.tile) : 0);
  use.make(inShards ? in.shardTiles().volume() * tile : interleavedTiles(call, in, tile));
  use.free(unsharded);
  MemoryUse::Made reshaped = use.make(interleavedTiles(call, out, tile));
  if (!out.sharded())
    return;
  use.make(interleavedTiles(call, out, out.tile));
  use.free(reshaped);
  shardingProgram(call, use, out.tile, PageLayout::Tile);
}

/// Shards are read and written as they are, unless a sharded result was wished that its cores cannot hold.
void reshapeTiles(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (answersAsNewest(call) && isBlockFloat(in.dtype()))
    return reshapeBlockFloats(call, use);
  mapProgram(call, use, in.tile);
  bool unsharded = !answersAsNewest(call) || (wishOf(call).isSharded() && !out.sharded());
  if (in.sharded() && unsharded)
    use.make(call.perCoreInterleaved(in));
}

// ---- Rows -----------------------------------------------------------------------------------------------

/// Shards are made interleaved before, and of that after.
void reshapeRows(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  recutRowsProgram(call, use, in.rowBytes(), out.rowBytes(), out.dram());
  use.make(in.sharded() ? unshardedBytes(call, in) : 0);
  if (!out.sharded())
    return;
  shardingProgram(call, use, out.layout->shard.columns * out.scalar, PageLayout::RowMajor);
  use.make(rowMajorBytes(call, out, true));
}

} // namespace

/// Two reads of a row of the operand and a row of the result, or up to eight if rows do not begin where they can be written, both
/// twice where one kind of row is a multiple of the other (reshape_rm_program_factory.cpp).
void recutRowsProgram(const OpCall &call, MemoryUse &use, int64_t source, int64_t target, bool toDram) {
  constexpr int64_t aligned = 16, mostSlots = 8;
  int64_t read = 2 * (alignUp(source, 64) + 64), slot = alignUp(target, 64) + 16;
  bool divides = source % target == 0 || target % source == 0;
  int64_t kernels = divides && (target % aligned == 0 || !toDram) ? 2 : 1, slots = 1;
  if (source % aligned != 0 || target % aligned != 0)
    slots = std::clamp<int64_t>((call.usableL1() - read * kernels) / (slot * kernels), 1, mostSlots);
  use.program("reshape");
  use.scratchpad(call, "rows of the operand", kernels, read);
  use.scratchpad(call, "rows of the result", kernels * slots, slot);
}

bool sharesBuffer(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!out.decided())
    return true;
  return samePlacement(in, out) && in.tiled() == out.tiled() && in.dtype() == out.dtype() &&
         (!in.sharded() || in.layout->shard == out.layout->shard);
}

bool reshapeIsMove(const OpCall &call) {
  return answersAsOctober2026(call) && keepsShape(call) &&
         !sameLayout(call.in[0], makeTensorRef(*call.out[0].desc, &wishOf(call)));
}

bool reshapeIsView(const OpCall &call) { return reshapeMovesNothing(call) && staysInMemory(call); }

void reshapeMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (reshapeIsView(call))
    return use.tensors(0);
  if (reshapeIsMove(call))
    return moveMemory(call, use);
  if (in.tiled())
    return reshapeTiles(call, use);
  if (answersAsNewest(call))
    return reshapeRows(call, use);
  use.buffer("rows", 2, std::max(in.rowBytes(), out.rowBytes()));
}

} // namespace tessera::analytic
