//===- Sort.cpp - sort, topk ----------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Since 2026 (tt-metal 0.77, and what the library records): a row of tiles is one core's work, with room for all of it, up to 64
// tiles. A longer row is dealt out. sort pads rows to a power of two with copies; shards are gathered and dealt again.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Family.h"
#include "../Movement/Permute.h"
#include "../Runtime.h"
#include "../Shards.h"
#include "tessera/OpModel/MadeTypes.h"
#include "llvm/Support/MathExtras.h"

#include <utility>

namespace tessera::analytic {
namespace {

bool newest(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }
bool isTopK(const OpCall &call) { return call.row.name == "ttnn.topk"; }

bool sortsWidth(const OpCall &call) {
  size_t rank = call.in[0].rank();
  return normalizedDim(call.op().integer("dim", -1), rank) + 1 >= rank;
}

/// Result i as the query asks for it.
TensorRef requested(const OpCall &call, size_t i) {
  const TensorLayout *layout = call.asked(i);
  return layout ? makeTensorRef(*call.out[i].desc, layout) : call.out[i];
}

/// A dimension of one element is in order: the values are a copy, until October 2026 the operand itself, and the indices zeros (since 2026,
/// asked of ttnn 0.77.0 and 0.81.1).
bool sortsNothing(const OpCall &call) {
  const TensorRef &in = call.in[0];
  size_t dim = normalizedDim(call.op().integer("dim", -1), in.rank());
  return newest(call) && !isTopK(call) && in.dim(int64_t(dim)) == 1;
}

/// Sorting another dimension than the last ends in the operand's memory config whatever was asked for
/// (facts/formulas 2).
void sortOutputs(OpCall &call) {
  for (size_t i = 0; i < call.out.size(); ++i) {
    // As if nothing had been asked for, which then follows the operand: the answer tells that another layout comes
    // out.
    bool follows = sortsNothing(call) ? !answersAsOctober2026(call) : !sortsWidth(call);
    if (follows && call.out[i].decided() && !samePlacement(call.out[i], call.in[0]))
      call.out[i].layout = nullptr;
    call.followIfUndecided(i, call.in[0]);
  }
}

/// Before 2026, and topk as sort.
void olderMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  constexpr int64_t indexTile = 2048;
  bool overWidth = sortsWidth(call);
  int64_t width = overWidth ? in.tileCols : ceilDiv(in.height, 32);
  use.buffer("values", 6 + width, in.tile);
  use.buffer("indices", 6 + width, indexTile);
  use.buffer("synchronisation", 1, 1024);
  int64_t outputs = 0, sorted = 0;
  for (size_t i = 0; i < call.out.size(); ++i) {
    outputs += call.perCore(call.out[i]);
    sorted += call.perCore(requested(call, i));
  }
  // Another dimension is brought to the end and back: the results exist twice, first where they were asked
  // for.
  use.tensors(overWidth ? outputs : sorted + outputs);
}

// ---- Since 2026 -----------------------------------------------------------------------------------------

constexpr int64_t kBf16Tile = 2048;

int64_t powerOfTwoFrom(int64_t number) { return int64_t(llvm::PowerOf2Ceil(uint64_t(number))); }
int64_t powerOfTwoUpTo(int64_t number) { return int64_t(llvm::bit_floor(uint64_t(number))); }

size_t sortedDim(const OpCall &call) {
  return normalizedDim(call.op().integer("dim", -1), call.in[0].rank());
}

/// Elements of a row that is sorted.
int64_t rowLength(const OpCall &call) { return call.in[0].dim(int64_t(sortedDim(call))); }
/// Rows of tiles once the dimension to sort is the last.
int64_t tileRows(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (sortsWidth(call))
    return in.tileRows;
  TensorDesc turned = exchangedWithLast(*in.desc, sortedDim(call));
  return makeTensorRef(turned, nullptr).tileRows;
}
/// With the copies that pad it: the network sorts pairs of tiles, a power of two of them.
int64_t paddedLength(const OpCall &call) { return powerOfTwoFrom(std::max<int64_t>(64, rowLength(call))); }

/// Of rows of `length` elements, padding included.
int64_t indexTile(const OpCall &call, int64_t length) {
  return typeOfIndices(call.row.name, call.in[0].dtype(), length, call.context.version) == DataType::UInt16
             ? 2048
             : 4096;
}

void sortBuffers(const OpCall &call, MemoryUse &use) {
  // Numbers of 16 bits are sorted as 32, between a pair of tiles of each.
  bool widens = call.in[0].dtype() == DataType::UInt16;
  int64_t length = paddedLength(call), tiles = length / 32, value = widens ? 4096 : call.in[0].tile,
          index = indexTile(call, length);
  use.buffer("narrow values", widens ? 2 : 0, call.in[0].tile);
  // A longer row lies in the L1 of a power of two of cores, which exchange their parts; on Blackhole two tiles each at most, and what
  // is longer than so much on all cores is sorted in DRAM.
  constexpr int64_t longest = 64, mostExchanged = 2; // tiles
  bool exchanges = call.device().arch == Arch::WormholeB0 || tiles <= mostExchanged * call.cores();
  if (tiles > longest && (widens || !exchanges)) {
    use.buffer("values", 8, value);
    use.buffer("indices", 8, index);
    return;
  }
  int64_t held =
      tiles > longest ? std::max(mostExchanged, ceilDiv(tiles, powerOfTwoUpTo(call.cores()))) : tiles;
  int64_t streamed = tiles > longest ? 8 : 6;
  use.buffer("values", streamed + held, value);
  use.buffer("indices", streamed + held, index);
  use.buffer("synchronisation", 1, tiles > longest ? 6144 : 1024);
}

/// L1 per core of `columns` tiles beside each other in each row of tiles, interleaved.
int64_t rowsOf(const OpCall &call, int64_t columns, int64_t tile) {
  return ceilDiv(tileRows(call) * columns, call.cores()) * tile;
}

int64_t shardBytes(const TensorRef &tensor, int64_t tile) {
  return tensor.l1() ? tensor.shardTiles().volume() * tile : 0;
}

/// Values and indices are made, and the results cut out of them, values first.
void cutResults(MemoryUse &use, int64_t values, int64_t indices, int64_t cutValues, int64_t cutIndices) {
  MemoryUse::Made sorted = use.make(values);
  use.make(indices);
  use.makeResult(0, cutValues);
  use.free(sorted);
  use.makeResult(1, cutIndices);
}

/// Where the results of a dimension that is brought to the end and back are found, `found` tiles of each row, of which `cut` are cut out (0: they
/// stay whole): where they are asked for. The results lie where the operand does.
void turnedResults(const OpCall &call, MemoryUse &use, int64_t found, int64_t cut, int64_t index) {
  const TensorRef &in = call.in[0];
  const TensorLayout *asked = call.asked(0);
  bool foundInL1 = asked ? asked->isL1() : in.l1();
  auto make = [&](int64_t wide, int64_t tile) { return use.make(foundInL1 ? rowsOf(call, wide, tile) : 0); };
  MemoryUse::Made values = make(found, in.tile), indices = make(found, index);
  if (cut) {
    MemoryUse::Made cutValues = make(cut, in.tile);
    use.free(std::exchange(values, cutValues));
    MemoryUse::Made cutIndices = make(cut, index);
    use.free(std::exchange(indices, cutIndices));
  }
  TensorDesc desc = exchangedWithLast(*call.out[0].desc, sortedDim(call));
  auto copies = convertedCopies(call, use, desc, sortedDim(call), foundInL1, call.out[0].l1());
  use.makeResult(0, call.perCore(call.out[0]));
  for (MemoryUse::Made each : {copies[0], copies[1], values})
    use.free(each);
  use.makeResult(1, call.perCore(call.out[1]));
}

/// The operand, turned: a row of so many tiles.
MemoryUse::Made turnedOperand(const OpCall &call, MemoryUse &use, int64_t tiles) {
  const TensorRef &in = call.in[0];
  auto copies = convertedCopies(call, use, *in.desc, sortedDim(call), in.l1(), in.l1());
  MemoryUse::Made turned = use.make(in.l1() ? rowsOf(call, tiles, in.tile) : 0);
  for (MemoryUse::Made copy : copies)
    use.free(copy);
  return turned;
}

/// A sort that keeps the order of equal elements makes a page in L1 before all else, since October 2026 (asked of ttnn 0.81.1).
int64_t orderBytes(const OpCall &call) {
  return answersAsOctober2026(call) && call.op().boolean("stable", false) ? 2048 : 0;
}

void sortTensors(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  use.free(use.make(orderBytes(call)));
  int64_t length = paddedLength(call), columns = length / 32, index = indexTile(call, length);
  bool pads = length != rowLength(call) && ceilDiv(rowLength(call), 32) != columns;
  int64_t padded = pads && in.l1() && !in.sharded() ? rowsOf(call, columns, in.tile) : 0;
  if (out.sharded()) { // both sorted results lie in DRAM first
    use.make(padded);
    return use.tensors(padded + shardBytes(out, in.tile) + shardBytes(out, index));
  }
  int64_t values = out.l1() ? rowsOf(call, columns, in.tile) : 0,
          indices = out.l1() ? rowsOf(call, columns, index) : 0;
  int64_t real = ceilDiv(rowLength(call), 32);
  if (!sortsWidth(call) && !in.sharded()) {
    MemoryUse::Made turned = turnedOperand(call, use, real);
    if (pads) {
      turnedOperand(call, use, columns);
      use.free(turned);
    }
    return turnedResults(call, use, columns, pads ? real : 0, index);
  }
  if (!pads)
    return use.tensors(std::max(values + indices, orderBytes(call)));
  use.make(padded);
  int64_t cutValues = out.l1() ? rowsOf(call, real, in.tile) : 0,
          cutIndices = out.l1() ? rowsOf(call, real, index) : 0;
  cutResults(use, values, indices, cutValues, cutIndices);
}

/// How cores share a row; all in tiles.
struct TopKShare {
  int64_t cores, ofCore; ///< tiles of a row that a core has
  int64_t found;         ///< by all cores together, for the one that merges
};
int64_t bestTiles(const OpCall &call) { return ceilDiv(std::max<int64_t>(1, call.op().integer("k", 1)), 32); }
int64_t rowTiles(const OpCall &call) { return ceilDiv(rowLength(call), 32); }

/// Whether a rectangle of so many cores lies on a grid of `most`.
bool isRectangle(int64_t cores, GridShape most) {
  for (int64_t rows = 1; rows <= most.rows; ++rows)
    if (cores % rows == 0 && cores / rows <= most.columns)
      return true;
  return false;
}

/// Since October 2026 (asked of ttnn 0.81.1, as all of October below): parts of two tiles or more, on cores that leave one column and
/// two rows to others. Seven times the tiles of a core and twice those that all of them find are the fewest.
std::optional<TopKShare> shareOfOctober(const OpCall &call) {
  constexpr int64_t fewest = 2, ofCoreWeight = 7, foundWeight = 2;
  GridShape grid{call.device().workerGrid.rows - 2, call.device().workerGrid.columns - 1};
  int64_t tiles = rowTiles(call), most = powerOfTwoUpTo(std::max<int64_t>(1, grid.volume()));
  std::optional<TopKShare> share;
  auto cost = [](const TopKShare &of) { return ofCoreWeight * of.ofCore + foundWeight * of.found; };
  for (int64_t part = std::max(fewest, tiles / most); 2 * part <= tiles; part *= 2) {
    TopKShare next{tiles / part, part, tiles / part * bestTiles(call)};
    if (isRectangle(next.cores, grid) && (!share || cost(next) < cost(*share)))
      share = next;
  }
  return share;
}

/// Cores that share a long row, of a power of two of tiles and with indices of 16 bits: until October 2026 a power of two of them in
/// each direction, with one row and one column to spare; since then also two rows of tiles of fewer. Of more than two tiles of results never.
std::optional<TopKShare> topKShare(const OpCall &call) {
  constexpr int64_t longRow = 8192, octoberRow = 1024, octoberRows = 2, mostBest = 2, indexed = 65536;
  GridShape grid = call.device().workerGrid;
  bool october = answersAsOctober2026(call);
  int64_t tiles = rowTiles(call), width = october ? tiles * 32 : rowLength(call);
  bool isLong = width >= longRow || (october && width >= octoberRow && call.in[0].tileRows <= octoberRows);
  // Indices of 16 bits travel with the values between cores, so that longer rows stay on one.
  if (!isLong || width >= indexed || bestTiles(call) > mostBest || !llvm::isPowerOf2_64(uint64_t(width)) ||
      grid.rows < 3 || grid.columns < 3)
    return std::nullopt;
  if (october)
    return shareOfOctober(call);
  int64_t cores = powerOfTwoUpTo(grid.rows - 1) * powerOfTwoUpTo(grid.columns - 1);
  return TopKShare{cores, ceilDiv(tiles, cores), cores * bestTiles(call)};
}

/// Since October 2026 Blackhole takes rows of elements, of bf16 and for the largest of the last dimension: for two tiles of these where cores do not
/// share a long row, or could but for their number, for more in any case (asked of ttnn 0.81.1).
bool topKOfRows(const OpCall &call) {
  constexpr int64_t leastRow = 4096, sharedRow = 8192, few = 2, most = 2048;
  int64_t width = rowTiles(call) * 32;
  bool longRow = width >= leastRow && (width < sharedRow || !topKShare(call));
  return answersAsOctober2026(call) && call.device().arch == Arch::Blackhole &&
         call.op().boolean("largest", true) && !call.in[0].sharded() &&
         call.in[0].dtype() == DataType::BFloat16 && sortsWidth(call) && (longRow || bestTiles(call) > few) &&
         call.op().integer("k", 1) <= most;
}

void topKRowsBuffers(const OpCall &call, MemoryUse &use) {
  constexpr int64_t inFlight = 16;
  use.program("untilize");
  use.buffer("tiles and rows", 2 * std::min(inFlight, 2 * rowTiles(call)), call.in[0].tile);
  use.program("topk of rows");
  use.buffer("values and indices", 2, kBf16Tile);
  use.buffer("rows", 2, 1024);
  use.buffer("values and indices of a part", 2, 4096);
  use.buffer("results", 2, kBf16Tile);
}

/// Since October 2026 a row that ends within a tile is shared as pairs of a value and its index, 32 bits each, but of f32.
bool topKOfPairs(const OpCall &call) {
  return answersAsOctober2026(call) && rowLength(call) % 32 != 0 && call.in[0].dtype() != DataType::Float32;
}

void topKSharedBuffers(const OpCall &call, MemoryUse &use, const TopKShare &share) {
  const TensorRef &in = call.in[0];
  constexpr int64_t pair = 4096;
  int64_t index = indexTile(call, rowLength(call)), worked = std::max(in.tile, kBf16Tile);
  bool pairs = topKOfPairs(call);
  int64_t found = share.found * (pairs ? pair : worked + index);
  int64_t ofSharer = pairs ? (share.ofCore + 2) * pair : share.ofCore * (worked + index) + 2 * index;
  int64_t ofMerger = found + 2 * in.tile + (pairs ? 2 * index + 2 * bestTiles(call) * kBf16Tile : 0);
  // One core merges what the others find, and has no part of the row: the op needs what the fuller of both kinds holds.
  auto shares = [&] { use.buffer("a core's part of the row", 1, ofSharer); };
  auto merges = [&] { use.buffer("what all cores found, and results", 1, ofMerger); };
  bool mergerIsFuller = ofMerger > ofSharer;
  // The fuller stands behind otherCores(), where the buffers that all cores have are added to it: the other kind needs
  // no more than that.
  mergerIsFuller ? shares() : merges();
  use.otherCores();
  use.buffer("values", 4, in.tile);
  use.buffer("indices", pairs ? 4 : 6, index);
  use.buffer("what all cores found", 1, found);
  mergerIsFuller ? merges() : shares();
}

void topKBuffers(const OpCall &call, MemoryUse &use) {
  if (topKOfRows(call))
    return topKRowsBuffers(call, use);
  if (std::optional<TopKShare> share = topKShare(call))
    return topKSharedBuffers(call, use, *share);
  const TensorRef &in = call.in[0];
  int64_t best = bestTiles(call), index = indexTile(call, rowLength(call));
  use.buffer("values", 2 + best, in.tile);
  use.buffer("indices", 2 + best, index);
  use.buffer("values and indices in work", 4 + 2 * best, std::max(in.tile, kBf16Tile) + index);
}

/// What borders of `rows`, the operand as it is sorted, leave free in the tiles is filled, block floats in a copy of bf16; rows of one tile are padded to two. Returns what is sorted
/// in the operand's stead.
MemoryUse::Made topKOperand(const OpCall &call, MemoryUse &use, const TensorRef &rows) {
  const TensorRef &in = call.in[0];
  if (!in.l1())
    return std::nullopt;
  MemoryUse::Made filled;
  bool partial = rows.height % 32 != 0 || rows.width % 32 != 0, blockFloat = isBlockFloat(in.dtype());
  if (blockFloat && partial) {
    int64_t tiles = rows.sharded() ? rows.shardTiles().volume() : ceilDiv(rows.tiles(), call.cores());
    MemoryUse::Made wide = use.make(tiles * kBf16Tile);
    filled = use.make(tiles * in.tile);
    use.free(wide);
  }
  if (rowLength(call) > 32)
    return filled;
  MemoryUse::Made wide = use.make(blockFloat ? rowsOf(call, 1, kBf16Tile) : 0),
                  padded = use.make(blockFloat ? rowsOf(call, 2, kBf16Tile) : 0);
  MemoryUse::Made sorted =
      use.make(in.sharded() ? 2 * in.shardTiles().volume() * in.tile : rowsOf(call, 2, in.tile));
  for (MemoryUse::Made each : {filled, wide, padded})
    use.free(each);
  return sorted;
}

/// Whole tiles of values and indices, of which the best are cut out: since October 2026 not of four dimensions, and rows are made in units
/// of 16.
void topKTensors(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t k = std::max<int64_t>(1, call.op().integer("k", 1)), best = ceilDiv(k, 32);
  int64_t index = indexTile(call, rowLength(call)), unit = topKOfRows(call) ? 16 : 32;
  int64_t values = out.l1() ? rowsOf(call, best, in.tile) : 0,
          indices = out.l1() ? rowsOf(call, best, index) : 0;
  llvm::SmallVector<MemoryUse::Made, 4> held;
  bool rows = topKOfRows(call), cuts = k % unit != 0 && !(answersAsOctober2026(call) && in.rank() == 4);
  if (!sortsWidth(call) && !in.sharded()) {
    turnedOperand(call, use, rowTiles(call));
    TensorDesc turned = exchangedWithLast(*in.desc, sortedDim(call));
    topKOperand(call, use, makeTensorRef(turned, nullptr));
    return turnedResults(call, use, best, k % unit != 0 ? best : 0, index);
  }
  // What is found in rows lies where the operand does until it is cut or moved.
  bool moves = rows && in.l1() != out.l1(), foundInL1 = rows ? in.l1() : out.l1();
  if (rows && in.l1()) {
    TensorDesc found{in.desc->shape, DataType::Float32};
    found.shape.back() = alignUp(k, unit);
    held.push_back(use.make(rowMajorBytes(call, makeTensorRef(*in.desc, nullptr), true)));
    held.push_back(use.make(rowMajorBytes(call, makeTensorRef(found, nullptr), true)));
  } else if (!rows) {
    held.push_back(topKOperand(call, use, in));
  }
  // Indices with a sign are a copy, made when all but values and indices is gone.
  bool copies = call.out.size() > 1 && call.out[1].dtype() == DataType::Int32;
  auto makeIndices = [&] { copies ? held.push_back(use.make(indices)) : use.makeResult(1, indices); };
  if (!cuts && !moves) {
    use.makeResult(0, values);
    makeIndices();
  } else {
    MemoryUse::Made allValues = use.make(foundInL1 ? rowsOf(call, best, in.tile) : 0),
                    allIndices = use.make(foundInL1 ? rowsOf(call, best, index) : 0);
    if (rows)
      for (; !held.empty(); held.pop_back())
        use.free(held.back());
    held.push_back(allIndices);
    use.makeResult(0, values);
    if (cuts)
      use.free(allValues);
    makeIndices();
  }
  if (!copies)
    return;
  for (MemoryUse::Made each : held)
    use.free(each);
  use.makeResult(1, indices);
}

void copyMemory(const OpCall &call, MemoryUse &use) {
  if (!answersAsOctober2026(call))
    return use.tensors(call.out.size() > 1 ? call.perCore(call.out[1]) : 0);
  use.program("copy");
  use.buffer("tiles", 2, call.in[0].tile);
}

void sortMemory(const OpCall &call, MemoryUse &use) {
  if (sortsNothing(call))
    return copyMemory(call, use);
  if (!newest(call))
    return olderMemory(call, use);
  if (isTopK(call)) {
    topKBuffers(call, use);
    return topKTensors(call, use);
  }
  sortBuffers(call, use);
  sortTensors(call, use);
}

// ---- Rules ----------------------------------------------------------------------------------------------

/// Newer backends gather a sharded operand, and shard the results of sort (facts/formulas 16, point 5), not of topk (5).
bool sortedOperandInterleaved(const OpCall &call) { return newest(call) || allOperandsInterleaved(call); }
/// Padding of shards is filled in a single matrix, and one column of tiles becomes two of whole rows.
bool topKPadsShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!newest(call) || !isTopK(call) || !in.sharded() || !in.l1())
    return true;
  bool partial = in.height % 32 != 0 || in.width % 32 != 0;
  // What is padded is cut anew for the same cores.
  bool wholeRows = in.height % 32 == 0 && ceilDiv(in.tileRows * 32, in.shardCores()) % 32 == 0;
  return (!partial || in.batch == 1) && (wholeRows || rowLength(call) > 32);
}
/// Another dimension than the last is exchanged with it, into shards as they were, which must hold what comes of that.
bool topKTurnsShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  size_t last = in.rank() - 1, dim = sortedDim(call);
  if (!newest(call) || !isTopK(call) || !in.sharded() || dim == last)
    return true;
  TensorDesc turned = exchangedWithLast(*in.desc, dim);
  TensorRef made = makeTensorRef(turned, in.layout);
  return shardsHold(in.layout->memory, in.layout->grid, in.shardTiles(), {made.tileRows, made.tileCols});
}
/// A copy changes no kind of memory.
bool copiesAlike(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!answersAsOctober2026(call) || !sortsNothing(call) || !out.decided())
    return true;
  return in.sharded() == out.sharded() && (!in.sharded() || in.layout->memory == out.layout->memory);
}

