//===- Creation.cpp - Tensors out of nothing -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Creation ops launch no program with circular buffers; undecided results lie
// in DRAM (facts/formulas 2, 8). prepare_conv2d_* run on the host.
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned { Fill, Random };

void memory(const OpCall &call, MemoryUse &use) {
  if (call.row.variant != Random)
    return;
  // Drawn as f32, then cast.
  constexpr int64_t f32Tile = 4096;
  const TensorRef &out = call.out[0];
  use.buffer("random values", 1, f32Tile);
  use.buffer("f32 operand and result of the cast", 2, f32Tile);
  bool casts = out.dtype() != DataType::Float32;
  use.tensors(call.perCore(out) + (casts ? call.perCore(out) * f32Tile / out.tile : 0));
}

constexpr PathCost kTiles = {P::CreationTile, P::CreationMove, P::CreationMove};

OpRuntime runtime(const OpCall &call) {
  if (call.out.empty() || !call.out[0].onDevice())
    return noTime();
  return timeOf(call, streamWork(call, busiestTiles(call), kTiles));
}

void prepareMemory(const OpCall &, MemoryUse &use) { use.tensors(0); }
/// On the host, or nowhere: what is empty is given a place, and no program runs.
OpRuntime hostRuntime(const OpCall &) { return noTime(); }

/// What is prepared lies on the host, or in DRAM if L1 was asked for as well (asked of ttnn 0.81.1).
void preparedOutputs(OpCall &call) {
  const TensorRef &out = call.out[0];
  if (out.decided() && out.l1())
    call.setOutput(0, dramInterleaved(*out.desc, out.layout->page));
  outputsInDram(call);
}

constexpr llvm::StringRef kOperands[] = {"weight"};
const Family kCreation = {"creation", {}, {}, outputsInDram, memory, runtime};
const Family kEmpty = {"creation", {}, {}, outputsInDram, memory, hostRuntime};
const Family kPrepare = {"prepare_conv", kOperands, {}, preparedOutputs, prepareMemory, hostRuntime};

const OpRow kRows[] = {
    {"ttnn.arange", &kCreation, 0, 0, 1, 0, Fill, true},
    {"ttnn.constant", &kCreation, 0, 0, 1, 0, Fill, true},
    {"ttnn.empty", &kEmpty, 0, 0, 1, 0, Fill, true},
    {"ttnn.full", &kCreation, 0, 0, 1, 0, Fill, true},
    {"ttnn.ones", &kCreation, 0, 0, 1, 0, Fill, true},
    {"ttnn.prepare_conv2d_bias", &kPrepare, 1, 1, 1, 0, 0, true},
    {"ttnn.prepare_conv2d_weights", &kPrepare, 1, 1, 1, 0, 0, true},
    {"ttnn.prepare_conv_transpose2d_bias", &kPrepare, 1, 1, 1, 0, 0, true},
    {"ttnn.prepare_conv_transpose2d_weights", &kPrepare, 1, 1, 1, 0, 0, true},
    {"ttnn.rand", &kCreation, 0, 0, 1, 0, Random},
    {"ttnn.zeros", &kCreation, 0, 0, 1, 0, Fill, true},
};

} // namespace

Rows creationRows() { return kRows; }

} // namespace tessera::analytic
