//===- Attention.cpp - Scaled dot product attention ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// facts/formulas 10; facts/hardware 4.5.
//===----------------------------------------------------------------------===//
#include "Attention.h"

#include "Family.h"
#include "Kernels.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

// ---- scaled_dot_product_attention -----------------------------------------------------------------------
bool allTiledInterleaved(const OpCall &call) {
  return allOperandsInterleaved(call) &&
         llvm::all_of(call.in, [](const TensorRef &tensor) { return tensor.tiled(); });
}

bool newest(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }

bool attentionType(const TensorRef &tensor) {
  return llvm::is_contained({DataType::BFloat16, DataType::BFP_BFloat8, DataType::BFP_BFloat4},
                            tensor.dtype());
}
// Mask and tables behind the first three have rules of their own.
bool attentionTypes(const OpCall &call) {
  return !newest(call) || llvm::all_of(llvm::ArrayRef(call.in).take_front(3), attentionType);
}
/// Newer kernels write results of any kind.
bool resultInterleaved(const OpCall &call) { return newest(call) || outputsInterleaved(call); }

/// Is optional operand `segment` of the op present? Without segment sizes operands are taken in order.
bool hasSegment(const OpCall &call, size_t segment) {
  llvm::ArrayRef<int64_t> sizes = call.op().integers("operandSegmentSizes");
  return sizes.empty() ? segment < call.in.size() : segment < sizes.size() && sizes[segment] > 0;
}

/// Position of optional operand `segment` among the operands that are there.
const TensorRef *segmentOperand(const OpCall &call, size_t segment) {
  if (!hasSegment(call, segment))
    return nullptr;
  llvm::ArrayRef<int64_t> sizes = call.op().integers("operandSegmentSizes");
  size_t index = segment;
  if (!sizes.empty()) {
    index = 0;
    for (size_t i = 0; i < segment; ++i)
      // Absent operands have no place in the list, only a size of 0.
      index += sizes[i] > 0 ? 1 : 0;
  }
  return index < call.in.size() ? &call.in[index] : nullptr;
}

enum PrefillVariant : unsigned { Whole, Chunked, Latent };

/// The mask of self attention; the op's fourth operand.
bool maskInDram(const OpCall &call) {
  const TensorRef *mask = segmentOperand(call, 3);
  return !newest(call) || call.row.variant != Whole || !mask || mask->dram();
}
bool maskType(const OpCall &call) {
  const TensorRef *mask = segmentOperand(call, 3);
  return !newest(call) || call.row.variant != Whole || !mask || attentionType(*mask);
}

/// Sinks, the last operand of self attention: a number for each head of the queries.
bool sinkForEachHead(const OpCall &call) {
  const TensorRef *sink = segmentOperand(call, 4);
  return !newest(call) || call.row.variant != Whole || !sink ||
         (sink->dram() && attentionType(*sink) && sink->elements() == call.in[0].dim(1) &&
          sink->desc->shape.size() == 4 && sink->dim(1) == sink->elements());
}

/// Zeros that fill up a head would be part of the product's inner dimension, which the kernel does not expect.
bool headsFillTiles(const OpCall &call) {
  return !newest(call) || call.row.variant != Whole ||
         llvm::all_of(llvm::ArrayRef(call.in).take_front(3),
                      [](const TensorRef &t) { return t.width % 32 == 0; });
}

constexpr RuleInfo kAttentionTypes = {"attention.types", "query, key and value must be bf16, bfp8 or bfp4",
                                      "tt-metal 0.77 (sdpa_device_operation.cpp)"};
