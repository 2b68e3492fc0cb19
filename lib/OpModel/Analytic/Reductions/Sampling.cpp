//===- Sampling.cpp - sampling, expert routing, sparse attention index ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The goldens confirm what is legal (newest backend only); the buffers are from
// source, unconfirmed.
//
//===----------------------------------------------------------------------===//
#include "../Family.h"
#include "../Runtime.h"

namespace tessera::analytic {
namespace {

bool operand0Tiled(const OpCall &call) { return call.in[0].tiled(); }

constexpr RuleInfo kInterleaved = {"sampling.interleaved", "operands and results must be interleaved",
                                   "facts/formulas 14"};

// ---- sampling -------------------------------------------------------------------------------------------
/// A batch of 64 is refused (golden KernelLimitBatch64); the dialect takes 1 to 32 (facts/dialect 9).
bool usersFit(const OpCall &call) { return call.in[0].rows() <= 32; }

constexpr Rule kSamplingRules[] = {
    {{"sampling.values_tiled", "the values must be tiled", "tt-metal source, unconfirmed"}, operand0Tiled},
    {kInterleaved, everythingInterleaved},
    {{"sampling.users", "the kernel samples for at most 32 users", "goldens (KernelLimitBatch64)"}, usersFit},
};

void samplingMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &values = call.in[0];
  use.buffer("values", 2 * values.tileCols, values.tile);
  // Four bytes per index, of all rows of a tile.
  use.buffer("indices", 1, values.width * 32 * 4);
  use.buffer("softmax", 3 * values.tileCols + 4, values.tile);
  use.buffer("k, p, temperature, random value and result", 5, 128);
}

// ---- topk_router_gpt, indexer_score_dsa -----------------------------------------------------------------
constexpr Rule kRouterRules[] = {
    {{"topk_router_gpt.tiled", "all operands must be tiled", "facts/ir 4.6"}, allOperandsTiled},
    {kInterleaved, everythingInterleaved},
};
constexpr Rule kIndexerRules[] = {
    {{"indexer_score_dsa.tiled", "all operands must be tiled", "facts/ir 4.6"}, allOperandsTiled},
    {kInterleaved, everythingInterleaved},
};

constexpr Rule kGateRules[] = {
    {{"deepseek_grouped_gate.tiled", "the scores must be tiled", "tt-metal source, unconfirmed"},
     operand0Tiled},
    {kInterleaved, everythingInterleaved},
};

void gateMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &scores = call.in[0];
  use.buffer("scores and their indices", 4 * scores.tileCols, scores.tile);
  use.buffer("best of each group", 4, scores.tile);
}

/// The experts of a row of tiles are sorted by one core, as topk does it.
OpRuntime gateRuntime(const OpCall &call) {
  const TensorRef &scores = call.in[0];
  Work work;
  addDramTraffic(call, work);
  // A tile is sorted, and then merged with the best of those before.
  work.compute = double(ceilDiv(scores.tileRows, call.cores()) * scores.tileCols) *
                 (call[P::TopKTile] + call[P::TopKMerge]);
  return timeOf(call, work);
}

void routerMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &weight = call.in[1];
  use.buffer("operand row", in.tileCols, in.tile);
  use.buffer("weight column", 2 * ceilDiv(weight.height, 32), weight.tile);
  use.buffer("bias, scores and their order", 4 * weight.tileCols, 2048);
}

void indexerMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &query = call.in[0], &key = call.in[1];
  use.buffer("query rows of all heads", query.dim(1) * query.tileCols, query.tile);
  use.buffer("key row", 2 * key.tileCols, key.tile);
  use.buffer("weights", query.dim(1), call.in[2].tile);
  use.buffer("scores and result", 4, 2048);
}

/// Both multiply operand 0 by operand 1; estimates.
OpRuntime runtime(const OpCall &call) {
  const TensorRef &a = call.in[0];
  Work work;
  addDramTraffic(call, work);
  work.compute =
      double(a.tiles()) * double(call.in[1].tileRows) / double(call.cores()) * call[P::IndexerProduct];
  return timeOf(call, work);
}

OpRuntime samplingRuntime(const OpCall &call) {
  // One user per core, a few passes over the row.
  return streamTime(call, call.in[0].tileCols, kTileCopy, call[P::SamplingTile]);
}

constexpr llvm::StringRef kSamplingOperands[] = {"values", "indices", "k", "p", "temperature"};
constexpr llvm::StringRef kRouterOperands[] = {"operand", "weight", "bias"};
constexpr llvm::StringRef kGateOperands[] = {"scores", "bias"};
constexpr llvm::StringRef kIndexerOperands[] = {"query", "key", "weights"};
const Family kSampling = {"sampling",     kSamplingOperands, kSamplingRules, outputsInDramRowMajor,
                          samplingMemory, samplingRuntime,   neverConfirmed};
const Family kRouter = {"topk_router_gpt", kRouterOperands, kRouterRules,  outputsInDram,
                        routerMemory,      runtime,         neverConfirmed};
const Family kGate = {"deepseek_grouped_gate", kGateOperands, kGateRules,
                      outputsInDram,           gateMemory,    gateRuntime,
                      neverConfirmed};
const Family kIndexer = {"indexer_score_dsa", kIndexerOperands, kIndexerRules, outputsLikeOperand0,
                         indexerMemory,       runtime,          neverConfirmed};

const OpRow kRows[] = {
    {"ttnn.deepseek_grouped_gate", &kGate, 1, 2, 2},
    {"ttnn.indexer_score_dsa", &kIndexer, 3, 3},
    {"ttnn.sampling", &kSampling, 5, 5},
    {"ttnn.topk_router_gpt", &kRouter, 3, 3, 2},
};

} // namespace

Rows samplingRows() { return kRows; }

} // namespace tessera::analytic
