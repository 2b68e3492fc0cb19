//===- Attention.cpp - Scaled dot product attention ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// facts/formulas 10; facts/hardware 4.5.
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

// ---- scaled_dot_product_attention -----------------------------------------------------------------------
bool allTiledInterleaved(const OpCall &call) {
  return allOperandsInterleaved(call) &&
         llvm::all_of(call.in, [](const TensorRef &tensor) { return tensor.tiled(); });
}

constexpr Rule kAttentionRules[] = {
    {{"attention.operands", "query, key, value and mask must be tiled and interleaved", "facts/hardware 4.5"},
     allTiledInterleaved},
    {{"attention.result_interleaved", "the result must be interleaved", "facts/hardware 4.5"},
     outputsInterleaved},
};

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
      index += sizes[i] > 0 ? 1 : 0;
  }
  return index < call.in.size() ? &call.in[index] : nullptr;
}

enum PrefillVariant : unsigned { Whole, Chunked, Latent };

void attentionMemory(const OpCall &call, MemoryUse &use) {
  // Chunks of one tile by default. From source, unconfirmed beyond the goldens' upper bounds.
  constexpr int64_t tile = 2048;
  const TensorRef &q = call.in[0];
  int64_t head = q.tileCols, chunksPerCore = ceilDiv(q.tileRows, call.cores());
  use.buffer("query", head * (chunksPerCore > 1 ? 2 : 1), q.tile);
  use.buffer("key", 2 * head, call.in[1].tile);
  // The values of latent attention may be the first columns of its keys.
  bool ownValues = call.row.variant != Latent || hasSegment(call, 2);
  use.buffer("value", ownValues ? 2 * head : 0, call.in[ownValues ? 2 : 1].tile);
  if (call.row.variant == Chunked)
    use.buffer("page table", 1, alignUp(4 * call.in[3].width, 32));
  use.buffer("mask", 2, tile);
  use.buffer("scale and identity", 2, tile);
  use.buffer("query times key", 1, tile);
  use.buffer("partial results", 2 * head, tile);
  use.buffer("maxima, sums and corrections", 5, tile);
  use.buffer("result", head, call.out[0].tile);
}

/// Both products, and the softmax of every tile of scores; queries and keys are fetched tile by tile.
OpRuntime attentionTime(const OpCall &call, double queryTiles, double keyTiles, double cores) {
  const TensorRef &q = call.in[0];
  bool causal = call.op().boolean("is_causal", false);
  // A causal mask leaves half of the scores.
  double products = queryTiles * keyTiles * double(q.tileCols) * 2 * (causal ? 0.5 : 1);
  Work work;
  addDramTraffic(call, work);
  work.compute =
      products / cores * call[P::AttentionProduct] + queryTiles * keyTiles / cores * call[P::AttentionScore];
  work.noc = (queryTiles + keyTiles) * double(q.tileCols) / cores * call[P::AttentionFetch];
  return timeOf(call, work);
}

OpRuntime attentionRuntime(const OpCall &call) {
  const TensorRef &q = call.in[0], &k = call.in[1];
  double cores = double(std::min<int64_t>(call.cores(), q.tileRows));
  return attentionTime(call, double(q.tileRows), double(ceilDiv(k.height, 32)), cores);
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
     outputsInterleaved},
};

// ---- decode attention -----------------------------------------------------------------------------------
enum DecodeVariant : unsigned { Contiguous, Paged, PagedLatent, ContiguousLatent };

bool paged(const OpCall &call) { return call.row.variant == Paged || call.row.variant == PagedLatent; }

bool keysInDram(const OpCall &call) {
  return llvm::all_of(llvm::ArrayRef(call.in).drop_front(),
                      [](const TensorRef &t) { return t.dram() && !t.sharded(); });
}

bool queryInDramOrShards(const OpCall &call) {
  const TensorRef &q = call.in[0];
  return q.shardedAs(MemoryLayout::HeightSharded) || (q.dram() && !q.sharded());
}

bool decodeResult(const OpCall &call) {
  const TensorRef &out = call.out[0];
  bool grouped = call.in[1].dim(1) > 1;
  return !out.decided() || (out.dram() && !out.sharded()) ||
         (out.shardedAs(MemoryLayout::HeightSharded) && !grouped);
}

/// One latent head serves all queries, so that the result may lie in L1 too.
bool latentResult(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return !out.sharded() || out.shardedAs(MemoryLayout::HeightSharded);
}

