//===- Embedding.cpp - Rows of a table by index ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rows are gathered in row-major form: a tiled table is untilized first, a tiled
// result tilized afterwards (facts/formulas 8).
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Kernels.h"
#include "RowPrograms.h"

namespace tessera::analytic {
namespace {

/// The result is tiled as it is gathered: 32 whole indices give a row of tiles. A table in tiles is untilized before, and loses what fills them.
/// tt-metal 0.77: embedding.cpp.
bool wantsTiles(const OpCall &call) {
  const TensorRef &indices = call.in[0], &table = call.in[1];
  bool wholeRows = table.width % 32 == 0 || (table.tiled() && !answersAsNewest(call));
  return (indices.tiled() || indices.width % 32 == 0) && wholeRows && call.out[0].tiled();
}

/// Tiled indices are gathered in rows even so.
bool tilesRows(const OpCall &call) { return wantsTiles(call) && call.in[0].rowMajor(); }

/// Indices in tiles that are a single dimension count as a matrix of so many rows, padded to tiles: the rows that are gathered before
/// they are tilized are as many times too many (asked of ttnn 0.77.0 and 0.81.1).
bool squaresIndices(const OpCall &call) {
  const TensorRef &indices = call.in[0];
  return answersAsNewest(call) && indices.tiled() && indices.rank() == 1 && call.out[0].tiled();
}

/// Without tiles behind them, the rows that are too many stay as long as the result.
bool flatIndices(const OpCall &call) {
  const TensorRef &indices = call.in[0], &out = call.out[0];
  return !answersAsNewest(call) || indices.rowMajor() || indices.rank() != 1 || !out.l1() || out.tiled();
}

/// Rows and columns of a shard in elements.
GridShape shardElements(const TensorRef &tensor) {
  GridShape shard = tensor.layout->shard;
  return tensor.tiled() ? GridShape{shard.rows * 32, shard.columns * 32} : shard;
}

bool resultShards(const OpCall &call) {
  const TensorRef &indices = call.in[0], &out = call.out[0];
  if (!out.sharded())
    return true;
  // Height shards that end within tiles are filled up since October 2026 alone.
  bool partial = answersAsNewest(call) && out.tiled() && indices.width % 32 != 0;
  if (out.shardedAs(MemoryLayout::HeightSharded) && partial && !answersAsOctober2026(call))
    return false;
  if (answersAsNewest(call) && indices.tiled() && indices.rank() == 1)
    return false;
  if (!wantsTiles(call))
    return out.shardedAs(MemoryLayout::HeightSharded);
  if (partial && out.shardedAs(MemoryLayout::WidthSharded))
    return false;
  GridShape shard = shardElements(out);
  int64_t count = indices.tiled() ? indices.tiles() * 1024 : indices.elements();
  return shard.rows >= 1 && shard.columns >= 1 && count % shard.rows == 0 &&
         alignUp(call.in[1].width, 32) % shard.columns == 0;
}

/// Bytes to which rows are filled up while they are gathered: what is read at once where the indices lie.
int64_t gatherAlignment(const OpCall &call) {
  return call.in[0].l1() ? 16 : call.device().dramAlignment.value();
}

/// Rows that are gathered into shards in place are pages of them, each as long as a row of the table is where it is gathered: the shard must
/// have its rows at that distance.
/// Until October 2026 the library takes shards that have not, if pages divide them, and writes rows where others belong.
bool rowsDivideShards(const OpCall &call) {
  const TensorRef &out = call.out[0];
  if (!answersAsNewest(call) || !out.sharded() || wantsTiles(call))
    return true;
  int64_t inL1 = alignUp(call.in[1].rowBytes(), call.device().l1Alignment.value());
  if (out.rowMajor())
    return !call.in[0].rowMajor() || alignUp(call.in[1].rowBytes(), gatherAlignment(call)) == inL1;
  // Tiles are filled behind the gather, with rows that are whole ones.
  return out.width % 32 == 0 && shardElements(out).volume() * out.scalar % inL1 == 0;
}

bool tableType(const OpCall &call) {
  return !answersAsNewest(call) || call.in[1].dtype() == DataType::BFloat16;
}

bool indexTypes(const OpCall &call) {
  DataType type = call.in[0].dtype();
  return !answersAsNewest(call) || type == DataType::UInt32 || type == DataType::BFloat16;
}

constexpr Rule kEmbeddingRules[] = {
    {{"embedding.interleaved", "indices and table must be interleaved", "facts/hardware 4.4"},
     allOperandsInterleaved},
    {{"embedding.result_shards",
      "a sharded result must be height-sharded or, gathered in tiles, have shards that divide indices and "
      "columns; since 2026 indices in tiles must then have two dimensions or more, and width shards whole "
      "tiles of indices, until October 2026 height shards in tiles, too",
      "tt-metal 0.77: embedding_device_operation.cpp"},
     resultShards},
    {{"embedding.flat_indices", "indices in tiles of one dimension give no rows in L1 (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1",
      "rows that take as many times the L1 that their layout says as there are indices"},
     flatIndices},
    {{"embedding.rows_divide_shards",
      "shards that rows are gathered into in place must have rows as far apart as they are gathered, aligned "
      "for the memory of the indices; tiled shards that are not gathered in tiles must hold whole rows of "
      "the "
      "table, which are whole tiles",
      "asked of ttnn 0.77.0 and 0.81.1 (embeddings_rm_program_factory.cpp)",
      "ttnn 0.77.0 writes rows of such shards at the distance of the gather"},
     rowsDivideShards},
    {{"embedding.index_type", "since 2026 indices must be u32 or bf16",
      "tt-metal 0.77: embedding_device_operation.cpp"},
     indexTypes},
    {{"embedding.table_type", "since 2026 the table must be bf16",
      "tt-metal 0.77: embedding_device_operation.cpp"},
     tableType},
};

/// The result lies where the indices do, in pages like the table's.
void embeddingOutputs(OpCall &call) {
  TensorRef &out = call.out[0];
  if (out.decided())
    return;
  PageLayout page = call.in[1].tiled() ? PageLayout::Tile : PageLayout::RowMajor;
  call.setOutput(0, call.in[0].l1() ? l1Interleaved(*out.desc, call.device().workerGrid, page)
                                    : dramInterleaved(*out.desc, page));
}

/// Rows of tiles are gathered and tilized: chunks of 64 tiles if two rows would take more than 1 MB.
void tiledGather(const OpCall &call, MemoryUse &use) {
  constexpr int64_t mostDoubled = 64, mostBytes = 1 << 20, tile = 2048;
  const TensorRef &out = call.out[0];
  int64_t tiles = out.sharded() ? out.shardTiles().columns : out.tileCols;
  bool chunks = 2 * tiles * tile > mostBytes;
  int64_t pages = chunks ? 2 * mostDoubled : tiles > mostDoubled ? tiles : 2 * tiles;
  use.program("gather tiles");
  use.buffer("rows", pages, tile);
  use.scratchpad(call, "indices", 1, 32 * call.in[0].scalar);
  use.buffer("tiles", out.sharded() ? 0 : pages, tile);
}

/// One index at a time; tiled indices are read by rows of a face, others as many as one access holds.
void rowGather(const OpCall &call, MemoryUse &use) {
  constexpr int64_t face = 16, indexPage = 32;
  const TensorRef &indices = call.in[0], &out = call.out[0];
  int64_t access = gatherAlignment(call), rows = ceilDiv(out.rows(), call.cores());
  use.program("gather rows");
  bool inPlace = out.sharded() && indices.rowMajor();
  use.buffer("rows",
             inPlace                       ? 0
             : indices.tiled() || rows > 1 ? 2
                                           : 1,
             alignUp(call.in[1].rowBytes(), access));
  use.scratchpad(call, "indices", indices.tiled() ? face : access / indices.scalar, indexPage);
}

/// L1 per core of the rows that are gathered before they are tilized; shards are those of the result.
int64_t gatheredRows(const OpCall &call) {
  const TensorRef &out = call.out[0];
  if (out.sharded() && answersAsNewest(call))
    return call.perCore(out);
  if (!squaresIndices(call) || !out.l1())
    return rowMajorCopy(call, out);
  return ceilDiv(call.in[0].elements() * out.rows(), call.cores()) *
         alignUp(out.rowBytes(), call.device().l1Alignment.value());
}

/// A tiled table is untilized in every call, all of it, for the few rows that are read.
/// What gathers the rows into `out`: the result, or the tiles that it is cast of. Returns what it keeps until then.
llvm::SmallVector<MemoryUse::Made, 2> gatherMemory(const OpCall &call, MemoryUse &use, const TensorRef &out) {
  const TensorRef &table = call.in[1];
  llvm::SmallVector<MemoryUse::Made, 2> kept;
  int64_t perCore = call.perCore(out) * out.tile / call.out[0].tile;
  // The kernel reads rows, so a tiled table is turned first.
  if (table.tiled()) {
    untilizeProgram(call, use, table, 1024 * table.scalar);
    use.make(rowMajorCopy(call, table));
  }
  if (tilesRows(call)) {
    tiledGather(call, use);
    return kept;
  }
  rowGather(call, use);
  if (out.rowMajor())
    return kept;
  // Shards are tilized from one tensor into the other, which has the same shards.
  if (!out.sharded())
    tilizeProgram(call, use, out, 1024 * table.scalar);
  // Blocks that end within tiles are made of whole rows of them.
  if (answersAsNewest(call) && out.shardedAs(MemoryLayout::BlockSharded) && out.height % 32 != 0) {
    use.program("tilize");
    use.buffer("rows", out.tileCols, 1024 * table.scalar);
    use.buffer("tiles", out.tileCols, out.tile);
  }
  kept.push_back(use.make(out.sharded() && answersAsNewest(call) ? perCore : gatheredRows(call)));
  // Height shards that end within tiles are filled up on their way.
  if (answersAsNewest(call) && out.shardedAs(MemoryLayout::HeightSharded) && out.height % 32 != 0)
    kept.push_back(use.make(perCore));
  return kept;
}

void embeddingMemory(const OpCall &call, MemoryUse &use) {
  TensorRef made = call.out[0];
  if (!answersAsNewest(call) || !isBlockFloat(made.dtype())) {
    gatherMemory(call, use, made);
    return;
  }
  // Block floats are cast of the table's numbers, in tiles.
  made.tile = 1024 * call.in[1].scalar;
  llvm::SmallVector<MemoryUse::Made, 2> kept = gatherMemory(call, use, made);
  use.make(call.perCore(made) * made.tile / call.out[0].tile);
  for (MemoryUse::Made each : kept)
    use.free(each);
  use.program("typecast");
  use.buffer("operand", 2, made.tile);
  use.buffer("result", 2, call.out[0].tile);
}

/// The rows asked for are read one by one, not the table. Indices are shared out in groups that one access to
/// the DRAM holds. A tiled table is untilized first, in every call; a tiled result tilized at the end.
OpRuntime embeddingRuntime(const OpCall &call) {
  const TensorRef &indices = call.in[0], &table = call.in[1], &out = call.out[0];
  int64_t group =
      std::max<int64_t>(1, call.device().dramAlignment.value() / std::max<int64_t>(1, indices.scalar));
  // 256 indices of 4 bytes on 64 cores: groups of 8, so that 32 cores have 8 rows each and 32 have none.
  double rows = double(ceilDiv(ceilDiv(out.rows(), group), call.cores()) * std::min(group, out.rows()));
  double bytes = double(out.elements()) * double(table.scalar);
  Work work;
  work.dramRead = table.dram() ? bytes : 0;
  work.dramWrite = out.dram() ? bytes : 0;
  work.noc = rows * (call[P::EmbeddingStick] + double(table.rowBytes()) / call[P::EmbeddingRate]);
  work.start = call[P::EmbeddingStart];
  OpRuntime time = timeOf(call, work);
  if (table.tiled())
    addTime(time, untilizePlane(call, planeOf(table), table.dram()));
  if (out.tiled())
    addTime(time, tilizePlane(call, planeOf(out), out.dram()));
  return time;
}

// ---- rows_gather ----------------------------------------------------------------------------------------

/// The library of the compiler of October 2026 has a kernel for windows of rows; no published one does. Rows are read as an
/// embedding's are, and written in rows.
bool gathersRowsInDram(const OpCall &call) {
  auto fits = [](const TensorRef &tensor) {
    return !tensor.decided() || (tensor.rowMajor() && tensor.dram() && !tensor.sharded());
  };
  return llvm::all_of(call.in, fits) && fits(call.out[0]);
}

constexpr Rule kRowsGatherRules[] = {
    {{"rows_gather.index_type", "the index must be si32 or ui32", "libtt.so of October 2026 (indexed_rows)"},
     [](const OpCall &call) {
       return call.in[1].dtype() == DataType::Int32 || call.in[1].dtype() == DataType::UInt32;
     }},
    {{"rows_gather.rows_in_dram", "operands and result must be row-major and DRAM interleaved",
      "as the compiler of October 2026 leaves them"},
     gathersRowsInDram},
};

/// Other types than bf16 are gathered element by element, in tiles: the table turned, each of its rows with the places of all elements. What
/// these leave free in their tiles is filled (asked of ttnn 0.77.0 and 0.81.1).
void gatherElements(const OpCall &call, MemoryUse &use) {
  constexpr int64_t tile = 4096, streamed = 2;
  const TensorRef &table = call.in[0];
  int64_t places = std::max<int64_t>(1, call.in[1].width), width = ceilDiv(call.out[0].elements(), places);
  int64_t rows = ceilDiv(table.elements(), width), row = ceilDiv(rows, 32);
  use.program("tilize");
  use.buffer("rows and tiles", 2 * ceilDiv(table.width, 32), 1024 * table.scalar);
  int64_t masks = std::max((places % 32 != 0) + (width % 32 != 0), int(rows % 32 != 0));
  use.program("fill places and table");
  use.buffer("tiles in and out, masks", masks > 0 ? 4 + masks : 0, tile);
  use.program("gather elements");
  use.buffer("row of the table", std::max(row, ceilDiv(places, 32)) > kMostTilesGathered ? streamed : row,
             tile);
  use.buffer("places and result", 2, tile);
}

void rowsGatherMemory(const OpCall &call, MemoryUse &use) {
  constexpr int64_t inFlight = 2, numberTile = 4096, indexPage = 32;
  const TensorRef &table = call.in[0], &index = call.in[1];
  // Programs for libraries that lack the kernel cast the positions before they look rows up, and gather other types than bf16 in tiles.
  if (call.in[1].dtype() != DataType::UInt32) {
    use.program("cast positions");
    use.buffer("positions before and behind", 4, numberTile);
  }
  if (table.dtype() != DataType::BFloat16)
    gatherElements(call, use);
  // bf16 is looked up as by `embedding`: a core with one row has no other in flight.
  int64_t access = call.device().dramAlignment.value(), count = std::max<int64_t>(1, index.width);
  bool alone = table.dtype() == DataType::BFloat16 && answersAsNewest(call) && count <= call.cores();
  use.program("gather rows");
  use.buffer("rows", alone ? 1 : inFlight, alignUp(call.out[0].elements() / count * table.scalar, access));
  use.scratchpad(call, "positions", access / index.scalar, indexPage);
}

/// As an embedding of as many rows; all tensors lie in DRAM.
OpRuntime rowsGatherRuntime(const OpCall &call) {
  const TensorRef &table = call.in[0], &out = call.out[0];
  // Elements that are looked up are rows of the result together, but fetched each by itself. The index has a number for each dimension.
  const Shape &index = call.in[1].desc->shape;
  int64_t numbers = index.size() == 3 ? std::max<int64_t>(1, index[1]) : 1;
  int64_t fetched = std::max(out.rows(), std::max<int64_t>(1, call.in[1].elements() / numbers));
  double rows = double(ceilDiv(fetched, call.cores())), bytes = double(out.elements()) * double(table.scalar);
  Work work;
  work.dramRead = bytes;
  work.dramWrite = bytes;
  work.noc = rows * (call[P::EmbeddingStick] + bytes / double(fetched) / call[P::EmbeddingRate]);
  work.start = call[P::EmbeddingStart];
  return timeOf(call, work);
}

// ---- embedding_bw ---------------------------------------------------------------------------------------
/// A core takes the rows of as many indices as a tile has.
bool indicesFillTiles(const OpCall &call) { return call.in[0].width % 32 == 0; }

/// Since 2026 the gradient may lie in shards, if it is said where the result lies.
bool backwardInterleaved(const OpCall &call) {
  if (!answersAsNewest(call) || !call.out[0].decided())
    return everythingInterleaved(call);
  return outputsInterleaved(call) && !call.in[0].sharded() && !call.in[1].sharded();
}

constexpr Rule kBackwardRules[] = {
    {{"embedding_bw.interleaved",
      "operands and result must be interleaved; since 2026 the gradient need not, if the result is told to "
      "be",
      "facts/hardware 4.4, ttnn 0.77.0"},
     backwardInterleaved},
    {{"embedding_bw.whole_tiles", "the last dimension of the indices must be a multiple of 32",
      "ttnn 0.77.0 and 0.81.1 (embedding_backward_device_operation.cpp)"},
     indicesFillTiles},
};

/// Where the gradient lies.
void backwardOutputs(OpCall &call) {
  const TensorRef &out = call.out[0];
  if (!out.decided() && answersAsNewest(call) && call.in[2].l1())
    call.setOutput(0, l1Interleaved(*out.desc, call.device().workerGrid));
  outputsInDram(call);
}

void backwardMemory(const OpCall &call, MemoryUse &use) {
  constexpr int64_t columnTiles = 64, tile = 2048, indices = 32;
  use.buffer("gradient, sum and result", 3 * ceilDiv(call.in[1].tileCols, columnTiles), tile);
  use.buffer("indices", indices, call.in[0].scalar);
  use.buffer("mask and chunk count", 1, 32 + 16);
}

constexpr PathCost kBackwardTiles = {P::EmbeddingBackward, P::EmbeddingBackwardMove,
                                     P::EmbeddingBackwardMove};

OpRuntime backwardRuntime(const OpCall &call) {
  return timeOf(call, streamWork(call, call.tilesPerCore(call.in[2]), kBackwardTiles));
}

constexpr llvm::StringRef kOperands[] = {"indices", "table", "gradient"};
const Family kEmbedding = {"embedding",     kOperands,        kEmbeddingRules, embeddingOutputs,
                           embeddingMemory, embeddingRuntime, nullptr,         countEmbedding};
const Family kBackward = {"embedding_bw",  kOperands,      kBackwardRules,
                          backwardOutputs, backwardMemory, backwardRuntime};

constexpr llvm::StringRef kRowsOperands[] = {"operand", "index"};
const Family kRowsGather = {"rows_gather",    kRowsOperands,     kRowsGatherRules, outputsInDramRowMajor,
                            rowsGatherMemory, rowsGatherRuntime, neverConfirmed};

const OpRow kRows[] = {
    {"ttnn.embedding", &kEmbedding, 2, 2},
    {"ttnn.embedding_bw", &kBackward, 3, 3},
    {"ttnn.rows_gather", &kRowsGather, 2, 2},
};

} // namespace

Rows embeddingRows() { return kRows; }

} // namespace tessera::analytic