constexpr Rule kAttentionRules[] = {
    {{"attention.operands", "query, key, value and mask must be tiled and interleaved", "facts/hardware 4.5"},
     allTiledInterleaved},
    {kAttentionTypes, attentionTypes},
    {{"attention.head_size", "the size of a head must be a multiple of 32",
      "tt-metal 0.77 (sdpa_device_operation.cpp)"},
     headsFillTiles},
    {{"attention.mask_in_dram", "the mask must be in DRAM", "tt-metal 0.77 (sdpa_device_operation.cpp)"},
     maskInDram},
    {{"attention.mask_type", "the mask must be bf16, bfp8 or bfp4",
      "tt-metal 0.77 (sdpa_device_operation.cpp)"},
     maskType},
    {{"attention.sink", "sinks must be a number for each head in DRAM, of bf16, bfp8 or bfp4",
      "tt-metal 0.77 (sdpa_device_operation.cpp)"},
     sinkForEachHead},
    {{"attention.result_interleaved", "the result must be interleaved", "facts/hardware 4.5"},
     resultInterleaved},
};

/// Chunks of causal attention are shared out by twos: an early one, which has little to attend to, and a late one.
bool chunksInPairs(const OpCall &call) {
  return newest(call) && call.op().boolean("is_causal", false) && ceilDiv(call.in[0].height, 32) % 2 == 0;
}
/// Does a core work on more than one chunk of queries, one tile high each? Chunks of all heads and users are shared out.
bool severalChunks(const OpCall &call) { return chunksInPairs(call) || call.in[0].tileRows > call.cores(); }
/// Since October 2026 they take 96 B more on Blackhole (facts/vendor-library 6).
bool keepsPairs(const OpCall &call) {
  return answersAsOctober2026(call) && call.device().arch == Arch::Blackhole && chunksInPairs(call);
}

/// Causal attention makes a mask of its own, and so does one whose last tile of keys is not full; a last tile of queries that
/// is not full takes a single tile.
int64_t maskTiles(const OpCall &call) {
  if (!newest(call) || call.op().boolean("is_causal", false) || segmentOperand(call, 3) ||
      call.in[1].height % 32 != 0)
    return 2;
  return call.in[0].height % 32 != 0 ? 1 : 0;
}

/// Chunks of one tile by default (tt-metal 0.77: sdpa_program_factory.cpp).
void attentionMemory(const OpCall &call, MemoryUse &use) {
  wholeShards(call, use);
  constexpr int64_t tile = 2048;
  const TensorRef &q = call.in[0], *mask = call.row.variant == Whole ? segmentOperand(call, 3) : nullptr;
  // Queries stay while keys and values stream past them, which are therefore there twice (facts/formulas 10).
  int64_t head = q.tileCols, twice = newest(call) ? 2 : 1;
  use.buffer("query", head * (severalChunks(call) ? 2 : 1), q.tile);
  use.buffer("key", 2 * head, call.in[1].tile);
  // The values of latent attention may be the first columns of its keys.
  bool ownValues = call.row.variant != Latent || hasSegment(call, 2);
  use.buffer("value", ownValues ? 2 * head : 0, call.in[ownValues ? 2 : 1].tile);
  if (call.row.variant == Chunked)
    use.buffer("page table", 1, alignUp(4 * call.in[3].width, 32));
  use.buffer("mask", maskTiles(call), mask ? mask->tile : tile);
  use.buffer("beside pairs of chunks", keepsPairs(call) ? 3 : 0, 32);
  const TensorRef *sink = call.row.variant == Whole && newest(call) ? segmentOperand(call, 4) : nullptr;
  use.buffer("attention sink", sink ? 1 : 0, sink ? sink->tile : tile);
  use.buffer("scale and identities", newest(call) ? 3 : 2, tile);
  use.buffer("query times key", 1, tile);
  use.buffer("partial results", 2 * head, tile);
  use.buffer("maxima, sums and corrections", 5, tile);
  use.buffer("result", twice * head, call.out[0].tile);
}

