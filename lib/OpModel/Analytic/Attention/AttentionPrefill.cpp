//===- AttentionPrefill.cpp - Attention of many positions -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Queries of all users and heads are cut into chunks, which cores share; each chunk goes
// through the chunks of keys and values one by one. A step is one chunk of queries times one
// of keys: scores in L1, their softmax so far, and what they make of the values. Larger
// chunks need more L1, take fewer steps, and fetch keys and values less often.
// facts/formulas 10; facts/hardware 4.5; docs/op-model.md, "Attention".
//
//===----------------------------------------------------------------------===//
#include "Attention.h"

#include "../Kernels.h"
#include "../Runtime.h"

#include "tessera/OpModel/ComputeConfig.h"

namespace tessera::analytic {
namespace {

constexpr int64_t kTileRows = 32;
enum PrefillVariant : unsigned { Whole, Chunked, Latent };

bool newestPrefill(const OpCall &call) { return isNewestAttention(call); }
bool whole(const OpCall &call) { return call.row.variant == Whole; }
/// A chunk of a prompt attends to what was before it, and to itself up to each position.
bool causal(const OpCall &call) {
  return call.op().boolean("is_causal", false) || call.row.variant == Chunked;
}
/// Keys that each position attends to, itself the last of them if causal, in the middle of them if not; 0: all.
int64_t slidingWindow(const OpCall &call) { return call.op().integer("sliding_window_size", 0); }

// ---- How the work is cut ----------------------------------------------------------------------------------

const AttentionConfig *configOfCall(const OpCall &call) {
  return std::get_if<AttentionConfig>(&call.query.config.specific);
}

/// Which of the kernels: newer ones have one that takes exponentials while it multiplies, and an older one for sums of 32 bits.
enum class Kernel : uint8_t { First, Overlapping, WideSums };
Kernel kernelOf(const OpCall &call) {
  if (!newestPrefill(call))
    return Kernel::First;
  std::optional<ComputeConfig> stated = statedComputeConfig(call.op());
  return whole(call) && stated && stated->fp32Accumulate ? Kernel::WideSums : Kernel::Overlapping;
}

/// Chunks of one head, and cores that take chunks of any.
struct Cut {
  int64_t query = 1, key = 1;    ///< tiles in a chunk
  int64_t queries = 1, keys = 1; ///< chunks of a head
  int64_t heads = 1;             ///< of queries, of all users
  int64_t cores = 1;
  /// Chunks of causal attention are shared out by twos: an early one, which has little to attend to, and a late one.
  bool pairs = false;
  int64_t perCore = 1; ///< chunks of queries of the busiest core
};

Cut cutOf(const OpCall &call) {
  const TensorRef &q = call.in[0], &k = call.in[1];
  Cut cut;
  cut.cores = call.cores();
  // One tile of each by default (tt-metal 0.77: sdpa_program_factory.cpp).
  if (const AttentionConfig *config = configOfCall(call)) {
    cut.query = std::max<int64_t>(1, config->queryChunk / kTileRows);
    cut.key = std::max<int64_t>(1, config->keyChunk / kTileRows);
    cut.cores = std::max<int64_t>(1, int64_t(config->grid.x * config->grid.y));
  }
  cut.queries = ceilDiv(ceilDiv(q.height, kTileRows), cut.query);
  cut.keys = ceilDiv(ceilDiv(k.height, kTileRows), cut.key);
  cut.heads = std::max<int64_t>(1, q.tileRows / std::max<int64_t>(1, ceilDiv(q.height, kTileRows)));
  cut.pairs = newestPrefill(call) && causal(call) && cut.queries % 2 == 0;
  int64_t shared = cut.heads * cut.queries;
  cut.perCore = cut.pairs ? 2 * ceilDiv(shared / 2, cut.cores) : ceilDiv(shared, cut.cores);
  return cut;
}

/// Steps of one chunk of queries: it ends at the chunk of keys with its last position, later ones are not fetched.
int64_t stepsOfChunk(const Cut &cut, int64_t chunk) {
  return std::min(cut.keys, ceilDiv((chunk + 1) * cut.query, cut.key));
}

/// Steps of one chunk of queries that attend to windows: the kernel of narrow sums begins and ends at the chunks of keys that a window
/// reaches, that of wide sums masks all of them, up to the last position if causal
/// (ttnn 0.81.1: sliding_window_geometry.hpp, compute_streaming.hpp, compute_common.hpp).
int64_t stepsOfWindows(const OpCall &call, const Cut &cut, int64_t chunk) {
  int64_t window = slidingWindow(call), before = causal(call) ? window - 1 : window / 2;
  int64_t end = causal(call) ? stepsOfChunk(cut, chunk) : cut.keys;
  if (kernelOf(call) != Kernel::Overlapping)
    return end;
  int64_t reach = ceilDiv(before, kTileRows);
  if (!causal(call))
    end = std::min(end, ceilDiv((chunk + 1) * cut.query + reach, cut.key));
  return end - std::max<int64_t>(0, chunk * cut.query - reach) / cut.key;
}

/// Do cores hand the keys of causal attention on to each other? Since October 2026 on Blackhole, where all pairs of chunks take as many
/// steps, so that the cores stay abreast, and where fetching takes the time: with chunks of at most 4 tiles of queries (tt-metal#56937),
/// and where sums of 32 bits slow the rest down, with keys of 16 bits only; never of keys within a window. Asked of ttnn 0.81.1: each of 1 to 10 tiles of queries by 1
/// to 16 of keys, of all three types, with either sums.
bool handsCausalKeysOn(const OpCall &call, const Cut &cut) {
  constexpr int64_t mostQueryTiles = 4;
  bool slow = kernelOf(call) == Kernel::WideSums && call.in[1].dtype() != DataType::BFloat16;
  bool can = answersAsOctober2026(call) && call.device().arch == Arch::Blackhole &&
             call.row.variant != Chunked && !slow;
  if (!can || !cut.pairs || cut.query > mostQueryTiles || slidingWindow(call) > 0)
    return false;
  int64_t ofFirst = stepsOfChunk(cut, 0) + stepsOfChunk(cut, cut.queries - 1);
  for (int64_t chunk = 1; chunk < cut.queries / 2; ++chunk)
    if (stepsOfChunk(cut, chunk) + stepsOfChunk(cut, cut.queries - 1 - chunk) != ofFirst)
      return false;
  return true;
}

/// Steps of the busiest core.
double stepsOf(const OpCall &call, const Cut &cut) {
  bool windows = slidingWindow(call) > 0;
  if (!whole(call) || !(causal(call) || windows))
    return double(cut.perCore * cut.keys);
  double all = 0, last = 0;
  for (int64_t chunk = 0; chunk < cut.queries; ++chunk) {
    double steps = double(windows ? stepsOfWindows(call, cut, chunk) : stepsOfChunk(cut, chunk));
    all += steps;
    if (chunk >= cut.queries - cut.perCore)
      last += steps;
  }
  double even = all / double(cut.queries) * double(cut.perCore);
  // By twos all cores have as much to do as the mean of their chunks. Else one of them has the last ones of a head.
  return cut.pairs || cut.perCore >= cut.queries ? even : last;
}

// ---- Rules ------------------------------------------------------------------------------------------------

bool allTiledInterleaved(const OpCall &call) {
  return allOperandsInterleaved(call) &&
         llvm::all_of(call.in, [](const TensorRef &tensor) { return tensor.tiled(); });
}

/// Newer kernels write results of any kind.
bool resultInterleaved(const OpCall &call) { return newestPrefill(call) || outputsInterleaved(call); }

/// The mask that is given; the op's fourth operand.
const TensorRef *maskOf(const OpCall &call) {
  return call.row.variant == Chunked ? nullptr : segmentOperand(call, 3);
}

bool maskInDram(const OpCall &call) {
  const TensorRef *mask = maskOf(call);
  return !newestPrefill(call) || !mask || mask->dram();
}
/// What else would say which keys a query attends to is part of a given mask.
bool maskAlone(const OpCall &call) {
  return !newestPrefill(call) || !maskOf(call) || (!causal(call) && slidingWindow(call) == 0);
}
bool maskType(const OpCall &call) {
  const TensorRef *mask = maskOf(call);
  return !newestPrefill(call) || !mask || attentionType(*mask);
}

/// Sinks, the last operand of self attention: a number for each head of the queries.
const TensorRef *sinkOf(const OpCall &call) {
  return newestPrefill(call) && whole(call) ? segmentOperand(call, 4) : nullptr;
}
bool sinkForEachHead(const OpCall &call) {
  const TensorRef *sink = sinkOf(call);
  return !sink || (sink->dram() && attentionType(*sink) && sink->elements() == call.in[0].dim(1) &&
                   sink->desc->shape.size() == 4 && sink->dim(1) == sink->elements());
}

/// Zeros that fill up a head would be part of the product's inner dimension, which the kernel does not expect.
bool headsFillTiles(const OpCall &call) {
  return !newestPrefill(call) || !whole(call) ||
         llvm::all_of(llvm::ArrayRef(call.in).take_front(3),
                      [](const TensorRef &t) { return t.width % 32 == 0; });
}

/// Kernels before October 2026 that mask each step take a tile at a window's edge for one within all windows, unless windows end with tiles, and
/// make too few masks where positions behind are attended to, for which the device would wait for ever.
bool windowOfKernel(const OpCall &call) {
  if (slidingWindow(call) == 0 || !whole(call) || answersAsOctober2026(call) ||
      kernelOf(call) == Kernel::Overlapping)
    return true;
  return causal(call) && slidingWindow(call) % kTileRows == 0;
}

bool chunksOfTiles(const OpCall &call) {
  const AttentionConfig *config = configOfCall(call);
  return !config || (config->queryChunk > 0 && config->keyChunk > 0 && config->queryChunk % kTileRows == 0 &&
                     config->keyChunk % kTileRows == 0);
}
bool gridOfDevice(const OpCall &call) {
  const AttentionConfig *config = configOfCall(call);
  GridShape workers = call.device().workerGrid;
  return !config || (config->grid.x > 0 && config->grid.y > 0 && config->grid.x <= workers.columns &&
                     config->grid.y <= workers.rows);
}

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
    {{"attention.mask_alone", "attention with a mask must be neither causal nor over a window",
      "ttnn 0.77.0 and 0.81.1 (sdpa_device_operation.cpp)"},
     maskAlone},
    {{"attention.sink", "sinks must be a number for each head in DRAM, of bf16, bfp8 or bfp4",
      "tt-metal 0.77 (sdpa_device_operation.cpp)"},
     sinkForEachHead},
    {{"attention.chunks", "chunks of queries and keys must be multiples of 32 positions",
      "tt-metal 0.77 (sdpa_device_operation.cpp)"},
     chunksOfTiles},
    {{"attention.config_grid", "the program config's grid must lie within the device's",
      "tt-metal 0.77 (sdpa_program_factory.cpp)"},
     gridOfDevice},
    {{"attention.result_interleaved", "the result must be interleaved", "facts/hardware 4.5"},
     resultInterleaved},
    {{"attention.sliding_window",
      "with sums of 32 bits, windows must be causal and of whole tiles before October 2026",
      "ttnn 0.77.0 and 0.81.1 (dataflow_common.hpp)", "wrong values, or none: no run without a chip tells"},
     windowOfKernel},
};

bool tableInRows(const OpCall &call) {
  return call.in[3].rowMajor() && call.in[3].dtype() == DataType::Int32;
}
bool headsTiled(const OpCall &call) {
  return llvm::all_of(llvm::ArrayRef(call.in).take_front(3),
                      [](const TensorRef &t) { return t.tiled() && !t.sharded(); });
}

/// Rows of the page table are read 32 bytes at a time.
bool tableRowsAligned(const OpCall &call) { return !newestPrefill(call) || 4 * call.in[3].width % 32 == 0; }
/// The pages of one user are heads x positions of a page each.
bool tableHoldsChunk(const OpCall &call) {
  return !newestPrefill(call) || call.in[3].width * call.in[1].height >= call.in[0].height;
}

constexpr Rule kChunkedRules[] = {
    {{"chunked_attention.operands", "query, key and value must be tiled and interleaved",
      "facts/hardware 4.5"},
     headsTiled},
    {{"chunked_attention.page_table", "the page table must be row-major si32", "facts/formulas 10"},
     tableInRows},
    {{"chunked_attention.table_rows", "a user must have a multiple of 8 pages in the page table",
      "ttnn 0.77.0 and 0.81.1 (sdpa_program_factory.cpp)"},
     tableRowsAligned},
    {{"chunked_attention.table_room", "the pages of a user must hold the chunk's positions at least",
      "ttnn 0.77.0 and 0.81.1 (sdpa_device_operation.cpp)"},
     tableHoldsChunk},
    {{"attention.result_interleaved", "the result must be interleaved", "facts/hardware 4.5"},
     resultInterleaved},
};

// ---- Memory -----------------------------------------------------------------------------------------------

/// The mask: a given one comes by the step, twice; of what the kernel makes itself it needs one tile of each kind: what is masked altogether,
/// and the tile at a diagonal or that is masked in part.
void maskMemory(const OpCall &call, const Cut &cut, Kernel kernel, MemoryUse &use) {
  constexpr int64_t bf16 = 2048, bfp4 = 576;
  const TensorRef *mask = maskOf(call);
  int64_t twice = 2 * cut.query * cut.key;
  // Chunks that are not full: positions behind the last one are masked.
  bool padded =
      call.in[0].height % (cut.query * kTileRows) != 0 || call.in[1].height % (cut.key * kTileRows) != 0;
  if (mask || kernel == Kernel::First)
    use.buffer("mask", twice, mask ? mask->tile : bf16);
  else if (slidingWindow(call) > 0) {
    // Wide sums have a mask of each step; the other kernel tiles of each edge that a window may have, and of the last keys.
    constexpr int64_t edges = 5;
    bool wide = kernel == Kernel::WideSums, partial = !causal(call) && call.in[1].height % kTileRows != 0;
    use.buffer("mask", wide ? twice : edges + partial, wide ? bfp4 : bf16);
  } else if (causal(call))
    use.buffer("mask", 2, bf16);
  else if (kernel == Kernel::WideSums)
    use.buffer("mask", padded ? twice : 0, bfp4);
  else
    use.buffer("mask", call.in[1].height % kTileRows != 0 ? 2 : padded ? 1 : 0, bf16);
}

/// Rows of tiles of the result that a core makes at a time: one where only whole rows of 8 tiles fill the registers, at most two.
int64_t rowsAtOnce(int64_t queryTiles, int64_t headTiles) {
  constexpr int64_t registers = 8;
  bool wholeRows = queryTiles % 2 != 0 && headTiles % registers == 0;
  return wholeRows ? 1 : std::min<int64_t>(2, queryTiles);
}

void attentionMemory(const OpCall &call, MemoryUse &use) {
  wholeShards(call, use);
  constexpr int64_t tile = 2048;
  Cut cut = cutOf(call);
  Kernel kernel = kernelOf(call);
  bool overlapping = kernel == Kernel::Overlapping;
  const TensorRef &q = call.in[0], *sink = sinkOf(call);
  // Queries stay while keys and values stream past them, which are therefore there twice (facts/formulas 10).
  int64_t head = q.tileCols;
  use.buffer("query", cut.query * head * (cut.perCore > 1 ? 2 : 1), q.tile);
  // Chunks on their way to the next core stay twice as long, but where chunks of queries are short or those of keys long (asked, as above).
  constexpr int64_t fewestKept = 3, longestKept = 8;
  bool chain = handsCausalKeysOn(call, cut),
       kept = chain && cut.query >= fewestKept && cut.key <= longestKept;
  use.buffer("key", (kept ? 4 : 2) * cut.key * head, call.in[1].tile);
  // The values of latent attention may be the first columns of its keys, which newer kernels copy.
  bool ownValues = call.row.variant != Latent || hasSegment(call, 2);
  int64_t values = newestPrefill(call) ? call.out[0].tileCols : head;
  use.buffer("value", ownValues || newestPrefill(call) ? 2 * cut.key * values : 0,
             call.in[ownValues ? 2 : 1].tile);
  if (call.row.variant == Chunked) {
    use.buffer("page table", 1, alignUp(4 * call.in[3].width, 32));
    use.buffer("position of the chunk", newestPrefill(call) ? 1 : 0, 64);
  }
  maskMemory(call, cut, kernel, use);
  use.buffer("addresses of other cores", kept ? 4 : chain ? 3 : 0, 32);
  use.buffer("attention sink", sink ? (overlapping ? 1 : cut.query) : 0, sink ? sink->tile : tile);
  use.buffer("scale and identities", overlapping ? 3 : 2, tile);
  // Scores and sums have the width of the registers.
  bool wide = kernel == Kernel::WideSums;
  use.buffer("query times key", cut.query * cut.key, wide ? 2 * tile : tile);
  use.buffer("partial results", 2 * cut.query * values, tile);
  use.buffer("maxima, sums and corrections", (wide ? 7 : 5) * cut.query, tile);
  // Newer kernels hand rows of results on as soon as they are made, while the next ones are.
  int64_t rows = overlapping ? 2 * rowsAtOnce(cut.query, values) : cut.query;
  use.buffer("result", rows * values, call.out[0].tile);
}

// ---- Time -------------------------------------------------------------------------------------------------

/// Times that the keys and values of one head of queries are read from memory.
double readsOfKeys(const OpCall &call, const Cut &cut, double steps) {
  // Cores of one head hand chunks on to each other where all of them need all keys: then the first one reads them, once for each
  // chunk of queries that a core has of the head.
  if (newestPrefill(call) && whole(call) && !causal(call) && slidingWindow(call) == 0)
    return double(std::min(cut.perCore, cut.queries));
  double each = double(cut.queries) * steps / double(cut.perCore * cut.keys);
  if (!handsCausalKeysOn(call, cut))
    return each;
  // Of a pair the later chunk, which needs three quarters of the keys on average, gets them by way of up to eight cores.
  constexpr double later = 0.75, longestChain = 8;
  double chain = std::clamp(double(cut.queries) / double(cut.perCore), 1.0, longestChain);
  return each * (1 - later + later / chain);
}

OpRuntime attentionRuntime(const OpCall &call) {
  const TensorRef &q = call.in[0], &k = call.in[1];
  bool ownValues = call.row.variant != Latent || hasSegment(call, 2);
  const TensorRef &v = ownValues ? call.in[2] : k;
  Cut cut = cutOf(call);
  double steps = stepsOf(call, cut), head = double(q.tileCols);
  std::optional<ComputeConfig> stated = statedComputeConfig(call.op());
  bool serial = kernelOf(call) != Kernel::Overlapping;
  double passes = stated ? stated->fidelity : 2;
  double queries = double(cut.query), scores = double(cut.query * cut.key);
  const TensorRef *mask = maskOf(call);
  bool addsMask = mask || (serial && slidingWindow(call) > 0); // which that kernel makes of each step itself
  double step =
      call[P::AttentionStep] + queries * (call[P::AttentionRow] + head * call[P::AttentionRescale]) +
      scores * (2 * head * passes * call[P::AttentionProduct] + (addsMask ? call[P::AttentionMask] : 0) +
                call[serial ? P::AttentionSerialScore : P::AttentionScore]);

  // What all cores read once is in the traffic already; here is what they read again.
  Work work;
  addDramTraffic(call, work);
  // Keys and values each by themselves: one of them may lie in L1.
  double reads =
      double(cut.heads) * readsOfKeys(call, cut, steps) / double(std::max<int64_t>(1, k.dim(0) * k.dim(1)));
  for (const TensorRef *tensor : {&k, ownValues ? &v : nullptr})
    if (tensor && tensor->dram())
      work.dramRead += std::max(0.0, reads - 1) * double(tensor->bytes());
  // A mask for several heads is read for each of them.
  if (mask && mask->dram())
    work.dramRead += std::max(0.0, double(q.tileRows * mask->tileCols * mask->tile) - double(mask->bytes()));
  work.compute = steps * step;
  work.noc = steps * double(cut.key) * 2 * head * call[P::AttentionFetch];
  return timeOf(call, work);
}

/// Both versions of the library that can be asked gave the same buffers as the formula for 3,500 calls (docs/op-model.md, "Attention").
bool attentionConfirmed(const OpCall &call) { return newestPrefill(call) && whole(call); }

const Family kAttention = {
    "attention",     kAttentionOperands, kAttentionRules,   outputsInDramInPagesOfOperand0,
    attentionMemory, attentionRuntime,   attentionConfirmed};
const Family kChunked = {
    "chunked_attention", kAttentionOperands, kChunkedRules, outputsInDramInPagesOfOperand0,
    attentionMemory,     attentionRuntime,   neverConfirmed};

// Operands from the minimum on are optional, in the order of the op's segments.
const OpRow kPrefillRows[] = {
    {"ttnn.chunked_scaled_dot_product_attention", &kChunked, 5, 5, 1, 0, Chunked},
    {"ttnn.flash_mla_prefill", &kAttention, 2, 4, 1, 0, Latent},
    {"ttnn.scaled_dot_product_attention", &kAttention, 3, 5},
};

} // namespace

Rows attentionPrefillRows() { return kPrefillRows; }

} // namespace tessera::analytic