constexpr Rule kLatentRules[] = {
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

constexpr Rule kDecodeRules[] = {
    {{"attention_decode.keys_in_dram", "everything but the query must be DRAM interleaved",
      "facts/hardware 4.5, facts/ir 4.6"},
     keysInDram},
    {{"attention_decode.query", "the query must be DRAM interleaved or height-sharded in L1",
      "facts/hardware 4.5"},
     queryInDramOrShards},
    {{"attention_decode.result",
      "the result must be DRAM interleaved, or height-sharded with a single key head", "facts/hardware 4.5"},
     decodeResult},
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

/// What the decode kernel is cut into; facts/formulas 10.
struct DecodeShape {
  int64_t head;       ///< tiles of a head of queries and keys
  int64_t value;      ///< and of values, which latent attention has narrower
  int64_t groups;     ///< of query heads that attend by themselves
  int64_t queryTiles; ///< rows of tiles that a group's query heads take
  int64_t queryTile;  ///< bytes of a query tile: half tiles for few heads
  int64_t chunk;      ///< key tiles at a time
  int64_t coresPerHead;
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
  bool half =
      causal && heads <= 16 && q.dtype() == DataType::BFloat16 && call.device().arch == Arch::WormholeB0;
  shape.queryTile = half ? 1024 : 2048;
  // The paged kernel learns its length at run time and takes a fixed chunk; the other the largest power of two that
  // divides the length.
  if (paged(call)) {
    shape.chunk = call.op().boolean("compute_config.fp32_dest_acc_en", false) ? 4 : 8;
  } else {
    int64_t elements = std::min<int64_t>(512, k.height & -k.height);
    shape.chunk = std::max<int64_t>(1, elements / 32);
  }
  // At most 16 cores share one head (facts/formulas 10).
  int64_t available = std::max<int64_t>(1, std::min(call.cores(), 16 * shape.groups));
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

void decodeMemory(const OpCall &call, MemoryUse &use) {
  DecodeShape s = decodeShape(call);
  int64_t query = s.queryTiles * s.head, result = s.queryTiles * s.value, scores = s.queryTiles * s.chunk;
  int64_t half = s.queryTile;
  const TensorRef &keys = call.in[1];
  use.buffer("query, also tilized", 2 * query, half);
  use.buffer("key and value", 2 * s.chunk * (s.head + s.value), keys.tile);
  use.buffer("mask, query times key", 2 * scores, half);
  use.buffer("scale and zero", 2, half);
  use.buffer("column identity", 1, 2048);
  use.buffer("maxima and sums of other cores", 2 * s.queryTiles, half);
  use.buffer("partial results", 3 * result, half);
  use.buffer("maxima, sums and corrections", 9 * s.queryTiles, half);
  use.buffer("result of this core", result, half);
  use.buffer("results of the other cores", (result + 2 * s.queryTiles) * (s.coresPerHead - 1), half);
  use.buffer("result", result, call.in[0].tile);
  if (call.row.variant <= Paged && hasSegment(call, paged(call) ? 6 : 5))
    use.buffer("attention sink", s.queryTiles, half);
  if (call.op().integer("sliding_window_size", 0) > 0)
    use.buffer("sliding window mask", scores, half);
  DecodeOperands extra = decodeOperands(call);
  if (extra.position)
    use.buffer("current positions", 1,
               extra.position->tiled() ? extra.position->tile : alignUp(4 * extra.position->elements(), 32));
  if (extra.pageTable)
    use.buffer("page table", 1, alignUp(4 * extra.pageTable->width, 32));
}

OpRuntime decodeRuntime(const OpCall &call) {
  DecodeShape s = decodeShape(call);
  double groups = double(s.groups), cores = std::min(double(call.cores()), groups * double(s.coresPerHead));
  return attentionTime(call, groups * double(s.queryTiles), double(ceilDiv(call.in[1].height, 32)),
                       std::max(1.0, cores));
}

constexpr llvm::StringRef kAttentionOperands[] = {"query", "key", "value"};
const Family kAttention = {"attention",     kAttentionOperands, kAttentionRules, outputsInDram,
                           attentionMemory, attentionRuntime,   neverConfirmed};
const Family kDecode = {"attention_decode", kAttentionOperands, kDecodeRules,
                        outputsInDram,      decodeMemory,       decodeRuntime};
const Family kChunked = {"chunked_attention", kAttentionOperands, kChunkedRules, outputsInDram,
                         attentionMemory,     attentionRuntime,   neverConfirmed};
const Family kLatentDecode = {"latent_attention_decode",
                              kAttentionOperands,
                              kLatentRules,
                              outputsInDram,
                              decodeMemory,
                              decodeRuntime,
                              neverConfirmed};

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

} // namespace tessera::analytic