/// Both products, and the softmax of every tile of `scores`; queries and keys are fetched tile by tile.
OpRuntime attentionTime(const OpCall &call, double queryTiles, double keyTiles, double cores, double scores) {
  const TensorRef &q = call.in[0];
  bool causal = call.op().boolean("is_causal", false);
  // A causal mask leaves half of the scores.
  // Two: queries by keys, and scores by values, which are as wide.
  double products = queryTiles * keyTiles * double(q.tileCols) * 2 * (causal ? 0.5 : 1);
  Work work;
  addDramTraffic(call, work);
  work.compute = products / cores * call[P::AttentionProduct] + scores / cores * call[P::AttentionScore];
  work.noc = (queryTiles + keyTiles) * double(q.tileCols) / cores * call[P::AttentionFetch];
  return timeOf(call, work);
}

OpRuntime attentionRuntime(const OpCall &call) {
  const TensorRef &q = call.in[0], &k = call.in[1];
  // A row of query tiles is one core's work, so few queries leave cores idle.
  double cores = double(std::min<int64_t>(call.cores(), q.tileRows)),
         keyTiles = double(ceilDiv(k.height, 32));
  // A tile of queries ends at the tile of keys with its own positions: later ones are not fetched.
  double seen =
      call.row.variant == Whole && call.op().boolean("is_causal", false) ? (keyTiles + 1) / 2 : keyTiles;
  return attentionTime(call, double(q.tileRows), keyTiles, cores, double(q.tileRows) * seen);
}

bool tableInRows(const OpCall &call) {
  return call.in[3].rowMajor() && call.in[3].dtype() == DataType::Int32;
}
bool headsTiled(const OpCall &call) {
  return llvm::all_of(llvm::ArrayRef(call.in).take_front(3),
                      [](const TensorRef &t) { return t.tiled() && !t.sharded(); });
}

constexpr Rule kChunkedRules[] = {
    {{"chunked_attention.operands", "query, key and value must be tiled and interleaved",
      "facts/hardware 4.5"},
     headsTiled},
    {{"chunked_attention.page_table", "the page table must be row-major si32", "facts/formulas 10"},
     tableInRows},
    {{"attention.result_interleaved", "the result must be interleaved", "facts/hardware 4.5"},
     resultInterleaved},
};

// ---- decode attention -----------------------------------------------------------------------------------
bool paged(const OpCall &call) { return call.row.variant == Paged || call.row.variant == PagedLatent; }

bool inDram(const TensorRef &tensor) { return tensor.dram() && !tensor.sharded(); }

/// Newer kernels read mask, positions and page table from L1, too.
bool keysInDram(const OpCall &call) {
  llvm::ArrayRef<TensorRef> others = llvm::ArrayRef(call.in).drop_front();
  if (!newest(call) || call.row.variant > Paged)
    return llvm::all_of(others, inDram);
  return llvm::all_of(others.take_front(2), inDram) &&
         llvm::all_of(others.drop_front(2), [](const TensorRef &t) { return !t.sharded(); });
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
};

/// Parts of a user's query heads that the kernel takes like users of their own: the shards that it lies in, if it is attention
/// on latents. So the published model attends with 128 heads of 4 users on 16 cores (facts/deepseek 2.2), where 128 heads at
/// once would need three times the L1 that a core has.
int64_t queryParts(const OpCall &call) {
  const TensorRef &q = call.in[0];
  bool latent = call.row.variant == PagedLatent || call.row.variant == ContiguousLatent;
  int64_t users = std::max<int64_t>(1, q.dim(1)), parts = q.shardCores() / users;
  return latent && parts > 1 && q.shardCores() % users == 0 && ceilDiv(q.dim(2), 32) % parts == 0 ? parts : 1;
}

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
  if (call.row.variant > Paged) // query, key, value if it is not the key's, page table, mask, position
    return {nullptr, &call.in.back()};
  bool table = paged(call);
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

