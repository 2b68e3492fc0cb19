//===- Cache.cpp - KV caches, written in place ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// facts/formulas 10; facts/hardware 4.5.
//===----------------------------------------------------------------------===//
#include "../Family.h"
#include "../Kernels.h"
#include "../Runtime.h"
#include "../Shards.h"

namespace tessera::analytic {
namespace {

bool cacheTiledInterleaved(const OpCall &call) { return call.in[0].tiled() && !call.in[0].sharded(); }
bool inputTiled(const OpCall &call) { return call.in[1].tiled(); }
/// A row of tiles of new values is what the kernel takes at once: shards that cut it would leave it in two cores.
bool wholeRowsInShard(const OpCall &call) {
  const TensorRef &input = call.in[1];
  return !input.sharded() || input.shardTiles().columns == input.tileCols;
}
/// A shard holds rows of one head only.
bool headsInShards(const OpCall &call) {
  const TensorRef &input = call.in[1];
  return !input.sharded() || ceilDiv(input.height, 32) % input.shardTiles().rows == 0;
}
bool evenShards(const OpCall &call) {
  const TensorRef &input = call.in[1];
  return !input.sharded() || input.tileRows % input.shardTiles().rows == 0;
}
/// New values are 1 x heads x users x size.
bool usersInRows(const OpCall &call) {
  return call.context.version < BackendVersion::Newest || call.in[1].dim(0) == 1;
}
/// A cache that all users share is one user's, and has no pages.
bool sharedWithoutPages(const OpCall &call) {
  return call.context.version < BackendVersion::Newest || !call.op().boolean("share_cache", false) ||
         (!call.hasOperand(3) && call.in[0].dim(0) == 1);
}
/// Since October 2026 the library notices that it tells cores without a shard what to do.
bool shardsOnFirstCores(const OpCall &call) {
  return !answersAsOctober2026(call) || onFirstCores(call.in[1]);
}
bool sameTypes(const OpCall &call) { return call.in[0].dtype() == call.in[1].dtype(); }
bool floatCache(const OpCall &call) {
  return llvm::is_contained({DataType::Float32, DataType::BFloat16, DataType::BFP_BFloat8},
                            call.in[0].dtype()) &&
         llvm::is_contained({DataType::Float32, DataType::BFloat16, DataType::BFP_BFloat8},
                            call.in[1].dtype());
}
/// The page table of a user has room for all of the new values.
/// A cache of pages is pages x heads x positions of a page x size; a row of the table names the pages of one user.
bool tableHasRoom(const OpCall &call) { return call.in[1].height <= call.in[0].height * call.in[2].width; }
bool notWidthSharded(const OpCall &call) { return !call.in[1].shardedAs(MemoryLayout::WidthSharded); }
/// The kernel of each core writes the row of one user, which it must have in its own L1.
bool inputHeightSharded(const OpCall &call) {
  return call.in[1].shardedAs(MemoryLayout::HeightSharded) && call.in[1].l1();
}
bool inputInterleaved(const OpCall &call) { return !call.in[1].sharded(); }
/// tt-mlir checks the index since November 2025; the backend itself reads it as one number.
bool unsignedIndex(const OpCall &call) {
  return call.context.version <= BackendVersion::EarlyNovember2025 || call.in[2].dtype() == DataType::UInt32;
}
bool newest(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }
/// Lists of numbers are read row by row from DRAM.
bool inDramRows(const TensorRef &list) { return list.dram() && list.rowMajor(); }
bool indexInDramRows(const OpCall &call) { return !newest(call) || inDramRows(call.in[2]); }
bool shardPerUser(const OpCall &call) {
  // New values are 1 x users x heads x size.
  return !newest(call) || call.in[1].shardCores() == call.in[1].dim(1);
}
bool updateTable(const OpCall &call) {
  return !newest(call) || !call.hasOperand(3) ||
         (call.in[3].rowMajor() && call.in[3].dtype() == DataType::Int32);
}
bool halfOrFullInput(const OpCall &call) {
  return !newest(call) || call.in[1].dtype() == DataType::Float32 || call.in[1].dtype() == DataType::BFloat16;
}
/// Pages of the page table are moved in units of 32 B.
/// An entry has 4 bytes, and a row of a table in L1 is padded to 16 only. In DRAM rows are padded to 32 bytes or
/// more by themselves.
bool tablePages(const OpCall &call) {
  return !newest(call) || call.in[2].dram() || alignUp(4 * call.in[2].width, 16) % 32 == 0;
}
bool fillIndex(const OpCall &call) { return !newest(call) || !call.hasOperand(3) || inDramRows(call.in[3]); }
bool pagedSameTypes(const OpCall &call) { return !answersAsOctober2026(call) || sameTypes(call); }
bool signedIndex(const OpCall &call) { return call.in[2].dtype() == DataType::Int32; }

constexpr RuleInfo kCache = {"cache.tiled_interleaved", "the cache must be tiled and interleaved",
                             "facts/hardware 4.5"};
constexpr RuleInfo kNotWidth = {"cache.input_not_width_sharded", "the new values must not be width-sharded",
                                "facts/hardware 4.5"};

constexpr RuleInfo kInputTiled = {"cache.input_tiled", "the new values must be tiled",
                                  "tt-metal 0.77 (update_cache_device_operation.cpp, "
                                  "paged_update_cache_device_operation.cpp)"};
constexpr RuleInfo kWholeRows = {"cache.whole_rows", "a shard of the new values must hold whole rows",
                                 "tt-metal 0.77 (update_cache_device_operation.cpp)"};
constexpr RuleInfo kFloat = {"cache.types", "the cache and the new values must be f32, bf16 or bfp8",
                             "tt-metal 0.77 (update_cache_device_operation.cpp)"};

constexpr Rule kFillRules[] = {
    {kCache, cacheTiledInterleaved},
    {kInputTiled, inputTiled},
    {kFloat, floatCache},
    {{"fill_cache.same_type", "the cache and the new values must have the same data type",
      "tt-metal 0.77 (update_cache_device_operation.cpp)"},
     sameTypes},
    {kNotWidth, notWidthSharded},
    {kWholeRows, wholeRowsInShard},
    {{"fill_cache.heads_in_shards", "the height of a shard must divide the height of a head of new values",
      "tt-metal 0.77 (update_cache_device_operation.cpp)"},
     headsInShards},
    {{"fill_cache.first_cores",
      "new values in shards must lie on the grid's first cores, row by row (since October 2026)",
      "ttnn 0.81.1 (program_run_args.cpp)"},
     shardsOnFirstCores},
};
constexpr Rule kUpdateRules[] = {
    {kCache, cacheTiledInterleaved},
    {kInputTiled, inputTiled},
    {kFloat, floatCache},
    {kNotWidth, notWidthSharded},
    {kWholeRows, wholeRowsInShard},
    {{"update_cache.even_shards", "the height of a shard must divide the rows of the new values",
      "tt-metal 0.77 (update_cache_device_operation.cpp)"},
     evenShards},
    {{"update_cache.users_in_rows", "the first dimension of the new values must be 1, as users are rows",
      "ttnn 0.77.0 and 0.81.1 (update_cache_device_operation.cpp)"},
     usersInRows},
    {{"update_cache.first_core",
      "new values in shards must lie on the grid's first cores, row by row (since October 2026)",
      "ttnn 0.81.1 (program_run_args.cpp)"},
     shardsOnFirstCores},
    {{"update_cache.index_type", "the update index must be u32", "facts/formulas 10"}, unsignedIndex},
};
constexpr Rule kPagedUpdateRules[] = {
    {kCache, cacheTiledInterleaved},
    {kInputTiled, inputTiled},
    {{"paged_update_cache.input_height_sharded",
      "the new values must be height-sharded in L1, one core per user",
      "facts/formulas 10, facts/hardware 4.5"},
     inputHeightSharded},
    {{"paged_update_cache.shard_per_user", "the new values must lie in as many shards as there are users",
      "tt-metal 0.77 (paged_update_cache_device_operation.cpp)"},
     shardPerUser},
    {{"paged_update_cache.index_type", "the update index must be si32", "facts/hardware 4.5"}, signedIndex},
    {{"paged_update_cache.index_in_dram", "the update index must be row-major in DRAM",
      "tt-metal 0.77 (paged_update_cache_device_operation.cpp)"},
     indexInDramRows},
    {{"paged_update_cache.page_table", "the page table must be row-major si32",
      "tt-metal 0.77 (paged_update_cache_device_operation.cpp)"},
     updateTable},
    {{"paged_update_cache.shared_without_pages",
      "a cache that users share must have one of them, and no page table",
      "ttnn 0.77.0 and 0.81.1 (paged_update_cache_device_operation.cpp)"},
     sharedWithoutPages},
    {{"paged_update_cache.input_type", "the new values must be f32 or bf16",
      "tt-metal 0.77 (paged_update_cache_device_operation.cpp)"},
     halfOrFullInput},
};
constexpr Rule kPagedFillRules[] = {
    {kCache, cacheTiledInterleaved},
    {{"paged_fill_cache.input_interleaved", "the new values must be interleaved", "facts/hardware 4.5"},
     inputInterleaved},
    {{"paged_fill_cache.table_type", "the page table must be si32", "facts/hardware 4.5"}, signedIndex},
    {{"paged_fill_cache.same_type",
      "the cache and the new values must have the same data type (since October 2026)",
      "tt-metal 0.81 (paged_fill_cache_device_operation.cpp)"},
     pagedSameTypes},
    {{"paged_fill_cache.table_room", "the blocks of a row of the page table must hold the new values",
      "tt-metal 0.77 (paged_fill_cache_device_operation.cpp)"},
     tableHasRoom},
    {{"paged_fill_cache.table_pages", "a row of the page table in L1 must be a multiple of 32 B",
      "tt-metal 0.77 (paged_fill_cache_program_factory.cpp)"},
     tablePages},
    {{"paged_fill_cache.index_in_dram", "the batch index must be row-major in DRAM",
      "tt-metal 0.77 (paged_fill_cache_device_operation.cpp)"},
     fillIndex},
};

/// The op has no result of its own; what it reports as output is the cache, which is there already.
/// Without the zero the peak would be that of the results, and the cache would be counted twice: as a tensor that
/// lives and as one that is made.
void inPlace(const OpCall &call, MemoryUse &use) {
  use.writesInPlace(call.perCore(call.in[0]));
  use.tensors(0);
}

void fillMemory(const OpCall &call, MemoryUse &use) {
  // Shards are sent from where they lie.
  use.buffer("new values", call.in[1].sharded() ? 0 : 2, call.in[1].tile);
  inPlace(call, use);
}

/// Since October 2026 what goes to a cache of f32 is f32 on its way.
bool wideCache(const OpCall &call) {
  return answersAsOctober2026(call) && call.in[0].dtype() == DataType::Float32;
}

/// Shapes: cache users x heads x positions x size, new values 1 x heads x users x size. `row` is a row of tiles of
/// one head.
void updateMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &cache = call.in[0], &input = call.in[1];
  constexpr int64_t untilizedTile = 2048;
  // The kernel works on two users at a time, and a single one if there are no more (facts/formulas 10).
  int64_t row = cache.tileCols, users = cache.dim(0), together = std::min<int64_t>(2, users);
  use.buffer("cache", 2 * together * row, cache.tile);
  use.buffer("untilized cache and new values", 4 * together * row, untilizedTile);
  // Users are the rows of a tile here, so that it has 32 of them whether there are as many or not.
  use.buffer("result", alignUp(users, 32) * row, cache.tile);
  bool wide = wideCache(call);
  use.buffer("new values", input.sharded() ? 0 : (wide ? 1 : 2) * row, input.tile);
  use.buffer("new values in f32", wide ? row : 0, cache.tile);
  inPlace(call, use);
}

/// New values are 1 x users x heads x size. Heads are the rows of a tile here, untilized so that one of them can be
/// written into the row of its position.
void pagedUpdateMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &cache = call.in[0], &input = call.in[1];
  constexpr int64_t entryBytes = 4;
  int64_t intermediateTile = wideCache(call) ? cache.tile : 2048;
  int64_t row = cache.tileCols;
  use.buffer("cache", 2 * row, cache.tile);
  use.buffer("result", input.dim(1) * row, cache.tile);
  use.buffer("untilized cache and new values", 4 * row, intermediateTile);
  use.buffer("index", 1, call.in[2].tile);
  if (call.hasOperand(3))
    // Only the user's own row, an entry for each of its pages.
    use.buffer("page table", call.in[3].width, entryBytes);
  inPlace(call, use);
}

void pagedFillMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &cache = call.in[0];
  use.buffer("new values", 2 * cache.tileCols, call.in[1].tile);
  // A row of the table is a page of its memory, and is read whole.
  int64_t alignment =
      call.in[2].dram() ? call.device().dramAlignment.value() : call.device().l1Alignment.value();
  use.buffer("page table", 1, alignUp(4 * call.in[2].width, alignment));
  if (call.hasOperand(3))
    use.buffer("batch index", 1, 4);
  inPlace(call, use);
}

/// The new values are read and written; of the cache only the tiles they fall into.
OpRuntime runtime(const OpCall &call) {
  const TensorRef &cache = call.in[0], &input = call.in[1];
  // An update falls inside a tile, so that tile is read, changed and written; a fill covers whole tiles.
  bool reads = call.row.variant != 0;
  Work work;
  // Bytes over all cores together; an update also reads the tiles that it changes, as many as it writes.
  double bytes = double(input.bytes());
  work.dramRead = (input.dram() ? bytes : 0) + (reads && cache.dram() ? bytes : 0);
  work.dramWrite = cache.dram() ? bytes : 0;
  // Only the new values count: what lies in the cache beside them is not touched, however long it is.
  work.noc = double(call.tilesPerCore(input)) * call[reads ? P::CacheUpdate : P::CacheFill];
  return timeOf(call, work);
}

