//===- Embedding.cpp - Rows of a table by index ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rows are gathered in row-major form: a tiled table is untilized first, a tiled
// result tilized afterwards (facts/formulas 8).
//
//===----------------------------------------------------------------------===//
#include "RowPrograms.h"
#include "Tilize.h"

namespace tessera::analytic {
namespace {

constexpr Rule kEmbeddingRules[] = {
    {{"embedding.interleaved", "indices and table must be interleaved", "facts/hardware 4.4"},
     allOperandsInterleaved},
    {{"embedding.result_interleaved", "the result must be interleaved", "facts/ir 4.6"}, outputsInterleaved},
};

void embeddingMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &table = call.in[1], &out = call.out[0];
  int64_t tableRows = 0;
  // The kernel reads rows, so a tiled table is turned first.
  if (table.tiled()) {
    untilizeProgram(call, use, table, table.tile);
    tableRows = rowMajorCopy(call, table);
  }
  use.program("gather");
  use.buffer("rows", 2, table.rowBytes());
  use.buffer("indices", 1, 32 * call.in[0].scalar);
  if (out.rowMajor())
    return;
  tilizeProgram(call, use, out, out.tile);
  use.tensors(tableRows + rowMajorBytes(call, out, out.l1()) + call.perCore(out));
}

/// The rows asked for are read one by one, not the table. Indices are shared out in groups that one access to
/// the DRAM holds. A tiled table is untilized first, in every call; a tiled result tilized at the end.
OpRuntime embeddingRuntime(const OpCall &call) {
  const TensorRef &indices = call.in[0], &table = call.in[1], &out = call.out[0];
  int64_t group =
      std::max<int64_t>(1, call.device().dramAlignment.value() / std::max<int64_t>(1, indices.scalar));
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

// ---- embedding_bw ---------------------------------------------------------------------------------------
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
const Family kEmbedding = {"embedding",   kOperands,       kEmbeddingRules,
                           outputsInDram, embeddingMemory, embeddingRuntime};
const Family kBackward = {"embedding_bw", kOperands,      kEmbeddingRules,
                          outputsInDram,  backwardMemory, backwardRuntime};

const OpRow kRows[] = {
    {"ttnn.embedding", &kEmbedding, 2, 2},
    {"ttnn.embedding_bw", &kBackward, 3, 3},
};

} // namespace

Rows embeddingRows() { return kRows; }

} // namespace tessera::analytic
