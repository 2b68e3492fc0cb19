//===- Training.cpp - Optimizer steps and the backward pass --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Kernels of tt-train. The goldens confirm what is legal; the buffers are from
// source, unconfirmed.
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

// ---- adamw ----------------------------------------------------------------------------------------------
bool tiledInDram(const OpCall &call) {
  auto fits = [](const TensorRef &t) { return !t.decided() || (t.tiled() && t.dram() && !t.sharded()); };
  return llvm::all_of(call.in, fits) && llvm::all_of(call.out, fits);
}

bool oneShape(const OpCall &call) {
  return llvm::all_of(call.in, [&](const TensorRef &t) { return t.desc->shape == call.in[0].desc->shape; });
}

constexpr Rule kAdamRules[] = {
    {{"adamw.tiled_in_dram", "all tensors of adamw must be tiled and DRAM interleaved", "facts/formulas 14"},
     tiledInDram},
    {{"adamw.one_shape", "parameter, gradient and moments need one shape", "facts/formulas 14"}, oneShape},
};

/// Blocks of four tiles; all but the gradient are written back too.
void adamMemory(const OpCall &call, MemoryUse &use) {
  constexpr int64_t block = 4, intermediates = 6;
  for (size_t i = 0; i < call.in.size(); ++i)
    use.buffer("operand", 2 * block, call.in[i].tile);
  for (size_t i = 0; i < call.in.size(); ++i)
    use.buffer("result", i == 1 ? 0 : 2 * block, call.in[i].tile);
  use.buffer("intermediates", intermediates * block, 4096);
}

OpRuntime adamRuntime(const OpCall &call) {
  return streamTime(call, call.tilesPerCore(call.in[0]) * int64_t(call.in.size()), kTileCopy);
}

// ---- attention ------------------------------------------------------------------------------------------
constexpr Rule kAttentionRules[] = {
    {{"training_attention.tiled", "all operands must be tiled", "facts/ir 4.6"}, allOperandsTiled},
    {{"training_attention.interleaved", "operands and results must be interleaved", "facts/ir 4.6"},
     everythingInterleaved},
};

/// One row of a head per operand and result, doubled where it streams.
void attentionMemory(const OpCall &call, MemoryUse &use) {
  for (const TensorRef &operand : call.in)
    use.buffer("operand row", 2 * operand.tileCols, operand.tile);
  for (const TensorRef &result : call.out)
    use.buffer("result row and its sum", 2 * result.tileCols, result.tile);
  use.buffer("scores, their gradient and statistics", 10, 4096);
}

OpRuntime attentionRuntime(const OpCall &call) {
  const TensorRef &q = call.in[0];
  double tiles = double(q.tiles()) * double(ceilDiv(q.height, 32)) * double(call.in.size());
  Work work;
  addDramTraffic(call, work);
  work.compute = tiles / double(call.cores()) * call[P::TrainingProduct];
  return timeOf(call, work);
}

constexpr llvm::StringRef kAdamOperands[] = {"parameter", "gradient", "first_moment", "second_moment",
                                             "largest_second_moment"};
const Family kAdam = {"adamw",    kAdamOperands, kAdamRules,    outputsInDram,
                      adamMemory, adamRuntime,   neverConfirmed};
const Family kAttention = {
    "training_attention", {}, kAttentionRules, outputsInDram, attentionMemory, attentionRuntime,
    neverConfirmed};

const OpRow kRows[] = {
    {"ttnn.adamw", &kAdam, 4, 5},
    {"ttnn.sdpa_bw", &kAttention, 6, 7, 3},
    {"ttnn.sdpa_fw", &kAttention, 3, 4, 2},
};

} // namespace

Rows trainingRows() { return kRows; }

} // namespace tessera::analytic