constexpr llvm::StringRef kOperands[] = {"cache", "input", "index", "page_table"};
constexpr llvm::StringRef kPagedFillOperands[] = {"cache", "input", "page_table", "batch_index"};
const Family kFill = {"fill_cache", kOperands, kFillRules, noOutputs,
                      fillMemory,   runtime,   nullptr,    countFillCache};
const Family kUpdate = {"update_cache", kOperands, kUpdateRules, noOutputs, updateMemory, runtime};
const Family kPagedUpdate = {"paged_update_cache", kOperands, kPagedUpdateRules, noOutputs,
                             pagedUpdateMemory,    runtime,   nullptr,           countPagedUpdate};
const Family kPagedFill = {"paged_fill_cache", kPagedFillOperands, kPagedFillRules,
                           noOutputs,          pagedFillMemory,    runtime};

enum Variant : unsigned { WriteOnly, ReadModifyWrite };
// Results 0: they return nothing, the cache is changed where it lies.
const OpRow kRows[] = {
    {"ttnn.fill_cache", &kFill, 2, 2, 0, 0, WriteOnly},
    {"ttnn.paged_fill_cache", &kPagedFill, 3, 4, 0, 0, WriteOnly},
    {"ttnn.paged_update_cache", &kPagedUpdate, 3, 4, 0, 0, ReadModifyWrite},
    {"ttnn.update_cache", &kUpdate, 3, 3, 0, 0, ReadModifyWrite},
};

} // namespace

Rows cacheRows() { return kRows; }

} // namespace tessera::analytic
