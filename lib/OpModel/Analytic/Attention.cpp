//===- Attention.cpp - Rotary embedding, heads, attention ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// facts/opmodel-formulas.md 8 (heads), 10; facts/hardware-and-performance.md 4.5.
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

#include <numeric>

namespace tessera::analytic {
namespace {

// ---- rotary_embedding ---------------------------------------------------------------------------------------

bool operandTiled(const OpCall &call) { return call.in[0].tiled() && call.out[0].tiled(); }

bool heightShardedOrInterleaved(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !in.sharded() || (in.shardedAs(MemoryLayout::HeightSharded) && in.shardTiles().columns >= in.tileCols);
}

constexpr Rule kRotaryRules[] = {
    {{"rotary_embedding.tiled", "operand and result must be tiled", "hw 4.5"}, operandTiled},
    {{"rotary_embedding.operand", "the operand must be interleaved, or height-sharded with whole rows", "hw 4.5, ir 4.6"}, heightShardedOrInterleaved},
    {{"rotary_embedding.result", "the result must lie as the operand does", "hw 4.5"},
     [](const OpCall &call) {
       return !call.out[0].decided() || call.in[0].sharded() == call.out[0].sharded();
     }},
};

void rotaryMemory(const OpCall &call, MemoryUse &use) {
  use.buffer("operand, cos, sin, intermediates and result", 10 * call.in[0].tileCols + 4, call.in[0].tile);
}
void rotaryLlamaMemory(const OpCall &call, MemoryUse &use) {
  use.buffer("operand, cos, sin, intermediates and result", 11 * call.in[0].tileCols + 1, call.in[0].tile);
}
OpRuntime rotaryRuntime(const OpCall &call) { return timeOf(call, streamWork(call, busiestTiles(call), {1000, 2500, 3240})); }

// ---- heads --------------------------------------------------------------------------------------------------

constexpr Rule kConcatHeadsRules[] = {
    {{"concatenate_heads.interleaved", "the operand must be interleaved", "ir 4.6 (tt-mlir#7145)"}, allOperandsInterleaved},
    {{"concatenate_heads.result_interleaved", "an interleaved operand gives an interleaved result", "hw 4.5"}, outputsInterleaved},
};

void concatHeadsMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  use.buffer("heads of one row", 2 * in.dim(1) * in.tileCols, in.tile);
}

OpRuntime headsRuntime(const OpCall &call) {
  int64_t tiles = 0;
  for (const TensorRef &out : call.out)
    tiles += call.tilesPerCore(out);
  return timeOf(call, streamWork(call, tiles, {100, 1035, 1629}));
}

bool headsOperandSharded(const OpCall &call) { return call.in[0].shardedAs(MemoryLayout::HeightSharded) && call.in[0].l1(); }
bool headsResultWidthSharded(const OpCall &call) { return !call.out[0].decided() || call.out[0].shardedAs(MemoryLayout::WidthSharded); }
bool headsFitCores(const OpCall &call) {
  int64_t heads = call.op().integer("num_heads", 1);
  return heads >= 1 && heads <= call.cores();
}

constexpr Rule kConcatHeadsDecodeRules[] = {
    {{"nlp_concat_heads_decode.heads", "each head needs a core of its own", "hw 4.5"}, headsFitCores},
    {{"nlp_concat_heads_decode.operand", "the operand must be height-sharded in L1, one core per user", "hw 4.5"}, headsOperandSharded},
    {{"nlp_concat_heads_decode.result", "the result is width-sharded, one core per head", "hw 4.5"}, headsResultWidthSharded},
};

void concatHeadsDecodeOutputs(OpCall &call) {
  TensorLayout produced = l1Sharded(*call.out[0].desc, MemoryLayout::WidthSharded,
                                    {1, call.op().integer("num_heads", 1)}, call.device().workerGrid);
  LayoutId id = call.context.layouts.intern(produced);
  if (!call.out[0].decided() || call.out[0].id != id)
    call.setOutput(0, id);
}
void noBuffers(const OpCall &, MemoryUse &) {}

constexpr Rule kSplitRules[] = {
    {{"split_heads.interleaved", "the operands must be interleaved", "ir 4.6 (corrupts, tt-metal#41526)"}, allOperandsInterleaved},
    {{"split_heads.result_interleaved", "the results must be interleaved", "ir 4.6"}, outputsInterleaved},
};

void splitMemory(const OpCall &call, MemoryUse &use) {
  use.buffer("operand and result", call.op().boolean("transpose_key", false) ? 12 : 4, call.in[0].tile);
}

constexpr Rule kCreateDecodeRules[] = {
    {{"nlp_create_qkv_heads_decode.operand", "the operand must be interleaved or width-sharded", "hw 4.5"},
     [](const OpCall &call) { return !call.in[0].sharded() || call.in[0].shardedAs(MemoryLayout::WidthSharded); }},
    {{"nlp_create_qkv_heads_decode.result", "the results are height-sharded, one core per user", "hw 4.5"},
     [](const OpCall &call) {
       return llvm::all_of(call.out, [](const TensorRef &out) {
         return !out.decided() || out.shardedAs(MemoryLayout::HeightSharded);
       });
     }},
    {{"nlp_create_qkv_heads_decode.users", "each user needs a core of its own", "hw 4.5"},
     [](const OpCall &call) { return call.in[0].height <= call.cores(); }},
};

void createDecodeOutputs(OpCall &call) {
  for (size_t i = 0; i < call.out.size(); ++i) {
    LayoutId id = call.context.layouts.intern(
        l1Sharded(*call.out[i].desc, MemoryLayout::HeightSharded, {call.in[0].height, 1}, call.device().workerGrid));
    if (call.out[i].id != id)
      call.setOutput(i, id);
  }
}

// ---- scaled_dot_product_attention -----------------------------------------------------------------------------

bool allTiledInterleaved(const OpCall &call) {
  return allOperandsInterleaved(call) && llvm::all_of(call.in, [](const TensorRef &tensor) { return tensor.tiled(); });
}

constexpr Rule kAttentionRules[] = {
    {{"attention.operands", "query, key, value and mask must be tiled and interleaved", "hw 4.5"}, allTiledInterleaved},
    {{"attention.result_interleaved", "the result must be interleaved", "hw 4.5"}, outputsInterleaved},
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

void attentionMemory(const OpCall &call, MemoryUse &use) {
  // Chunks of one tile by default. From source, unconfirmed beyond the goldens' upper bounds.
  constexpr int64_t tile = 2048;
  const TensorRef &q = call.in[0];
  int64_t head = q.tileCols, chunksPerCore = ceilDiv(q.tileRows, call.cores());
  use.buffer("query", head * (chunksPerCore > 1 ? 2 : 1), q.tile);
  use.buffer("key", 2 * head, call.in[1].tile);
  use.buffer("value", 2 * head, call.in[2].tile);
  use.buffer("mask", 2, tile);
  use.buffer("scale and identity", 2, tile);
  use.buffer("query times key", 1, tile);
  use.buffer("partial results", 2 * head, tile);
  use.buffer("maxima, sums and corrections", 5, tile);
  use.buffer("result", head, call.out[0].tile);
}

/// Multiplications of both products, two thirds of the peak.
OpRuntime attentionTime(const OpCall &call, double queryTiles, double keyTiles, double cores) {
  const TensorRef &q = call.in[0];
  bool causal = call.op().boolean("is_causal", false);
  double products = queryTiles * keyTiles * double(q.tileCols) * 2 * (causal ? 0.5 : 1);
  Work work;
  addDramTraffic(call, work);
  work.compute = products / cores * 32 * 1.5 + queryTiles * keyTiles / cores * 2000;
  work.noc = (queryTiles + keyTiles) * double(q.tileCols) / cores * 200;
  return timeOf(call, work);
}

OpRuntime attentionRuntime(const OpCall &call) {
  const TensorRef &q = call.in[0], &k = call.in[1];
  double cores = double(std::min<int64_t>(call.cores(), q.tileRows));
  return attentionTime(call, double(q.tileRows), double(ceilDiv(k.height, 32)), cores);
}

// ---- decode attention -----------------------------------------------------------------------------------------

enum DecodeVariant : unsigned { Contiguous, Paged };

bool keysInDram(const OpCall &call) {
  return llvm::all_of(llvm::ArrayRef(call.in).drop_front(), [](const TensorRef &t) { return t.dram() && !t.sharded(); });
}

bool queryInDramOrShards(const OpCall &call) {
  const TensorRef &q = call.in[0];
  return q.shardedAs(MemoryLayout::HeightSharded) || (q.dram() && !q.sharded());
}

bool decodeResult(const OpCall &call) {
  const TensorRef &out = call.out[0];
  bool grouped = call.in[1].dim(1) > 1;
  return !out.decided() || (out.dram() && !out.sharded()) || (out.shardedAs(MemoryLayout::HeightSharded) && !grouped);
}

constexpr Rule kDecodeRules[] = {
    {{"attention_decode.keys_in_dram", "everything but the query must be DRAM interleaved", "hw 4.5, ir 4.6"}, keysInDram},
    {{"attention_decode.query", "the query must be DRAM interleaved or height-sharded in L1", "hw 4.5"}, queryInDramOrShards},
    {{"attention_decode.result", "the result must be DRAM interleaved, or height-sharded with a single key head", "hw 4.5"}, decodeResult},
};

/// What the decode kernel is cut into; facts/opmodel-formulas.md 10.
struct DecodeShape {
  int64_t head;        ///< tiles of a head
  int64_t queryTiles;  ///< rows of tiles that the query heads of one user take
  int64_t queryTile;   ///< bytes of a query tile: half tiles for few heads
  int64_t chunk;       ///< key tiles at a time
  int64_t coresPerHead;
};

DecodeShape decodeShape(const OpCall &call) {
  const TensorRef &q = call.in[0], &k = call.in[1];
  bool causal = call.op().boolean("is_causal", true), paged = call.row.variant == Paged;
  DecodeShape shape;
  int64_t users = q.dim(1), heads = q.dim(2), keyHeads = k.dim(1);
  shape.head = q.tileCols;
  shape.queryTiles = ceilDiv(heads, 32);
  bool half = causal && heads <= 16 && q.dtype() == DataType::BFloat16 && call.device().arch == Arch::WormholeB0;
  shape.queryTile = half ? 1024 : 2048;
  if (paged) {
    shape.chunk = call.op().boolean("compute_config.fp32_dest_acc_en", false) ? 4 : 8;
  } else {
    int64_t elements = std::min<int64_t>(512, k.height & -k.height);
    shape.chunk = std::max<int64_t>(1, elements / 32);
  }
  int64_t groups = std::max<int64_t>(1, users * keyHeads);
  int64_t available = std::max<int64_t>(1, std::min(call.cores(), 16 * groups));
  shape.coresPerHead = std::max<int64_t>(1, available / groups);
  return shape;
}

/// Operands after the value: mask, position, sink; the paged op has its page table first.
struct DecodeOperands {
  const TensorRef *pageTable, *position;
};
DecodeOperands decodeOperands(const OpCall &call) {
  bool paged = call.row.variant == Paged;
  return {paged ? segmentOperand(call, 3) : nullptr, segmentOperand(call, paged ? 5 : 4)};
}

void decodeMemory(const OpCall &call, MemoryUse &use) {
  DecodeShape s = decodeShape(call);
  int64_t query = s.queryTiles * s.head, scores = s.queryTiles * s.chunk, half = s.queryTile;
  const TensorRef &keys = call.in[1];
  use.buffer("query, also tilized", 2 * query, half);
  use.buffer("key and value", 4 * s.chunk * s.head, keys.tile);
  use.buffer("mask, query times key", 2 * scores, half);
  use.buffer("scale and zero", 2, half);
  use.buffer("column identity", 1, 2048);
  use.buffer("maxima and sums of other cores", 2 * s.queryTiles, half);
  use.buffer("partial results", 3 * query, half);
  use.buffer("maxima, sums and corrections", 9 * s.queryTiles, half);
  use.buffer("result of this core", query, half);
  use.buffer("results of the other cores", (query + 2 * s.queryTiles) * (s.coresPerHead - 1), half);
  use.buffer("result", query, call.in[0].tile);
  if (hasSegment(call, call.row.variant == Paged ? 6 : 5))
    use.buffer("attention sink", s.queryTiles, half);
  if (call.op().integer("sliding_window_size", 0) > 0)
    use.buffer("sliding window mask", scores, half);
  DecodeOperands extra = decodeOperands(call);
  if (extra.position)
    use.buffer("current positions", 1, extra.position->tiled() ? extra.position->tile : alignUp(4 * extra.position->elements(), 32));
  if (extra.pageTable)
    use.buffer("page table", 1, alignUp(4 * extra.pageTable->width, 32));
}

OpRuntime decodeRuntime(const OpCall &call) {
  const TensorRef &q = call.in[0], &k = call.in[1];
  DecodeShape s = decodeShape(call);
  double groups = double(q.dim(1)) * double(k.dim(1));
  double cores = std::min<double>(double(call.cores()), groups * double(s.coresPerHead));
  return attentionTime(call, groups * double(s.queryTiles), double(ceilDiv(k.height, 32)), std::max(1.0, cores));
}

constexpr llvm::StringRef kRotaryOperands[] = {"operand", "cos", "sin", "transformation"};
constexpr llvm::StringRef kAttentionOperands[] = {"query", "key", "value"};
const Family kRotary = {"rotary_embedding", kRotaryOperands, kRotaryRules, outputsLikeOperand0, rotaryMemory, rotaryRuntime};
const Family kRotaryLlama = {"rotary_embedding", kRotaryOperands, kRotaryRules, outputsLikeOperand0, rotaryLlamaMemory, rotaryRuntime};
const Family kConcatHeads = {"concatenate_heads", {}, kConcatHeadsRules, outputsLikeOperand0, concatHeadsMemory, headsRuntime};
const Family kConcatHeadsDecode = {"nlp_concat_heads_decode", {}, kConcatHeadsDecodeRules, concatHeadsDecodeOutputs, noBuffers, headsRuntime};
const Family kSplit = {"split_heads", {}, kSplitRules, outputsLikeOperand0, splitMemory, headsRuntime};
const Family kCreateDecode = {"nlp_create_qkv_heads_decode", {}, kCreateDecodeRules, createDecodeOutputs, noBuffers, headsRuntime};
const Family kAttention = {"attention", kAttentionOperands, kAttentionRules, outputsInDram, attentionMemory, attentionRuntime};
const Family kDecode = {"attention_decode", kAttentionOperands, kDecodeRules, outputsInDram, decodeMemory, decodeRuntime};

const OpRow kRows[] = {
    {"ttnn.concatenate_heads", &kConcatHeads, 1, 1},
    {"ttnn.nlp_concat_heads", &kConcatHeads, 1, 1},
    {"ttnn.nlp_concat_heads_decode", &kConcatHeadsDecode, 1, 1},
    {"ttnn.nlp_create_qkv_heads_decode", &kCreateDecode, 1, 2, 3},
    {"ttnn.paged_scaled_dot_product_attention_decode", &kDecode, 4, 7, 1, 0, Paged},
    {"ttnn.rotary_embedding", &kRotary, 3, 3},
    {"ttnn.rotary_embedding_llama", &kRotaryLlama, 4, 4},
    {"ttnn.scaled_dot_product_attention", &kAttention, 3, 5},
    {"ttnn.scaled_dot_product_attention_decode", &kDecode, 3, 6, 1, 0, Contiguous},
    {"ttnn.split_query_key_value_and_split_heads", &kSplit, 1, 2, 3},
};

} // namespace

Rows attentionRows() { return kRows; }

} // namespace tessera::analytic