/// A result of topk that nobody places follows the operand, and is sharded then.
bool sortedResultInterleaved(const OpCall &call) {
  if (!newest(call))
    return noShardedOutputFromInterleaved(call);
  bool follows = llvm::any_of(call.out, [](const TensorRef &out) { return !out.decided(); });
  return !isTopK(call) || (outputsInterleaved(call) && !(follows && call.in[0].sharded()));
}

bool sortedType(const OpCall &call) {
  DataType type = call.in[0].dtype();
  return !newest(call) || isTopK(call) || type == DataType::BFloat16 || type == DataType::UInt16 ||
         type == DataType::Float32;
}

bool chosenType(const OpCall &call) {
  DataType type = call.in[0].dtype();
  return !newest(call) || !isTopK(call) || type == DataType::BFloat16 || type == DataType::BFP_BFloat8 ||
         type == DataType::Float32;
}

bool enoughToChoose(const OpCall &call) {
  return !newest(call) || !isTopK(call) || call.op().integer("k", 1) <= rowLength(call);
}
bool padsInterleaved(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !newest(call) || !isTopK(call) || !in.sharded() || in.shardedAs(MemoryLayout::HeightSharded) ||
         rowLength(call) > 32;
}

constexpr Rule kSortRules[] = {
    {{"sort.tiled", "sort and topk need a tiled operand", "facts/hardware 4.4"}, allOperandsTiled},
    {{"topk.pads_shards",
      "shards of several matrices must be whole tiles, those of a single column of tiles whole rows of "
      "tiles, of which each core has as many, since topk fills padding",
      "facts/vendor-library 4"},
     topKPadsShards},
    {{"topk.turned_shards",
      "shards must hold the tensor with the dimension that topk is asked for as its width, too (since 2026)",
      "asked of ttnn 0.81.1 (tensor_spec.cpp)"},
     topKTurnsShards},
    {{"sort.interleaved", "sort and topk take interleaved operands only (until 2026)", "facts/hardware 4.4"},
     sortedOperandInterleaved},
    {{"sort.sharded_result", "an interleaved operand cannot give sharded results, and topk gives none",
      "facts/formulas 14"},
     sortedResultInterleaved},
    {{"sort.single",
      "a dimension of one element is copied, into interleaved memory or shards of the operand's kind (since "
      "October 2026)",
      "asked of ttnn 0.81.1 (clone_device_operation.cpp)"},
     copiesAlike},
    {{"sort.type", "sort takes bf16, u16 or f32 (since 2026)", "facts/vendor-library 4"}, sortedType},
    {{"topk.type", "topk takes bf16, bfp_bf8 or f32 (since 2026)",
      "tt-metal 0.77 (topk_device_operation.cpp)"},
     chosenType},
    {{"topk.k", "topk cannot give more elements than there are", "facts/vendor-library 4"}, enoughToChoose},
    {{"topk.padded", "a row of one tile is padded, which needs an interleaved or height-sharded operand",
      "facts/vendor-library 4"},
     padsInterleaved},
};