/// One row of the mask for every head of the query, padded alike; of the whole cache a column for every key.
bool maskLikeScores(const OpCall &call) {
  const TensorRef *mask = segmentOperand(call, paged(call) ? 4 : 3);
  if (!newest(call) || !mask)
    return true;
  int64_t columns = mask->tiled() ? alignUp(mask->width, 32) : mask->width;
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

/// A user's queries are read from the core that writes the user's result: user after user, row by row of the kernel's grid. Elsewhere the
/// library reads what happens to lie at that address, and says nothing.
bool queryWithItsUser(const OpCall &call) {
  const TensorRef &q = call.in[0];
  if (!q.sharded())
    return true;
  GridShape grid = decodeGrid(call);
  int64_t users = q.dim(1);
  return q.shardTiles().rows == ceilDiv(q.dim(2), 32) && users >= 1 && users <= grid.volume() &&
         q.layout->cores == rowMajorCores(CoreCount(users), grid);
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
    {{"attention_decode.query_shards",
      "a sharded query has a user to a shard, on the first cores of the program config's grid, row by row",
      "ttnn 0.81.1 (dataflow_common.hpp), executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
     queryWithItsUser},
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
    {{"attention_decode.cores_per_head", "at most 64 cores can share a key head of a user",
      "tt-metal 0.77 (sdpa_decode_program_factory.cpp)"},
     headsReduce},
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
  use.buffer("query, also tilized", 2 * query, half);
  const TensorRef &values = call.row.variant <= Paged ? call.in[2] : keys;
  use.buffer("key", 2 * s.chunk * s.head, keys.tile);
  use.buffer("value", 2 * s.chunk * s.value, values.tile);
  const TensorRef *mask = call.row.variant <= Paged ? segmentOperand(call, paged(call) ? 4 : 3) : nullptr;
  // Half tiles of few heads halve the mask, too, of whichever type it is.
  use.buffer("mask", scores, mask && newest(call) ? mask->tile * half / 2048 : half);
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
    use.buffer("current positions", newest(call) && call.row.variant <= Paged ? 2 : 1,
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
  return attentionTime(call, queryTiles, keyTiles, std::max(1.0, cores), queryTiles * keyTiles);
}

constexpr llvm::StringRef kAttentionOperands[] = {"query", "key", "value"};
const Family kAttention = {
    "attention",     kAttentionOperands, kAttentionRules, outputsInDramInPagesOfOperand0,
    attentionMemory, attentionRuntime,   neverConfirmed};
const Family kDecode = {"attention_decode", kAttentionOperands, kDecodeRules, outputsInDramInPagesOfOperand0,
                        decodeMemory,       decodeRuntime,      nullptr,      countDecode};
const Family kChunked = {
    "chunked_attention", kAttentionOperands, kChunkedRules, outputsInDramInPagesOfOperand0,
    attentionMemory,     attentionRuntime,   neverConfirmed};
const Family kLatentDecode = {"latent_attention_decode",
                              kAttentionOperands,
                              kLatentRules,
                              outputsInDramInPagesOfOperand0,
                              decodeMemory,
                              decodeRuntime,
                              neverConfirmed};

// Operands from the minimum on are optional, in the order of the op's segments.
const OpRow kRows[] = {
    {"ttnn.chunked_scaled_dot_product_attention", &kChunked, 5, 5, 1, 0, Chunked},
    {"ttnn.flash_mla_prefill", &kAttention, 2, 4, 1, 0, Latent},
    {"ttnn.flash_multi_latent_attention_decode", &kLatentDecode, 2, 6, 1, 0, ContiguousLatent},
    {"ttnn.paged_flash_multi_latent_attention_decode", &kLatentDecode, 3, 7, 1, 0, PagedLatent},
    {"ttnn.paged_scaled_dot_product_attention_decode", &kDecode, 4, 7, 1, 0, Paged},
    {"ttnn.scaled_dot_product_attention", &kAttention, 3, 5},
    {"ttnn.scaled_dot_product_attention_decode", &kDecode, 3, 6, 1, 0, Contiguous},
};

} // namespace

Rows attentionRows() { return kRows; }

DecodeShape attentionDecodeShape(const OpCall &call) { return decodeShape(call); }

} // namespace tessera::analytic
