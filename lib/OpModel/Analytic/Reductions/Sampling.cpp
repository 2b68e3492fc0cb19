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
/// The candidates are merged by twos.
bool candidatesByTwos(const OpCall &call) {
  const TensorRef &values = call.in[0];
  return values.width % 32 == 0 && llvm::isPowerOf2_64(uint64_t(values.tileCols));
}
bool samplingTypes(const OpCall &call) {
  DataType indices = call.in[1].dtype(), k = call.in[2].dtype();
  auto whole = [](DataType type) { return type == DataType::UInt32 || type == DataType::Int32; };
  return whole(indices) && whole(k) && llvm::all_of(std::array{0, 3, 4}, [&](int operand) {
           return call.in[operand].dtype() == DataType::BFloat16;
         });
}
bool listsInRows(const OpCall &call) {
  return llvm::all_of(llvm::ArrayRef(call.in).drop_front(), [](const TensorRef &t) { return t.rowMajor(); });
}

constexpr Rule kSamplingRules[] = {
    {{"sampling.values_tiled", "the values must be tiled", "tt-metal source, unconfirmed"}, operand0Tiled},
    {kInterleaved, everythingInterleaved},
    {{"sampling.users", "the kernel samples for at most 32 users", "goldens (KernelLimitBatch64)"}, usersFit},
    {{"sampling.candidates", "the values must fill 1, 2, 4, 8 or another power of two of tiles in a row",
      "ttnn 0.77.0 and 0.81.1 (sampling_device_operation.cpp)"},
     candidatesByTwos},
    {{"sampling.types", "values, p and temperature must be bf16, indices and k u32 or si32",
      "ttnn 0.77.0 and 0.81.1 (sampling_device_operation.cpp)"},
     samplingTypes},
    {{"sampling.lists_in_rows", "indices, k, p and temperature must be row-major",
      "ttnn 0.77.0 and 0.81.1 (sampling_device_operation.cpp)"},
     listsInRows},
};

/// A core sorts the candidates of one user, two tiles of values and of their numbers at a time, while the next two come
/// (tt-metal: sampling_program_factory.cpp).
void samplingMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &values = call.in[0];
  constexpr int64_t rows = 32, together = 2, number = 2048, wide = 4, narrow = 2;
  int64_t users = values.rows();
  use.buffer("values and what is left of them", 2 * 2 * together, values.tile);
  use.buffer("numbers", 2 * together, number);
  use.buffer("sorted values", values.tileCols, values.tile);
  use.buffer("sorted numbers", values.tileCols, number);
  use.buffer("values, numbers and sums on their way", 3 * together, number);
  use.buffer("scale, maximum, sum, temperature and random value", 5, number);
  // Rows of all users, so that each begins where it is aligned.
  use.buffer("indices", rows * values.tileCols, rows * call.in[1].scalar);
  use.buffer("temperature", users, narrow);
  use.scratchpad(call, "result", rows, wide);
  use.scratchpad(call, "k", users, wide);
  use.scratchpad(call, "p", users, narrow);
}

/// Where the values lie, whatever is asked for.
void samplingOutputs(OpCall &call) {
  const TensorDesc &result = *call.out[0].desc;
  constexpr PageLayout rows = PageLayout::RowMajor;
  call.setOutput(0, call.in[0].l1() ? l1Interleaved(result, call.device().workerGrid, rows)
                                    : dramInterleaved(result, rows));
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
const Family kSampling = {"sampling",     kSamplingOperands, kSamplingRules, samplingOutputs,
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
