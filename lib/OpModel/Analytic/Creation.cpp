//===- Creation.cpp - Tensors out of nothing -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Creation ops launch no program with circular buffers; undecided results lie
// in DRAM (facts/formulas 2, 8). prepare_conv2d_* run on the host.
//
//===----------------------------------------------------------------------===//
#include "Conversions/Tilize.h"
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned { Fill, Random };

bool sequenceType(const OpCall &call) {
  DataType type = call.out[0].dtype();
  return !answersAsNewest(call) || (type != DataType::UInt8 && !isBlockFloat(type));
}
bool randomType(const OpCall &call) {
  return !answersAsNewest(call) || call.out[0].dtype() != DataType::UInt8;
}
/// Numbers are drawn in tiles, in the shards of the result.
bool shardsOfTiles(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return !answersAsNewest(call) || !out.rowMajor() || !out.sharded() ||
         (out.layout->shard.rows % 32 == 0 && out.layout->shard.columns % 32 == 0);
}

constexpr Rule kSequenceRules[] = {
    {{"arange.type", "a sequence must be of f32, bf16, si32, u32 or u16",
      "ttnn 0.77.0 and 0.81.1 (creation.cpp)"},
     sequenceType},
};
constexpr Rule kRandomRules[] = {
    {{"rand.type", "random numbers cannot be u8", "ttnn 0.77.0 and 0.81.1 (rand.cpp)"}, randomType},
    {{"rand.shards_of_tiles", "row-major shards of random numbers must be whole tiles",
      "ttnn 0.77.0 and 0.81.1 (rand.cpp)"},
     shardsOfTiles},
};

/// Of the fullest core; rows are drawn in tiles, too.
int64_t drawnTiles(const OpCall &call, const TensorRef &out) {
  constexpr int64_t elements = 32 * 32;
  if (!out.sharded())
    return ceilDiv(out.tiles(), call.cores());
  return out.rowMajor() ? ceilDiv(out.layout->shard.volume(), elements) : call.tilesPerCore(out);
}

void memory(const OpCall &call, MemoryUse &use) {
  if (call.row.variant != Random)
    return;
  // Drawn in tiles of floats, then cast to what is no float, and put in rows.
  constexpr int64_t f32Tile = 4096;
  const TensorRef &out = call.out[0];
  bool drawnAsAsked = out.dtype() == DataType::BFloat16 && answersAsNewest(call);
  bool casts = out.dtype() != DataType::Float32 && !drawnAsAsked;
  int64_t drawn = casts ? f32Tile : out.tile, tiles = drawnTiles(call, out);
  use.program("draw");
  use.buffer("random values and result", 2, drawn);
  Chain steps(use);
  steps.step(out.l1() ? tiles * drawn : 0);
  if (casts) {
    use.program("typecast");
    use.buffer("operand", 2, drawn);
    use.buffer("result", 2, out.tile);
    steps.step(out.l1() ? tiles * out.tile : 0);
  }
  if (out.rowMajor()) {
    untilizeProgram(call, use, out, rowTileOf(out), out.sharded() ? &out : nullptr);
    steps.step(call.perCore(out));
  }
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
const Family kSequence = {"creation", {}, kSequenceRules, outputsInDram, memory, runtime};
const Family kRandom = {"creation", {}, kRandomRules, outputsInDram, memory, runtime};
const Family kEmpty = {"creation", {}, {}, outputsInDram, memory, hostRuntime};
const Family kPrepare = {"prepare_conv", kOperands, {}, preparedOutputs, prepareMemory, hostRuntime};

const OpRow kRows[] = {
    {"ttnn.arange", &kSequence, 0, 0, 1, 0, Fill, true},
    {"ttnn.constant", &kCreation, 0, 0, 1, 0, Fill, true},
    {"ttnn.empty", &kEmpty, 0, 0, 1, 0, Fill, true},
    {"ttnn.full", &kCreation, 0, 0, 1, 0, Fill, true},
    {"ttnn.ones", &kCreation, 0, 0, 1, 0, Fill, true},
    {"ttnn.prepare_conv2d_bias", &kPrepare, 1, 1, 1, 0, 0, true},
    {"ttnn.prepare_conv2d_weights", &kPrepare, 1, 1, 1, 0, 0, true},
    {"ttnn.prepare_conv_transpose2d_bias", &kPrepare, 1, 1, 1, 0, 0, true},
    {"ttnn.prepare_conv_transpose2d_weights", &kPrepare, 1, 1, 1, 0, 0, true},
    {"ttnn.rand", &kRandom, 0, 0, 1, 0, Random},
    {"ttnn.zeros", &kCreation, 0, 0, 1, 0, Fill, true},
};

} // namespace

Rows creationRows() { return kRows; }

} // namespace tessera::analytic
