//===- Reshape.cpp - reshape, permute, transpose -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A reshape or permute that moves no page is a view: it takes no time and no L1,
// its result is the operand's buffer (facts/formulas 13). Anything
// else is a copy, and an expensive one (facts/hardware 6.5).
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "RowPrograms.h"

#include <numeric>

namespace tessera::analytic {
namespace {

// ---- Views ----------------------------------------------------------------------------------------------
/// The result lies where the operand lies, shard for shard.
bool sharesBuffer(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!out.decided())
    return true;
  return samePlacement(in, out) && in.tiled() == out.tiled() && in.dtype() == out.dtype() &&
         (!in.sharded() || in.layout->shard == out.layout->shard);
}

bool reshapeMovesNothing(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.width != out.width)
    return false;
  return in.rowMajor() || in.height == out.height || (in.height % 32 == 0 && out.height % 32 == 0);
}

/// The permutation leaves the order of the dimensions larger than 1 alone, and the tiled ones in place.
bool permutationMovesNothing(const OpCall &call) {
  const TensorRef &in = call.in[0];
  llvm::ArrayRef<int64_t> order = call.op().integers("permutation");
  int64_t last = -1;
  for (int64_t d : order) {
    if (in.dim(d) == 1)
      continue;
    if (d < last)
      return false;
    last = d;
  }
  size_t kept = in.tiled() ? 2 : 1, rank = order.size();
  for (size_t i = rank > kept ? rank - kept : 0; i < rank; ++i)
    if (order[i] != int64_t(i))
      return false;
  return true;
}

bool isView(const OpCall &call) {
  bool moves =
      call.op().attribute("permutation") ? !permutationMovesNothing(call) : !reshapeMovesNothing(call);
  return !moves && sharesBuffer(call);
}

// ---- Legality -------------------------------------------------------------------------------------------
bool noWidthSharding(const OpCall &call) { return !call.in[0].shardedAs(MemoryLayout::WidthSharded); }

bool sameElements(const OpCall &call) {
  auto elements = [](const TensorDesc &desc) {
    int64_t product = 1;
    for (int64_t dim : desc.shape)
      product *= dim;
    return product;
  };
  return elements(*call.in[0].desc) == elements(*call.out[0].desc);
}

bool resultInterleavedOrView(const OpCall &call) { return !call.out[0].sharded() || isView(call); }

bool validPermutation(const OpCall &call) {
  llvm::ArrayRef<int64_t> order = call.op().integers("permutation");
  size_t rank = call.in[0].rank();
  if (order.size() != rank || call.out[0].rank() != rank)
    return false;
  llvm::SmallVector<bool, 8> seen(rank, false);
  for (int64_t d : order) {
    if (d < 0 || d >= int64_t(rank) || seen[size_t(d)])
      return false;
    seen[size_t(d)] = true;
  }
  return true;
}

bool fullWidthShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !in.sharded() ||
         (in.shardedAs(MemoryLayout::HeightSharded) && in.shardTiles().columns >= in.tileCols);
}
bool fullWidthShardsOrView(const OpCall &call) { return fullWidthShards(call) || isView(call); }

bool transposeDimsInRange(const OpCall &call) {
  size_t rank = call.in[0].rank();
  return normalizedDim(call.op().integer("dim0", -2), rank) < rank &&
         normalizedDim(call.op().integer("dim1", -1), rank) < rank;
}

constexpr RuleInfo kShardedResult = {"reshape.result_interleaved",
                                     "unless it is a view, the result must be interleaved", "facts/ir 4.6"};