constexpr PathCost kSortTiles = {P::SortTile, P::SortL1, P::SortDram};

/// Rows of tiles that a core is given, where a row is one core's work.
double sortedRows(const OpCall &call) { return double(ceilDiv(tileRows(call), call.cores())); }

/// A bitonic network of pairs of tiles, which are sorted whole. All cores share a long row.
/// Example: 16 tiles are 4 stages, 8 * 4 * 5 / 2 = 80 pairs that are compared.
OpRuntime sortNetworkRuntime(const OpCall &call) {
  constexpr int64_t longest = 64; // tiles
  int64_t tiles = paddedLength(call) / 32;
  double stages = double(llvm::Log2_64(uint64_t(tiles))),
         pairs = double(tiles) / 2 * stages * (stages + 1) / 2;
  double rows = sortedRows(call);
  // Then rows come one after the other, and the pairs of one row are shared by as many cores as a power of two.
  if (tiles > longest) {
    rows = double(tileRows(call));
    pairs /= double(powerOfTwoUpTo(call.cores()));
  }
  Work work;
  addDramTraffic(call, work);
  work.compute = rows * pairs * call[P::SortPair];
  return timeOf(call, work);
}

/// The indices of each tile are written by the core's RISC-V; then pairs of tiles are merged, of which the best k stay.
OpRuntime topKRuntime(const OpCall &call) {
  int64_t best = bestTiles(call), tiles = std::max<int64_t>(2, rowTiles(call));
  std::optional<TopKShare> share = topKShare(call);
  Work work;
  addDramTraffic(call, work);
  if (!share) {
    work.compute = sortedRows(call) *
                   (double(tiles) * call[P::TopKTile] + double((tiles - 1) * best) * call[P::TopKMerge]);
  } else {
    // Rows come one after the other; one core merges what the others found.
    double rows = double(tileRows(call));
    work.compute = rows * double(share->ofCore + share->found - best) * call[P::TopKMerge];
  }
  return timeOf(call, work);
}

OpRuntime sortRuntime(const OpCall &call) {
  if (newest(call))
    return isTopK(call) ? topKRuntime(call) : sortNetworkRuntime(call);
  // A bitonic network over each row of tiles: log2(n) * (log2(n) + 1) / 2 passes.
  const TensorRef &in = call.in[0];
  double stages = 1;
  for (int64_t size = in.width; size > 1; size = ceilDiv(size, 2))
    ++stages;
  Work work = streamWork(call, ceilDiv(in.tileRows, call.cores()) * in.tileCols, kSortTiles);
  work.compute *= stages * (stages + 1) / 2;
  return timeOf(call, work);
}

bool sortConfirmed(const OpCall &call) { return everythingInterleaved(call) && !isTopK(call); }

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kSort = {"sort", kOperands, kSortRules, sortOutputs, sortMemory, sortRuntime, sortConfirmed};

const OpRow kRows[] = {
    {"ttnn.sort", &kSort, 1, 1, 2},
    {"ttnn.topk", &kSort, 1, 1, 2},
};

} // namespace

Rows sortRows() { return kRows; }

} // namespace tessera::analytic
