//===- EltwiseUnary.cpp - One operand, one result, element by element ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Circular buffers (facts/opmodel-formulas.md 4.1): two tiles of input and two
// of output; none if sharded, as both then alias the tensors' own buffers.
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned {
  Plain,
  WithTemporary, ///< keeps an intermediate: two more input tiles, or a whole shard
  Typecast,
};

bool sameMemoryLayout(const OpCall &call) {
  return !call.out[0].decided() || call.in[0].layout->memory == call.out[0].layout->memory;
}

bool samePageLayout(const OpCall &call) {
  return !call.out[0].decided() || call.in[0].rowMajor() == call.out[0].rowMajor();
}

bool sameShardGrid(const OpCall &call) {
  return !call.out[0].sharded() || samePlacement(call.in[0], call.out[0]);
}

constexpr Rule kRules[] = {
    {{"unary.tiled", "element-wise ops need a tiled operand", "formulas 4.1"}, allOperandsTiled},
    {{"unary.same_memory_layout", "the result needs the operand's memory layout", "formulas 4.1, hw 4.2"},
     sameMemoryLayout},
    {{"unary.same_shard_grid", "a sharded result needs the operand's grid of cores", "formulas 4.1, hw 4.2"},
     sameShardGrid},
};

constexpr Rule kTypecastRules[] = {
    {{"typecast.same_page_layout", "the result of a typecast needs the operand's page layout; to_layout changes it",
      "ir 1.4"},
     samePageLayout},
    {{"typecast.same_memory_layout", "the result of a typecast needs the operand's memory layout", "ir 4.6"},
     sameMemoryLayout},
    {{"typecast.same_shard_grid", "a sharded result needs the operand's grid of cores", "hw 4.2"},
     sameShardGrid},
};

void memory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!in.onDevice())
    return;
  if (in.sharded()) {
    if (call.row.variant == WithTemporary)
      use.buffer("intermediate", call.tilesPerCore(in), in.tile);
    return;
  }
  int64_t inPage = in.rowMajor() ? in.rowBytes() : in.tile,
          outPage = out.rowMajor() ? out.rowBytes() : out.tile;
  use.buffer("operand", 2, inPage);
  if (call.row.variant == WithTemporary)
    use.buffer("intermediate", 2, inPage);
  use.buffer("result", 2, outPage);
}

OpRuntime runtime(const OpCall &call) {
  if (!call.in[0].onDevice())
    return noTime();
  bool cast = call.row.variant == Typecast;
  Work work =
      streamWork(call, busiestTiles(call), cast ? PathCycles{300, 586, 803} : PathCycles{300, 520, 650});
  work.compute = std::max(work.compute, double(busiestTiles(call)) * call.row.cycles);
  return timeOf(call, work);
}

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kUnary = {"eltwise_unary", kOperands, kRules, outputsLikeOperand0, memory, runtime};
const Family kTypecast = {"typecast", kOperands, kTypecastRules, outputsLikeOperand0, memory, runtime};

// Cycles per tile: relu 289 - 316, exp 2090 measured (hw 6.5); the others by the length of their SFPU
// sequence relative to exp, unconfirmed.
const OpRow kRows[] = {
    {"ttnn.abs", &kUnary, 1, 1, 1, 300},
    {"ttnn.acos", &kUnary, 1, 1, 1, 2500},
    {"ttnn.asin", &kUnary, 1, 1, 1, 2500},
    {"ttnn.asinh", &kUnary, 1, 1, 1, 2500},
    {"ttnn.atan", &kUnary, 1, 1, 1, 2500},
    {"ttnn.bitwise_not", &kUnary, 1, 1, 1, 300},
    {"ttnn.cbrt", &kUnary, 1, 1, 1, 2500, WithTemporary},
    {"ttnn.ceil", &kUnary, 1, 1, 1, 400},
    {"ttnn.clamp_scalar", &kUnary, 1, 1, 1, 400},
    {"ttnn.cos", &kUnary, 1, 1, 1, 1500},
    {"ttnn.elu", &kUnary, 1, 1, 1, 2090},
    {"ttnn.erf", &kUnary, 1, 1, 1, 2000},
    {"ttnn.erfc", &kUnary, 1, 1, 1, 2000},
    {"ttnn.exp", &kUnary, 1, 1, 1, 2090},
    {"ttnn.expm1", &kUnary, 1, 1, 1, 2200},
    {"ttnn.floor", &kUnary, 1, 1, 1, 400},
    {"ttnn.gelu", &kUnary, 1, 1, 1, 1800},
    {"ttnn.hardshrink", &kUnary, 1, 1, 1, 600, WithTemporary},
    {"ttnn.hardsigmoid", &kUnary, 1, 1, 1, 500},
    {"ttnn.hardswish", &kUnary, 1, 1, 1, 600},
    {"ttnn.isfinite", &kUnary, 1, 1, 1, 400},
    {"ttnn.leaky_relu", &kUnary, 1, 1, 1, 350},
    {"ttnn.log", &kUnary, 1, 1, 1, 1500},
    {"ttnn.log1p", &kUnary, 1, 1, 1, 1600},
    {"ttnn.log2", &kUnary, 1, 1, 1, 1500},
    {"ttnn.logical_not", &kUnary, 1, 1, 1, 300},
    {"ttnn.mish", &kUnary, 1, 1, 1, 3000},
    {"ttnn.neg", &kUnary, 1, 1, 1, 300},
    {"ttnn.pow_scalar", &kUnary, 1, 1, 1, 1500},
    {"ttnn.reciprocal", &kUnary, 1, 1, 1, 900},
    {"ttnn.relu", &kUnary, 1, 1, 1, 300},
    {"ttnn.relu6", &kUnary, 1, 1, 1, 350},
    {"ttnn.round", &kUnary, 1, 1, 1, 400},
    {"ttnn.rsqrt", &kUnary, 1, 1, 1, 1000},
    {"ttnn.sigmoid", &kUnary, 1, 1, 1, 1800},
    {"ttnn.sign", &kUnary, 1, 1, 1, 300},
    {"ttnn.silu", &kUnary, 1, 1, 1, 2000},
    {"ttnn.sin", &kUnary, 1, 1, 1, 1500},
    {"ttnn.sqrt", &kUnary, 1, 1, 1, 900},
    {"ttnn.tan", &kUnary, 1, 1, 1, 1800},
    {"ttnn.tanh", &kUnary, 1, 1, 1, 1500},
    {"ttnn.trunc", &kUnary, 1, 1, 1, 400},
    {"ttnn.typecast", &kTypecast, 1, 1, 1, 300, Typecast, true},
};

} // namespace

Rows eltwiseUnaryRows() { return kRows; }

} // namespace tessera::analytic
