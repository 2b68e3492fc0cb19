//===- Quantization.cpp - quantize, dequantize, requantize ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Composed of element-wise kernels with the scale and zero point written out to
// the operand's shape (facts/opmodel-formulas.md 4.3). Scales per channel cost a
// row broadcast: eight tiles instead of six. Which temporaries live at the peak
// is confirmed by a handful of goldens each; see the table.
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned { Quantize, Dequantize, Requantize };

constexpr int64_t kWideTile = 4096; ///< i32 and f32

bool perChannel(const OpCall &call) { return call.in[1].elements() > 1; }

bool integerOperand(const OpCall &call) {
  return call.row.variant != Requantize || call.in[0].dtype() == DataType::Int32;
}

constexpr Rule kRules[] = {
    {{"quantization.tiled", "quantization needs tiled operands", "hw 4.2"}, allOperandsTiled},
    {{"quantization.interleaved", "quantization takes interleaved tensors only (this model's bound)",
      "formulas 4.3"},
     everythingInterleaved},
    {{"quantization.integer_operand", "requantize needs an si32 operand", "formulas 4.3"}, integerOperand},
};

/// Temporaries and result, in L1 bytes per core of the operand's tiles at 2 or 4 bytes per element.
int64_t tensorPeak(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t tiles = ceilDiv(out.tiles(), call.cores());
  int64_t narrow = 2048 * tiles, wide = kWideTile * tiles;
  bool l1In = in.l1(), l1Out = out.l1(), channels = perChannel(call), l1Scale = call.in[1].l1();
  int64_t result = call.perCore(out);
  if (call.row.variant == Quantize) // zero point, scale if per channel, operand, quotient, result
    return (l1Scale ? narrow * (channels ? 2 : 1) : 0) + (l1In ? narrow : 0) + (l1Out ? narrow : 0) + result;
  if (call.row.variant == Dequantize) // per channel: zero point, scale, f32 operand; difference, result
    return (channels && l1Scale ? 2 * wide : 0) + (channels && l1In ? wide : 0) + (l1Out ? wide : 0) + result;
  if (!l1Out)
    return 0;
  return wide * (channels ? 9 + int64_t(l1In) : 3); // fitted
}

void memory(const OpCall &call, MemoryUse &use) {
  int64_t tile = call.row.variant == Quantize ? call.in[0].tile : kWideTile;
  use.buffer("operand, zero point and result", 6, tile);
  if (perChannel(call))
    use.buffer("broadcast row", 2, tile);
  use.tensors(tensorPeak(call));
}

OpRuntime runtime(const OpCall &call) {
  Work work = streamWork(call, busiestTiles(call), {680, 754, 700});
  work.programs = call.row.variant == Requantize ? 6 : 4;
  return timeOf(call, work);
}

constexpr llvm::StringRef kOperands[] = {"operand", "scale", "zero_point", "out_scale", "out_zero_point"};
const Family kQuantization = {"quantization", kOperands, kRules, outputsLikeOperand0, memory, runtime};

const OpRow kRows[] = {
    {"ttnn.dequantize", &kQuantization, 3, 3, 1, 0, Dequantize},
    {"ttnn.quantize", &kQuantization, 3, 3, 1, 0, Quantize},
    {"ttnn.requantize", &kQuantization, 5, 5, 1, 0, Requantize},
};

} // namespace

Rows quantizationRows() { return kRows; }

} // namespace tessera::analytic
