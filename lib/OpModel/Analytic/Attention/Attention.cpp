//===- Attention.cpp - Attention of one position, over a cache -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// facts/formulas 10; facts/hardware 4.5.
//===----------------------------------------------------------------------===//
#include "Attention.h"

#include "../Family.h"
#include "../Kernels.h"
#include "../Runtime.h"

namespace tessera::analytic {

bool attentionType(const TensorRef &tensor) {
  return llvm::is_contained({DataType::BFloat16, DataType::BFP_BFloat8, DataType::BFP_BFloat4},
                            tensor.dtype());
}

bool attentionTypes(const OpCall &call) {
  return !isNewestAttention(call) || llvm::all_of(llvm::ArrayRef(call.in).take_front(3), attentionType);
}

namespace {

bool newest(const OpCall &call) { return isNewestAttention(call); }

bool paged(const OpCall &call) { return call.row.variant == Paged || call.row.variant == PagedLatent; }

bool inDram(const TensorRef &tensor) { return tensor.dram() && !tensor.sharded(); }

/// Newer kernels read mask, positions and page table from L1, too.
bool keysInDram(const OpCall &call) {
  llvm::ArrayRef<TensorRef> others = llvm::ArrayRef(call.in).drop_front();
  if (!newest(call) || call.row.variant == ContiguousLatent)
    return llvm::all_of(others, inDram);
  // The values of latent attention may be the keys' first columns.
  size_t cached = call.row.variant == PagedLatent && !hasSegment(call, 2) ? 1 : 2;
  return llvm::all_of(others.take_front(cached), inDram) &&
         llvm::all_of(others.drop_front(cached), [](const TensorRef &t) { return !t.sharded(); });
}

bool queryInDramOrShards(const OpCall &call) {
  const TensorRef &q = call.in[0];
  return q.shardedAs(MemoryLayout::HeightSharded) || (q.dram() && !q.sharded());
}

bool decodeResult(const OpCall &call) {
  const TensorRef &out = call.out[0];
  bool grouped = call.in[1].dim(1) > 1;
  // Grouped keys take no shards (facts/hardware 4.5).
  return !out.decided() || (!out.sharded() && (newest(call) || out.dram())) ||
         (out.shardedAs(MemoryLayout::HeightSharded) && !grouped);
}

/// One latent head serves all queries, so that the result may lie in L1 too.
bool latentResult(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return !out.sharded() || out.shardedAs(MemoryLayout::HeightSharded);
}

/// The cores that the kernel shares out: those of its program config, else all.
GridShape decodeGrid(const OpCall &call) {
  llvm::StringRef words = call.op().string("program_config.compute_with_storage_grid_size");
  // Nested attributes are kept as their text, columns first in this one.
  GridShape grid = call.device().workerGrid;
  if (words.consume_front("#ttnn.core_coord<") && !words.consumeInteger(10, grid.columns) &&
      words.consume_front(", "))
    words.consumeInteger(10, grid.rows);
  return grid;
}

/// A program config may be that of a larger device.
bool configFitsDevice(const OpCall &call) {
  GridShape grid = decodeGrid(call), worker = call.device().workerGrid;
  return grid.rows <= worker.rows && grid.columns <= worker.columns;
}

constexpr RuleInfo kConfigGrid = {"attention_decode.config_grid",
                                  "the program config's grid must lie within the device's",
                                  "tt-metal 0.77 (sdpa_decode_program_factory.cpp)"};

constexpr RuleInfo kCoresPerHead = {"attention_decode.cores_per_head",
                                    "at most 64 cores can share a key head of a user",
                                    "tt-metal 0.77 (sdpa_decode_program_factory.cpp)"};
bool headsReduce(const OpCall &call);

/// Parts of a user's query heads that the kernel takes like users of their own: the shards that it lies in, if it is attention
/// on latents. So the published model attends with 128 heads of 4 users on 16 cores (facts/deepseek 2.2), where 128 heads at
/// once would need three times the L1 that a core has.
int64_t queryParts(const OpCall &call) {
  const TensorRef &q = call.in[0];
  bool latent = call.row.variant == PagedLatent || call.row.variant == ContiguousLatent;
  int64_t users = std::max<int64_t>(1, q.dim(1)), parts = q.shardCores() / users;
  return latent && parts > 1 && q.shardCores() % users == 0 && ceilDiv(q.dim(2), 32) % parts == 0 ? parts : 1;
}

/// What is sharded has the heads of a user, or a part of them, on the core that writes that user's result: user after user, row by row of the
/// kernel's grid. Queries elsewhere are read from what happens to lie at that address, results elsewhere are not written, and the library says nothing.
bool usersOnTheirCores(const OpCall &call, const TensorRef &heads) {
  if (!heads.sharded())
    return true;
  GridShape grid = decodeGrid(call);
  int64_t parts = queryParts(call), users = heads.dim(1) * parts;
  return heads.shardTiles().rows == ceilDiv(ceilDiv(heads.dim(2), 32), parts) && users >= 1 &&
         users <= grid.volume() && heads.layout->cores == rowMajorCores(CoreCount(users), grid);
}

constexpr Rule kQueryShards = {
    {"attention_decode.query_shards",
     "a sharded query has a user to a shard, on the first cores of the program config's grid, row by row",
     "ttnn 0.81.1 (dataflow_common.hpp), executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
    [](const OpCall &call) { return usersOnTheirCores(call, call.in[0]); }};
constexpr Rule kResultShards = {
    {"attention_decode.result_shards",
     "a sharded result has a user to a shard, on the first cores of the program config's grid, row by row",
     "tt-metal (sdpa_decode_program_factory.cpp), ttnn 0.81.1 executed (docs/programs.md)",
     "wrong values on ttsim 1.10.0"},
    [](const OpCall &call) { return usersOnTheirCores(call, call.out[0]); }};

constexpr Rule kLatentRules[] = {
    {kConfigGrid, configFitsDevice},
    {{"attention_decode.keys_in_dram", "everything but the query must be DRAM interleaved",
      "facts/hardware 4.5, facts/ir 4.6"},
     keysInDram},
    {{"attention_decode.query", "the query must be DRAM interleaved or height-sharded in L1",
      "facts/hardware 4.5"},
     queryInDramOrShards},
    {{"latent_attention_decode.result", "the result must be interleaved or height-sharded",
      "goldens (PagedFlashMLADecode)"},
     latentResult},
    kQueryShards,
    kResultShards,
    {kCoresPerHead, headsReduce},
};

DecodeShape decodeShape(const OpCall &call) {
  const TensorRef &q = call.in[0], &k = call.in[1];
  bool causal = call.op().boolean("is_causal", true);
  DecodeShape shape;
  int64_t parts = queryParts(call), heads = ceilDiv(q.dim(2), parts);
  shape.head = q.tileCols;
  shape.value = call.out[0].tileCols;
  shape.groups = std::max<int64_t>(1, q.dim(1) * parts * k.dim(1));
  shape.queryTiles = ceilDiv(heads, 32);
  bool half = causal && heads <= 16 && q.dtype() == DataType::BFloat16 &&
              (newest(call) || call.device().arch == Arch::WormholeB0);
  shape.queryTile = half ? 1024 : 2048;
  // The paged kernel learns its length at run time and takes a fixed chunk, lately of one tile on one core; the other the
  // largest power of two that divides the length. The program config may name another.
  int64_t asked = newest(call) ? call.op().integer("program_config.k_chunk_size", 0) / 32 : 0;
  bool single = paged(call) && call.row.variant == Paged && newest(call);
  if (asked > 0) {
    shape.chunk = asked;
  } else if (single) {
    shape.chunk = 1;
  } else if (paged(call)) {
    shape.chunk = call.op().boolean("compute_config.fp32_dest_acc_en", false) ? 4 : 8;
  } else {
    // The lowest set bit of a number is the largest power of two in it.
    int64_t elements = std::min<int64_t>(512, k.height & -k.height);
    shape.chunk = std::max<int64_t>(1, elements / 32);
  }
  // At most 16 cores share one head (facts/formulas 10), of newer kernels all that there are.
  int64_t most = asked > 0      ? call.op().integer("program_config.max_cores_per_head_batch", 16)
                 : single       ? 1
                 : newest(call) ? call.cores()
                                : 16;
  // Every group has as many cores as every other; what does not divide stays idle.
  int64_t available = std::max<int64_t>(1, std::min(call.cores(), most * shape.groups));
  shape.coresPerHead = std::max<int64_t>(1, available / shape.groups);
  return shape;
}

/// Operands after the value: mask, position, sink; the paged op has its page table first.
struct DecodeOperands {
  const TensorRef *pageTable, *position;
};
DecodeOperands decodeOperands(const OpCall &call) {
  // Query, key, value if it is not the key's, page table, mask, position: older kernels have no buffer for the table.
  bool latent = call.row.variant > Paged;
  if (latent && (call.row.variant == ContiguousLatent || !newest(call)))
    return {nullptr, &call.in.back()};
  bool table = latent || paged(call);
  return {table ? segmentOperand(call, 3) : nullptr, segmentOperand(call, table ? 5 : 4)};
}

bool pagesInRows(const OpCall &call) {
  DecodeOperands extra = decodeOperands(call);
  auto rows = [](const TensorRef *t) { return !t || (t->rowMajor() && t->dtype() == DataType::Int32); };
  return !newest(call) || !paged(call) || (rows(extra.pageTable) && rows(extra.position));
}

/// Rows that a tensor's heads take up in memory.
int64_t headRows(const TensorRef &tensor) {
  return tensor.tiled() ? alignUp(tensor.dim(2), 32) : tensor.dim(2);
}

/// The kernel reads the mask by tiles, whatever it is; of rows the library says nothing, and each tile is the beginning of another row.
bool maskTiled(const OpCall &call) {
  const TensorRef *mask = segmentOperand(call, paged(call) ? 4 : 3);
  return !mask || mask->tiled();
}

/// One row of the mask for every head of the query, padded alike; of the whole cache a column for every key.
bool maskLikeScores(const OpCall &call) {
  const TensorRef *mask = segmentOperand(call, paged(call) ? 4 : 3);
  if (!newest(call) || !mask)
    return true;
  int64_t columns = alignUp(mask->width, 32);
  return mask->dim(2) == call.in[0].dim(2) && headRows(*mask) == headRows(call.in[0]) &&
         (paged(call) || columns == alignUp(call.in[1].height, 32));
}

bool scoresPowerOfTwo(const OpCall &call) {
  DecodeShape shape = decodeShape(call);
  return !newest(call) || llvm::isPowerOf2_64(uint64_t(std::min<int64_t>(8, shape.queryTiles * shape.chunk)));
}

/// Sinks, behind mask and positions: a row of a tile for each head.
bool sinkRows(const OpCall &call) {
  const TensorRef *sink = call.row.variant <= Paged ? segmentOperand(call, paged(call) ? 6 : 5) : nullptr;
  return !newest(call) || !sink ||
         (sink->dram() && sink->tiled() && sink->dtype() == DataType::BFloat16 &&
          sink->desc->shape.size() == 2 && sink->width <= 32 &&
          ceilDiv(sink->height, 32) == ceilDiv(call.in[0].dim(2), 32));
}

/// The chunk that the op takes by itself is the largest power of two in the length.
bool keysInChunks(const OpCall &call) {
  bool named = call.op().integer("program_config.k_chunk_size", 0) > 0;
  return !newest(call) || call.row.variant != Contiguous || named || call.in[1].height % 32 == 0;
}

/// Rows are read from the core that has them; elsewhere since October 2026 nothing but tiles is.
bool queryRowsInShards(const OpCall &call) {
  const TensorRef &q = call.in[0];
  return !answersAsOctober2026(call) || q.tiled() || q.sharded();
}

bool resultHoldsHeads(const OpCall &call) {
  const TensorRef &out = call.out[0];
  DecodeShape shape = decodeShape(call);
  return !newest(call) || !out.sharded() || out.shardTiles().volume() >= shape.queryTiles * shape.value;
}

/// Cores of a head add up their results in pairs, in at most six rounds.
bool headsReduce(const OpCall &call) { return !newest(call) || decodeShape(call).coresPerHead <= 64; }

constexpr Rule kDecodeRules[] = {
    {{"attention_decode.key_chunks",
      "as many keys as fill whole tiles, where no program config names the chunk",
      "tt-metal 0.77 (sdpa_decode.cpp)"},
     keysInChunks},
    {kConfigGrid, configFitsDevice},
    {{"attention_decode.keys_in_dram", "everything but the query must be DRAM interleaved",
      "facts/hardware 4.5, facts/ir 4.6"},
     keysInDram},
    {{"attention_decode.query", "the query must be DRAM interleaved or height-sharded in L1",
      "facts/hardware 4.5"},
     queryInDramOrShards},
    {{"attention_decode.query_rows", "a row-major query must be sharded",
      "ttnn 0.81.1 (sdpa_decode_device_operation.cpp)"},
     queryRowsInShards},
    kQueryShards,
    {{"attention_decode.result",
      "the result must be interleaved (of old versions in DRAM), or height-sharded with a single key head",
      "facts/hardware 4.5"},
     decodeResult},
    {{"attention_decode.keys_tiled", "key and value must be tiled",
      "tt-metal 0.77 (sdpa_decode_device_operation.cpp)"},
     [](const OpCall &call) { return call.in[1].tiled() && call.in[2].tiled(); }},
    {kAttentionTypes, attentionTypes},
    {{"attention_decode.grouped_query_type", "the query of several key heads must be bf16",
      "tt-metal 0.77 (sdpa_decode_device_operation.cpp)"},
     [](const OpCall &call) {
       return !newest(call) || call.in[1].dim(1) <= 1 || call.in[0].dtype() == DataType::BFloat16;
     }},
    {{"attention_decode.mask_type", "the mask must be bf16, bfp8 or bfp4",
      "tt-metal 0.77 (sdpa_decode_device_operation.cpp)"},
     [](const OpCall &call) {
       const TensorRef *mask = segmentOperand(call, paged(call) ? 4 : 3);
       return !newest(call) || !mask || attentionType(*mask);
     }},
    {{"attention_decode.mask_tiled", "the mask must be tiled",
      "ttnn 0.81.1 (dataflow_common.hpp), executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
     maskTiled},
    {{"attention_decode.mask_shape",
      "the mask must have as many rows as the query has heads, tiled if it is, and a column for every key",
      "tt-metal 0.77 (sdpa_decode_device_operation.cpp)"},
     maskLikeScores},
    {{"attention_decode.page_table",
      "the page table and the positions that go with it must be row-major si32",
      "tt-metal 0.77 (sdpa_decode_device_operation.cpp)"},
     pagesInRows},
    {{"attention_decode.sink", "sinks must be rows of tiles in DRAM, one for each head, of bf16",
      "tt-metal 0.77 (sdpa_decode_device_operation.cpp)"},
     sinkRows},
    {{"attention_decode.scores_block",
      "tiles of query heads times tiles of keys at a time, at most 8, must be a power of two",
      "tt-metal 0.77 (sdpa_decode_program_factory.cpp)"},
     scoresPowerOfTwo},
    {{"attention_decode.result_shard", "a shard of the result must hold the heads of a user",
      "tt-metal 0.77 (sdpa_decode_program_factory.cpp)"},
     resultHoldsHeads},
    kResultShards,
    {kCoresPerHead, headsReduce},
};

/// Bytes of `numbers` 32-bit numbers of a list, a page of its memory.
int64_t listBytes(const OpCall &call, const TensorRef &list, int64_t numbers) {
  Bytes alignment = list.dram() ? call.device().dramAlignment : call.device().l1Alignment;
  return alignUp(4 * numbers, alignment.value());
}

void decodeMemory(const OpCall &call, MemoryUse &use) {
  DecodeShape s = decodeShape(call);
  int64_t query = s.queryTiles * s.head, result = s.queryTiles * s.value, scores = s.queryTiles * s.chunk;
  int64_t half = s.queryTile;
  const TensorRef &keys = call.in[1];
  // In the order of the formula in facts/formulas 10, which is exact in 9 of 9 golden rows; what stands behind
  // the result came with newer kernels.
  // Queries of block floats are taken as they are by newer kernels.
  bool narrow = newest(call) && isBlockFloat(call.in[0].dtype());
  use.buffer("query, also tilized", 2 * query, narrow ? call.in[0].tile : half);
  const TensorRef &values = call.row.variant <= Paged ? call.in[2] : keys;
  use.buffer("key", 2 * s.chunk * s.head, keys.tile);
  use.buffer("value", 2 * s.chunk * s.value, values.tile);
  const TensorRef *mask = call.row.variant <= Paged ? segmentOperand(call, paged(call) ? 4 : 3) : nullptr;
  // Half tiles of few heads halve the mask, too, of whichever type it is.
  use.buffer("mask", scores, mask && newest(call) ? mask->tile * half / 2048 : half);
  // Pages that end inside a tile.
  bool padded = newest(call) && call.row.variant == Paged && keys.height % 32 != 0;
  use.buffer("mask of what fills a page up", padded ? scores : 0, half);
  use.buffer("query times key", scores, half);
  use.buffer("scale and zero", 2, half);
  use.buffer("column identity", 1, 2048);
  use.buffer("maxima and sums of other cores", 2 * s.queryTiles, half);
  use.buffer("partial results", 3 * result, half);
  use.buffer("maxima, sums and corrections", 9 * s.queryTiles, half);
  use.buffer("result of this core", result, half);
  use.buffer("results of the other cores", (result + 2 * s.queryTiles) * (s.coresPerHead - 1), half);
  use.buffer("result", newest(call) && call.out[0].sharded() ? 0 : result, call.in[0].tile);
  if (call.row.variant <= Paged && hasSegment(call, paged(call) ? 6 : 5))
    use.buffer("attention sink", s.queryTiles, half);
  if (call.op().integer("sliding_window_size", 0) > 0)
    use.buffer("sliding window mask", scores, half);
  DecodeOperands extra = decodeOperands(call);
  if (extra.position)
    use.buffer("current positions", newest(call) && call.row.variant != ContiguousLatent ? 2 : 1,
               extra.position->tiled() ? extra.position->tile
                                       : listBytes(call, *extra.position, extra.position->elements()));
  if (extra.pageTable)
    use.buffer("page table", 1, listBytes(call, *extra.pageTable, extra.pageTable->width));
}

OpRuntime decodeRuntime(const OpCall &call) {
  DecodeShape s = decodeShape(call);
  // Over the whole cache: what the positions leave out is not known before the op runs.
  double groups = double(s.groups), cores = std::min(double(call.cores()), groups * double(s.coresPerHead));
  double queryTiles = groups * double(s.queryTiles), keyTiles = double(ceilDiv(call.in[1].height, 32));
  double head = double(call.in[0].tileCols), scores = queryTiles * keyTiles;
  cores = std::max(1.0, cores);
  Work work;
  addDramTraffic(call, work);
  // Two products: queries by keys, and scores by values, which are as wide.
  work.compute =
      scores * (2 * head * call[P::AttentionDecodeProduct] + call[P::AttentionDecodeScore]) / cores;
  work.noc = (queryTiles + keyTiles) * head / cores * call[P::AttentionFetch];
  return timeOf(call, work);
}

const Family kDecode = {"attention_decode", kAttentionOperands, kDecodeRules, outputsInDramInPagesOfOperand0,
                        decodeMemory,       decodeRuntime,      nullptr,      countDecode};
const Family kLatentDecode = {"latent_attention_decode",
                              kAttentionOperands,
                              kLatentRules,
                              outputsInDramInPagesOfOperand0,
                              decodeMemory,
                              decodeRuntime,
                              neverConfirmed};

// Operands from the minimum on are optional, in the order of the op's segments.
const OpRow kRows[] = {
    {"ttnn.flash_multi_latent_attention_decode", &kLatentDecode, 2, 6, 1, 0, ContiguousLatent},
    {"ttnn.paged_flash_multi_latent_attention_decode", &kLatentDecode, 3, 7, 1, 0, PagedLatent},
    {"ttnn.paged_scaled_dot_product_attention_decode", &kDecode, 4, 7, 1, 0, Paged},
    {"ttnn.scaled_dot_product_attention_decode", &kDecode, 3, 6, 1, 0, Contiguous},
};

} // namespace

Rows attentionRows() { return kRows; }

DecodeShape attentionDecodeShape(const OpCall &call) { return decodeShape(call); }

} // namespace tessera::analytic