constexpr Rule kReshapeRules[] = {
    {{"reshape.same_elements", "operand and result must have the same number of elements", "facts/ir 1.4"},
     sameElements},
    {{"reshape.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"reshape.no_width_sharding", "the operand must not be width-sharded", "facts/ir 4.6"}, noWidthSharding},
    {kShardedResult, resultInterleavedOrView},
};
constexpr Rule kPermuteRules[] = {
    {{"permute.permutation", "the permutation must name each dimension once", "facts/ir 1.4"},
     validPermutation},
    {{"permute.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"permute.no_width_sharding", "the operand must not be width-sharded", "facts/ir 4.6"}, noWidthSharding},
    {{"permute.full_width_shards", "a sharded operand must be height-sharded with whole rows",
      "facts/hardware 4.4"},
     fullWidthShardsOrView},
    {{"permute.result_interleaved", "unless it is a view, the result must be interleaved", "facts/ir 4.6"},
     resultInterleavedOrView},
};
constexpr Rule kTransposeRules[] = {
    {{"transpose.dims", "both dimensions must exist", "facts/ir 1.4"}, transposeDimsInRange},
    {{"transpose.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"transpose.full_width_shards", "a sharded operand must be height-sharded with whole rows",
      "facts/hardware 4.4"},
     fullWidthShards},
    {{"transpose.sharded_result", "an interleaved operand cannot give a sharded result",
      "facts/hardware 4.4, facts/formulas 14"},
     noShardedOutputFromInterleaved},
};

// ---- Result layout --------------------------------------------------------------------------------------
/// Views follow the operand; copies of a sharded operand are interleaved in L1.
void outputs(OpCall &call) {
  if (call.out[0].decided() || !call.in[0].sharded() || isView(call))
    return outputsLikeOperand0(call);
  call.setOutput(0, l1Interleaved(*call.out[0].desc, call.device().workerGrid, call.in[0].layout->page));
}

// ---- Memory ---------------------------------------------------------------------------------------------
/// Pieces of contiguous elements that one tile of the result is put together from: the number of source tiles
/// times the most pieces that one of them gives. Pieces end at the borders of the tiles' 16-element face
/// rows.
class TileSegments {
public:
  TileSegments(const TensorRef &in, const TensorRef &out) : in(in), out(out) {}

  int64_t count(int64_t tileRow, int64_t tileCol) {
    sources.clear();
    int64_t blocks = ceilDiv(out.height, 32);
    int64_t batch = tileRow / blocks, firstRow = tileRow % blocks * 32, firstCol = tileCol * 32;
    for (int64_t row = firstRow; row < std::min(firstRow + 32, out.height); ++row)
      for (int64_t col = firstCol; col < std::min(firstCol + 32, out.width); col += 16)
        addFaceRow((batch * out.height + row) * out.width + col, std::min<int64_t>(16, out.width - col));
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

  void addFaceRow(int64_t start, int64_t length) {
    for (int64_t end = start + length; start < end;) {
      int64_t row = start / in.width, col = start % in.width;
      int64_t piece = std::min({end - start, in.width - col, 16 - col % 16});
      int64_t blocks = ceilDiv(in.height, 32);
      int64_t tileRow = row / in.height * blocks + row % in.height / 32;
      addPiece(tileRow * in.tileCols + col / 32);
      start += piece;
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
};

/// The largest count over the corners and the middle of the result; the pattern repeats in between.
int64_t mostSegments(const TensorRef &in, const TensorRef &out) {
  TileSegments segments(in, out);
  int64_t lastRow = out.tileRows - 1, lastCol = out.tileCols - 1;
  int64_t most = segments.count(0, 0);
  if (lastRow > 0 || lastCol > 0)
    most = std::max({most, segments.count(lastRow, 0), segments.count(0, lastCol),
                     segments.count(lastRow / 2, lastCol / 2)});
  return most + most % 16; // as the kernel rounds
}

void reshapeMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (isView(call))
    return use.tensors(0);
  if (in.rowMajor()) {
    use.buffer("rows", 2, std::max(in.rowBytes(), out.rowBytes()));
    return;
  }
  constexpr int64_t segmentBytes = 16;
  use.buffer("operand and result", 2, in.tile);
  use.buffer("map of segments", mostSegments(in, out), segmentBytes);
  if (in.sharded())
    use.tensors(call.perCoreInterleaved(in) + call.perCore(out));
}

void permuteMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  if (isView(call))
    return use.tensors(0);
  llvm::ArrayRef<int64_t> order = call.op().integers("permutation");
  size_t rank = order.size();
  if (in.rowMajor()) {
    use.buffer("rows", 2, std::max(in.rowBytes(), call.out[0].rowBytes()));
    return;
  }
  bool widthStays = rank == 0 || order[rank - 1] == int64_t(rank) - 1;
  bool swapsTileAxes =
      rank >= 2 && order[rank - 1] == int64_t(rank) - 2 && order[rank - 2] == int64_t(rank) - 1;
  if (widthStays || swapsTileAxes) {
    use.buffer("operand", 2, in.tile);
    use.buffer("result", swapsTileAxes ? 2 : 0, in.tile);
    return;
  }
  use.buffer("operand, rows and result", 6, in.tile);
  use.buffer("padding row", 16, in.scalar);
}

void transposeMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  if (!in.sharded())
    use.buffer("operand and result", 4,
               in.rowMajor() ? std::max(in.rowBytes(), call.out[0].rowBytes()) : in.tile);
}

// ---- Time -----------------------------------------------------------------------------------------------

/// What one tile of a reshape's result takes, on average.
struct TileWork {
  double reads;  ///< pages of the operand, each fetched when the walk through the result's rows enters it
  double pieces; ///< runs of at most 16 elements, none of which crosses the face of a tile
};

/// The last dimension stays: rows keep their width and arrive in order, 32 of them from one page unless the
/// heights are out of step.
TileWork wholeRowWork(const TensorRef &out) {
  int64_t rows = std::min<int64_t>(32, out.height), step = std::gcd(out.height, int64_t(32));
  double reads = 1 + double(std::max<int64_t>(0, rows - step)) / 32;
  return {reads, double(rows * ceilDiv(std::min<int64_t>(32, out.width), 16))};
}

/// Walks the rows of one result tile, `index` counted from the first.
TileWork walkTile(const TensorRef &in, const TensorRef &out, int64_t index) {
  int64_t tilesDown = ceilDiv(out.height, 32), perMatrix = tilesDown * out.tileCols;
  int64_t matrix = index / perMatrix, row0 = index % perMatrix / out.tileCols * 32,
          col0 = index % out.tileCols * 32;
  TileWork work{0, 0};
  int64_t page = -1;
  for (int64_t row = row0; row < std::min(out.height, row0 + 32); ++row)
    for (int64_t col = col0; col < std::min(out.width, col0 + 32); col += 16)
      for (int64_t left = std::min<int64_t>(16, out.width - col),
                   at = (matrix * out.height + row) * out.width + col;
           left > 0;) {
        int64_t inRow = at / in.width, inCol = at % in.width;
        int64_t from =
            (inRow / in.height * ceilDiv(in.height, 32) + inRow % in.height / 32) * in.tileCols + inCol / 32;
        int64_t run = std::min({left, 16 - inCol % 16, in.width - inCol});
        work.reads += from != page;
        work.pieces += 1;
        page = from;
        left -= run;
        at += run;
      }
  return work;
}

TileWork tileWork(const TensorRef &in, const TensorRef &out) {
  // The walk would find the same for every tile.
  if (in.width == out.width)
    return wholeRowWork(out);
  // The pattern repeats; eight tiles spread over the result tell the average, and large reshapes cost no more than
  // small ones.
  constexpr int64_t samples = 8;
  int64_t count = std::min(samples, out.tiles());
  TileWork sum{0, 0};
  for (int64_t i = 0; i < count; ++i) {
    TileWork one = walkTile(in, out, i * out.tiles() / count);
    sum.reads += one.reads / double(count);
    sum.pieces += one.pieces / double(count);
  }
  return sum;
}

OpRuntime reshapeRuntime(const OpCall &call) {
  if (isView(call))
    return noTime();
  const TensorRef &in = call.in[0], &out = call.out[0];
  Work work;
  addDramTraffic(call, work);
  work.start = call[P::ReshapeStart];
  if (in.rowMajor()) {
    // Pieces that begin and end at sixteen bytes move as they are; others byte by byte.
    bool aligned = in.rowBytes() % 16 == 0 && out.rowBytes() % 16 == 0;
    double cores = double(call.cores()), bytes = aligned ? 0 : double(in.bytes());
    work.noc = double(std::max(in.rows(), out.rows())) / cores * call[P::ReshapeRow] +
               bytes / cores * call[P::ReshapeByte];
    return timeOf(call, work);
  }
  TileWork tile = tileWork(in, out);
  work.noc = double(ceilDiv(out.tiles(), call.cores())) *
             (call[P::ReshapeTile] + tile.reads * call[P::ReshapeRead] + tile.pieces * call[P::ReshapePiece]);
  return timeOf(call, work);
}

/// Rows of every result tile are gathered from as many tiles, half a row at a time.
OpRuntime gatherRowsTime(const OpCall &call) {
  Work work;
  addDramTraffic(call, work);
  double halves = 2 * double(std::min<int64_t>(32, call.out[0].height));
  work.noc = double(call.tilesPerCore(call.out[0])) * halves *
             call[call.in[0].dram() ? P::GatherHalfRow : P::GatherHalfRowL1];
  work.dramAccesses = call.in[0].dram() ? double(call.out[0].tiles()) * halves : 0;
  work.start = call[P::GatherStart];
  return timeOf(call, work);
}

/// Operand tiles are read once; their rows leave as lines of 16 elements, and so does the padding of the
/// result's tiles.
OpRuntime permuteTilesTime(const OpCall &call, bool lastStays) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  double cores = double(call.cores()), outTiles = double(ceilDiv(out.tiles(), call.cores()));
  double lines = 64 * outTiles, other = outTiles * call[P::PermuteLast];
  if (lastStays) {
    double valid = double(std::min(in.rows(), out.rows()) * in.tileCols) / cores;
    lines = 2 * (valid + std::max(0.0, outTiles * 32 - valid));
    other = double(ceilDiv(in.tiles(), call.cores())) * call[P::PermuteRead];
  }
  Work work;
  addDramTraffic(call, work);
  work.noc = lines * call[P::PermuteLine] + other;
  work.dramAccesses = out.dram() ? lines * cores : 0;
  work.start = call[P::PermuteStart];
  return timeOf(call, work);
}

/// Row-major: rows move whole if the last dimension stays; else blocks of 32 x 32 elements are turned.
OpRuntime permuteRowsTime(const OpCall &call, bool lastStays) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (lastStays)
    return copyRows(call, planeOf(out), 1, planeOf(in).bytesOfRows());
  Work work;
  addDramTraffic(call, work);
  work.noc = double(in.elements()) / double(in.width) / double(out.width) * double(alignUp(in.width, 32)) *
             double(alignUp(out.width, 32)) / double(call.cores()) * call[P::PermuteElement];
  work.start = call[P::PermuteStart];
  return timeOf(call, work);
}

OpRuntime permuteRuntime(const OpCall &call) {
  if (isView(call))
    return noTime();
  llvm::ArrayRef<int64_t> order = call.op().integers("permutation");
  size_t rank = order.size();
  bool lastStays = rank == 0 || order[rank - 1] == int64_t(rank) - 1;
  if (call.in[0].rowMajor())
    return permuteRowsTime(call, lastStays);
  bool swapsTileAxes =
      rank >= 2 && order[rank - 1] == int64_t(rank) - 2 && order[rank - 2] == int64_t(rank) - 1;
  return swapsTileAxes ? streamTime(call, busiestTiles(call), kTransposeTiles)
                       : permuteTilesTime(call, lastStays);
}

OpRuntime transposeRuntime(const OpCall &call) {
  size_t rank = call.in[0].rank();
  size_t a = normalizedDim(call.op().integer("dim0", -2), rank),
         b = normalizedDim(call.op().integer("dim1", -1), rank);
  if (call.in[0].rowMajor())
    return permuteRowsTime(call, std::max(a, b) + 1 < rank);
  bool rowsMove = rank >= 3 && std::max(a, b) == rank - 2;
  // Of an extent of one there is nothing to interleave: whole tiles move.
  bool gathers = rowsMove && call.in[0].dim(-2) > 1 && call.in[0].dim(-3) > 1;
  return gathers ? gatherRowsTime(call) : streamTime(call, busiestTiles(call), kTransposeTiles);
}

bool viewOrTiles(const OpCall &call) { return isView(call) || tiledInterleaved(call); }
bool swapsTileAxes(const OpCall &call) {
  size_t rank = call.in[0].rank();
  return tiledInterleaved(call) && normalizedDim(call.op().integer("dim0", -2), rank) + 2 >= rank &&
         normalizedDim(call.op().integer("dim1", -1), rank) + 2 >= rank;
}

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kReshape = {"reshape",     kOperands,      kReshapeRules, outputs,
                         reshapeMemory, reshapeRuntime, viewOrTiles};
const Family kPermute = {"permute", kOperands, kPermuteRules, outputs, permuteMemory, permuteRuntime, isView};
const Family kTranspose = {"transpose",     kOperands,        kTransposeRules, outputsLikeOperand0,
                           transposeMemory, transposeRuntime, swapsTileAxes};

const OpRow kRows[] = {
    {"ttnn.permute", &kPermute, 1, 1},
    {"ttnn.reshape", &kReshape, 1, 1},
    {"ttnn.transpose", &kTranspose, 1, 1},
};

} // namespace

Rows reshapeRows() { return kRows; }

} // namespace tessera::analytic
